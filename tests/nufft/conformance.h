/*
 * conformance.h - the suite that every backend of the NUFFT has to pass.
 *
 * A test program of it is one law: it has a function of no arguments, and as its main
 *
 *     int main(int argc, char **argv)
 *     {
 *         return conformance_main(argc, argv, law);
 *     }
 *
 * Its first argument names the backend (default cpu), cuda_indexed the GPU's with indexed points;
 * on a machine that cannot use it the program is skipped. Further arguments are the law's own.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CONFORMANCE_H
#define ENUF_CONFORMANCE_H

#include "check.h"
#include "enuf/nufft.h"

int conformance_main(int argc, char **argv, void (*law)(void));

/** The law's own argument i (0: the first behind the backend), or "". */
const char *conformance_argument(int i);

/** Default options of a double precision plan on the backend under test; n2, n3 as dim asks. */
enuf_nufft_options conformance_options(int dim, int64_t n1, int64_t n2, int64_t n3);

/** The same of all three axes from an array. */
enuf_nufft_options conformance_options_of(int dim, const int64_t n[3]);

/* ---- Arrays of either precision ---- */

void *numbers_make(enuf_precision precision, int64_t n);                  /* zeros */
void *numbers_random(enuf_precision precision, int64_t n, uint64_t seed); /* in [-1, 1) */
double number_at(enuf_precision precision, const void *numbers, int64_t at);
void number_set(enuf_precision precision, void *numbers, int64_t at, double value);

/** Entry `at` and those behind it. */
const void *numbers_from(enuf_precision precision, const void *numbers, int64_t at);

/** ||a - b|| / ||b||; ||a|| where b is zero. */
double relative_error(enuf_precision precision, int64_t n, const void *a, const void *b);

/** Whether all n numbers are the same bit by bit. */
int numbers_equal(enuf_precision precision, int64_t n, const void *a, const void *b);

/* ---- A transform: options, points, random strengths and modes, what the direct sums give ---- */

typedef struct transform {
    enuf_nufft_options options;
    int framed;
    double T[9];
    double origin[3];
    int64_t n;
    double *points; /* [n][3] */
    int64_t modes;  /* of one batch */
    /* counts of numbers (a complex one is two) */
    int64_t n_strengths;
    int64_t n_modes;
    int64_t n_values;
    int64_t n_gradients;
    void *strengths; /* what type 1 is given */
    void *spectrum;  /* what type 2 is given */
    void *modes_expected;
    void *values_expected;
    void *gradients_expected;
} transform;

/** Modes stored in one batch. */
int64_t modes_stored(const enuf_nufft_options *options);

/** Mode numbers of a flat index in one batch's modes. */
void mode_numbers(const enuf_nufft_options *options, int64_t mode, int64_t m[3]);

/** Whether that index is an unpaired mode of real strengths, which takes no part. */
int mode_is_unpaired(const enuf_nufft_options *options, int64_t mode);

/** n random points in [-period/2, 3/2 period), all arrays; framed = 0. Nothing expected yet. */
transform transform_make(const enuf_nufft_options *options, int64_t n, uint64_t seed);

/** Sets s = T (x - origin) and draws the points anew in a cube [-edge, edge). */
void transform_frame(transform *t, const double T[9], const double origin[3], double edge,
                     uint64_t seed);

/** Fills what is expected by the direct sums. */
void transform_sum(transform *t);

void transform_free(transform *t);

/** Frame and points into a plan. */
enuf_status transform_points(const transform *t, enuf_nufft *plan);

/** A plan of these options (NULL: the transform's own) with the points set. NULL on failure. */
enuf_nufft *transform_plan(const transform *t, const enuf_nufft_options *options);

/** Relative l2 errors of a plan against what is expected. */
double type1_error(const transform *t, enuf_nufft *plan);
double type2_error(const transform *t, enuf_nufft *plan);
double gradient_error(const transform *t, enuf_nufft *plan);

/** The rounding floor of design: relative l2, by precision, upsampling and largest mode. */
double rounding_floor(const enuf_nufft_options *options, double upsampling);

#endif
