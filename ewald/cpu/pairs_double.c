/* pairs_double.c - the pair kernels in double. SPDX-License-Identifier: BSD-3-Clause */
#include "pairs_in_double.h"

SIMD_INLINE void run(enuf_pair_block *block, const enuf_pair_polynomials *p, const int with_field,
                     const int with_potential, const int with_tensor)
{
    const kernel_block b = view_of(block);
    kernel_hits hits;
    double closest = pair_kernel(&b, &hits, with_potential ? p->n_both : p->n_force, p->force,
                                 p->energy, with_field, with_potential, with_tensor);
    if (closest < block->closest) block->closest = closest;
}

#include "pairs_variants.h"

const enuf_pair_kernels enuf_pair_kernels_double = {field, potential, both, all};
