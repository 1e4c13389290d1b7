/*
 * conformance.h - what the tests of the NUFFT share. Every backend has to pass these tests.
 *
 * A test program checks one law. The law is a function without arguments, and main is
 *
 *     int main(int argc, char **argv)
 *     {
 *         return conformance_main(argc, argv, law);
 *     }
 *
 * The first argument of the program names the backend: cpu (the default); cpu_none, cpu_weights or
 * cpu_matrix, which are the cpu's levels of precomputation; cuda; cuda_weights or cuda_matrix; or
 * cuda_indexed, which is cuda with indexed points. A machine that cannot use the backend skips the
 * program. Further arguments belong to the law. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CONFORMANCE_H
#define ENUF_CONFORMANCE_H

#include "check.h"
#include "enuf/nufft.h"

int conformance_main(int argc, char **argv, void (*law)(void));

/** Argument i of the law, or "" if there are fewer. Argument 0 follows the backend. */
const char *conformance_argument(int i);

/** Default options in double precision for the tested backend. n2 and n3 count only if dim includes
 * their axis. */
enuf_nufft_options conformance_options(int dim, int64_t n1, int64_t n2, int64_t n3);

/** The same, with the numbers of modes in an array. */
enuf_nufft_options conformance_options_of(int dim, const int64_t n[3]);

/* ---- Arrays of either precision ---- */

void *numbers_make(enuf_precision precision, int64_t n);                  /* zeros */
void *numbers_random(enuf_precision precision, int64_t n, uint64_t seed); /* in [-1, 1) */
double number_at(enuf_precision precision, const void *numbers, int64_t at);
void number_set(enuf_precision precision, void *numbers, int64_t at, double value);

/** The array from entry `at` on. */
const void *numbers_from(enuf_precision precision, const void *numbers, int64_t at);

/** ||a - b|| / ||b||, or ||a|| if b is zero. */
double relative_error(enuf_precision precision, int64_t n, const void *a, const void *b);

/** 1 if all n numbers have equal bits. */
int numbers_equal(enuf_precision precision, int64_t n, const void *a, const void *b);

/* ---- A transform: options, points, random input, results of the direct sums ---- */

typedef struct transform {
    enuf_nufft_options options;
    int framed;
    double T[9];
    double origin[3];
    int64_t n;
    double *points; /* [n][3] */
    int64_t modes;  /* of one batch */
    /* numbers in the arrays below; a complex number counts as two */
    int64_t n_strengths;
    int64_t n_modes;
    int64_t n_values;
    int64_t n_gradients;
    void *strengths; /* input of type 1 */
    void *spectrum;  /* input of type 2, which are modes */
    void *modes_expected;
    void *values_expected;
    void *gradients_expected;
} transform;

/** Modes stored in one batch. */
int64_t modes_stored(const enuf_nufft_options *options);

/** Mode numbers of a flat index in one batch's modes. */
void mode_numbers(const enuf_nufft_options *options, int64_t mode, int64_t m[3]);

/** 1 if that index is an unpaired mode of real strengths. Transforms ignore it. */
int mode_is_unpaired(const enuf_nufft_options *options, int64_t mode);

/** n random points in [-period/2, 3/2 period), random strengths and modes, no frame. The expected
 * results are zero until transform_sum(). */
transform transform_make(const enuf_nufft_options *options, int64_t n, uint64_t seed);

/** Sets the frame s = T (x - origin) and draws new points in the cube [-edge, edge). */
void transform_frame(transform *t, const double T[9], const double origin[3], double edge,
                     uint64_t seed);

/** Computes the expected results by direct sums. */
void transform_sum(transform *t);

/** Weights of points or of modes, random in [-1, 1) in each part. Free `numbers`. */
typedef struct weight_set {
    enuf_multiplier kind;
    int sets; /* 1, or one for each vector of a batch */
    int64_t n;
    void *numbers;
} weight_set;

weight_set weight_set_make(enuf_precision precision, enuf_multiplier kind, int sets, int64_t n,
                           uint64_t seed);

/** The same for points with weights w and modes with weights v. */
void transform_weighted_sum(transform *t, const weight_set *w, const weight_set *v);

void transform_free(transform *t);

/** Sets the frame and the points of the transform in a plan. */
enuf_status transform_points(const transform *t, enuf_nufft *plan);

/** A plan with these options (NULL: those of the transform) and with its points set. NULL on
 * failure. */
enuf_nufft *transform_plan(const transform *t, const enuf_nufft_options *options);

/** Relative l2 error of a plan against the expected results. */
double type1_error(const transform *t, enuf_nufft *plan);
double type2_error(const transform *t, enuf_nufft *plan);
double gradient_error(const transform *t, enuf_nufft *plan);

/** The relative l2 error that rounding alone may cause. It depends on precision, upsampling,
 * dimension and the largest mode. */
double rounding_floor(const enuf_nufft_options *options, double upsampling);

#endif
