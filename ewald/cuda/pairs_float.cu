/* pairs_float.cu - pair sums in float. SPDX-License-Identifier: BSD-3-Clause */
#include "pair_kernel.cuh"

extern "C" enuf_status enuf_cuda_pairs_float(const enuf_cuda_pair_arguments *a, int64_t most,
                                             cudaStream_t stream)
{
    if (a->n_fit <= 8) return launch_sums<float, 8>(a, most, stream);
    if (a->n_fit <= 10) return launch_sums<float, 10>(a, most, stream);
    if (a->n_fit <= 12) return launch_sums<float, 12>(a, most, stream);
    if (a->n_fit <= 16) return launch_sums<float, 16>(a, most, stream);
    return launch_sums<float, 0>(a, most, stream);
}
