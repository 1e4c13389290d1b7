/*
 * small_systems.c - time of energies, forces, potentials and virials of many small systems: by
 * enuf_ewald_batch on the CPU's threads and on the GPU, by a call of enuf_exact_ewald() for each
 * system, and by an enuf_ewald object for each with A = 1e-6.
 *
 *   small_systems [--atoms N,...] [--systems B,...] [--backend cpu,cuda] [--threads T]
 *                 [--csv FILE] [--markdown]
 *
 * Systems: salts of 0.1 ions per cubic angstrom, each in a cube of its own size. The code cannot
 * know that positions stay the same. A time is the least of at least 2 calls and 0.3 s, after one
 * call; in device memory it is the mean of a row of calls that end with enuf_ewald_batch_check().
 * On one thread of the CPU it is processor time, which other work on the machine does not lengthen.
 * Exact sums and objects are timed on the first 16 systems, one after the other, with all threads;
 * objects exist before, and their parameters are verified.
 *
 * tolerance: of the batch, or A of the object; 0 is rounding. differs: RMS difference of the forces
 * from those of exact sums, over the first 16 systems, in F_ref. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "options.h"
#include "direct_device.h"
#include "salt.h"
#include "stopwatch.h"
#include "table.h"

#include "enuf/ewald_batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 2, SAMPLE = 16 };
static const double ENOUGH_SECONDS = 0.3;

static const char PROGRAM[] = "small_systems";

static const bench_column COLUMNS[] = {
    {"atoms", 6},      {"systems", 7},  {"code", -6},   {"arithmetic", -10},
    {"tolerance", 9},  {"backend", -7}, {"memory", -6}, {"threads", 7},
    {"us/system", 10}, {"ns/atom", 9},  {"atoms/s", 9}, {"differs", 9},
};

/* Seconds of wall time, or of one thread's processor. */
static double now(enuf_backend backend, int threads)
{
    return backend == ENUF_BACKEND_CPU && threads == 1 ? bench_thread_seconds() : bench_seconds();
}

/* All systems on the host, and exact forces of the first ones. */
typedef struct system_set {
    int64_t n, atoms_each, atoms;
    int64_t *offsets;
    double *cells, *x, *q, *forces, *potentials, *energies, *virials, *exact;
} system_set;

static double *numbers(int64_t n)
{
    double *at = calloc((size_t)n, sizeof *at);
    if (!at) bench_die(PROGRAM, "not enough memory");
    return at;
}

static int64_t sampled(const system_set *set)
{
    return set->n < SAMPLE ? set->n : SAMPLE;
}

