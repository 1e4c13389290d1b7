/* spread.c - chooses the kernel that spreads. SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/strategies.h"

#include <math.h>

/* Windows up to it slide from fewer points on. */
enum { SLIDE_MIDDLE = 6 };

/*
 * Real strengths: points per fine cell from which on sliding along z is faster than tiles. Measured
 * (H100, November 2026; us, tiles and slide), float, real: width 4, 0.0012 a cell 65 and 48, 0.036
 * 247 and 251, 0.33 125 and 88; width 6, 0.012 178 and 218, 0.036 237 and 317, 0.33 220 and 148;
 * width 7, 0.33 194 and 179; width 8, 0.33 196 and 201, 3 463 and 367. Double, real: width 6, 0.036
 * 322 and 525, 0.33 280 and 182; width 9, 0.33 300 and 278. Since points come to slide through a
 * queue, a million ions' whole reciprocal step: float, width 7, 0.48 a cell 483 and 416, width 8,
 * 0.33 547 and 527.
 */
static double least_density(int width)
{
    if (width <= ENUF_CUDA_SMALL_WIDTH) return 0;
    return width <= SLIDE_MIDDLE ? 0.15 : 0.25;
}

/*
 * Complex strengths: numbers of points, and points per fine cell, from which on sliding is faster,
 * of windows up to 6 cells; of wider ones, the number. Us by tiles and by sliding (H200, 30
 * November 2026): float, width 6, 14,896 points of 0.029 a cell 52 and 71, 374,418 of 0.73 188 and
 * 133; width 7, 12,968 of 0.015 57 and 73, 374,418 of 0.42 208 and 183; double, width 8, 93,620 of
 * 0.13 110 and 117; width 9, 12,968 of 0.025 68 and 78. By this rule 552 problems take 1.003 times
 * the least time in the mean, 1.18 at most (bench/results/tuning_ways_h200_*.csv).
 */
static const double COMPLEX_POINTS = 30000, COMPLEX_DENSITY = 0.05, COMPLEX_POINTS_WIDE = 100000;

static int complex_slides(const enuf_nufft *plan, double points, double cells)
{
    const int width = plan->method.fit.width;
    const double vectors = points * plan->options.batch;
    if (width <= ENUF_CUDA_SMALL_WIDTH || enuf_cuda_of(plan)->avoids_fp64) return 1;
    if (width > SLIDE_MIDDLE) return vectors >= COMPLEX_POINTS_WIDE;
    return vectors >= COMPLEX_POINTS || points >= COMPLEX_DENSITY * cells;
}

/* Least number of points for sliding with real strengths; with fewer, too many warps have no work:
 * 110,592 of 0.3 a cell, width 6, tiles 36 us, slide 46; 262,144, width 4, 55 and 45. */
static const double LEAST_POINTS = 200000;
/* In float from width 8 on: 262,144 points, a type 1 of 64^3 modes at 1e-5, 94 and 112. */
static const double LEAST_POINTS_WIDE = 400000;

/* Without double, from so many points, and points a cell, on. Instructions of warps, counted on an
 * H200 (23 November 2026): tiles take 260 a point at width 6, sliding 105 at width 7. Sliding takes
 * 2500 more for each tile and for each of the 2000 warps that share the points, tiles 1000 a tile.
 */
static const double LEAST_POINTS_PLAIN = 50000, DENSITY_PLAIN = 0.01;

/* The fastest strategy with tiles in 3D. */
static enuf_strategy fastest(const enuf_nufft *plan)
{
    const double points = (double)enuf_cuda_of(plan)->points.n;
    const double density = least_density(plan->method.fit.width);
    double cells = 1;
    for (int d = 0; d < 3; d++) cells *= (double)plan->method.grid[d];
    if (plan->method.fit.width > ENUF_CUDA_MIDDLE_WIDTH) return ENUF_STRATEGY_TILES;
    if (plan->options.strengths == ENUF_COMPLEX_STRENGTHS)
        return complex_slides(plan, points, cells) ? ENUF_STRATEGY_SLIDE : ENUF_STRATEGY_TILES;
    if (density == 0) return ENUF_STRATEGY_SLIDE;
    if (enuf_cuda_of(plan)->avoids_fp64)
        return points >= fmax(DENSITY_PLAIN * cells, LEAST_POINTS_PLAIN) ? ENUF_STRATEGY_SLIDE
                                                                         : ENUF_STRATEGY_TILES;
    const int wide = plan->method.fit.width >= 8 && plan->options.precision == ENUF_FLOAT;
    const double least = wide ? LEAST_POINTS_WIDE : LEAST_POINTS;
    return points >= fmax(density * cells, least) ? ENUF_STRATEGY_SLIDE : ENUF_STRATEGY_TILES;
}

