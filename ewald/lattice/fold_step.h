/*
 * fold_step.h - splits numbers into whole steps and rests, for folding in double: the folded
 * position is the position less a sum of cell vectors. Positions and cell vectors are split at a
 * step so coarse that whole steps add and multiply without rounding; the rests are so small that
 * their rounding does not count.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_FOLD_STEP_H
#define ENUF_FOLD_STEP_H

/** A step so coarse that every sum on the way from a position to the folded one is below 2^51
 * steps. lattice: rows in cutoffs, inverse: its inverse, lower: fractions at which the cell begins;
 * coordinates up to `reach`, which is in the units of the cutoff. */
long double enuf_fold_step(const long double lattice[9], const long double inverse[9],
                           const long double lower[3], long double cutoff, long double reach);

/** The number whose addition rounds a coordinate to whole steps. */
double enuf_fold_to_steps(long double step);

/** x = high + low: high is whole steps, low at most half of one. */
void enuf_fold_split(long double x, long double step, double *high, double *low);

#endif
