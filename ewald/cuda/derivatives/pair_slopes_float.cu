/* pair_slopes_float.cu - slopes of pairs in float. SPDX-License-Identifier: BSD-3-Clause */
#include "pair_slopes.cuh"

extern "C" enuf_status enuf_cuda_pair_slopes_float(const enuf_cuda_pair_arguments *a,
                                                   const enuf_cuda_wanted_slopes *wanted,
                                                   int64_t most, cudaStream_t stream)
{
    if (a->n_fit <= 10) return launch_slopes<float, 10>(a, wanted, most, stream);
    if (a->n_fit <= 12) return launch_slopes<float, 12>(a, wanted, most, stream);
    if (a->n_fit <= 14) return launch_slopes<float, 14>(a, wanted, most, stream);
    if (a->n_fit <= 16) return launch_slopes<float, 16>(a, wanted, most, stream);
    return launch_slopes<float, 0>(a, wanted, most, stream);
}
