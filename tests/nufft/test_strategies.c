/*
 * test_strategies.c - all strategies of spreading and interpolation on the GPU give the results of
 * windows. Relative l2 bounds: 1e-13, of 300,000 points 1e-12, in float 1e-5; in float 1e-4 if all
 * points lie in a few cells. 1D to 3D, all widths that have tiles (so all sizes of tiles, and
 * windows that wrap around the grid's faces), both precisions, both kinds of strengths, packed
 * points, and indexed points in more than four slices; batches. In 1D and 2D also grids smaller
 * than a window, long grids, points on edges of cells, one point, and so many that warps share the
 * sub-problems.
 *
 * A forced strategy is used if it can serve; otherwise windows is used. Options may force one. In
 * 3D deterministic sums have the same bits by tiles and by windows.
 *
 * test_strategies [FIRST LAST [POINTS [DIM]]]: only these widths, with so many points, in so many
 * dimensions without the cases above. Under compute-sanitizer all of it takes hours.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "cuda/sort/slice.h"
#include "cuda/strategies.h"
#include "enuf/nufft_tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 20000, LEAST_POINTS = 2000 }; /* needed for more than four slices */
static int64_t points = POINTS;

typedef struct result {
    void *modes, *values, *gradients;
} result;

typedef struct strategy_pair {
    const char *name;
    int spread, interpolate;
} strategy_pair;

static const strategy_pair strategy_pairs[] = {
    {"tiles, tiles", ENUF_STRATEGY_TILES, ENUF_STRATEGY_TILES},
    {"slide, points", ENUF_STRATEGY_SLIDE, ENUF_STRATEGY_POINTS},
    {"auto, gather", ENUF_STRATEGY_AUTO, ENUF_STRATEGY_GATHER},
    {"auto, auto", ENUF_STRATEGY_AUTO, ENUF_STRATEGY_AUTO}};

enum { STRATEGY_PAIRS = sizeof strategy_pairs / sizeof strategy_pairs[0] };

/* 1: AUTO slides in 3D. The grids of this test are small: with real strengths only narrow windows
 * do. Complex ones do so in float where double is slow; else where points are many, or, of windows
 * up to six cells, dense. */
static int slides(const enuf_nufft *plan, int width)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const double n = (double)cuda->points.n, vectors = n * plan->options.batch;
    double cells = 1;
    for (int d = 0; d < 3; d++) cells *= (double)plan->method.grid[d];
    if (width <= ENUF_CUDA_SMALL_WIDTH) return 1;
    if (plan->options.strengths == ENUF_REAL_STRENGTHS || width > ENUF_CUDA_MIDDLE_WIDTH) return 0;
    if (cuda->avoids_fp64) return 1;
    return width > 6 ? vectors >= 1e5 : vectors >= 3e4 || n >= 0.05 * cells;
}

/* The strategy that must be used if `strategy` is forced, for a grid and width that tiles can
 * serve. */
static int expected_strategy(const enuf_nufft *plan, int strategy)
{
    const int width = plan->method.fit.width;
    if (plan->options.dim < 3)
        return strategy == ENUF_STRATEGY_AUTO || strategy == ENUF_STRATEGY_TILES
                   ? ENUF_STRATEGY_TILES
                   : ENUF_STRATEGY_WINDOWS;
    if (strategy == ENUF_STRATEGY_SLIDE)
        return width <= ENUF_CUDA_MIDDLE_WIDTH ? ENUF_STRATEGY_SLIDE : ENUF_STRATEGY_WINDOWS;
    if (strategy == ENUF_STRATEGY_AUTO)
        return slides(plan, width) ? ENUF_STRATEGY_SLIDE : ENUF_STRATEGY_TILES;
    return strategy;
}

/* The strategy that the library uses on the whole grid if `strategy` is forced. */
static int used_strategy(enuf_nufft *plan, int strategy)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_target whole = enuf_target_whole(plan, cuda->row, cuda->plane);
    plan->options.spreading = strategy;
    return (int)enuf_cuda_spread_choice(plan, &whole);
}

