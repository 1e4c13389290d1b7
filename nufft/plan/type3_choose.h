/* type3_choose.h - the grid and the windows of type 3: type3.h. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_NUFFT_TYPE3_CHOOSE_H
#define ENUF_NUFFT_TYPE3_CHOOSE_H

#include "plan.h"

enum { ENUF_TYPE3_SAMPLES = 512 };

/** Middle and half of the extent of coordinates, and where some of them lie in it. */
typedef struct enuf_type3_extent {
    double centre[3], half[3];
    int samples;
    double distance[ENUF_TYPE3_SAMPLES][3]; /* from the centre, in halves: 0 to 1 */
} enuf_type3_extent;

/** The grid and the windows that serve a tolerance. */
typedef struct enuf_type3_method {
    enuf_window_form window; /* psi */
    double upsampling;
    int64_t cells[3];     /* 1 past dim */
    double kappa[3];      /* cells for a unit of x */
    double tolerance;     /* of the type 2 */
    int64_t fine_grid[3]; /* of the type 2 */
    double bytes;         /* of the cells and of the type 2's grids */
    double error;         /* predicted */
} enuf_type3_method;

/**
 * Chooses a method for options of type 3, so many points and targets, and their extents.
 *
 * The error is predicted at samples of the targets and of the points: aliases and rounding grow
 * exponentially with the distance from the centre. Error: ENUF_UNREACHABLE_ACCURACY names what can
 * be reached; ENUF_OUT_OF_MEMORY a grid that no memory holds. type3_choose.c
 */
enuf_status enuf_type3_choose(const enuf_nufft_options *options, int64_t n_points,
                              const enuf_type3_extent *points, int64_t n_targets,
                              const enuf_type3_extent *targets, enuf_type3_method *method);

#endif
