/* pairs_double.cu - pair sums in double. SPDX-License-Identifier: BSD-3-Clause */
#include "pair_kernel.cuh"

extern "C" enuf_status enuf_cuda_pairs_double(const enuf_cuda_pair_arguments *a, int64_t most,
                                              cudaStream_t stream)
{
    if (a->n_fit <= 12) return launch_sums<double, 12>(a, most, stream);
    if (a->n_fit <= 16) return launch_sums<double, 16>(a, most, stream);
    if (a->n_fit <= 20) return launch_sums<double, 20>(a, most, stream);
    if (a->n_fit <= 26) return launch_sums<double, 26>(a, most, stream);
    return launch_sums<double, 0>(a, most, stream);
}
