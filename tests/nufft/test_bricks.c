/*
 * test_bricks.c - a fine grid in bricks with halos gives the results of the whole grid.
 *
 *   - Spread: each brick takes its own points. Bricks and halos added up are the whole grid.
 *   - Interpolate: bricks with filled halos give the values and gradients of the whole grid.
 *   - `factors` multiplies strengths or results. `add` adds to the array instead of overwriting it.
 *   - A point outside its brick is an error that names the point.
 *
 * 200 points in 1D to 3D, four ways to split the grid, both precisions, both kinds of strengths.
 * Relative l2 bounds are rounding: 1e-15, in float 4e-7, four times that for gradients from bricks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "enuf/nufft_stages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 200, PADDING = 3 }; /* unused cells at the end of each row */

typedef struct decomposition {
    transform t;
    enuf_nufft *plan;
    enuf_nufft_report report;
    int parts;    /* numbers in a cell */
    int split[3]; /* bricks along each axis */
    double bound; /* of relative l2 differences by rounding */
} decomposition;

static int64_t cells_of(const enuf_brick *brick)
{
    return brick->stride[2] * (brick->n[2] + brick->halo_lo[2] + brick->halo_hi[2]);
}

static void set_strides(enuf_brick *brick)
{
    int64_t rows = brick->n[1] + brick->halo_lo[1] + brick->halo_hi[1];
    brick->stride[0] = 1;
    brick->stride[1] = brick->n[0] + brick->halo_lo[0] + brick->halo_hi[0] + PADDING;
    brick->stride[2] = brick->stride[1] * (rows + 1);
}

static enuf_brick whole_grid(const decomposition *d)
{
    enuf_brick brick = {{0}, {0}, {0}, {0}, {0}, {0}};
    for (int a = 0; a < 3; ++a) brick.global[a] = brick.n[a] = d->report.fine_grid[a];
    set_strides(&brick);
    return brick;
}

/* Brick k of split[0] x split[1] x split[2]. An axis that is not split has no halo. */
static enuf_brick brick_of(const decomposition *d, int k)
{
    enuf_brick brick = whole_grid(d);
    for (int a = 0; a < 3; ++a) {
        int part = k % d->split[a];
        k /= d->split[a];
        if (d->split[a] == 1) continue;
        brick.lo[a] = part * brick.global[a] / d->split[a];
        brick.n[a] = (part + 1) * brick.global[a] / d->split[a] - brick.lo[a];
        brick.halo_lo[a] = d->report.width / 2 + part % 2;
        brick.halo_hi[a] = d->report.width / 2 + 1;
    }
    set_strides(&brick);
    return brick;
}

static int owns(const decomposition *d, const enuf_brick *brick, int64_t j)
{
    for (int a = 0; a < d->t.options.dim; ++a) {
        double s = d->t.points[3 * j + a] / d->t.options.period;
        int64_t cell = (int64_t)floor((s - floor(s)) * (double)brick->global[a]);
        if (cell < brick->lo[a] || cell >= brick->lo[a] + brick->n[a]) return 0;
    }
    return 1;
}

/* Sets the points of a brick in the plan and lists their numbers in index [N]. Returns how many
 * they are. */
static int64_t set_points_of(const decomposition *d, const enuf_brick *brick, int64_t *index)
{
    static double x[3 * N];
    int64_t n = 0;
    for (int64_t j = 0; j < N; ++j)
        if (owns(d, brick, j)) {
            memcpy(x + 3 * n, d->t.points + 3 * j, 3 * sizeof(double));
            index[n++] = j;
        }
    CHECK_STATUS(enuf_nufft_set_points(d->plan, n, x, x + 1, x + 2, 3), ENUF_SUCCESS);
    return n;
}

/* Is called for each cell of a brick, halos included, with its offset in the brick and the offset
 * of the same cell in the whole periodic grid. */
typedef void (*visitor)(enuf_precision precision, void *cells, int64_t at, void *whole,
                        int64_t whole_at);

