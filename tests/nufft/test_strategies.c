/*
 * test_strategies.c - all strategies of spreading and interpolation give the same results, for the
 * three sizes of tiles, few and many points in a tile, windows that wrap around the grid's faces,
 * points packed and points indexed, a slice after the other. A forced strategy is used if it can
 * serve; otherwise gm_sort is used. test_strategies [FIRST LAST [POINTS]]: these widths only, and
 * so many points (under compute-sanitizer all widths and 20000 points take hours).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "cuda/sort/slice.h"
#include "cuda/strategies.h"

#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 20000, LEAST_POINTS = 2000 }; /* four slices need as many */
static int64_t points = POINTS;

typedef struct result {
    void *modes, *values, *gradients;
} result;

typedef struct way {
    const char *name;
    int spread, interpolate;
} way;

static const way ways[] = {{"od, tiles", ENUF_CUDA_OD, ENUF_CUDA_OD},
                           {"slide, points", ENUF_CUDA_SLIDE, ENUF_CUDA_POINTS},
                           {"auto, gather", ENUF_CUDA_AUTO, ENUF_CUDA_GATHER},
                           {"auto, auto", ENUF_CUDA_AUTO, ENUF_CUDA_AUTO}};

enum { WAYS = sizeof ways / sizeof ways[0] };

/* The strategy that is to spread where `strategy` is forced on a grid and width that tiles serve.
 */
static int to_serve(const enuf_nufft *plan, int strategy)
{
    const int width = plan->method.fit.width;
    if (strategy == ENUF_CUDA_SLIDE)
        return width <= ENUF_CUDA_MIDDLE_WIDTH ? ENUF_CUDA_SLIDE : ENUF_CUDA_GM_SORT;
    /* the grid here has 0.2 points a cell, and few of them */
    if (strategy == ENUF_CUDA_AUTO)
        return width <= ENUF_CUDA_SMALL_WIDTH ||
                       (plan->options.strengths == ENUF_COMPLEX_STRENGTHS &&
                        width <= ENUF_CUDA_MIDDLE_WIDTH)
                   ? ENUF_CUDA_SLIDE
                   : ENUF_CUDA_OD;
    return strategy;
}

/* The one that does, on the whole grid. */
static int serves(enuf_nufft *plan, int strategy)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_target whole = enuf_target_whole(plan, cuda->row, cuda->plane);
    cuda->spread_strategy = strategy;
    return (int)enuf_cuda_spread_choice(plan, &whole);
}

static result run(const transform *t, enuf_nufft *plan, int spread, int interpolate)
{
    enuf_precision p = t->options.precision;
    result r = {numbers_make(p, t->n_modes), numbers_make(p, t->n_values),
                numbers_make(p, t->n_gradients)};
    enuf_cuda_of(plan)->spread_strategy = spread;
    enuf_cuda_of(plan)->interpolate_strategy = interpolate;
    CHECK_STATUS(enuf_nufft_type1(plan, t->strengths, r.modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, t->spectrum, r.values, NULL), ENUF_SUCCESS);
    void *values = numbers_make(p, t->n_values);
    CHECK_STATUS(enuf_nufft_type2(plan, t->spectrum, values, r.gradients), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(p, t->n_values, values, r.values), p == ENUF_FLOAT ? 1e-5 : 1e-13,
                "values with and without gradients");
    free(values);
    return r;
}

static void release(result *r)
{
    free(r->modes);
    free(r->values);
    free(r->gradients);
}

static void compare(const transform *t, const result *r, const result *plain, double bound)
{
    enuf_precision p = t->options.precision;
    CHECK_BELOW(relative_error(p, t->n_modes, r->modes, plain->modes), bound, "type 1");
    CHECK_BELOW(relative_error(p, t->n_values, r->values, plain->values), bound, "type 2");
    CHECK_BELOW(relative_error(p, t->n_gradients, r->gradients, plain->gradients), bound,
                "gradients");
}

/* Indexed points in all ways, but with as many slices as make the test worth its name. */
static void agree_indexed(const transform *t, const result *plain, double bound)
{
    enuf_nufft_options options = t->options;
    options.point_storage = ENUF_POINTS_INDEXED;
    enuf_nufft *plan = transform_plan(t, &options);
    if (!plan) return;
    CHECK(enuf_cuda_slices(plan) > 4);
    for (int k = 0; k < WAYS; k++) {
        printf("  indexed, %s\n", ways[k].name);
        result r = run(t, plan, ways[k].spread, ways[k].interpolate);
        compare(t, &r, plain, bound);
        release(&r);
    }
    result r = run(t, plan, ENUF_CUDA_GM_SORT, ENUF_CUDA_GM_SORT);
    compare(t, &r, plain, bound);
    release(&r);
    enuf_nufft_destroy(&plan);
}

