/*
 * nufft_ranks.c - times of transforms on the ranks of mpirun. Points are divided among the ranks,
 * and every rank has all modes, as in HP-NFFT. Sizes and windows are those of HP-NFFT: N = 58^3,
 * 80^3, 100^3, 120^3 random points, 32^3 and 64^3 modes, four windows of 2 m cells, a fine grid of
 * twice the modes.
 *
 *   mpirun -n P nufft_ranks [--edges E,...] [--modes M,...] [--cutoffs m,...] [--window NAME]
 *                           [--threads T] [--backend cpu|cuda] [--seconds S] [--csv FILE]
 *                           [--markdown]
 *
 * Strengths are complex, in double. Each rank holds N/P points. A time is that of the slowest rank,
 * the best of at least two and of S seconds (0.5).
 *
 * Columns. set s: sets the points, which sorts them. type 1 s: the transform of each rank, and the
 * sum of all modes over the ranks; sum s: this sum alone. type 2 s: transforms at the own points of
 * each rank, without communication. error: of type 1 at 12 modes against direct sums, relative l2.
 * With
 * --backend cuda each rank has a GPU, arrays are in its memory, and NCCL sums the modes
 * (`transport`).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mode_arrays.h"
#include "on_ranks.h"
#include "stopwatch.h"
#include "options.h"

#include "enuf/nufft.h"

#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 2, CHECKED = 12 };

static const char PROGRAM[] = "nufft_ranks";

static const bench_column COLUMNS[] = {
    {"ranks", 5}, {"threads", 7},  {"transport", -9}, {"points", 8},
    {"modes", 5}, {"window", -13}, {"m", 2},          {"set s", 9},
    {"sum s", 9}, {"type 1 s", 9}, {"type 2 s", 9},   {"error", 8},
};

static int rank, ranks, threads = 1;
static double enough_seconds = 0.5;
static const bench_mode_arrays *arrays = &bench_mode_arrays_cpu;
static const char *transport;

static void must(enuf_status status)
{
    bench_must(PROGRAM, status);
}

static double *room(int64_t n)
{
    return bench_room(PROGRAM, n);
}

/* Random number k in [0, 1): a hash of k, so that every rank makes its own part (splitmix64,
 * Steele, Lea, Flood, 2014). */
