/*
 * nufft_gpu_figures.c - the figures and table I of cuFINUFFT's paper, with both libraries in one
 * run on one GPU: Shih, Wright, Anden, Blaschke, Barnett, IPDPSW 2021 (arXiv:2102.08463).
 *
 *   nufft_gpu_figures [--parts alone,error,modes,table] [--dim 1,2,3] [--seconds 0.02] [--no-peer]
 *                     [--csv FILE] [--markdown]
 *
 * Parts, with complex strengths and both types:
 *
 *   alone   figures 2, 3: spreading and interpolation by method and number of cells, a point a
 *           cell, anywhere (rand) or in 8 cells along each axis (cluster); float, 1e-5
 *   error   figures 4, 5: by tolerance, 1e7 points, a million modes; float and double
 *   modes   figures 6, 7: by modes, a point a cell of twice the modes; float 1e-5, double 1e-9
 *   table   table I: 32^3 and 256^3 modes, 2.62e5 and 1.34e8 points; float, 1e-5
 *
 * The three timings are execute (points are set), total (setting them too), and with memory: plan
 * and device memory are made, and data copied from pinned host memory and back. The first two are
 * by CUDA events, in device memory, the last is wall time. GB is device memory of plan, points and
 * execution. `convolution` is spreading or interpolation within execution: enuf's on the same plan,
 * the peer's with a grid of twice the modes. Methods of the peer: GM (unsorted), GM-sort, SM, and
 * OD, which came after the paper; a row that it refuses is missing. Of enuf: its strategies; auto
 * is the default, and it is told the density of the points. Errors are relative l2 of 24 results.
 * `alone` both have twice as many cells as modes, and a window of their own for the tolerance.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "figure_times.h"
#include "options.h"
#include "peers/cufinufft.h"

#include "enuf/nufft.h"

#include <math.h>
#include <stdlib.h>

static const char PROGRAM[] = "nufft_gpu_figures";
enum { ALONE, ERROR, MODES, TABLE, PARTS, MOST_SIDES = 6, MOST_TOLERANCES = 6 };
static const char *const part_names[PARTS] = {"alone", "error", "modes", "table"};

static const bench_column columns[] = {
    {"part", -5},    {"dim", 3},     {"type", 4},     {"precision", -9}, {"points", -7},
    {"side", 7},     {"n", 9},       {"tol", 5},      {"library", -9},   {"method", -7},
    {"set ms", 8},   {"exec ms", 8}, {"total ms", 8}, {"memory ms", 9},  {"convolution ms", 8},
    {"ns point", 8}, {"error", 7},   {"GB", 6},
};

/* With more of them atomics to the same cells take seconds. */
static const int64_t MOST_IN_CLUSTER = 5000000;

static int parts = 15, n_dims = 3, no_peer;
static double dims[BENCH_MOST_VALUES] = {1, 2, 3}, seconds = 0.02;

static const figure_way peer_ways[] = {
    {"GM", 1, 1, 1}, {"GM-sort", 1, 1, 0}, {"SM", 1, 2, 0}, {"OD", 1, 3, 0}};
enum { PEER_WAYS = sizeof peer_ways / sizeof *peer_ways };

static void row(bench_table *table, int part, const figure_problem *p, const figure_way *way,
                const figure_times *t)
{
    bench_text(table, part_names[part]);
    bench_number(table, "%.0f", p->dim);
    bench_number(table, "%.0f", p->type);
    bench_text(table, p->single ? "float" : "double");
    bench_text(table, p->cluster ? "cluster" : "rand");
    bench_number(table, "%.0f", (double)p->side);
    bench_number(table, "%.0f", (double)p->n);
    bench_number(table, "%.0e", p->tolerance);
    bench_text(table, way->peer ? "cuFINUFFT" : "enuf");
    bench_text(table, way->name);
    bench_number(table, "%.3f", 1e3 * t->set);
    bench_number(table, "%.3f", 1e3 * t->execute);
    bench_number(table, "%.3f", 1e3 * t->total);
    bench_number(table, "%.3f", 1e3 * t->with_memory);
    bench_number(table, "%.3f", 1e3 * t->convolution);
    bench_number(table, "%.3f", 1e9 * t->execute / (double)p->n);
    bench_number(table, "%.1e", t->error);
    bench_number(table, "%.3f", 1e-9 * t->bytes);
}

static void measure(bench_table *table, int part, const figure_problem *p, figure_arrays *a,
                    const figure_way *way)
{
    figure_times t;
    if (figure_time(p, way, a, seconds, &t)) row(table, part, p, way, &t);
}

/* 1: enuf has the way in so many dimensions, and it is no other one's. */
static int has(int dim, int type, enuf_strategy way)
{
    if (way == ENUF_STRATEGY_SLIDE) return dim == 3 && type == 1;
    if (way == ENUF_STRATEGY_POINTS) return dim == 3 && type == 2;
    return way != ENUF_STRATEGY_GATHER || type == 2;
}

