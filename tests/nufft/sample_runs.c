/* sample_runs.c - see sample_runs.h. SPDX-License-Identifier: BSD-3-Clause */
#include "sample_runs.h"
#include "conformance.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

const char *run_shape_name(run_shape shape)
{
    static const char *const names[RUN_SHAPES] = {"spokes", "pieces of a spiral", "lines"};
    return names[shape];
}

/* A place on the spiral at a time in [0, 1]. */
static double spiral_at(double time, int d)
{
    const double angle = 18 * time;
    return d == 0 ? PI * time * cos(angle) : d == 1 ? PI * time * sin(angle) : PI * (2 * time - 1);
}

static void fill_run(sample_runs *s, run_shape shape, int64_t r)
{
    const double part = (double)r / (double)s->runs, angle = 1.9 * (double)r;
    const double direction[3] = {cos(angle), sin(angle) * cos(0.7 * angle),
                                 sin(angle) * sin(0.7 * angle)};
    const int64_t length = s->lengths[r];
    for (int d = 0; d < s->dim; d++) {
        double *start = &s->start[r * s->dim + d], *step = &s->step[r * s->dim + d];
        if (shape == SPOKES) {
            *start = -PI * direction[d];
            *step = 2 * PI * direction[d] / (double)(length + 1);
        } else if (shape == SPIRAL) {
            *start = spiral_at(part, d);
            *step = (spiral_at(part + 1 / (double)s->runs, d) - *start) / (double)(length + 1);
        } else {
            *start = d == 0 ? -PI : 2 * PI * part * (d == 1 ? 1 : 3);
            *step = d == 0 ? 2 * PI / (double)(length + 1) : 0;
        }
    }
}

sample_runs sample_runs_make(run_shape shape, int dim, int64_t runs)
{
    sample_runs s = {.dim = dim, .runs = runs};
    s.lengths = calloc((size_t)runs + 1, sizeof *s.lengths);
    s.start = calloc((size_t)(runs * dim) + 1, sizeof *s.start);
    s.step = calloc((size_t)(runs * dim) + 1, sizeof *s.step);
    for (int64_t r = 0; r < runs; r++) {
        s.lengths[r] = r % 5 == 0 || r % 5 == 4 ? 0 : shape == SPIRAL ? 3 + r % 4 : 40 + r % 7;
        s.n += s.lengths[r];
        fill_run(&s, shape, r);
    }
    return s;
}

void sample_runs_free(sample_runs *s)
{
    free(s->lengths);
    free(s->start);
    free(s->step);
}

void *sample_runs_coordinates(const sample_runs *s, enuf_precision precision)
{
    void *coordinates = numbers_make(precision, s->n * s->dim);
    int64_t j = 0;
    for (int64_t r = 0; r < s->runs; r++)
        for (int64_t i = 0; i < s->lengths[r]; i++, j++)
            for (int d = 0; d < s->dim; d++)
                number_set(precision, coordinates, d * s->n + j,
                           fma((double)i, s->step[r * s->dim + d], s->start[r * s->dim + d]));
    return coordinates;
}

enuf_status sample_runs_set_coordinates(enuf_nufft *plan, int dim, int64_t n,
                                        enuf_precision precision, const void *coordinates)
{
    const double *f64 = coordinates;
    const float *f32 = coordinates;
    if (precision == ENUF_FLOAT)
        return enuf_nufft_set_points_f32(plan, n, f32, dim > 1 ? f32 + n : NULL,
                                         dim > 2 ? f32 + 2 * n : NULL, 1);
    return enuf_nufft_set_points(plan, n, f64, dim > 1 ? f64 + n : NULL,
                                 dim > 2 ? f64 + 2 * n : NULL, 1);
}
