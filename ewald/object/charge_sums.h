/*
 * charge_sums.h - the sums of charges in device memory, and errors of charges and exclusions there,
 * as a backend finds them. Read by C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CHARGE_SUMS_H
#define ENUF_CHARGE_SUMS_H

#include <stdint.h>

/** Sums are integers in the units that enuf_invariant_sum() takes, so that they have the bits of
 * the host's sums in any order. */
typedef struct enuf_charge_sums {
    int64_t n_charged; /* charges that are not 0 */
    double largest;    /* max |q| */
    int64_t sum, sum_abs, sum_q2;
    int64_t concentration; /* of (q^2/sum q^2)^2 */
    /* Lowest indices; UINT64_MAX: none. Of a charge that is not finite; of an exclusion whose atoms
     * are not two different ones of n; of one whose weight is not finite; 2^32 i + j of a pair that
     * is excluded twice. */
    uint64_t bad, bad_pair, bad_weight, repeated;
    /* of the first of these errors (a pair before a later weight): the bits of the charge or of the
     * weight, or the two atoms */
    int64_t detail[2];
} enuf_charge_sums;

#endif