/* Both types. The peer's unsorted method, and the ways of enuf, are looked at `alone`. */
static void both_types(bench_table *table, int part, figure_problem p, figure_arrays *a)
{
    for (p.type = 1; p.type <= 2; p.type++) {
        for (int k = ENUF_STRATEGY_AUTO; enuf_strategy_name((enuf_strategy)k); k++) {
            const figure_way way = {enuf_strategy_name((enuf_strategy)k), 0, k, 0};
            if (k != ENUF_STRATEGY_AUTO && part != ALONE) continue;
            if (has(p.dim, p.type, (enuf_strategy)k)) measure(table, part, &p, a, &way);
        }
        for (int k = 0; k < PEER_WAYS && !no_peer; k++)
            if (part == ALONE || !peer_ways[k].unsorted) measure(table, part, &p, a, &peer_ways[k]);
    }
}

/* The same data for a list of tolerances, which ends with 0. */
static void tolerances(bench_table *table, int part, figure_problem p, const double *tolerance)
{
    figure_arrays a = figure_arrays_make(&p, part != ALONE);
    for (; *tolerance > 0; tolerance++) {
        p.tolerance = *tolerance;
        both_types(table, part, p, &a);
    }
    figure_arrays_free(&a);
}

static void alone(bench_table *table, int dim)
{
    static const int64_t sides[4][MOST_SIDES] = {
        {0}, {1 << 16, 1 << 20, 1 << 23}, {256, 512, 1024, 2048, 4096}, {32, 64, 128, 256}};
    for (const int64_t *side = sides[dim]; *side; side++)
        for (int cluster = 0; cluster < 2; cluster++) {
            figure_problem p = {
                .dim = dim, .single = 1, .alone = 1, .cluster = cluster, .side = *side, .n = 1};
            for (int d = 0; d < dim; d++) p.n *= *side;
            if (cluster && p.n > MOST_IN_CLUSTER) continue;
            tolerances(table, ALONE, p, (double[]){1e-5, 0});
        }
}

static void by_error(bench_table *table, int dim)
{
    static const int64_t sides[4] = {0, 1000000, 1000, 100};
    static const double in_float[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 0};
    static const double in_double[] = {1e-3, 1e-6, 1e-9, 1e-12, 0};
    figure_problem p = {.dim = dim, .side = sides[dim], .n = 10000000};
    for (p.single = 1; p.single >= 0; p.single--)
        tolerances(table, ERROR, p, p.single ? in_float : in_double);
}

static void by_modes(bench_table *table, int dim)
{
    static const int64_t sides[4][MOST_SIDES] = {
        {0}, {1000, 30000, 1000000}, {64, 128, 256, 512, 1024}, {16, 32, 64, 128}};
    for (const int64_t *side = sides[dim]; *side; side++) {
        figure_problem p = {.dim = dim, .side = *side, .n = 1};
        for (int d = 0; d < dim; d++) p.n *= 2 * *side;
        for (p.single = 1; p.single >= 0; p.single--)
            tolerances(table, MODES, p, (double[]){p.single ? 1e-5 : 1e-9, 0});
    }
}

static void table_1(bench_table *table)
{
    for (int64_t side = 32; side <= 256; side *= 8) {
        const figure_problem p = {
            .dim = 3, .single = 1, .share = 1, .side = side, .n = 8 * side * side * side};
        tolerances(table, TABLE, p, (double[]){1e-5, 0});
    }
}

int main(int argc, char **argv)
{
    bench_output output = {.program = PROGRAM, .argc = argc, .argv = argv};
    const bench_option known[] = {
        BENCH_NAMES("--parts", &parts, part_names, PARTS), BENCH_LIST("--dim", dims, &n_dims),
        BENCH_REAL("--seconds", &seconds), BENCH_FLAG("--no-peer", &no_peer)};
    const char *reason, *missing = "not requested";
    bench_read_options(&output, argc, argv, known, sizeof known / sizeof *known);
    for (int k = 0; k < n_dims; k++)
        if (dims[k] != 1 && dims[k] != 2 && dims[k] != 3)
            bench_die(PROGRAM, "--dim %g: 1, 2 or 3", dims[k]);
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) {
        fprintf(stderr, "skipped: %s\n", reason);
        return 77;
    }
    if (!no_peer) missing = cufinufft_open();
    if (missing) no_peer = 1;
    bench_table table;
    bench_table_begin(&table, &output, missing ? NULL : cufinufft_description(), columns,
                      (int)(sizeof columns / sizeof *columns));
    bench_remark(&table, "%s", reason);
    if (missing) bench_remark(&table, "without the peer: %s", missing);
    for (int k = 0; k < n_dims; k++) {
        const int dim = (int)dims[k];
        if (parts >> ALONE & 1) alone(&table, dim);
        if (parts >> ERROR & 1) by_error(&table, dim);
        if (parts >> MODES & 1) by_modes(&table, dim);
    }
    if (parts >> TABLE & 1) table_1(&table);
    bench_table_end(&table);
    return 0;
}
