/* density_iteration.c - weights by the library's spreading and interpolation.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "density.h"
#include "fail.h"

#include <enuf/nufft_stages.h>

#include <stdlib.h>

/* An odd width: rounding of a coordinate on the grid does not change which cells the window meets.
 */
enum { UPSAMPLING = 2, WIDTH = 7 };

/* A plan that only spreads and interpolates real numbers. The grid has the period of the image's
 * transform: k = side/2 and k = -side/2 are the same place. */
static enuf_nufft *make_plan(enuf_backend backend, int64_t side, int64_t n, const double *k)
{
    enuf_nufft_options options;
    enuf_nufft *plan;
    enuf_nufft_options_init(&options);
    options.dim = 2;
    options.modes[0] = options.modes[1] = side;
    options.fine_grid[0] = options.fine_grid[1] = UPSAMPLING * side;
    options.strengths = ENUF_REAL_STRENGTHS;
    options.tolerance = 0;
    options.width = WIDTH;
    options.period = (double)side;
    options.backend = backend;
    options.no_grid = 1;
    check(enuf_nufft_create(&options, &plan));
    check(enuf_nufft_set_points(plan, n, k, k + 1, NULL, 2));
    return plan;
}

/* seen = interpolate(spread(weights)) */
static void spread_and_interpolate(enuf_nufft *plan, int64_t side, double *cells,
                                   const double *weights, double *seen)
{
    const int64_t grid = UPSAMPLING * side;
    const enuf_brick whole = {
        .global = {grid, grid, 1}, .n = {grid, grid, 1}, .stride = {1, grid, grid * grid}};
    check(enuf_stage_spread(plan, weights, NULL, &whole, cells, 0));
    check(enuf_stage_interpolate(plan, &whole, cells, NULL, seen, NULL, 0));
}

/* What a sample of the full Cartesian grid sees with all weights 1: the unit of weights. */
static double find_unit(enuf_backend backend, int64_t side, double *cells)
{
    const int64_t n = side * side;
    double *k = allocate(2 * n, sizeof *k), *ones = allocate(n, sizeof *ones);
    double *seen = allocate(n, sizeof *seen);
    for (int64_t i = 0; i < n; i++) {
        k[2 * i] = (double)(i % side - side / 2);
        k[2 * i + 1] = (double)(i / side - side / 2);
        ones[i] = 1;
    }
    enuf_nufft *plan = make_plan(backend, side, n, k);
    spread_and_interpolate(plan, side, cells, ones, seen);
    enuf_nufft_destroy(&plan);
    const double unit = seen[0];
    free(k);
    free(ones);
    free(seen);
    return unit;
}

void density_by_iteration(enuf_backend backend, int64_t side, int64_t n, const double *k,
                          int iterations, void (*progress)(int done, int all), double *weights)
{
    double *cells = allocate(UPSAMPLING * side * UPSAMPLING * side, sizeof *cells);
    double *seen = allocate(n, sizeof *seen);
    const double unit = find_unit(backend, side, cells);
    enuf_nufft *plan = make_plan(backend, side, n, k);
    for (int64_t i = 0; i < n; i++) weights[i] = 1;
    for (int done = 1; done <= iterations; done++) {
        spread_and_interpolate(plan, side, cells, weights, seen);
        for (int64_t i = 0; i < n; i++) weights[i] *= unit / seen[i];
        if (progress) progress(done, iterations);
    }
    enuf_nufft_destroy(&plan);
    free(cells);
    free(seen);
}
