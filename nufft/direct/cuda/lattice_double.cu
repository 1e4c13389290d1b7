/* lattice_double.cu - sums over a lattice in double: lattice.cuh. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "lattice.cuh"

enuf_status enuf_direct_lattice_f64(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    return sum_lattice<double>(sums, pass);
}

int64_t enuf_direct_lattice_partial_f64(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    return lattice_partial(sums, pass);
}
