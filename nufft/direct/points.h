/* points.h - coordinates as the public functions take them. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_POINTS_H
#define ENUF_DIRECT_POINTS_H

#include <stdint.h>

/** Coordinate d of point j is at x[d][j * stride]. */
typedef struct enuf_direct_points {
    int64_t n;
    const double *x[3]; /* past dim they do not count */
    int64_t stride;
} enuf_direct_points;

#endif
