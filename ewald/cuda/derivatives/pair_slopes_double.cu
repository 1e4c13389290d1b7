/* pair_slopes_double.cu - slopes of pairs in double. SPDX-License-Identifier: BSD-3-Clause */
#include "pair_slopes.cuh"

extern "C" enuf_status enuf_cuda_pair_slopes_double(const enuf_cuda_pair_arguments *a,
                                                    const enuf_cuda_wanted_slopes *wanted,
                                                    int64_t most, cudaStream_t stream)
{
    if (a->n_fit <= 9) return launch_slopes<double, 9>(a, wanted, most, stream);
    if (a->n_fit <= 11) return launch_slopes<double, 11>(a, wanted, most, stream);
    if (a->n_fit <= 13) return launch_slopes<double, 13>(a, wanted, most, stream);
    if (a->n_fit <= 15) return launch_slopes<double, 15>(a, wanted, most, stream);
    if (a->n_fit <= 20) return launch_slopes<double, 20>(a, wanted, most, stream);
    return launch_slopes<double, 0>(a, wanted, most, stream);
}