enuf_strategy enuf_cuda_spread_choice(const enuf_nufft *plan, const enuf_target *target)
{
    const int forced = plan->options.spreading;
    const int reads_table = plan->method.table_pieces > 0;
    if ((reads_table && plan->options.dim == 3) || !enuf_cuda_tiled(plan, target))
        return ENUF_STRATEGY_WINDOWS;
    if (plan->options.dim < 3)
        return forced == ENUF_STRATEGY_AUTO || forced == ENUF_STRATEGY_TILES
                   ? ENUF_STRATEGY_TILES
                   : ENUF_STRATEGY_WINDOWS;
    if (forced == ENUF_STRATEGY_AUTO) return fastest(plan);
    const int wide = plan->method.fit.width > ENUF_CUDA_MIDDLE_WIDTH;
    if (forced == ENUF_STRATEGY_SLIDE && !wide) return ENUF_STRATEGY_SLIDE;
    return forced == ENUF_STRATEGY_TILES ? ENUF_STRATEGY_TILES : ENUF_STRATEGY_WINDOWS;
}

enuf_status enuf_cuda_spread_fixed(enuf_nufft *plan, const enuf_spread_job *job)
{
    const int tiles = plan->options.dim == 3 && enuf_cuda_tiled(plan, &job->target) &&
                      plan->method.fit.width <= ENUF_CUDA_MIDDLE_WIDTH;
    const int forced =
        plan->options.spreading == ENUF_STRATEGY_WINDOWS || plan->method.table_pieces > 0;
    if (tiles && !forced && !enuf_cuda_of(plan)->avoids_fp64)
        return enuf_cuda_spread_tiles_fixed(plan, job);
    return enuf_cuda_spread_windows_fixed(plan, job);
}

/* Vectors of a batch that a kernel takes at once. */
static int most_vectors(const enuf_nufft *plan, enuf_strategy strategy, const enuf_spread_job *job)
{
    if (plan->options.dim < 3) return strategy == ENUF_STRATEGY_TILES ? ENUF_CUDA_MOST_VECTORS : 1;
    const int few = enuf_cuda_of(plan)->points.n < ENUF_CUDA_POINTS_TOGETHER && !job->factors;
    const int tiles = strategy == ENUF_STRATEGY_TILES || strategy == ENUF_STRATEGY_SLIDE;
    return few && tiles ? ENUF_CUDA_MOST_IN_SPACE : 1;
}

/* So many vectors of a batch, up to most_vectors(). */
static enuf_status spread_by(enuf_nufft *plan, enuf_strategy strategy, const enuf_spread_job *job,
                             int vectors)
{
    switch (strategy) {
    case ENUF_STRATEGY_TILES:
        return plan->options.dim < 3 ? enuf_cuda_spread_plane(plan, job, vectors)
                                     : enuf_cuda_spread_tiles(plan, job, vectors);
    case ENUF_STRATEGY_SLIDE:
        if (enuf_cuda_of(plan)->avoids_fp64)
            return enuf_cuda_spread_slide_plain(plan, job, vectors);
        return plan->options.precision == ENUF_FLOAT
                   ? enuf_cuda_spread_slide_float(plan, job, vectors)
                   : enuf_cuda_spread_slide_double(plan, job, vectors);
    default:
        return enuf_cuda_spread_windows(plan, job);
    }
}

enuf_status enuf_cuda_spread(enuf_nufft *plan, const enuf_spread_job *job, int vectors)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const enuf_strategy strategy = enuf_cuda_spread_choice(plan, &job->target);
    const int most = most_vectors(plan, strategy, job);
    const size_t number = enuf_cuda_number(plan), parts = plan->real ? 1 : 2;
    enuf_spread_job next = *job;
    if (cuda->points.n == 0) return ENUF_SUCCESS;
    for (int v = 0; v < vectors; v += most) {
        const int now = vectors - v < most ? vectors - v : most;
        ENUF_TRY(spread_by(plan, strategy, &next, now));
        next.strengths =
            (const char *)next.strengths + (size_t)(now * plan->n_points) * parts * number;
        next.cells = (char *)next.cells + (size_t)(now * cuda->batch_cells) * number;
    }
    return ENUF_SUCCESS;
}