static void for_each_cell(const decomposition *d, const enuf_brick *brick, void *cells, void *whole,
                          visitor on_cell)
{
    enuf_brick all = whole_grid(d);
    int64_t size[3], i[3];
    for (int a = 0; a < 3; ++a) size[a] = brick->n[a] + brick->halo_lo[a] + brick->halo_hi[a];
    for (i[2] = 0; i[2] < size[2]; ++i[2])
        for (i[1] = 0; i[1] < size[1]; ++i[1])
            for (i[0] = 0; i[0] < size[0]; ++i[0]) {
                int64_t at = 0, whole_at = 0;
                for (int a = 0; a < 3; ++a) {
                    int64_t cell = i[a] + brick->lo[a] - brick->halo_lo[a] + 64 * brick->global[a];
                    at += i[a] * brick->stride[a];
                    whole_at += cell % brick->global[a] * all.stride[a];
                }
                for (int part = 0; part < d->parts; ++part)
                    on_cell(d->t.options.precision, cells, d->parts * at + part, whole,
                            d->parts * whole_at + part);
            }
}

static void add_to_whole(enuf_precision p, void *cells, int64_t at, void *whole, int64_t whole_at)
{
    number_set(p, whole, whole_at, number_at(p, whole, whole_at) + number_at(p, cells, at));
}

static void take_from_whole(enuf_precision p, void *cells, int64_t at, void *whole,
                            int64_t whole_at)
{
    number_set(p, cells, at, number_at(p, whole, whole_at));
}

static void *pick(const decomposition *d, const void *numbers, int64_t width, int64_t n,
                  const int64_t *index)
{
    enuf_precision p = d->t.options.precision;
    void *picked = numbers_make(p, width * n);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < width; ++i)
            number_set(p, picked, width * j + i, number_at(p, numbers, width * index[j] + i));
    return picked;
}

