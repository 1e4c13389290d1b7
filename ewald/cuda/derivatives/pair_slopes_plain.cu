/* pair_slopes_plain.cu - slopes of pairs in float without double, for GPUs whose double is slow.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "pair_slopes.cuh"

extern "C" enuf_status enuf_cuda_pair_slopes_plain(const enuf_cuda_pair_arguments *a,
                                                   const enuf_cuda_wanted_slopes *wanted,
                                                   int64_t most, cudaStream_t stream)
{
    if (a->n_fit <= 12) return launch_slopes<float, 12, true>(a, wanted, most, stream);
    return launch_slopes<float, 0, true>(a, wanted, most, stream);
}