static void must(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

static double call_exact(system_set *set, int threads)
{
    enuf_exact_options options;
    enuf_exact_options_init(&options);
    options.threads = threads;
    const double start = now(ENUF_BACKEND_CPU, threads);
    for (int64_t s = 0; s < sampled(set); s++) {
        const int64_t first = set->offsets[s];
        enuf_exact_result of = {.forces = set->exact + 3 * first, .potential = set->potentials};
        must(enuf_exact_ewald(&options, set->cells + 9 * s, set->atoms_each, set->x + 3 * first, 3,
                              set->q + first, NULL, 0, NULL, &of));
    }
    return now(ENUF_BACKEND_CPU, threads) - start;
}

/* One salt gives its places to all systems, which differ in size. */
static system_set make_set(int64_t n, int64_t atoms_each)
{
    system_set set = {.n = n, .atoms_each = atoms_each, .atoms = n * atoms_each};
    bench_salt salt = bench_salt_make(atoms_each);
    set.offsets = calloc((size_t)n + 1, sizeof *set.offsets);
    if (!set.offsets) bench_die(PROGRAM, "not enough memory");
    set.cells = numbers(9 * n);
    set.x = numbers(3 * set.atoms);
    set.q = numbers(set.atoms);
    set.forces = numbers(3 * set.atoms);
    set.potentials = numbers(set.atoms);
    set.energies = numbers(n);
    set.virials = numbers(6 * n);
    set.exact = numbers(3 * sampled(&set) * atoms_each);
    for (int64_t s = 0; s < n; s++) {
        const double larger = 1 + 0.1 * (double)(s % 7);
        const int64_t first = s * atoms_each;
        set.offsets[s + 1] = first + atoms_each;
        for (int k = 0; k < 9; k++) set.cells[9 * s + k] = larger * salt.cell[k];
        for (int64_t k = 0; k < 3 * atoms_each; k++) set.x[3 * first + k] = larger * salt.x[k];
        memcpy(set.q + first, salt.q, (size_t)atoms_each * sizeof *salt.q);
    }
    bench_salt_free(&salt);
    return set;
}

static void free_set(system_set *set)
{
    double *const arrays[] = {set->cells,      set->x,        set->q,       set->forces,
                              set->potentials, set->energies, set->virials, set->exact};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
    free(set->offsets);
}

static double differs(const system_set *set)
{
    double sum = 0;
    const int64_t n = 3 * sampled(set) * set->atoms_each;
    for (int64_t k = 0; k < n; k++) {
        const double volume = pow(set->cells[9 * (k / 3 / set->atoms_each)], 3);
        const double f_ref = pow((double)set->atoms_each / volume, 2.0 / 3);
        sum += pow((set->forces[k] - set->exact[k]) / f_ref, 2);
    }
    return sqrt(3 * sum / (double)n);
}

/* What a row says beside its time. */
typedef struct row_of {
    const char *code, *arithmetic, *memory;
    enuf_backend backend;
    double tolerance;
    int threads;
} row_of;

static void row(bench_table *table, const system_set *set, const row_of *of, double seconds,
                int64_t systems)
{
    const double of_system = seconds / (double)systems;
    const double of_atom = of_system / (double)set->atoms_each;
    bench_number(table, "%.0f", (double)set->atoms_each);
    bench_number(table, "%.0f", (double)set->n);
    bench_text(table, of->code);
    bench_text(table, of->arithmetic);
    bench_number(table, "%g", of->tolerance);
    bench_text(table, enuf_backend_name(of->backend));
    bench_text(table, of->memory);
    bench_number(table, "%.0f", of->threads);
    bench_number(table, "%.3f", 1e6 * of_system);
    bench_number(table, "%.2f", 1e9 * of_atom);
    bench_number(table, "%.3g", 1 / of_atom);
    bench_number(table, "%.1e", differs(set));
}

/* ---- Batches ---- */

static double time_on_host(enuf_ewald_batch *batch, system_set *set, const row_of *of)
{
    double best = INFINITY, spent = 0;
    for (int k = 0; k <= REPEATS || spent < ENOUGH_SECONDS; k++) {
        const double start = now(of->backend, of->threads);
        must(enuf_ewald_batch_compute(batch, set->x, 3, set->q, set->energies, set->forces,
                                      set->potentials, set->virials));
        const double seconds = now(of->backend, of->threads) - start;
        if (k > 0 && seconds < best) best = seconds;
        spent += seconds;
    }
    return best;
}

static double time_on_device(enuf_ewald_batch *batch, system_set *set)
{
    const size_t number = sizeof(double), atoms = (size_t)set->atoms, n = (size_t)set->n;
    void *const at[6] = {bench_device_array(3 * atoms * number, set->x),
                         bench_device_array(atoms * number, set->q),
                         bench_device_array(n * number, NULL),
                         bench_device_array(3 * atoms * number, NULL),
                         bench_device_array(atoms * number, NULL),
                         bench_device_array(6 * n * number, NULL)};
    double spent = 0;
    int calls = 0;
    for (int k = 0; k < 6; k++)
        if (!at[k]) bench_die(PROGRAM, "not enough memory on the GPU");
    while (spent < ENOUGH_SECONDS) {
        calls = calls > 0 ? 4 * calls : 1;
        const double start = bench_seconds();
        for (int k = 0; k < calls; k++)
            must(enuf_ewald_batch_compute(batch, at[0], 3, at[1], at[2], at[3], at[4], at[5]));
        must(enuf_ewald_batch_check(batch, NULL));
        spent = bench_seconds() - start;
    }
    bench_device_read(set->forces, at[3], 3 * atoms * number);
    for (int k = 0; k < 6; k++) bench_device_free(at[k]);
    return spent / calls;
}

static void row_of_batch(bench_table *table, system_set *set, row_of of)
{
    enuf_ewald_batch_options options;
    enuf_ewald_batch *batch;
    const int on_device = strcmp(of.memory, "device") == 0;
    enuf_ewald_batch_options_init(&options);
    options.backend = of.backend;
    options.memory = on_device ? ENUF_DEVICE : ENUF_HOST;
    options.tolerance = of.tolerance;
    options.threads = of.threads;
    must(enuf_arithmetic_parse(of.arithmetic, &options.arithmetic));
    must(enuf_ewald_batch_create(&options, &batch));
    must(enuf_ewald_batch_set_systems(batch, set->n, set->offsets, set->cells));
    bench_progress("%lld systems of %lld atoms, %s", (long long)set->n, (long long)set->atoms_each,
                   enuf_backend_name(of.backend));
    const double seconds = on_device ? time_on_device(batch, set) : time_on_host(batch, set, &of);
    row(table, set, &of, seconds, set->n);
    enuf_ewald_batch_destroy(&batch);
}

static void rows_of_batch(bench_table *table, system_set *set, enuf_backend backend, int threads,
                          const char *memory)
{
    row_of of = {"batch", "double", memory, backend, 0, threads};
    row_of_batch(table, set, of);
    of.tolerance = 1e-6;
    row_of_batch(table, set, of);
    of.arithmetic = "mixed";
    row_of_batch(table, set, of);
}

/* ---- One system after the other ---- */

static void row_of_exact(bench_table *table, system_set *set, int threads)
{
    const row_of of = {"exact", "double", "host", ENUF_BACKEND_CPU, 0, threads};
    double best = call_exact(set, threads), spent = 0;
    for (int k = 0; k < REPEATS || spent < ENOUGH_SECONDS; k++) {
        const double seconds = call_exact(set, threads);
        spent += seconds;
        best = fmin(best, seconds);
    }
    memcpy(set->forces, set->exact,
           (size_t)(3 * sampled(set) * set->atoms_each) * sizeof *set->exact);
    row(table, set, &of, best, sampled(set));
}

static double call_objects(enuf_ewald *const *objects, system_set *set, int threads)
{
    const int wanted = ENUF_WANT_ENERGY | ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL | ENUF_WANT_VIRIAL;
    const double start = now(ENUF_BACKEND_CPU, threads);
    for (int64_t s = 0; s < sampled(set); s++) {
        const int64_t first = set->offsets[s];
        enuf_ewald_result result = {.struct_size = sizeof result,
                                    .forces = set->forces + 3 * first,
                                    .potential = set->potentials + first};
        must(enuf_ewald_compute(objects[s], set->x + 3 * first, 3, wanted, &result));
    }
    return now(ENUF_BACKEND_CPU, threads) - start;
}

static void row_of_objects(bench_table *table, system_set *set, int threads)
{
    const row_of of = {"object", "double", "host", ENUF_BACKEND_CPU, 1e-6, threads};
    enuf_ewald *objects[SAMPLE] = {NULL};
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = of.tolerance;
    options.threads = threads;
    for (int64_t s = 0; s < sampled(set); s++) {
        must(enuf_ewald_create(&options, &objects[s]));
        must(enuf_ewald_set_cell(objects[s], set->cells + 9 * s));
        must(enuf_ewald_set_charges(objects[s], set->atoms_each, set->q + set->offsets[s], NULL));
    }
    call_objects(objects, set, threads);
    double best = INFINITY, spent = 0;
    for (int k = 0; k < REPEATS || spent < ENOUGH_SECONDS; k++) {
        const double seconds = call_objects(objects, set, threads);
        spent += seconds;
        best = fmin(best, seconds);
    }
    row(table, set, &of, best, sampled(set));
    for (int64_t s = 0; s < sampled(set); s++) enuf_ewald_destroy(&objects[s]);
}

static void rows_of(bench_table *table, int64_t n, int64_t atoms, int backends, int threads)
{
    system_set set = make_set(n, atoms);
    call_exact(&set, threads); /* what the others are compared with */
    if (backends & 1) {
        rows_of_batch(table, &set, ENUF_BACKEND_CPU, threads, "host");
        row_of_exact(table, &set, threads);
        row_of_objects(table, &set, threads);
    }
    if (backends & 2) {
        rows_of_batch(table, &set, ENUF_BACKEND_CUDA, threads, "host");
        if (bench_device_built()) rows_of_batch(table, &set, ENUF_BACKEND_CUDA, threads, "device");
    }
    free_set(&set);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"cpu", "cuda"};
    bench_output output = {.program = PROGRAM, .argc = argc, .argv = argv};
    double atoms[BENCH_MOST_VALUES] = {8, 64, 256}, systems[BENCH_MOST_VALUES] = {1, 16, 256, 4096};
    int n_atoms = 3, n_systems = 4, threads = 0, backends = 3;
    const char *reason = "";
    const bench_option known[] = {
        BENCH_LIST("--atoms", atoms, &n_atoms), BENCH_LIST("--systems", systems, &n_systems),
        BENCH_NAMES("--backend", &backends, names, 2), BENCH_INTEGER("--threads", &threads)};
    bench_read_options(&output, argc, argv, known, sizeof known / sizeof *known);
    if ((backends & 2) && !enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) {
        printf("%s: without the GPU: %s\n", PROGRAM, reason);
        backends &= ~2;
    }
    bench_table table;
    bench_table_begin(&table, &output, backends & 2 ? reason : NULL, COLUMNS,
                      sizeof COLUMNS / sizeof *COLUMNS);
    for (int a = 0; a < n_atoms; a++)
        for (int b = 0; b < n_systems; b++)
            rows_of(&table, (int64_t)systems[b], (int64_t)atoms[a], backends, threads);
    bench_table_end(&table);
    return 0;
}
