/* type3_method.h - what type 3 is chosen for, and what is chosen. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_NUFFT_TYPE3_METHOD_H
#define ENUF_NUFFT_TYPE3_METHOD_H

#include "plan.h"

enum { ENUF_TYPE3_SAMPLES = 512 };

/** Middle and half of the extent of coordinates, and where some of them lie in it. */
typedef struct enuf_type3_extent {
    double centre[3], half[3];
    int samples;
    double distance[ENUF_TYPE3_SAMPLES][3]; /* from the centre, in halves: -1 to 1 */
} enuf_type3_extent;

/** The grid and the windows that serve a tolerance. */
typedef struct enuf_type3_method {
    enuf_window_form window; /* psi */
    double upsampling;
    int64_t cells[3];           /* 1 past dim */
    double kappa[3];            /* cells for a unit of x */
    double spreading_tolerance; /* of the polynomials of psi */
    double tolerance;           /* of the type 2 */
    enuf_method transform;      /* the type 2, its window without polynomials */
    double bytes;               /* of the cells and of the type 2's grids, of one vector */
    double error;               /* predicted */
} enuf_type3_method;

#endif
