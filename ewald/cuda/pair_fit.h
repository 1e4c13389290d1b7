/*
 * pair_fit.h - the pair functions of a splitting as one polynomial each, for the GPU.
 *
 * One polynomial over all of s = (r/r_c)^2 has more coefficients than a piece of a table. On a GPU
 * they cost less than a lookup of the piece. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_PAIR_FIT_H
#define ENUF_EWALD_CUDA_PAIR_FIT_H

#ifdef __cplusplus
extern "C" {
#endif

#include "choose/splitting.h"
#include "evaluate/pair_bend.h"

enum { ENUF_PAIR_FIT_COEFFICIENTS = 64 };

/*
 * Polynomials in ENUF_PAIR_FIT_CENTRE - s. Both fall steeply with s: a centre of 0.5 loses digits
 * near the cutoff, where most pairs are; with a centre of 1 the oscillations of the fit grow. A
 * centre of 0.7 avoids both, from 6 to 40 coefficients, in float and in double.
 */
#define ENUF_PAIR_FIT_CENTRE 0.7

typedef struct enuf_pair_fit {
    int n_force, n_energy; /* coefficients in use; zeros behind them */
    double force[ENUF_PAIR_FIT_COEFFICIENTS];
    double energy[ENUF_PAIR_FIT_COEFFICIENTS];
} enuf_pair_fit;

/**
 * Fits Q and R of a splitting to an absolute error, or to the rounding of the arithmetic. Errors:
 * ENUF_UNREACHABLE_ACCURACY for too steep a splitting.
 */
enuf_status enuf_pair_fit_make(const enuf_splitting *splitting, double error, int single,
                               enuf_pair_fit *fit);

/** B of pair_bend.h as one polynomial. Made once per bend; all zeros: not made. */
typedef struct enuf_bend_fit {
    enuf_split kind; /* of the bend, with its parameter, cutoff and error */
    double parameter, cutoff, error;
    int n;           /* coefficients in use, zeros behind them */
    int asked_float; /* it was asked for in float; */
    int single;      /* it serves there */
    double at[ENUF_PAIR_FIT_COEFFICIENTS];
} enuf_bend_fit;

/**
 * Fits B to four times the error of its table: so much its pieces may differ from B at their ends;
 * or to the rounding by which they differ from each other there.
 * in_float: in float, or in double where float does not follow this splitting. Keeps a fit that is
 * made for it. Errors: ENUF_UNREACHABLE_ACCURACY for too steep a splitting.
 */
enuf_status enuf_bend_fit_make(const enuf_pair_bend *bend, int in_float, enuf_bend_fit *fit);

#ifdef __cplusplus
}
#endif
#endif
