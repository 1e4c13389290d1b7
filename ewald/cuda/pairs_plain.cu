/* pairs_plain.cu - pair sums in float without double, for GPUs whose double is slow: pairs met
 * twice, and met once. SPDX-License-Identifier: BSD-3-Clause */
#include "pair_kernel.cuh"
#include "pairs_half.cuh"

extern "C" enuf_status enuf_cuda_pairs_plain(const enuf_cuda_pair_arguments *a, int64_t most,
                                             cudaStream_t stream)
{
    if (a->n_fit <= 8) return launch_sums<float, 8, true>(a, most, stream);
    if (a->n_fit <= 12) return launch_sums<float, 12, true>(a, most, stream);
    return launch_sums<float, 0, true>(a, most, stream);
}

extern "C" enuf_status enuf_cuda_pairs_half_plain(const enuf_cuda_pair_arguments *a, int64_t most,
                                                  cudaStream_t stream)
{
    if (a->n_fit <= 8) return launch_half<float, 8, false, true>(a, most, stream);
    if (a->n_fit <= 9) return launch_half<float, 9, false, true>(a, most, stream);
    if (a->n_fit <= 10) return launch_half<float, 10, false, true>(a, most, stream);
    if (a->n_fit <= 12) return launch_half<float, 12, false, true>(a, most, stream);
    return launch_half<float, 0, false, true>(a, most, stream);
}

/* with ghosts */
extern "C" enuf_status enuf_cuda_pairs_ghosts_plain(const enuf_cuda_pair_arguments *a, int64_t most,
                                                    cudaStream_t stream)
{
    if (a->n_fit <= 8) return launch_half<float, 8, true, true>(a, most, stream);
    if (a->n_fit <= 10) return launch_half<float, 10, true, true>(a, most, stream);
    return launch_half<float, 0, true, true>(a, most, stream);
}
