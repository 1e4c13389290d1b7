/* pairs_float.cu - sums over pairs in float: pairs.cuh. SPDX-License-Identifier: BSD-3-Clause */
#include "pairs.cuh"

enuf_status enuf_direct_pairs_f32(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    return sum_pairs<float>(sums, pass);
}

int64_t enuf_direct_pairs_partial_f32(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    return partial_of<float>(sums, pass);
}