static void agree(const enuf_nufft_options *options, double size)
{
    transform t = transform_make(options, points, 5);
    for (int64_t i = 0; i < 3 * t.n; i++) t.points[i] = 0.97 + size * t.points[i];
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (!plan) return;
    enuf_precision p = options->precision;
    /* 20000 points in one cell: float sums by atomics round so much more often */
    double bound = p == ENUF_DOUBLE ? 1e-13 : size < 1 ? 1e-4 : 1e-5;
    result plain = run(&t, plan, ENUF_CUDA_GM_SORT, ENUF_CUDA_GM_SORT);
    for (int k = 0; k < WAYS; k++) {
        printf("  %s\n", ways[k].name);
        CHECK(serves(plan, ways[k].spread) == to_serve(plan, ways[k].spread));
        result r = run(&t, plan, ways[k].spread, ways[k].interpolate);
        compare(&t, &r, &plain, bound);
        release(&r);
    }
    agree_indexed(&t, &plain, bound);
    release(&plain);
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

/* Whatever is forced, gm_sort serves. */
static void gm_sort_serves(const enuf_nufft_options *options)
{
    transform t = transform_make(options, points / 10, 6);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (!plan) return;
    double bound = options->precision == ENUF_DOUBLE ? 1e-12 : 1e-4;
    result plain = run(&t, plan, ENUF_CUDA_GM_SORT, ENUF_CUDA_GM_SORT);
    for (int k = 0; k < WAYS; k++) {
        printf("  %s\n", ways[k].name);
        CHECK(serves(plan, ways[k].spread) == ENUF_CUDA_GM_SORT);
        result r = run(&t, plan, ways[k].spread, ways[k].interpolate);
        compare(&t, &r, &plain, bound);
        release(&r);
    }
    release(&plain);
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

/* A GPU with too little shared memory for the tiles of interpolation: gather serves. */
static void little_shared_memory(const enuf_nufft_options *options)
{
    transform t = transform_make(options, points / 10, 6);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (!plan) return;
    double bound = options->precision == ENUF_DOUBLE ? 1e-12 : 1e-4;
    result plain = run(&t, plan, ENUF_CUDA_GM_SORT, ENUF_CUDA_GM_SORT);
    CHECK(enuf_cuda_interpolate_tiles_shared(plan, 0) > 4096);
    enuf_cuda_of(plan)->shared_bytes_per_block = 4096;
    result r = run(&t, plan, ENUF_CUDA_OD, ENUF_CUDA_OD);
    compare(&t, &r, &plain, bound);
    release(&r);
    release(&plain);
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

/* Grids on which no tile can stand: 1D, 2D, windows too wide, too few cells; a brick that does not
 * wrap; and a GPU with too little shared memory. */
static void forced_in_vain(int single)
{
    enuf_nufft_options options;
    for (int k = 0; k < 5; k++) {
        static const char *const names[] = {"1D", "2D", "width 17", "few cells", "shared memory"};
        options = k == 3 ? conformance_options(3, 8, 26, 24)
                         : conformance_options(k < 2 ? k + 1 : 3, 20, 26, 24);
        options.backend = ENUF_BACKEND_CUDA;
        options.precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
        options.tolerance = 0;
        options.width = k == 2 ? ENUF_CUDA_TILED_WIDTH + 1 : 6;
        options.upsampling = 2;
        printf("forced in vain: %s, %s\n", names[k], single ? "float" : "double");
        if (k < 4)
            gm_sort_serves(&options);
        else
            little_shared_memory(&options);
    }
    transform t = transform_make(&options, 1, 7);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (!plan) return;
    enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_target brick = enuf_target_whole(plan, cuda->row, cuda->plane);
    brick.wraps[1] = 0;
    for (int k = 0; k < WAYS; k++) {
        cuda->spread_strategy = ways[k].spread;
        CHECK(enuf_cuda_spread_choice(plan, &brick) == ENUF_CUDA_GM_SORT);
    }
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

int main(int argc, char **argv)
{
    enum { LEAST_WIDTH = 2 };
    int first = LEAST_WIDTH, last = ENUF_CUDA_TILED_WIDTH;
    const char *reason = "";
    if (argc > 2) {
        first = atoi(argv[1]);
        last = atoi(argv[2]);
    }
    if (argc > 3) points = atoi(argv[3]);
    if (argc == 2 || argc > 4 || first < LEAST_WIDTH || first > last ||
        last > ENUF_CUDA_TILED_WIDTH || points < LEAST_POINTS || points > POINTS) {
        fprintf(stderr,
                "test_strategies [FIRST LAST [POINTS]]: widths from %d to %d, %d to %d points\n",
                LEAST_WIDTH, ENUF_CUDA_TILED_WIDTH, LEAST_POINTS, POINTS);
        return 2;
    }
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) return check_skip(reason);
    for (int real = 0; real < 2; real++)
        for (int single = 0; single < 2; single++)
            for (int width = first; width <= last; width++)
                for (int cluster = 0; cluster < 2; cluster++) {
                    enuf_nufft_options options = conformance_options(3, 20, 26, 24);
                    options.backend = ENUF_BACKEND_CUDA;
                    options.strengths = real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
                    options.precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
                    options.tolerance = 0;
                    options.width = width;
                    options.upsampling = 2;
                    printf("%s, %s, width %d, %s\n", real ? "real" : "complex",
                           single ? "float" : "double", width,
                           cluster ? "all in a few cells" : "random");
                    agree(&options, cluster ? 0.01 : 1);
                }
    for (int single = 0; single < 2; single++) forced_in_vain(single);
    return check_result();
}