static void *spread_whole(const decomposition *d)
{
    enuf_brick all = whole_grid(d);
    enuf_precision p = d->t.options.precision;
    void *cells = numbers_random(p, d->parts * cells_of(&all), 5); /* must be overwritten */
    CHECK_STATUS(transform_points(&d->t, d->plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_stage_spread(d->plan, d->t.strengths, NULL, &all, cells, 0), ENUF_SUCCESS);
    return cells;
}

/* A copy of the cells that belong to the grid. Padding must not count in a comparison. */
static void *without_padding(const decomposition *d, void *cells)
{
    enuf_brick all = whole_grid(d);
    void *bare = numbers_make(d->t.options.precision, d->parts * cells_of(&all));
    for_each_cell(d, &all, bare, cells, take_from_whole);
    return bare;
}

static void spread_onto_bricks(const decomposition *d)
{
    enuf_precision p = d->t.options.precision;
    enuf_brick all = whole_grid(d);
    int64_t numbers = d->parts * cells_of(&all);
    void *padded = spread_whole(d);
    void *expected = without_padding(d, padded);
    void *sum = numbers_make(p, numbers);
    int64_t spread_points = 0;
    for (int k = 0; k < d->split[0] * d->split[1] * d->split[2]; ++k) {
        int64_t index[N];
        enuf_brick brick = brick_of(d, k);
        int64_t n = set_points_of(d, &brick, index);
        void *strengths = pick(d, d->t.strengths, d->parts, n, index);
        void *cells = numbers_make(p, d->parts * cells_of(&brick));
        CHECK_STATUS(enuf_stage_spread(d->plan, strengths, NULL, &brick, cells, k % 2),
                     ENUF_SUCCESS);
        for_each_cell(d, &brick, cells, sum, add_to_whole);
        spread_points += n;
        free(strengths);
        free(cells);
    }
    CHECK(spread_points == N);
    CHECK_BELOW(relative_error(p, numbers, sum, expected), d->bound,
                "  sum of the bricks against the whole, rounding");
    free(padded);
    free(expected);
    free(sum);
}

static void interpolate_from_bricks(const decomposition *d)
{
    enuf_precision p = d->t.options.precision;
    int dim = d->t.options.dim;
    enuf_brick all = whole_grid(d);
    void *cells = numbers_random(p, d->parts * cells_of(&all), 7);
    void *values = numbers_make(p, d->t.n_values);
    void *gradients = numbers_make(p, d->t.n_gradients);
    CHECK_STATUS(transform_points(&d->t, d->plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_stage_interpolate(d->plan, &all, cells, NULL, values, gradients, 0),
                 ENUF_SUCCESS);
    for (int k = 0; k < d->split[0] * d->split[1] * d->split[2]; ++k) {
        int64_t index[N];
        enuf_brick brick = brick_of(d, k);
        int64_t n = set_points_of(d, &brick, index);
        void *part = numbers_make(p, d->parts * cells_of(&brick));
        void *found = numbers_make(p, d->parts * n);
        void *slopes = numbers_make(p, d->parts * n * dim);
        void *expected = pick(d, values, d->parts, n, index);
        void *expected_slopes = pick(d, gradients, d->parts * dim, n, index);
        for_each_cell(d, &brick, part, cells, take_from_whole);
        CHECK_STATUS(enuf_stage_interpolate(d->plan, &brick, part, NULL, found, slopes, 0),
                     ENUF_SUCCESS);
        CHECK_BELOW(relative_error(p, d->parts * n, found, expected), d->bound,
                    "  values from a brick, rounding");
        CHECK_BELOW(relative_error(p, d->parts * n * dim, slopes, expected_slopes), 4.0 * d->bound,
                    "  gradients from a brick, rounding");
        free(part);
        free(found);
        free(slopes);
        free(expected);
        free(expected_slopes);
    }
    free(cells);
    free(values);
    free(gradients);
}

static void factors_and_add(const decomposition *d)
{
    enuf_precision p = d->t.options.precision;
    int64_t values_count = d->t.n_values, slopes_count = d->t.n_gradients;
    enuf_brick all = whole_grid(d);
    int64_t numbers = d->parts * cells_of(&all);
    void *factors = numbers_random(p, N, 9);
    void *scaled = numbers_make(p, d->t.n_strengths);
    void *once = numbers_make(p, numbers), *twice = numbers_make(p, numbers);
    for (int64_t i = 0; i < d->t.n_strengths; ++i)
        number_set(p, scaled, i,
                   number_at(p, d->t.strengths, i) * number_at(p, factors, i / d->parts));
    CHECK_STATUS(transform_points(&d->t, d->plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_stage_spread(d->plan, scaled, NULL, &all, once, 0), ENUF_SUCCESS);
    CHECK_STATUS(enuf_stage_spread(d->plan, d->t.strengths, factors, &all, twice, 0), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(p, numbers, twice, once), d->bound, "  factors of strengths");
    CHECK_STATUS(enuf_stage_spread(d->plan, scaled, NULL, &all, twice, 1), ENUF_SUCCESS);
    for (int64_t i = 0; i < numbers; ++i) number_set(p, once, i, 2.0 * number_at(p, once, i));
    CHECK_BELOW(relative_error(p, numbers, twice, once), d->bound, "  spread and add");

    void *values = numbers_make(p, values_count), *slopes = numbers_make(p, slopes_count);
    void *more = numbers_random(p, values_count, 10),
         *more_slopes = numbers_random(p, slopes_count, 11);
    void *sum = numbers_make(p, values_count), *sum_slopes = numbers_make(p, slopes_count);
    CHECK_STATUS(enuf_stage_interpolate(d->plan, &all, once, NULL, values, slopes, 0),
                 ENUF_SUCCESS);
    for (int64_t i = 0; i < values_count; ++i)
        number_set(p, sum, i,
                   number_at(p, more, i) +
                       number_at(p, values, i) * number_at(p, factors, i / d->parts));
    for (int64_t i = 0; i < slopes_count; ++i)
        number_set(p, sum_slopes, i,
                   number_at(p, more_slopes, i) +
                       number_at(p, slopes, i) *
                           number_at(p, factors, i / d->parts / d->t.options.dim));
    CHECK_STATUS(enuf_stage_interpolate(d->plan, &all, once, factors, more, more_slopes, 1),
                 ENUF_SUCCESS);
    CHECK_BELOW(relative_error(p, values_count, more, sum), d->bound,
                "  interpolate, factors, add: values");
    CHECK_BELOW(relative_error(p, slopes_count, more_slopes, sum_slopes), d->bound,
                "  interpolate, factors, add: gradients");
    CHECK_STATUS(enuf_stage_interpolate(d->plan, &all, once, NULL, values, NULL, 0), ENUF_SUCCESS);
    CHECK_STATUS(enuf_stage_interpolate(d->plan, &all, once, NULL, NULL, slopes, 0), ENUF_SUCCESS);
    free(factors);
    free(scaled);
    free(once);
    free(twice);
    free(values);
    free(slopes);
    free(more);
    free(more_slopes);
    free(sum);
    free(sum_slopes);
}

/* All points lie in the first brick. Then point 137 lies outside, and the error names it. */
static void outside_is_an_error(const decomposition *d)
{
    enuf_brick brick = brick_of(d, 0);
    void *cells = numbers_make(d->t.options.precision, d->parts * cells_of(&brick));
    double inside[3], x[3 * N];
    int64_t reach = brick.n[0] > 2 ? 1 : 0;
    for (int a = 0; a < 3; ++a)
        inside[a] = ((double)(brick.lo[a] + reach) + 0.3) / (double)brick.global[a];
    for (int64_t j = 0; j < N; ++j) memcpy(x + 3 * j, inside, sizeof inside);
    CHECK_STATUS(enuf_nufft_set_points(d->plan, N, x, x + 1, x + 2, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_stage_spread(d->plan, d->t.strengths, NULL, &brick, cells, 0), ENUF_SUCCESS);
    for (int a = 0; a < 3; ++a)
        if (d->split[a] > 1) /* in the middle of the cells that neither brick nor halos cover */
            x[3 * 137 + a] = ((double)(brick.lo[a] + brick.n[a] + brick.halo_hi[a]) +
                              0.5 * (double)(brick.global[a] - brick.n[a] - brick.halo_lo[a] -
                                             brick.halo_hi[a])) /
                             (double)brick.global[a];
    CHECK_STATUS(enuf_nufft_set_points(d->plan, N, x, x + 1, x + 2, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_stage_spread(d->plan, d->t.strengths, NULL, &brick, cells, 0),
                 ENUF_OUTSIDE_BRICK);
    CHECK_TEXT("137");
    void *values = numbers_make(d->t.options.precision, d->t.n_values);
    CHECK_STATUS(enuf_stage_interpolate(d->plan, &brick, cells, NULL, values, NULL, 0),
                 ENUF_OUTSIDE_BRICK);
    CHECK_TEXT("137");
    free(values);
    if (d->t.options.dim > 1) {
        brick.stride[1] = brick.n[0] + brick.halo_lo[0] + brick.halo_hi[0] - 1;
        CHECK_STATUS(enuf_stage_spread(d->plan, d->t.strengths, NULL, &brick, cells, 0),
                     ENUF_BAD_ARGUMENT); /* rows overlap */
        CHECK_TEXT("stride[1]");
    }
    free(cells);
}

static void law_of(int dim, enuf_precision precision, enuf_strengths strengths, int width,
                   const int split[3])
{
    decomposition d = {.report.struct_size = sizeof d.report,
                       .split = {split[0], split[1], split[2]}};
    enuf_nufft_options options = conformance_options(dim, 40, 36, 34);
    options.precision = precision;
    options.strengths = strengths;
    options.no_grid = 1;
    options.tolerance = 0.0;
    options.width = width;
    options.upsampling = 1.5;
    d.t = transform_make(&options, N, 3);
    d.parts = strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    d.bound = precision == ENUF_FLOAT ? 4e-7 : 1e-15;
    for (int a = dim; a < 3; ++a) d.split[a] = 1;
    printf("%dD %s %s, width %d, %d x %d x %d bricks\n", dim,
           precision == ENUF_FLOAT ? "float" : "double", d.parts == 1 ? "real" : "complex", width,
           d.split[0], d.split[1], d.split[2]);
    if (CHECK_STATUS(enuf_nufft_create(&options, &d.plan), ENUF_SUCCESS)) {
        CHECK_STATUS(enuf_nufft_get_report(d.plan, &d.report), ENUF_SUCCESS);
        spread_onto_bricks(&d);
        interpolate_from_bricks(&d);
        factors_and_add(&d);
        outside_is_an_error(&d);
    }
    enuf_nufft_destroy(&d.plan);
    transform_free(&d.t);
}

static void law(void)
{
    static const int splits[][3] = {{2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {2, 3, 2}};
    for (int dim = 1; dim <= 3; ++dim)
        for (int k = 0; k < 4; ++k) {
            int split_axes = 0;
            for (int a = 0; a < dim; ++a) split_axes += splits[k][a] > 1;
            if (!split_axes) continue;
            law_of(dim, ENUF_DOUBLE, ENUF_COMPLEX_STRENGTHS, 6, splits[k]);
            law_of(dim, ENUF_DOUBLE, ENUF_REAL_STRENGTHS, 7, splits[k]);
            law_of(dim, ENUF_FLOAT, ENUF_REAL_STRENGTHS, 4, splits[k]);
            law_of(dim, ENUF_FLOAT, ENUF_COMPLEX_STRENGTHS, 5, splits[k]);
        }
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
