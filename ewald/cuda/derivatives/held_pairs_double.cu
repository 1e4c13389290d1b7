/* held_pairs_double.cu - pairs of sets of charges in double. SPDX-License-Identifier: BSD-3-Clause
 */
#include "held_pairs.cuh"

extern "C" enuf_status enuf_cuda_held_pairs_double(const enuf_cuda_pair_arguments *a, int lanes,
                                                   int64_t most, cudaStream_t stream)
{
    if (a->n_fit <= 12) return launch_held<double, 12>(a, lanes, most, stream);
    if (a->n_fit <= 18) return launch_held<double, 18>(a, lanes, most, stream);
    return launch_held<double, 0>(a, lanes, most, stream);
}
