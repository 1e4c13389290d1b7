/*
 * ewald_ranks.c - times of energy and forces on the ranks of mpirun, against one process of this
 * program, for both decompositions of the mesh, with balance, bytes sent and memory.
 *
 *   mpirun -n P ewald_ranks [--ions N,...] [--accuracy A,...] [--weak] [--threads T] [--csv FILE]
 *                           [--markdown]
 *
 * With --weak, N ions are for each rank. The ions are in spatial order, and each rank holds a block
 * of them along z. First rank 0 evaluates all ions alone, with the threads of one rank, while the
 * others sleep; then all ranks evaluate. A time is the best of at least 3 evaluations and two
 * seconds.
 *
 * Columns. ratio: time of the ranks over time of one process (1/P at best, not with --weak).
 * imbalance: ions of the fullest rank over the mean. MB pairs, MB modes: sent by the busiest rank
 * for pairs and for modes in one evaluation, with the moving of ions. formula MB: size of the
 * structure factors of K replicated modes in a reduction, 2 (P-1)/P 8 K bytes; K = c^3 V/(6 pi^2
 * r_c^3) (prolate), or the number of modes within k_c (Gaussian). mesh MB: grid cells of the
 * fullest rank, 8 bytes each.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "salt.h"
#include "on_ranks.h"
#include "stopwatch.h"
#include "options.h"

#include "enuf/ewald_mpi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REPEATS = 3, WANTED = ENUF_WANT_ENERGY | ENUF_WANT_FORCES, MOST_RANKS = 4096 };
static const double ENOUGH_SECONDS = 2;

static const char PROGRAM[] = "ewald_ranks";

static const bench_column COLUMNS[] = {
    {"ranks", 5},     {"threads", 7},
    {"ions", 9},      {"A", 5},
    {"modes", -11},   {"cutoff", 6},
    {"grid", 5},      {"one s", 8},
    {"real s", 8},    {"reciprocal s", 12},
    {"total s", 8},   {"ratio", 6},
    {"imbalance", 9}, {"MB pairs", 8},
    {"MB modes", 8},  {"formula MB", 10},
    {"mesh MB", 8},   {"largest difference", 18},
};

static int rank, ranks;

static void must(enuf_status status)
{
    bench_must(PROGRAM, status);
}

static double *room(int64_t n)
{
    return bench_room(PROGRAM, n);
}

/* A barrier in which waiting ranks sleep and leave their core to the others. */
static void wait_for_all(void)
{
    MPI_Request request;
    int all_here = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (!all_here) {
        MPI_Test(&request, &all_here, MPI_STATUS_IGNORE);
        if (!all_here) usleep(500);
    }
}

typedef struct share {
    int64_t n, n_all;
    double cell[9], *x, *q;
    double *forces_alone; /* of this rank's ions, by one process */
    double seconds_alone;
} share;

static double evaluate_alone(const enuf_ewald_options *options, const bench_salt *salt,
                             double *forces)
{
    enuf_ewald *ewald;
    must(enuf_ewald_create(options, &ewald));
    must(enuf_ewald_set_cell(ewald, salt->cell));
    must(enuf_ewald_set_charges(ewald, salt->n, salt->q, NULL));
    must(enuf_ewald_tune(ewald, NULL, 0));
    double best = INFINITY, spent = 0;
    for (int k = 0; k < REPEATS || spent < ENOUGH_SECONDS; k++) {
        enuf_ewald_result result = {.struct_size = sizeof result, .forces = forces};
        const double start = bench_seconds();
        must(enuf_ewald_compute(ewald, salt->x, 3, WANTED, &result));
        const double seconds = bench_seconds() - start;
        spent += seconds;
        best = fmin(best, seconds);
    }
    enuf_ewald_destroy(&ewald);
    return best;
}

