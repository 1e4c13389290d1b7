/* pairs_half_float.cu - forces of pairs met once, in float. SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs_half.cuh"

extern "C" enuf_status enuf_cuda_pairs_half_float(const enuf_cuda_pair_arguments *a, int64_t most,
                                                  cudaStream_t stream)
{
    if (a->n_fit <= 8) return launch_half<float, 8, false>(a, most, stream);
    if (a->n_fit <= 9) return launch_half<float, 9, false>(a, most, stream);
    if (a->n_fit <= 10) return launch_half<float, 10, false>(a, most, stream);
    if (a->n_fit <= 12) return launch_half<float, 12, false>(a, most, stream);
    if (a->n_fit <= 16) return launch_half<float, 16, false>(a, most, stream);
    return launch_half<float, 0, false>(a, most, stream);
}
