/*
 * scan.h - what the tests of direct sums share: samples, pixels and maps at random, an object of
 * them on the tested backend, and the sums in long double, term by term. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_SCAN_H
#define ENUF_SCAN_H

#include "conformance.h"
#include "enuf/direct.h"

/* What the pixels have besides their place. */
enum { SCAN_FIELD = 1, SCAN_DECAY = 2, SCAN_VOXEL = 4, SCAN_GRADIENTS = 8 | SCAN_VOXEL };

typedef struct scan {
    enuf_direct_options options;
    int kind;          /* SCAN_... */
    int64_t counts[3]; /* of a grid; 0: pixels anywhere */
    int64_t samples, pixels;
    double *k[3], *times; /* of samples */
    double *r[3];         /* of pixels */
    double *omega, *decay, *gradient[3];
    double voxel[3];
    void *image, *values; /* input of forward and of adjoint, random, in the precision */
} scan;

/** Default options of direct sums for the tested backend. */
enuf_direct_options scan_options(int dim, enuf_precision precision);

/** Samples and pixels anywhere. Each axis and the field turn a pair by up to `turns`; times are of
 * both signs, decays of [0, 2] over all times, gradients of a turn in a voxel. */
scan scan_make(const enuf_direct_options *options, int kind, int64_t samples, int64_t pixels,
               double turns, uint64_t seed);

/** The same with the pixels of a grid in a field of view of 1. */
scan scan_on_grid(const enuf_direct_options *options, int kind, int64_t samples,
                  const int64_t counts[3], uint64_t seed);
void scan_free(scan *s);

/** An object with the samples, pixels and maps set; NULL on failure. */
enuf_direct *scan_object(const scan *s, const enuf_direct_options *options);

/** The sums, term by term: double arrays, complex. */
void scan_forward(const scan *s, double *values, double *gradients);
void scan_adjoint(const scan *s, double *image);

/** Relative l2 error of n complex numbers in the precision against sums in double. */
double scan_error(const scan *s, int64_t n, const void *found, const double *expected);

#endif
