/* pairs_ghosts_double.cu - forces of pairs met once, in double, among ghosts of other devices'
 * atoms. SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs_half.cuh"

extern "C" enuf_status enuf_cuda_pairs_ghosts_double(const enuf_cuda_pair_arguments *a,
                                                     int64_t most, cudaStream_t stream)
{
    if (a->n_fit <= 9) return launch_half<double, 9, true>(a, most, stream);
    if (a->n_fit <= 12) return launch_half<double, 12, true>(a, most, stream);
    if (a->n_fit <= 16) return launch_half<double, 16, true>(a, most, stream);
    if (a->n_fit <= 20) return launch_half<double, 20, true>(a, most, stream);
    return launch_half<double, 0, true>(a, most, stream);
}