static result run(const transform *t, enuf_nufft *plan, int spread, int interpolate)
{
    enuf_precision p = t->options.precision;
    result r = {numbers_make(p, t->n_modes), numbers_make(p, t->n_values),
                numbers_make(p, t->n_gradients)};
    plan->options.spreading = spread;
    plan->options.interpolation = interpolate;
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

/* l2 error of a type 1 in units of the modes' norm; where strengths cancel, of the norm that random
 * strengths have on average, sqrt(modes sum |q|^2): rounding does not cancel. */
static double modes_error(const transform *t, const void *modes, const void *plain)
{
    const enuf_precision p = t->options.precision;
    double difference = 0, norm = 0, typical = 0;
    for (int64_t i = 0; i < t->n_modes; i++) {
        difference += pow(number_at(p, modes, i) - number_at(p, plain, i), 2);
        norm += pow(number_at(p, plain, i), 2);
    }
    for (int64_t i = 0; i < t->n_strengths; i++)
        typical += (double)t->modes * pow(number_at(p, t->strengths, i), 2);
    return sqrt(difference / fmax(norm, typical));
}

static void compare(const transform *t, const result *r, const result *plain, double bound)
{
    enuf_precision p = t->options.precision;
    CHECK_BELOW(modes_error(t, r->modes, plain->modes), bound, "type 1");
    CHECK_BELOW(relative_error(p, t->n_values, r->values, plain->values), bound, "type 2");
    if (t->modes > 2) /* the gradient of a constant is nothing but rounding */
        CHECK_BELOW(relative_error(p, t->n_gradients, r->gradients, plain->gradients), bound,
                    "gradients");
}

/* All strategies with indexed points, in more than four slices. */
static void agree_indexed(const transform *t, const result *plain, double bound)
{
    enuf_nufft_options options = t->options;
    options.point_storage = ENUF_POINTS_INDEXED;
    enuf_nufft *plan = transform_plan(t, &options);
    if (!plan) return;
    CHECK(enuf_cuda_slices(plan) > 4);
    for (int k = 0; k < STRATEGY_PAIRS; k++) {
        printf("  indexed, %s\n", strategy_pairs[k].name);
        result r = run(t, plan, strategy_pairs[k].spread, strategy_pairs[k].interpolate);
        compare(t, &r, plain, bound);
        release(&r);
    }
    result r = run(t, plan, ENUF_STRATEGY_WINDOWS, ENUF_STRATEGY_WINDOWS);
    compare(t, &r, plain, bound);
    release(&r);
    enuf_nufft_destroy(&plan);
}

/* All strategies with packed points. */
static result agree_packed(const transform *t, double bound)
{
    result plain = {NULL, NULL, NULL};
    enuf_nufft *plan = transform_plan(t, NULL);
    if (!plan) return plain;
    plain = run(t, plan, ENUF_STRATEGY_WINDOWS, ENUF_STRATEGY_WINDOWS);
    for (int k = 0; k < STRATEGY_PAIRS; k++) {
        printf("  %s\n", strategy_pairs[k].name);
        CHECK(used_strategy(plan, strategy_pairs[k].spread) ==
              expected_strategy(plan, strategy_pairs[k].spread));
        result r = run(t, plan, strategy_pairs[k].spread, strategy_pairs[k].interpolate);
        compare(t, &r, &plain, bound);
        release(&r);
    }
    enuf_nufft_destroy(&plan);
    return plain;
}

/* The options' ways are used, and told by the method. */
static void taken_from_options(const enuf_nufft_options *options, enuf_strategy spreading,
                               enuf_strategy interpolation)
{
    enuf_nufft_options o = *options;
    enuf_nufft_method method = {.struct_size = sizeof method};
    o.spreading = spreading;
    o.interpolation = interpolation;
    transform t = transform_make(&o, points, 5);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (!plan) return;
    CHECK_STATUS(enuf_nufft_get_method(plan, &method), ENUF_SUCCESS);
    CHECK(method.spreading == spreading && method.interpolation == interpolation);
    enuf_target whole = enuf_target_whole(plan, enuf_cuda_of(plan)->row, enuf_cuda_of(plan)->plane);
    const enuf_interpolate_job job = {.target = whole};
    CHECK(enuf_cuda_spread_choice(plan, &whole) == spreading);
    CHECK(enuf_cuda_interpolate_choice(plan, &job) == interpolation);
    enuf_nufft_options again = *options;
    CHECK_STATUS(enuf_nufft_set_method(&again, &method), ENUF_SUCCESS);
    CHECK(again.spreading == spreading && again.interpolation == interpolation);
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

static void given_by_options(void)
{
    enuf_nufft_options o = conformance_options(3, 40, 36, 34);
    o.backend = ENUF_BACKEND_CUDA;
    taken_from_options(&o, ENUF_STRATEGY_SLIDE, ENUF_STRATEGY_POINTS);
    taken_from_options(&o, ENUF_STRATEGY_TILES, ENUF_STRATEGY_GATHER);
    taken_from_options(&o, ENUF_STRATEGY_WINDOWS, ENUF_STRATEGY_WINDOWS);
    o = conformance_options(2, 70, 66, 0);
    o.backend = ENUF_BACKEND_CUDA;
    taken_from_options(&o, ENUF_STRATEGY_WINDOWS, ENUF_STRATEGY_GATHER);
    taken_from_options(&o, ENUF_STRATEGY_TILES, ENUF_STRATEGY_TILES);
}

static void agree(const enuf_nufft_options *options, double size)
{
    transform t = transform_make(options, points, 5);
    for (int64_t i = 0; i < 3 * t.n; i++) t.points[i] = 0.97 + size * t.points[i];
    /* 20000 points in a few cells: more float atomics on one cell, and more rounding */
    double bound = options->precision == ENUF_DOUBLE ? 1e-13 : size < 1 ? 1e-4 : 1e-5;
    result plain = agree_packed(&t, bound);
    if (plain.modes) agree_indexed(&t, &plain, bound);
    release(&plain);
    transform_free(&t);
}

/* ---- 1D and 2D: unusual grids, points and batches ---- */

typedef struct plane_case {
    const char *name;
    int dim;
    int64_t modes[2], n;
    int batch;
    enum { ANYWHERE, ON_EDGES, IN_FEW_CELLS } where;
} plane_case;

enum { MANY = 300000 };

static const plane_case plane_cases[] = {
    {"one mode", 1, {1, 1}, 200, 1, ANYWHERE},
    {"two modes", 1, {2, 1}, 200, 3, ANYWHERE},
    {"a grid smaller than a tile", 1, {7, 1}, 500, 1, ANYWHERE},
    {"on edges", 1, {101, 1}, 1000, 8, ON_EDGES},
    {"one point", 1, {4096, 1}, 1, 1, ANYWHERE},
    {"one mode", 2, {1, 1}, 200, 1, ANYWHERE},
    {"two modes", 2, {2, 1}, 200, 1, ANYWHERE},
    {"grids smaller than a tile", 2, {2, 7}, 500, 3, ANYWHERE},
    {"prime numbers of modes", 2, {7, 101}, 1000, 1, ANYWHERE},
    {"on edges", 2, {101, 64}, 3000, 3, ON_EDGES},
    {"a batch", 2, {101, 64}, 3000, 8, ANYWHERE},
    {"one point", 2, {101, 64}, 1, 2, ANYWHERE},
    {"a low grid", 2, {8, 4096}, 3000, 1, ANYWHERE},
    {"a flat grid", 2, {4096, 8}, 3000, 3, ON_EDGES},
    {"more warps' work than a GPU has warps", 1, {20000, 1}, MANY, 1, ANYWHERE},
    {"more warps' work than a GPU has warps", 2, {201, 130}, MANY, 1, ANYWHERE},
    {"many points in few cells", 1, {20000, 1}, MANY, 1, IN_FEW_CELLS},
    {"many points in few cells", 2, {201, 130}, MANY, 1, IN_FEW_CELLS}};

enum { PLANE_CASES = sizeof plane_cases / sizeof plane_cases[0] };

/* Moves half of the points to edges of cells, of tiles and of the period, or next to them. */
static void move_to_edges(transform *t)
{
    for (int64_t i = 0; i < 3 * t->n; i++) {
        const double cells = i % 5 ? 64 : 1, at = floor(cells * t->points[i]) / cells;
        if (i % 2) t->points[i] = i % 7 == 0 ? nextafter(at, -1) : at;
    }
}

static void plane_agrees(const plane_case *c, int width, int real, int single)
{
    enuf_nufft_options options = conformance_options(c->dim, c->modes[0], c->modes[1], 1);
    options.backend = ENUF_BACKEND_CUDA;
    options.strengths = real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    options.precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
    options.tolerance = 0;
    options.width = width;
    options.upsampling = 2;
    options.batch = c->batch;
    printf("%s, %dD, %s, %s, width %d\n", c->name, c->dim, real ? "real" : "complex",
           single ? "float" : "double", width);
    transform t = transform_make(&options, c->n, 8);
    if (c->where == ON_EDGES) move_to_edges(&t);
    if (c->where == IN_FEW_CELLS)
        for (int64_t i = 0; i < 3 * t.n; i++) t.points[i] = 0.97 + 0.01 * t.points[i];
    const double bound = c->n < MANY ? 1e-13 : 1e-12;
    result plain = agree_packed(&t, !single ? bound : c->where == IN_FEW_CELLS ? 1e-4 : 1e-5);
    release(&plain);
    transform_free(&t);
}

static void planes(void)
{
    static const int widths[] = {2, 5, 9, 10, 16};
    for (int k = 0; k < PLANE_CASES; k++)
        for (int w = 0; w < 5; w++)
            for (int kind = 0; kind < 4; kind++)
                plane_agrees(&plane_cases[k], widths[w], kind & 1, kind & 2);
}

/* In 3D: batches whose vectors go together, of a few points and of many, and one of more vectors
 * than spreading takes at once. */
static void space_agrees(int batch, int64_t n, int width, int real, int single)
{
    enuf_nufft_options options = conformance_options(3, 20, 26, 24);
    options.backend = ENUF_BACKEND_CUDA;
    options.strengths = real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    options.precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
    options.tolerance = 0;
    options.width = width;
    options.upsampling = 2;
    options.batch = batch;
    printf("a batch of %d, %lld points, 3D, %s, %s, width %d\n", batch, (long long)n,
           real ? "real" : "complex", single ? "float" : "double", width);
    transform t = transform_make(&options, n, 9);
    result plain = agree_packed(&t, single ? 1e-5 : 1e-13);
    release(&plain);
    transform_free(&t);
}

static void spaces(void)
{
    static const int widths[] = {2, 4, 5, 9, 10, 16};
    for (int w = 0; w < 6; w++)
        for (int kind = 0; kind < 4; kind++) {
            space_agrees(ENUF_CUDA_MOST_IN_SPACE + 3, 300, widths[w], kind & 1, kind & 2);
            space_agrees(3, 3000, widths[w], kind & 1, kind & 2);
        }
}

/* On this grid windows is used, whatever strategy is forced. */
static void windows_serve(const enuf_nufft_options *options)
{
    transform t = transform_make(options, points / 10, 6);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (!plan) return;
    double bound = options->precision == ENUF_DOUBLE ? 1e-12 : 1e-4;
    result plain = run(&t, plan, ENUF_STRATEGY_WINDOWS, ENUF_STRATEGY_WINDOWS);
    for (int k = 0; k < STRATEGY_PAIRS; k++) {
        printf("  %s\n", strategy_pairs[k].name);
        CHECK(used_strategy(plan, strategy_pairs[k].spread) == ENUF_STRATEGY_WINDOWS);
        result r = run(&t, plan, strategy_pairs[k].spread, strategy_pairs[k].interpolate);
        compare(&t, &r, &plain, bound);
        release(&r);
    }
    release(&plain);
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

/* A GPU with too little shared memory for the tiles of interpolation: the results are correct all
 * the same. */
static void little_shared_memory(const enuf_nufft_options *options)
{
    transform t = transform_make(options, points / 10, 6);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (!plan) return;
    double bound = options->precision == ENUF_DOUBLE ? 1e-12 : 1e-4;
    result plain = run(&t, plan, ENUF_STRATEGY_WINDOWS, ENUF_STRATEGY_WINDOWS);
    CHECK(enuf_cuda_interpolate_tiles_shared(plan, 0) > 4096);
    enuf_cuda_of(plan)->shared_bytes_per_block = 4096;
    result r = run(&t, plan, ENUF_STRATEGY_TILES, ENUF_STRATEGY_TILES);
    compare(&t, &r, &plain, bound);
    release(&r);
    release(&plain);
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

/* Cases in which a forced strategy cannot serve: windows too wide for tiles, too few cells, too
 * little shared memory, and a brick that does not wrap. */
static void forced_where_impossible(int single)
{
    enuf_nufft_options options;
    for (int k = 0; k < 5; k++) {
        static const char *const names[] = {"width 17 in 1D", "width 17 in 2D", "width 17 in 3D",
                                            "few cells", "shared memory"};
        options = k == 3 ? conformance_options(3, 8, 26, 24)
                         : conformance_options(k < 2 ? k + 1 : 3, 20, 26, 24);
        options.backend = ENUF_BACKEND_CUDA;
        options.precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
        options.tolerance = 0;
        options.width = k <= 2 ? ENUF_CUDA_TILED_WIDTH + 1 : 6;
        options.upsampling = 2;
        printf("forced where impossible: %s, %s\n", names[k], single ? "float" : "double");
        if (k < 4)
            windows_serve(&options);
        else
            little_shared_memory(&options);
    }
    transform t = transform_make(&options, 1, 7);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (!plan) return;
    enuf_cuda *cuda = enuf_cuda_of(plan);
    enuf_target brick = enuf_target_whole(plan, cuda->row, cuda->plane);
    brick.wraps[1] = 0;
    for (int k = 0; k < STRATEGY_PAIRS; k++) {
        plan->options.spreading = strategy_pairs[k].spread;
        CHECK(enuf_cuda_spread_choice(plan, &brick) == ENUF_STRATEGY_WINDOWS);
    }
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

/* Deterministic sums by tiles have the bits of those by windows: with so many points that every
 * term is small, and with so few that some are not. */
static void integers_agree(const enuf_nufft_options *like, int64_t n)
{
    enuf_nufft_options options = *like;
    options.deterministic = 1;
    transform t = transform_make(&options, n, 7);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (plan) {
        void *modes[2];
        for (int k = 0; k < 2; k++) {
            modes[k] = numbers_make(options.precision, t.n_modes);
            plan->options.spreading = k ? ENUF_STRATEGY_AUTO : ENUF_STRATEGY_WINDOWS;
            CHECK_STATUS(enuf_nufft_type1(plan, t.strengths, modes[k]), ENUF_SUCCESS);
        }
        CHECK(numbers_equal(options.precision, t.n_modes, modes[0], modes[1]));
        free(modes[0]);
        free(modes[1]);
    }
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

static void agree_on(int dim, int width, int cluster, int single, int real)
{
    static const int64_t modes[3][3] = {{4000, 1, 1}, {101, 64, 1}, {20, 26, 24}};
    enuf_nufft_options options = conformance_options_of(dim, modes[dim - 1]);
    options.backend = ENUF_BACKEND_CUDA;
    options.strengths = real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    options.precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
    options.tolerance = 0;
    options.width = width;
    options.upsampling = 2;
    printf("%dD, %s, %s, width %d, %s\n", dim, real ? "real" : "complex",
           single ? "float" : "double", width, cluster ? "all in a few cells" : "random");
    agree(&options, cluster ? 0.01 : 1);
    if (dim < 3 || cluster) return;
    integers_agree(&options, points);
    integers_agree(&options, 100);
}

int main(int argc, char **argv)
{
    enum { LEAST_WIDTH = 2 };
    int first = LEAST_WIDTH, last = ENUF_CUDA_TILED_WIDTH, only = 0;
    const char *reason = "";
    if (argc > 2) {
        first = atoi(argv[1]);
        last = atoi(argv[2]);
    }
    if (argc > 3) points = atoi(argv[3]);
    if (argc > 4) only = atoi(argv[4]);
    if (argc == 2 || argc > 5 || only < 0 || only > 3 || first < LEAST_WIDTH || first > last ||
        last > ENUF_CUDA_TILED_WIDTH || points < LEAST_POINTS || points > POINTS) {
        fprintf(
            stderr,
            "test_strategies [FIRST LAST [POINTS [DIM]]]: widths from %d to %d, %d to %d points, "
            "1 to 3 dimensions\n",
            LEAST_WIDTH, ENUF_CUDA_TILED_WIDTH, LEAST_POINTS, POINTS);
        return 2;
    }
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) return check_skip(reason);
    for (int dim = only ? only : 1; dim <= (only ? only : 3); dim++)
        for (int kind = 0; kind < 8; kind++)
            for (int width = first; width <= last; width++)
                agree_on(dim, width, kind & 1, kind & 2, kind & 4);
    if (only) return check_result();
    given_by_options();
    planes();
    spaces();
    for (int single = 0; single < 2; single++) forced_where_impossible(single);
    return check_result();
}
