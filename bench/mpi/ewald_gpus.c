/*
 * ewald_gpus.c - times of energy and forces on many GPUs, one for each rank of mpirun, against one
 * GPU, for both decompositions of the mesh, with efficiency and bytes sent.
 *
 *   mpirun -n P ewald_gpus [--ions N,...] [--accuracy A,...] [--weak] [--modes replicated,...]
 *                          [--seconds S] [--csv FILE] [--markdown]
 *
 * The ions form a fluorite crystal of m^3 cells of 12 ions (12 m^3 next to N), 0.1 ions per cubic
 * angstrom, each moved by up to 0.25 along every axis. Rank r has a layer of cells along z.
 * Positions and forces are in device memory if each rank has a GPU of its own, else on the host.
 * With --weak, N ions are for each rank.
 *
 * Times are milliseconds of the slowest rank, the best of at least 3 evaluations and S seconds (2).
 * `one`: one GPU with all ions, or with --weak with the ions of one rank. `efficiency`: `one` over
 * `total`, divided by the number of GPUs unless --weak. `MB`: sent by the busiest rank in one
 * evaluation. `difference`: largest difference of forces from those of one GPU, over the largest
 * force (not with --weak). It holds the error that was asked for, because many GPUs have parameters
 * of their own.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "gpu_of_rank.h"
#include "stopwatch.h"
#include "options.h"

#include "enuf/ewald_mpi.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_REPEATS = 3, WANTED = ENUF_WANT_ENERGY | ENUF_WANT_FORCES, MOST_RANKS = 1024 };

static const char PROGRAM[] = "ewald_gpus";

static const bench_column COLUMNS[] = {
    {"ranks", 5},       {"GPUs", 4},      {"transport", -9}, {"ions", 9},
    {"A", 5},           {"modes", -11},   {"cutoff", 6},     {"grid", 5},
    {"one ms", 8},      {"real ms", 8},   {"modes ms", 8},   {"total ms", 8},
    {"efficiency", 10}, {"imbalance", 9}, {"MB", 8},         {"difference", 10},
};

static int rank, ranks, has_own_gpu;
static double enough_seconds = 2;

static void must(enuf_status status)
{
    bench_must(PROGRAM, status);
}

static void cuda(cudaError_t error)
{
    bench_cuda(PROGRAM, error);
}

static double *room(int64_t n)
{
    return bench_room(PROGRAM, n);
}

/* ---- Ions ---- */

/* A number in [-1, 1) that depends on `which` alone, so that each rank makes its own ions
 * (splitmix64, Steele et al. 2014). */
static double shift_of(uint64_t which)
{
    uint64_t z = (which + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)(int64_t)(z ^ (z >> 31)) * 0x1p-63;
}

typedef struct ions {
    int64_t n, cells; /* number of ions in this part; cells along an edge of the crystal */
    double cell[9], *x, *q;
} ions;

/* The ions of layers first ... behind - 1 of cells. */
static ions make_ions(int64_t cells, int64_t first, int64_t behind)
{
    static const double site[12][4] = {
        {0, 0, 0, 2},        {0, .5, .5, 2},      {.5, 0, .5, 2},      {.5, .5, 0, 2},
        {.25, .25, .25, -1}, {.25, .25, .75, -1}, {.25, .75, .25, -1}, {.25, .75, .75, -1},
        {.75, .25, .25, -1}, {.75, .25, .75, -1}, {.75, .75, .25, -1}, {.75, .75, .75, -1},
    };
    const double edge = cbrt(12 / 0.1), most = 0.25;
    ions s = {.cells = cells, .n = 12 * cells * cells * (behind - first)};
    s.x = room(3 * s.n);
    s.q = room(s.n);
    for (int d = 0; d < 3; d++) s.cell[4 * d] = edge * (double)cells;
    int64_t i = 0;
    for (int64_t z = first; z < behind; z++)
        for (int64_t y = 0; y < cells; y++)
            for (int64_t x = 0; x < cells; x++)
                for (int k = 0; k < 12; k++, i++) {
                    const int64_t at[3] = {x, y, z};
                    const uint64_t which = (uint64_t)(((z * cells + y) * cells + x) * 12 + k);
                    for (int d = 0; d < 3; d++)
                        s.x[3 * i + d] = edge * ((double)at[d] + site[k][d]) +
                                         most * shift_of(3 * which + (uint64_t)d);
                    s.q[i] = site[k][3];
                }
    return s;
}

static void free_ions(ions *s)
{
    free(s->x);
    free(s->q);
}

/* Positions and forces in the memory in which the evaluation wants them. */
typedef struct arrays {
    double *x, *forces;
} arrays;

