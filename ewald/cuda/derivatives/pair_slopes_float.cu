/* pair_slopes_float.cu - slopes of pairs in float. SPDX-License-Identifier: BSD-3-Clause */
#include "pair_slopes.cuh"

extern "C" enuf_status enuf_cuda_pair_slopes_float(const enuf_cuda_pair_arguments *a,
                                                   const enuf_cuda_wanted_slopes *wanted,
                                                   int64_t most, cudaStream_t stream)
{
    if (a->n_fit <= 9) return launch_slopes<float, 9>(a, wanted, most, stream);
    if (a->n_fit <= 11) return launch_slopes<float, 11>(a, wanted, most, stream);
    if (a->n_fit <= 13) return launch_slopes<float, 13>(a, wanted, most, stream);
    if (a->n_fit <= 15) return launch_slopes<float, 15>(a, wanted, most, stream);
    return launch_slopes<float, 0>(a, wanted, most, stream);
}
