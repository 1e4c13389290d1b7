/*
 * pairs_variants.h - the kernel of a precision once for each set of sums. pairs_double.c and
 * pairs_float.c include it after their run(block, polynomials, with_field, with_potential,
 * with_tensor); the flags are constants here. SPDX-License-Identifier: BSD-3-Clause
 */

static void field(enuf_pair_block *block, const enuf_pair_polynomials *polynomials)
{
    run(block, polynomials, 1, 0, 0);
}

static void potential(enuf_pair_block *block, const enuf_pair_polynomials *polynomials)
{
    run(block, polynomials, 0, 1, 0);
}

static void both(enuf_pair_block *block, const enuf_pair_polynomials *polynomials)
{
    run(block, polynomials, 1, 1, 0);
}

static void all(enuf_pair_block *block, const enuf_pair_polynomials *polynomials)
{
    run(block, polynomials, 1, 1, 1);
}
