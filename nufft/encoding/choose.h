/*
 * choose.h - which terms serve the tolerance: points of a voxel, interpolators, and their error.
 * All arrays are on the host. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_CHOOSE_H
#define ENUF_ENCODING_CHOOSE_H

#include "separate.h"
#include "terms.h"

/** Samples, maps and voxel, and the tolerance of what becomes of them. */
typedef struct enuf_field_problem {
    enuf_separation method;
    int dim, sign;
    enuf_precision precision;
    double tolerance;
    int64_t n_samples;
    const double *places, *times; /* [dim][n], [n]; times NULL: 0 */
    enuf_maps maps;
    const double *voxel; /* [dim]; NULL: B is 1 */
} enuf_field_problem;

/** A place in a voxel, of Gauss-Legendre quadrature. */
typedef struct enuf_voxel_place {
    double at[3], weight; /* in edges from the centre */
} enuf_voxel_place;

typedef struct enuf_field_choice {
    int voxel_points[3];
    int n_places; /* their product */
    enuf_voxel_place *places;
    double (*slopes)[3]; /* [n_places] 2 pi at: what a gradient adds to the frequency */
    enuf_centre centre;
    enuf_histogram times, field;
    enuf_separated separated;
    double error; /* relative l2, at some of the samples and pixels */
} enuf_field_choice;

/** Chooses. At least one sample and one pixel. Free with enuf_field_choice_free(), after an error
 * too. */
enuf_status enuf_field_choose(const enuf_field_problem *problem, enuf_field_choice *choice);
void enuf_field_choice_free(enuf_field_choice *choice);

/** The terms of place p of a voxel but for their interpolators' arrays, which are to be set. */
enuf_sample_terms enuf_sample_terms_of(const enuf_field_problem *problem,
                                       const enuf_field_choice *choice, int p);
enuf_pixel_terms enuf_pixel_terms_of(const enuf_field_problem *problem,
                                     const enuf_field_choice *choice, int p);

#endif
