/*
 * encoding_problem.h - samples, maps and images for the tests of encodings, and their sums term by
 * term. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_TESTS_ENCODING_PROBLEM_H
#define ENUF_TESTS_ENCODING_PROBLEM_H

#include "conformance.h"
#include "enuf/encoding.h"

/* Field maps, in rad/s up to an amplitude. */
typedef enum map_kind { NO_MAP, ZERO_MAP, SMOOTH, ROUGH, TWO_VALUES, LINEAR, MAP_KINDS } map_kind;

const char *map_kind_name(map_kind kind);

typedef struct encoding_problem {
    enuf_encoding_options options;
    int64_t n, pixels;
    double *places;                      /* [n][3], in cycles per field of view */
    double *times;                       /* [n] */
    double *omega, *decay, *gradient[3]; /* [pixels]; NULL: none */
    int with_voxel;
    double voxel[3];
    /* real numbers of all images, of all data */
    int64_t n_image, n_data;
    void *image, *data; /* random */
    void *data_expected, *image_expected;
} encoding_problem;

/** Options for the tested backend. */
enuf_encoding_options encoding_options(int dim, int64_t n1, int64_t n2, int64_t n3);

/** n samples within the edges of the Cartesian grid, times of 0 to `readout` in their order, random
 * images and data, no maps. */
encoding_problem encoding_problem_make(const enuf_encoding_options *options, int64_t n,
                                       double readout, uint64_t seed);

/** Maps of an amplitude: a field in Hz, a decay of 0 to `decay` in 1/s (0: none), gradients of up
 * to `gradient` Hz a voxel (0: none). */
void encoding_problem_maps(encoding_problem *p, map_kind kind, double field, double decay,
                           double gradient, uint64_t seed);

/** The expected data and images, summed term by term. */
void encoding_problem_sum(encoding_problem *p);

/** An encoding with samples and maps set; NULL on failure. */
enuf_encoding *encoding_of(const encoding_problem *p);
enuf_status encoding_problem_set(const encoding_problem *p, enuf_encoding *encoding);

/** Relative l2 error of forward and of adjoint against the expected sums. */
double forward_error(const encoding_problem *p, enuf_encoding *encoding);
double adjoint_error(const encoding_problem *p, enuf_encoding *encoding);

enuf_encoding_report encoding_report_of(const enuf_encoding *encoding);

void encoding_problem_free(encoding_problem *p);

#endif
