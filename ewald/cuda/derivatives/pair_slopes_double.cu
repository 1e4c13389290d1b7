/* pair_slopes_double.cu - slopes of pairs in double. SPDX-License-Identifier: BSD-3-Clause */
#include "pair_slopes.cuh"

extern "C" enuf_status enuf_cuda_pair_slopes_double(const enuf_cuda_pair_arguments *a,
                                                    const enuf_cuda_wanted_slopes *wanted,
                                                    int64_t most, cudaStream_t stream)
{
    return launch_slopes<double, 0>(a, wanted, most, stream);
}