static double random_at(uint64_t k)
{
    uint64_t z = (k + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

typedef struct points {
    int64_t n;
    double *x, *strengths; /* [n][3], [n] complex */
} points;

static points make_points(int64_t n_all)
{
    const int64_t first = n_all * rank / ranks;
    points p = {.n = n_all * (rank + 1) / ranks - first};
    p.x = room(3 * p.n);
    p.strengths = room(2 * p.n);
    for (int64_t k = 0; k < 3 * p.n; k++) p.x[k] = random_at((uint64_t)(3 * first + k));
    for (int64_t k = 0; k < 2 * p.n; k++)
        p.strengths[k] = random_at((uint64_t)(3 * n_all + 2 * first + k)) - 0.5;
    return p;
}

/* Modes to compare: their places in the array [edge][edge][edge], and their direct sums. */
typedef struct checked_modes {
    int64_t at[CHECKED];
    double exact[2 * CHECKED];
} checked_modes;

static checked_modes sum_directly(const points *p, int64_t edge)
{
    const double two_pi = 2 * acos(-1.0);
    checked_modes c;
    memset(&c, 0, sizeof c);
    for (int e = 0; e < CHECKED; e++) {
        int64_t m[3];
        for (int d = 0; d < 3; d++)
            m[d] = (int64_t)(random_at((uint64_t)(1000 + 3 * e + d)) * (double)edge);
        c.at[e] = (m[2] * edge + m[1]) * edge + m[0];
        for (int64_t k = 0; k < p->n; k++) {
            double turns = 0;
            for (int d = 0; d < 3; d++) {
                const double part = (double)(m[d] - edge / 2) * p->x[3 * k + d];
                turns += part - floor(part);
            }
            const double c_k = cos(two_pi * turns), s_k = -sin(two_pi * turns);
            const double *q = p->strengths + 2 * k;
            c.exact[2 * e] += q[0] * c_k - q[1] * s_k;
            c.exact[2 * e + 1] += q[0] * s_k + q[1] * c_k;
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, c.exact, 2 * CHECKED, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return c;
}

static double error_of(const checked_modes *c, const double *modes)
{
    double difference = 0, size = 0;
    for (int e = 0; e < CHECKED; e++)
        for (int k = 0; k < 2; k++) {
            const double exact = c->exact[2 * e + k];
            difference += pow(modes[2 * c->at[e] + k] - exact, 2);
            size += exact * exact;
        }
    return sqrt(difference / size);
}

static enuf_nufft *make_plan(int64_t edge, enuf_window window, int m)
{
    enuf_nufft_options options;
    enuf_nufft_options_init(&options);
    options.dim = 3;
    options.tolerance = 0;
    options.window = window;
    options.width = 2 * m;
    options.backend = arrays->backend;
    options.memory = arrays->backend == ENUF_BACKEND_CUDA ? ENUF_DEVICE : ENUF_HOST;
    options.threads = threads;
    for (int d = 0; d < 3; d++) {
        options.modes[d] = edge;
        options.fine_grid[d] = 2 * edge;
    }
    enuf_nufft *plan;
    must(enuf_nufft_create(&options, &plan));
    return plan;
}

typedef struct times {
    double set, sum, type1, type2;
} times;

/* One round: each time is that of the slowest rank. */
static times time_once(enuf_nufft *plan, const points *p, int64_t edge, double *modes,
                       double *values)
{
    const int64_t n_modes = edge * edge * edge;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = bench_seconds();
    must(enuf_nufft_set_points(plan, p->n, p->x, p->x + 1, p->x + 2, 3));
    arrays->wait();
    const double set = bench_seconds();
    must(enuf_nufft_type1(plan, p->strengths, modes));
    arrays->wait();
    const double own = bench_seconds();
    arrays->sum(modes, 2 * n_modes);
    const double summed = bench_seconds();
    must(enuf_nufft_type2(plan, modes, values, NULL));
    arrays->wait();
    times t = {set - start, summed - own, summed - set, bench_seconds() - summed};
    MPI_Allreduce(MPI_IN_PLACE, &t, 4, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return t;
}

/* p: points in the memory of the backend. */
static void row(bench_table *table, int64_t n_all, int64_t edge, enuf_window window, int m,
                const points *p, const checked_modes *checked)
{
    const int64_t n_modes = edge * edge * edge;
    double *modes = arrays->copy(NULL, 2 * n_modes), *values = arrays->copy(NULL, 2 * p->n);
    double *found = room(2 * n_modes), spent = 0;
    enuf_nufft *plan = make_plan(edge, window, m);
    times best = {INFINITY, INFINITY, INFINITY, INFINITY};
    for (int k = 0; k < REPEATS || spent < enough_seconds; k++) {
        const times t = time_once(plan, p, edge, modes, values);
        spent += t.set + t.type1 + t.type2;
        best = (times){fmin(best.set, t.set), fmin(best.sum, t.sum), fmin(best.type1, t.type1),
                       fmin(best.type2, t.type2)};
    }
    arrays->fetch(found, modes, 2 * n_modes);
    if (rank == 0) {
        bench_number(table, "%.0f", ranks);
        bench_number(table, "%.0f", threads);
        bench_text(table, transport);
        bench_number(table, "%.0f", (double)n_all);
        bench_number(table, "%.0f", (double)edge);
        bench_text(table, enuf_window_name(window));
        bench_number(table, "%.0f", m);
        bench_number(table, "%.6f", best.set);
        bench_number(table, "%.6f", ranks > 1 ? best.sum : 0);
        bench_number(table, "%.6f", best.type1);
        bench_number(table, "%.6f", best.type2);
        bench_number(table, "%.1e", error_of(checked, found));
    }
    enuf_nufft_destroy(&plan);
    arrays->release(modes);
    arrays->release(values);
    free(found);
}

static const bench_mode_arrays *backend_named(const char *name)
{
    if (strcmp(name, "cpu") == 0) return &bench_mode_arrays_cpu;
    if (strcmp(name, "cuda") != 0) bench_die(PROGRAM, "backend '%s': cpu or cuda", name);
#ifndef ENUF_BENCH_CUDA
    bench_die(PROGRAM, "built without GPU support: configure with -DENUF_CUDA=ON");
#else
    return &bench_mode_arrays_cuda;
#endif
}

int main(int argc, char **argv)
{
    enuf_window windows[] = {ENUF_WINDOW_GAUSSIAN, ENUF_WINDOW_BSPLINE, ENUF_WINDOW_SINC_POWER,
                             ENUF_WINDOW_KAISER_BESSEL};
    bench_output output = {.program = PROGRAM, .argc = argc, .argv = argv};
    double edges[BENCH_MOST_VALUES] = {58, 80, 100, 120}, modes[BENCH_MOST_VALUES] = {32, 64},
           cutoffs[BENCH_MOST_VALUES] = {2, 3, 4, 5, 6, 7, 8};
    int n_edges = 4, n_modes = 2, n_cutoffs = 7, n_windows = sizeof windows / sizeof *windows;
    const char *window_given = NULL;
    const char *backend_given = NULL;
    const bench_option known[] = {
        BENCH_LIST("--edges", edges, &n_edges),       BENCH_LIST("--modes", modes, &n_modes),
        BENCH_LIST("--cutoffs", cutoffs, &n_cutoffs), BENCH_WORD("--window", &window_given),
        BENCH_INTEGER("--threads", &threads),         BENCH_REAL("--seconds", &enough_seconds),
        BENCH_WORD("--backend", &backend_given)};
    bench_read_options(&output, argc, argv, known, sizeof known / sizeof *known);
    if (window_given) n_windows = enuf_window_parse(window_given, windows) == ENUF_SUCCESS;
    if (backend_given) arrays = backend_named(backend_given);
    if (n_windows == 0) bench_die(PROGRAM, "%s", enuf_last_error());
    int threads_allowed;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads_allowed);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    transport = arrays->begin(PROGRAM);
    bench_table table;
    if (rank == 0)
        bench_table_begin(&table, &output, NULL, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    for (int a = 0; a < n_edges; a++) {
        const int64_t n_all = (int64_t)(edges[a] * edges[a] * edges[a]);
        points p = make_points(n_all);
        points there = {p.n, arrays->copy(p.x, 3 * p.n), arrays->copy(p.strengths, 2 * p.n)};
        for (int b = 0; b < n_modes; b++) {
            const int64_t edge = (int64_t)modes[b];
            const checked_modes checked = sum_directly(&p, edge);
            for (int w = 0; w < n_windows; w++)
                for (int c = 0; c < n_cutoffs; c++)
                    row(&table, n_all, edge, windows[w], (int)cutoffs[c], &there, &checked);
        }
        arrays->release(there.x);
        arrays->release(there.strengths);
        free(p.x);
        free(p.strengths);
    }
    if (rank == 0) bench_table_end(&table);
    MPI_Finalize();
    return 0;
}
