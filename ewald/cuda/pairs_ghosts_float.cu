/* pairs_ghosts_float.cu - forces of pairs met once, in float, among ghosts of other devices' atoms.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs_half.cuh"

extern "C" enuf_status enuf_cuda_pairs_ghosts_float(const enuf_cuda_pair_arguments *a, int64_t most,
                                                    cudaStream_t stream)
{
    if (a->n_fit <= 8) return launch_half<float, 8, true>(a, most, stream);
    if (a->n_fit <= 9) return launch_half<float, 9, true>(a, most, stream);
    if (a->n_fit <= 10) return launch_half<float, 10, true>(a, most, stream);
    if (a->n_fit <= 12) return launch_half<float, 12, true>(a, most, stream);
    if (a->n_fit <= 16) return launch_half<float, 16, true>(a, most, stream);
    return launch_half<float, 0, true>(a, most, stream);
}
