/*
 * exact_total.h - sums of doubles without any rounding, in one pass: the same for any order, any
 * number of threads and of ranks. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EXACT_TOTAL_H
#define ENUF_EXACT_TOTAL_H

#include <stdint.h>

/** Digits of a total to the base 2^32: they reach from the least double to the largest. The last
 * counts terms that are not finite. */
enum { ENUF_TOTAL_DIGITS = 70 };

/**
 * Integers with a weight of 2^32 from one to the next, not carried: up to 2^31 terms may be added.
 * Two totals are added by adding their integers, which ranks do in one message. A total begins as
 * zeros.
 */
typedef struct enuf_total {
    int64_t digit[ENUF_TOTAL_DIGITS];
} enuf_total;

void enuf_total_add(enuf_total *total, double term);

/** Adds `totals` [n] to the caller's `to` [n]; several threads may do so at once. */
void enuf_totals_join(int n, const enuf_total *totals, enuf_total *to);

/** The sum, rounded once (to within 2^-63 of it); NaN if a term was not finite. */
double enuf_total_value(const enuf_total *total);

#endif