static void scatter(const double *all, int width, const int *counts, double *here, int64_t n)
{
    static int size[MOST_RANKS], from[MOST_RANKS];
    for (int r = 0, sum = 0; r < ranks; r++) {
        size[r] = width * counts[r];
        from[r] = sum;
        sum += size[r];
    }
    MPI_Scatterv(all, size, from, MPI_DOUBLE, here, width * (int)n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

/* Rank 0 makes all ions and evaluates them alone; then each rank gets a block of ions and forces.
 */
static share make_share(int64_t n_all, const enuf_ewald_options *options)
{
    static int counts[MOST_RANKS];
    share s = {.n_all = n_all};
    bench_salt salt = {.n = 0};
    double *forces = NULL;
    if (rank == 0) {
        salt = bench_salt_make(n_all);
        bench_salt_order(&salt);
        forces = room(3 * n_all);
        memcpy(s.cell, salt.cell, sizeof s.cell);
        s.seconds_alone = evaluate_alone(options, &salt, forces);
    }
    wait_for_all();
    for (int r = 0; r < ranks; r++) counts[r] = (int)(n_all * (r + 1) / ranks - n_all * r / ranks);
    s.n = counts[rank];
    s.x = room(3 * s.n);
    s.q = room(s.n);
    s.forces_alone = room(3 * s.n);
    MPI_Bcast(s.cell, 9, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    scatter(salt.x, 3, counts, s.x, s.n);
    scatter(salt.q, 1, counts, s.q, s.n);
    scatter(forces, 3, counts, s.forces_alone, s.n);
    free(forces);
    if (rank == 0) bench_salt_free(&salt);
    return s;
}

typedef struct outcome {
    double real, reciprocal, total, difference, mb_pairs, mb_modes;
    enuf_ewald_report report;
    double imbalance, cells;
} outcome;

/* Returns the bytes that the busiest rank sent in the last evaluation; sets the report, the
 * imbalance and the most grid cells of a rank. */
static double bytes_sent(enuf_ewald *ewald, outcome *o, int64_t n_all)
{
    static int64_t points[MOST_RANKS], cells[MOST_RANKS], bytes[MOST_RANKS];
    enuf_ewald_mpi_report report = {
        .struct_size = sizeof report, .points = points, .grid_cells = cells, .bytes_sent = bytes};
    must(enuf_ewald_get_mpi_report(ewald, &report));
    double most = 0;
    o->report = (enuf_ewald_report){.struct_size = sizeof o->report};
    must(enuf_ewald_get_report(ewald, &o->report));
    o->imbalance = o->cells = 0;
    for (int r = 0; r < ranks; r++) {
        most = fmax(most, (double)bytes[r]);
        o->imbalance = fmax(o->imbalance, (double)points[r] * ranks / (double)n_all);
        o->cells = fmax(o->cells, (double)cells[r]);
    }
    return most;
}

static outcome evaluate(const share *s, const enuf_ewald_options *options)
{
    outcome o = {.total = INFINITY};
    double *forces = room(3 * s->n), spent = 0;
    enuf_ewald *ewald;
    must(enuf_ewald_create_mpi(MPI_COMM_WORLD, options, &ewald));
    must(enuf_ewald_set_cell(ewald, s->cell));
    must(enuf_ewald_set_charges(ewald, s->n, s->q, NULL));
    must(enuf_ewald_tune(ewald, NULL, 0));
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = forces};
    must(enuf_ewald_real(ewald, s->x, 3, WANTED, &result));
    o.mb_pairs = 1e-6 * bytes_sent(ewald, &o, s->n_all);
    must(enuf_ewald_reciprocal(ewald, s->x, 3, WANTED, &result));
    o.mb_modes = 1e-6 * bytes_sent(ewald, &o, s->n_all);
    for (int k = 0; k < REPEATS || spent < ENOUGH_SECONDS; k++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = bench_seconds();
        must(enuf_ewald_compute(ewald, s->x, 3, WANTED, &result));
        const double seconds = bench_over_ranks(bench_seconds() - start, MPI_MAX);
        spent += seconds;
        bytes_sent(ewald, &o, s->n_all);
        const double real = bench_over_ranks(o.report.seconds_real, MPI_MAX);
        const double reciprocal = bench_over_ranks(o.report.seconds_reciprocal, MPI_MAX);
        if (seconds >= o.total) continue;
        o.total = seconds;
        o.real = real;
        o.reciprocal = reciprocal;
    }
    double largest = 0;
    for (int64_t k = 0; k < 3 * s->n; k++) {
        largest = fmax(largest, fabs(s->forces_alone[k]));
        o.difference = fmax(o.difference, fabs(forces[k] - s->forces_alone[k]));
    }
    o.difference = bench_over_ranks(o.difference, MPI_MAX) / bench_over_ranks(largest, MPI_MAX);
    enuf_ewald_destroy(&ewald);
    free(forces);
    return o;
}

static void row(bench_table *table, const share *s, double accuracy, const char *modes,
                const outcome *o)
{
    const enuf_ewald_report *report = &o->report;
    /* kmax is in units of 2 pi / V^(1/3): the sphere has 4/3 pi kmax^3 modes */
    const double k = 4.0 / 3 * acos(-1.0) * pow(report->kmax, 3);
    bench_number(table, "%.0f", ranks);
    bench_number(table, "%.0f", report->threads);
    bench_number(table, "%.0f", (double)s->n_all);
    bench_number(table, "%.0e", accuracy);
    bench_text(table, modes);
    bench_number(table, "%.2f", report->cutoff);
    bench_number(table, "%.0f", (double)report->grid[0]);
    bench_number(table, "%.4f", s->seconds_alone);
    bench_number(table, "%.4f", o->real);
    bench_number(table, "%.4f", o->reciprocal);
    bench_number(table, "%.4f", o->total);
    bench_number(table, "%.3f", o->total / s->seconds_alone);
    bench_number(table, "%.3f", o->imbalance);
    bench_number(table, "%.2f", o->mb_pairs);
    bench_number(table, "%.2f", o->mb_modes);
    bench_number(table, "%.2f", 1e-6 * 2 * (ranks - 1) / ranks * 8 * k);
    bench_number(table, "%.1f", 8e-6 * o->cells);
    bench_number(table, "%.1e", o->difference);
}

/* Collective; rank 0 prints. */
static void run(bench_table *table, int64_t n, double accuracy, int threads)
{
    static const struct {
        const char *name;
        enuf_decomposition how;
    } modes[] = {{"replicated", ENUF_DECOMPOSITION_REPLICATED},
                 {"distributed", ENUF_DECOMPOSITION_DISTRIBUTED}};
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = accuracy;
    options.threads = threads;
    options.backend = ENUF_BACKEND_CPU;
    share s = make_share(n, &options);
    for (int k = 0; k < 2; k++) {
        options.decomposition = modes[k].how;
        const outcome o = evaluate(&s, &options);
        if (rank == 0) row(table, &s, accuracy, modes[k].name, &o);
    }
    free(s.x);
    free(s.q);
    free(s.forces_alone);
}

int main(int argc, char **argv)
{
    bench_output output = {.program = PROGRAM, .argc = argc, .argv = argv};
    double sizes[BENCH_MOST_VALUES] = {1e4, 1e5, 1e6}, accuracies[BENCH_MOST_VALUES] = {1e-4, 1e-6};
    int n_sizes = 3, n_accuracies = 2, weak = 0, threads = 1;
    const bench_option known[] = {
        BENCH_FLAG("--weak", &weak), BENCH_LIST("--ions", sizes, &n_sizes),
        BENCH_LIST("--accuracy", accuracies, &n_accuracies), BENCH_INTEGER("--threads", &threads)};
    bench_read_options(&output, argc, argv, known, sizeof known / sizeof *known);
    int threads_allowed;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads_allowed);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > MOST_RANKS) bench_die(PROGRAM, "at most %d ranks", MOST_RANKS);
    bench_table table;
    if (rank == 0)
        bench_table_begin(&table, &output, NULL, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    for (int a = 0; a < n_accuracies; a++)
        for (int k = 0; k < n_sizes; k++)
            run(&table, (int64_t)sizes[k] * (weak ? ranks : 1), accuracies[a], threads);
    if (rank == 0) bench_table_end(&table);
    MPI_Finalize();
    return 0;
}