static arrays place(const ions *s, int on_device)
{
    const size_t bytes = 3 * (size_t)s->n * sizeof(double);
    arrays a = {s->x, NULL};
    if (!on_device) {
        a.forces = room(3 * s->n);
        return a;
    }
    void *x = NULL, *forces = NULL;
    cuda(cudaMalloc(&x, bytes + 1));
    cuda(cudaMalloc(&forces, bytes + 1));
    cuda(cudaMemcpy(x, s->x, bytes, cudaMemcpyHostToDevice));
    return (arrays){x, forces};
}

/* Copies the forces to the host and frees the arrays. */
static void fetch_forces(const ions *s, arrays *a, int on_device, double *forces)
{
    const size_t bytes = 3 * (size_t)s->n * sizeof(double);
    cuda(cudaMemcpy(forces, a->forces, bytes, cudaMemcpyDefault));
    if (on_device) {
        cuda(cudaFree(a->x));
        cuda(cudaFree(a->forces));
    } else {
        free(a->forces);
    }
}

/* ---- Evaluations ---- */

/* Milliseconds of an evaluation of all ions on this rank's GPU, while the other ranks wait. */
static double evaluate_alone(const enuf_ewald_options *requested, const ions *s, double *forces)
{
    enuf_ewald_options options = *requested;
    enuf_ewald *ewald;
    double best = INFINITY, spent = 0;
    options.memory = ENUF_DEVICE;
    arrays a = place(s, 1);
    must(enuf_ewald_create(&options, &ewald));
    must(enuf_ewald_set_cell(ewald, s->cell));
    must(enuf_ewald_set_charges(ewald, s->n, s->q, NULL));
    must(enuf_ewald_tune(ewald, NULL, 0));
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = a.forces};
    for (int k = 0; k < LEAST_REPEATS || spent < enough_seconds; k++) {
        const double start = bench_seconds();
        must(enuf_ewald_compute(ewald, a.x, 3, WANTED, &result));
        const double seconds = bench_seconds() - start;
        spent += seconds;
        best = fmin(best, seconds);
    }
    enuf_ewald_destroy(&ewald);
    fetch_forces(s, &a, 1, forces);
    return 1e3 * best;
}

typedef struct outcome {
    double real, reciprocal, total, imbalance, mb;
    enuf_ewald_mpi_report ranks;
    enuf_ewald_report report;
} outcome;

static void read_reports(enuf_ewald *ewald, outcome *o)
{
    static int64_t points[MOST_RANKS], bytes[MOST_RANKS];
    int64_t all = 0, most = 0;
    o->report = (enuf_ewald_report){.struct_size = sizeof o->report};
    o->ranks = (enuf_ewald_mpi_report){
        .struct_size = sizeof o->ranks, .points = points, .bytes_sent = bytes};
    must(enuf_ewald_get_report(ewald, &o->report));
    must(enuf_ewald_get_mpi_report(ewald, &o->ranks));
    o->mb = 0;
    for (int r = 0; r < ranks; r++) {
        all += points[r];
        most = points[r] > most ? points[r] : most;
        o->mb = fmax(o->mb, 1e-6 * (double)bytes[r]);
    }
    o->imbalance = (double)most * o->ranks.devices / (double)all;
}

static outcome evaluate(const enuf_ewald_options *requested, const ions *s, double *forces)
{
    enuf_ewald_options options = *requested;
    outcome o = {.total = INFINITY};
    double spent = 0;
    enuf_ewald *ewald;
    options.memory = has_own_gpu ? ENUF_DEVICE : ENUF_HOST;
    arrays a = place(s, has_own_gpu);
    must(enuf_ewald_create_mpi(MPI_COMM_WORLD, &options, &ewald));
    must(enuf_ewald_set_cell(ewald, s->cell));
    must(enuf_ewald_set_charges(ewald, s->n, s->q, NULL));
    must(enuf_ewald_tune(ewald, NULL, 0));
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = a.forces};
    for (int k = 0; k < LEAST_REPEATS || spent < enough_seconds; k++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = bench_seconds();
        must(enuf_ewald_compute(ewald, a.x, 3, WANTED, &result));
        const double seconds = bench_over_ranks(bench_seconds() - start, MPI_MAX);
        spent += seconds;
        if (seconds >= o.total) continue;
        o.total = seconds;
        read_reports(ewald, &o);
    }
    o.real = bench_over_ranks(o.report.seconds_real, MPI_MAX);
    o.reciprocal = bench_over_ranks(o.report.seconds_reciprocal, MPI_MAX);
    enuf_ewald_destroy(&ewald);
    fetch_forces(s, &a, has_own_gpu, forces);
    return o;
}

/* ---- Rows ---- */

