/* pairs_half_double.cu - forces of pairs met once, in double. SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs_half.cuh"

extern "C" enuf_status enuf_cuda_pairs_half_double(const enuf_cuda_pair_arguments *a, int64_t most,
                                                   cudaStream_t stream)
{
    if (a->n_fit <= 9) return launch_half<double, 9, false>(a, most, stream);
    if (a->n_fit <= 12) return launch_half<double, 12, false>(a, most, stream);
    if (a->n_fit <= 16) return launch_half<double, 16, false>(a, most, stream);
    if (a->n_fit <= 20) return launch_half<double, 20, false>(a, most, stream);
    return launch_half<double, 0, false>(a, most, stream);
}
