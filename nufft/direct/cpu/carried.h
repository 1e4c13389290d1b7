/*
 * carried.h - sums whose rounding errors are carried along. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_CARRIED_H
#define ENUF_DIRECT_CARRIED_H

enum {
    ENUF_RUN = 64
}; /* terms summed plainly: their rounding stays below 2e-16 of the sum, in
      float below 1e-7 */

/* A sum and the rounding error of its additions. */
typedef struct enuf_carried {
    double sum;
    double lost;
} enuf_carried;

/* Knuth's two-sum: The Art of Computer Programming 2, section 4.2.2, theorem B. */
static inline void enuf_carry(enuf_carried *total, double x)
{
    double sum = total->sum + x;
    double back = sum - total->sum;
    total->lost += (total->sum - (sum - back)) + (x - back);
    total->sum = sum;
}

static inline double enuf_carried_value(enuf_carried total)
{
    return total.sum + total.lost;
}

#endif