static void row(bench_table *table, int64_t n, double accuracy, const char *modes, double one,
                int weak, double difference, const outcome *o)
{
    const double total = 1e3 * o->total;
    bench_number(table, "%.0f", ranks);
    bench_number(table, "%.0f", o->ranks.devices);
    bench_text(table, o->ranks.transport);
    bench_number(table, "%.0f", (double)n);
    bench_number(table, "%.0e", accuracy);
    bench_text(table, modes);
    bench_number(table, "%.2f", o->report.cutoff);
    bench_number(table, "%.0f", (double)o->report.grid[0]);
    bench_number(table, "%.3f", one);
    bench_number(table, "%.3f", 1e3 * o->real);
    bench_number(table, "%.3f", 1e3 * o->reciprocal);
    bench_number(table, "%.3f", total);
    bench_number(table, "%.3f", one / total / (weak ? 1 : o->ranks.devices));
    bench_number(table, "%.3f", o->imbalance);
    bench_number(table, "%.2f", o->mb);
    bench_number(table, "%.1e", difference);
}

static int64_t cells_for(double n)
{
    const int64_t cells = llround(cbrt(n / 12));
    return cells > 1 ? cells : 1;
}

/* The largest difference of the forces on rank 0's ions, which come first in the crystal. */
static double difference_of(int64_t n, const double *here, const double *alone)
{
    double largest = 0, most = 0;
    for (int64_t k = 0; k < 3 * n; k++) {
        largest = fmax(largest, fabs(alone[k]));
        most = fmax(most, fabs(here[k] - alone[k]));
    }
    return most / largest;
}

static void run(bench_table *table, double n_ions, double accuracy, int weak, int which)
{
    static const char *const names[] = {"replicated", "distributed"};
    static const enuf_decomposition decompositions[] = {ENUF_DECOMPOSITION_REPLICATED,
                                                        ENUF_DECOMPOSITION_DISTRIBUTED};
    const int64_t cells = cells_for(n_ions * (weak ? ranks : 1));
    const int64_t first = cells * rank / ranks, behind = cells * (rank + 1) / ranks;
    enuf_ewald_options options;
    double one = 0, *alone = NULL;
    enuf_ewald_options_init(&options);
    options.accuracy = accuracy;
    options.backend = ENUF_BACKEND_CUDA;
    if (rank == 0) {
        const int64_t cells_alone = weak ? cells_for(n_ions) : cells;
        ions all = make_ions(cells_alone, 0, cells_alone);
        alone = room(3 * all.n);
        one = evaluate_alone(&options, &all, alone);
        free_ions(&all);
    }
    ions s = make_ions(cells, first, behind);
    double *forces = room(3 * s.n);
    for (int k = 0; k < 2; k++) {
        if (!(which & 1 << k)) continue;
        options.decomposition = decompositions[k];
        MPI_Barrier(MPI_COMM_WORLD);
        const outcome o = evaluate(&options, &s, forces);
        if (rank > 0) continue;
        const double difference = weak ? NAN : difference_of(s.n, forces, alone);
        row(table, 12 * cells * cells * cells, accuracy, names[k], one, weak, difference, &o);
    }
    free(alone);
    free(forces);
    free_ions(&s);
}

int main(int argc, char **argv)
{
    bench_output output = {.program = PROGRAM, .argc = argc, .argv = argv};
    double sizes[BENCH_MOST_VALUES] = {12.0 * 56 * 56 * 56, 12.0 * 64 * 64 * 64, 1e7};
    double accuracies[BENCH_MOST_VALUES] = {1e-4};
    int n_sizes = 3, n_accuracies = 1, weak = 0, which = 3;
    static const char *const decompositions[] = {"replicated", "distributed"};
    const bench_option known[] = {BENCH_FLAG("--weak", &weak),
                                  BENCH_LIST("--ions", sizes, &n_sizes),
                                  BENCH_LIST("--accuracy", accuracies, &n_accuracies),
                                  BENCH_REAL("--seconds", &enough_seconds),
                                  BENCH_NAMES("--modes", &which, decompositions, 2)};
    bench_read_options(&output, argc, argv, known, sizeof known / sizeof *known);
    int threads_allowed;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads_allowed);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > MOST_RANKS) bench_die(PROGRAM, "at most %d ranks", MOST_RANKS);
    bench_take_gpu(PROGRAM, &has_own_gpu);
    bench_table table;
    if (rank == 0)
        bench_table_begin(&table, &output, NULL, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    for (int a = 0; a < n_accuracies; a++)
        for (int k = 0; k < n_sizes; k++) run(&table, sizes[k], accuracies[a], weak, which);
    if (rank == 0) bench_table_end(&table);
    MPI_Finalize();
    return 0;
}
