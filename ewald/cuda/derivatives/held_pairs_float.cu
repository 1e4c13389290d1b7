/* held_pairs_float.cu - pairs of sets of charges in float. SPDX-License-Identifier: BSD-3-Clause */
#include "held_pairs.cuh"

extern "C" enuf_status enuf_cuda_held_pairs_float(const enuf_cuda_pair_arguments *a, int lanes,
                                                  int64_t most, cudaStream_t stream)
{
    if (a->n_fit <= 8) return launch_held<float, 8>(a, lanes, most, stream);
    if (a->n_fit <= 12) return launch_held<float, 12>(a, lanes, most, stream);
    return launch_held<float, 0>(a, lanes, most, stream);
}
