/* lattice_float.cu - sums over a lattice in float: lattice.cuh. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "lattice.cuh"

enuf_status enuf_direct_lattice_f32(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    return sum_lattice<float>(sums, pass);
}

int64_t enuf_direct_lattice_partial_f32(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    return lattice_partial(sums, pass);
}
