/*
 * level_cost.c - the time that a level takes to set the points, and in type 1 and type 2: what
 * plan/cost.c leaves open.
 *
 * Constants are nanoseconds of one core (Xeon, Sapphire Rapids class, shared with other work, 28
 * November 2026): fitted to 1D to 3D, widths 4 to 10, both precisions (3D mostly double), complex
 * strengths, 0.5 and 2 points a mode, batches of 1 and 6, points at random and on lines; RMS
 * deviation of a stage 13 to 38 %.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "parallel.h"
#include "tuning.h"

#include <math.h>

/* By dimension: a point is folded and sorted, or only folded. In 1D type 1 sorts. */
static const double SORT[3] = {6, 17, 30}, FOLD[3] = {6, 16, 22}, SORT_LINE = 12;

/* NONE: a point that shares no tile with its neighbours takes so much more, for itself and for each
 * line of its window; a byte of a cell of a tile that 64 points share (TILE_BYTE of plan/cost.c).
 */
static const double ALONE = 60, ALONE_LINE = 42, SHARED_BYTE = 0.16;

/* WEIGHTS: an axis of a point is evaluated and kept, and each vector of 32 bytes of it; by
 * dimension, what a vector costs or saves in type 1 and type 2. In 1D rows are kept in the caller's
 * order, which type 1 at scattered points jumps about in. */
static const double KEEP_AXIS = 9, KEEP_VECTOR = 20;
static const double WEIGHTS_TYPE1[3] = {-0.5, -1, 2}, WEIGHTS_TYPE2[3] = {-2, -6, -1};
static const double WEIGHTS_SCATTERED = 9;

/* MATRIX: making it, of a point, of an entry, of a cell; by dimension. The second ones without rows
 * of cells (30 November 2026, the same kind of processor). */
static const double MAKE_POINT[3] = {45, 127, 180}, MAKE_ENTRY[3] = {33, 15, 27}, MAKE_CELL = 11;
static const double ROWS_POINT[3] = {29, 66, 75}, ROWS_ENTRY[3] = {8.5, 3.6, 2.2}, ROWS_CELL = 3;
/* Type 1 by rows of points takes as long as type 2. By rows of cells: a point; an entry that is
 * read once for the batch; an entry times two numbers; a cell. */
static const double PRODUCT_POINT[3] = {2, 18, 60}, READ_ENTRY = 1.2, ADD_ENTRY[3] = {2, 0.9, 1.4};
static const double PRODUCT_CELL = 12;
/* Type 2: a point; a vector of a line's weights, read once for the batch; one of its cells. */
static const double GATHER_POINT = 20, READ_VECTOR = 1.5, GATHER_VECTOR[3] = {1.5, 1.6, 2.9};

/* Points that level NONE takes at a time (cpu/blocks.c), and how empty a tile of theirs may be
 * (one_by_one() in cpu/point.h). */
enum { RUN = 64, EMPTIEST = 4 };

static double vectors(const enuf_nufft_options *o, double numbers)
{
    return ceil(numbers * (o->precision == ENUF_FLOAT ? 4 : 8) / 32);
}

static double coordinate(const enuf_tuning_points *points, int d, int64_t j)
{
    const double *axis[3] = {points->x, points->y, points->z};
    return axis[d][j * points->stride];
}

void enuf_point_runs_of(const enuf_nufft_options *o, const enuf_tuning_points *points,
                        enuf_point_runs *runs)
{
    runs->n = ENUF_RUN_SAMPLES;
    for (int k = 0; k < ENUF_RUN_SAMPLES; k++) {
        const int64_t first = (points->n - RUN) * k / ENUF_RUN_SAMPLES;
        for (int d = 0; d < 3; d++) {
            double low = 0, high = 0;
            runs->extent[k][d] = d < o->dim ? 1 : 0; /* random points, and few */
            if (d >= o->dim || !points->x || points->n < RUN) continue;
            if (o->memory == ENUF_DEVICE) continue; /* a GPU sorts: their order matters little */
            const double origin = coordinate(points, d, first);
            for (int64_t j = first + 1; j < first + RUN; j++) {
                const double away = (coordinate(points, d, j) - origin) / o->period;
                low = fmin(low, away - round(away));
                high = fmax(high, away - round(away));
            }
            runs->extent[k][d] = high - low;
        }
    }
}

