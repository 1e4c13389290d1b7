/* intensity.c - see intensity.h. SPDX-License-Identifier: BSD-3-Clause */
#include "intensity.h"
#include "fail.h"
#include "transforms.h"

#include <math.h>
#include <stdlib.h>

static const double TOLERANCE = 1e-6;

intensity intensity_make(const settings *s)
{
    enuf_nufft_options options = transform_options(s);
    intensity v = {.side = s->side, .voxels = s->side * s->side * s->side};
    options.strengths = ENUF_REAL_STRENGTHS;
    options.period = 2 * M_PI;
    options.tolerance = TOLERANCE;
    check(enuf_nufft_create(&options, &v.plan));
    v.a = allocate(v.voxels, sizeof *v.a);
    v.half = allocate(s->side * s->side * (s->side / 2 + 1), sizeof *v.half);
    return v;
}

void intensity_free(intensity *v)
{
    enuf_nufft_destroy(&v->plan);
    free(v->a);
    free(v->half);
    *v = (intensity){0};
}

void intensity_slice(intensity *v, int64_t n, const double *points, double *values)
{
    const int64_t stored = v->side / 2 + 1, rows = v->side * v->side;
    for (int64_t row = 0; row < rows; row++)
        for (int64_t x = 0; x < stored; x++)
            v->half[row * stored + x] = v->a[row * v->side + v->side / 2 + x];
    check(enuf_nufft_set_points(v->plan, n, points, points + 1, points + 2, 3));
    check(enuf_nufft_type2(v->plan, v->half, values, NULL));
}
