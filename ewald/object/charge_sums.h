/*
 * charge_sums.h - the sums of charges in device memory, as a backend makes them. Read by C and by
 * CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CHARGE_SUMS_H
#define ENUF_CHARGE_SUMS_H

#include <stdint.h>

/** Sums are integers in the units that enuf_invariant_sum() takes, so that they have the bits of
 * the host's sums in any order. */
typedef struct enuf_charge_sums {
    int64_t n_charged; /* charges that are not 0 */
    uint64_t bad;      /* lowest index of a charge that is not finite; UINT64_MAX: none */
    double bad_charge; /* that charge */
    double largest;    /* max |q| */
    int64_t sum, sum_abs, sum_q2;
    int64_t concentration; /* of (q^2/sum q^2)^2 */
} enuf_charge_sums;

#endif
