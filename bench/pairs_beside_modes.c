/*
 * pairs_beside_modes.c - a GPU's kernel of pairs, as KOKKOS' styles have it, alone, beside the
 * modes of the same step and behind them.
 *
 *   pairs_beside_modes [--ions N,...] [--accuracy A,...] [--csv FILE] [--markdown]
 *
 * Milliseconds of wall time, the least of ten, of 110,592 and 862,488 ions and LAMMPS' accuracy
 * 1e-4 by default: pairs of a list up to 10 angstrom and a skin of 2, in double; forces of the
 * modes, arithmetic by the accuracy, on a stream of their own, of the same priority (0) or a higher
 * one (1); both at the same time, modes or pairs begun first; and pairs behind modes. All arrays
 * are in the GPU's memory. SPDX-License-Identifier: BSD-3-Clause
 */
#include "options.h"
#include "pair_list.h"
#include "stopwatch.h"

#include "enuf/ewald.h"

#include <math.h>

static const char PROGRAM[] = "pairs_beside_modes";
static const double CUTOFF = 10, SKIN = 2;
enum { REPEATS = 10 };

enum { PAIRS, MODES, PAIRS_BESIDE, MODES_BESIDE, IN_TURN, ORDERS };

static const bench_column COLUMNS[] = {
    {"ions", 8},
    {"accuracy", 8},
    {"priority", 8},
    {"grid", 5},
    {"pairs ms", 9},
    {"modes ms", 9},
    {"pairs beside modes ms", 21},
    {"modes beside pairs ms", 21},
    {"in turn ms", 10},
};

typedef struct step {
    bench_pair_list list;
    enuf_ewald *ewald;
    enuf_ewald_result result;
    double *x, *q;
    cudaStream_t pairs, modes;
    cudaEvent_t begun;
} step;

static void must(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

static void works(cudaError_t error)
{
    if (error != cudaSuccess) bench_die(PROGRAM, "%s", cudaGetErrorString(error));
}

static double *on_device(const double *from, size_t n)
{
    void *array;
    works(cudaMalloc(&array, n * sizeof *from));
    if (from) works(cudaMemcpy(array, from, n * sizeof *from, cudaMemcpyHostToDevice));
    return array;
}

static void run_pairs(const step *s)
{
    works(bench_pair_list_run(&s->list, s->x, s->q, s->pairs));
}

static double seconds_of(step *s, int order)
{
    works(cudaDeviceSynchronize());
    const double start = bench_seconds();
    if (order == PAIRS || order == MODES_BESIDE) run_pairs(s);
    if (order != PAIRS)
        must(enuf_ewald_begin_reciprocal(s->ewald, s->x, 3, ENUF_WANT_FORCES, &s->result));
    if (order == IN_TURN) {
        works(cudaEventRecord(s->begun, s->modes));
        works(cudaStreamWaitEvent(s->pairs, s->begun, 0));
    }
    if (order == PAIRS_BESIDE || order == IN_TURN) run_pairs(s);
    if (order != PAIRS) must(enuf_ewald_finish(s->ewald));
    works(cudaDeviceSynchronize());
    return bench_seconds() - start;
}

static step make_step(const bench_salt *salt, double accuracy, int priority)
{
    const size_t n = (size_t)salt->n;
    enuf_ewald_options o;
    step s = {.x = on_device(salt->x, 3 * n), .q = on_device(salt->q, n)};
    works(cudaStreamCreateWithFlags(&s.pairs, cudaStreamNonBlocking));
    int least = 0, greatest = 0;
    works(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    works(
        cudaStreamCreateWithPriority(&s.modes, cudaStreamNonBlocking, priority ? greatest : least));
    works(cudaEventCreateWithFlags(&s.begun, cudaEventDisableTiming));
    if (!bench_pair_list_make(salt, s.x, CUTOFF, SKIN, &s.list))
        bench_die(PROGRAM,
                  "no list of the pairs of %lld ions: it needs a box of three times %g, 0.1 ions "
                  "per volume, and 4 bytes of the GPU's memory for each neighbour",
                  (long long)salt->n, CUTOFF + SKIN);
    enuf_ewald_options_init(&o);
    o.accuracy = 0;
    o.lammps_accuracy = accuracy;
    o.cutoff = CUTOFF;
    o.split = ENUF_SPLIT_GAUSSIAN;
    o.arithmetic = accuracy >= 1e-5 ? ENUF_ARITHMETIC_MIXED : ENUF_ARITHMETIC_DOUBLE;
    o.backend = ENUF_BACKEND_CUDA;
    o.memory = ENUF_DEVICE;
    o.stream = s.modes;
    must(enuf_ewald_create(&o, &s.ewald));
    must(enuf_ewald_set_cell(s.ewald, salt->cell));
    must(enuf_ewald_set_charges(s.ewald, salt->n, s.q, NULL));
    must(enuf_ewald_tune(s.ewald, NULL, 3));
    s.result =
        (enuf_ewald_result){.struct_size = sizeof s.result, .forces = on_device(NULL, 3 * n)};
    return s;
}

static void free_step(step *s)
{
    enuf_ewald_destroy(&s->ewald);
    bench_pair_list_free(&s->list);
    cudaFree(s->result.forces);
    cudaFree(s->x);
    cudaFree(s->q);
    cudaEventDestroy(s->begun);
    cudaStreamDestroy(s->modes);
    cudaStreamDestroy(s->pairs);
}

static void row(bench_table *table, const bench_salt *salt, double accuracy, int priority)
{
    step s = make_step(salt, accuracy, priority);
    enuf_ewald_report report = {.struct_size = sizeof report};
    must(enuf_ewald_get_report(s.ewald, &report));
    bench_number(table, "%.0f", (double)salt->n);
    bench_number(table, "%.0e", accuracy);
    bench_number(table, "%.0f", priority);
    bench_number(table, "%.0f", (double)report.grid[0]);
    for (int order = 0; order < ORDERS; order++) {
        double least = INFINITY;
        for (int k = 0; k < REPEATS; k++) least = fmin(least, seconds_of(&s, order));
        bench_number(table, "%.3f", 1e3 * least);
    }
    free_step(&s);
}

int main(int argc, char **argv)
{
    bench_output output = {.program = PROGRAM, .argc = argc, .argv = argv};
    double sizes[BENCH_MOST_VALUES] = {110592, 862488}, accuracies[BENCH_MOST_VALUES] = {1e-4};
    int n_sizes = 2, n_accuracies = 1;
    const bench_option known[] = {BENCH_LIST("--ions", sizes, &n_sizes),
                                  BENCH_LIST("--accuracy", accuracies, &n_accuracies)};
    const char *reason = "";
    bench_read_options(&output, argc, argv, known, sizeof known / sizeof *known);
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason))
        bench_die(PROGRAM, "no GPU can be used: %s", reason);
    bench_table table;
    bench_table_begin(&table, &output, NULL, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    for (int n = 0; n < n_sizes; n++) {
        bench_salt salt = bench_salt_make((int64_t)sizes[n]);
        bench_salt_order(&salt);
        for (int a = 0; a < n_accuracies; a++)
            for (int priority = 0; priority < 2; priority++)
                row(&table, &salt, accuracies[a], priority);
        bench_salt_free(&salt);
    }
    bench_table_end(&table);
    return 0;
}
