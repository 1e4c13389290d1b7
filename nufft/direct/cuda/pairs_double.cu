/* pairs_double.cu - sums over pairs in double: pairs.cuh. SPDX-License-Identifier: BSD-3-Clause */
#include "pairs.cuh"

enuf_status enuf_direct_pairs_f64(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    return sum_pairs<double>(sums, pass);
}

int64_t enuf_direct_pairs_partial_f64(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    return partial_of<double>(sums, pass);
}