/* What a point takes more at NONE in a transform; *together: share of the points in tiles. */
static double unsorted(const enuf_nufft_options *o, const enuf_method *method,
                       const enuf_point_runs *runs, double *together)
{
    const double width = method->window.width, lines = pow(width, o->dim - 1);
    const double parts = o->strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    const double byte = SHARED_BYTE * parts * (o->precision == ENUF_FLOAT ? 4 : 8);
    double sum = 0;
    *together = 0;
    for (int k = 0; k < runs->n; k++) {
        double box = 1;
        for (int d = 0; d < o->dim; d++)
            box *= runs->extent[k][d] * (double)method->grid[d] + width;
        const int shared = box <= EMPTIEST * RUN * lines * width;
        sum += shared ? byte * box / RUN : ALONE + ALONE_LINE * lines;
        *together += (double)shared / runs->n;
    }
    return sum / runs->n;
}

/* 1: type 1 goes by rows of points (enuf_cpu_matrix_by_points()): guessed from the mean number of
 * entries of a cell. */
static int by_points(const enuf_nufft_options *o, const enuf_method *method, double mean)
{
    const int one = enuf_thread_count(o->threads) == 1;
    return one && !o->deterministic && 2 * mean <= method->additions;
}

static enuf_level_cost of_matrix(const enuf_nufft_options *o, const enuf_method *method,
                                 double points, double cells)
{
    const int d = o->dim - 1;
    const double width = method->window.width, lines = pow(width, d), entries = lines * width;
    const double parts = o->strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    const double read = lines * READ_VECTOR * vectors(o, width);
    const double gather =
        o->batch * (GATHER_POINT + lines * GATHER_VECTOR[d] * vectors(o, parts * width));
    const double product =
        o->batch * (PRODUCT_POINT[d] + entries * ADD_ENTRY[d] * parts / 2) + entries * READ_ENTRY;
    if (by_points(o, method, points * entries / cells)) {
        const double make = SORT[d] + ROWS_POINT[d] + entries * ROWS_ENTRY[d];
        const double type = points * (read + gather);
        return (enuf_level_cost){points * make + cells * ROWS_CELL, type, type};
    }
    const double make = SORT[d] + MAKE_POINT[d] + entries * MAKE_ENTRY[d];
    return (enuf_level_cost){.set = points * make + cells * MAKE_CELL,
                             .type1 = points * product + cells * PRODUCT_CELL * o->batch,
                             .type2 = points * (read + gather)};
}

enuf_level_cost enuf_level_cost_of(const enuf_nufft_options *o, const enuf_method *method,
                                   const enuf_point_runs *runs)
{
    if (enuf_tuning_on_gpu(o)) return enuf_gpu_level_cost(o, method);
    const int d = o->dim - 1, line = o->dim == 1;
    const double transform =
        o->batch * (enuf_method_cost(o, method) - enuf_spreading_cost(o, method));
    const double sorted = o->batch * enuf_spreading_cost(o, method);
    double points = o->density, cells = 1, together;
    for (int k = 0; k < o->dim; k++) {
        points *= (double)o->modes[k];
        cells *= (double)method->grid[k];
    }
    const double more = o->batch * points * unsorted(o, method, runs, &together);
    const double kept = o->dim * vectors(o, method->window.width), each = o->batch * points * kept;
    const double scattered = line ? (1 - together) * WEIGHTS_SCATTERED : 0;
    enuf_level_cost cost = {points * (SORT[d] + line * SORT_LINE), sorted, sorted};
    switch (o->level) {
    case ENUF_LEVEL_NONE:
        cost = (enuf_level_cost){points * FOLD[d], sorted + more, sorted + (line ? 0 : more)};
        break;
    case ENUF_LEVEL_WEIGHTS:
        cost.set += points * (o->dim * KEEP_AXIS + kept * KEEP_VECTOR);
        cost.type1 = fmax(0, sorted + each * (WEIGHTS_TYPE1[d] + scattered));
        cost.type2 = fmax(0, sorted + each * (WEIGHTS_TYPE2[d] + scattered));
        break;
    case ENUF_LEVEL_MATRIX:
        cost = of_matrix(o, method, points, cells);
        break;
    default: /* SORTED; GRAM too: what it takes to set has no grid in it, which candidates.c uses */
        break;
    }
    cost.type1 += transform;
    cost.type2 += transform;
    return cost;
}
