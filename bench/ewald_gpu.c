/*
 * ewald_gpu.c - forces of ions on the GPU: the reciprocal step and its stages, the pairs inside the
 * cutoff, both, beside OpenMM's particle mesh Ewald in the same run. Everything stays in device
 * memory.
 *
 *   ewald_gpu [--ions N,...] [--accuracy A,...] [--cutoff R] [--steps N] [--no-peer] [--csv FILE]
 *             [--markdown]
 *
 * Accuracies are LAMMPS': RMS error of the force vector over the force of two unit charges at 1
 * angstrom. Salts of 0.1 ions per cubic angstrom in random order; cutoff 10 angstrom unless said, 0
 * leaves it to the library. Times are means of `steps` evaluations in a row, of fewer where these
 * take more than 0.3 s, positions new to each as far as the code knows. Predicted: by the cost
 * model that chose the parameters. Stages: sort, spread, forward (its FFT, and what leads to the
 * modes), backward (modes to grid, FFT, interpolation), of a plan like the reciprocal step's own,
 * each in a row of its own calls; the reciprocal step's time has the rest. Delivered: RMS over all
 * ions against enuf in double at an accuracy of 1e-11. OpenMM has the alpha of enuf's Gaussian
 * splitting and the mesh spacings that LAMMPS' pppm takes for these accuracies, whatever its
 * splines of order 5 then deliver; its times are differences of steps with and without a group of
 * forces, its pairs with the neighbour list kept while nothing moves. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "arguments.h"
#include "ewald_gpu_stages.h"
#include "peers/openmm.h"
#include "salt.h"
#include "table.h"

#include "enuf/ewald.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char PROGRAM[] = "ewald_gpu";
static const double REFERENCE_ACCURACY = 1e-11;

static const bench_column COLUMNS[] = {
    {"ions", 8},         {"accuracy", 8},       {"code", -6},     {"arithmetic", -10},
    {"splitting", -9},   {"cutoff", 6},         {"grid", -11},    {"width", 5},
    {"pairs ms", 8},     {"reciprocal ms", 13}, {"whole ms", 8},  {"predicted", 9},
    {"delivered", 9},    {"sort us", 7},        {"spread us", 9}, {"forward us", 10},
    {"backward us", 11}, {"device MB", 9},
};

/* More than a peer has been seen to take. */
static const double MOST_FOR_PEER = 2e6;

/* Seconds of a row of evaluations, and of a peer's, which shall be short beside making a context of
 * it. */
static const double LONGEST_ROW = 0.3, LONGEST_ROW_OF_PEER = 0.5;

/* How many steps of so many seconds fit, 3 at least. */
static int steps_within(double seconds, double of_step, int most)
{
    const double fit = seconds / of_step;
    return fit >= most ? most : fit < 3 ? 3 : (int)fit;
}

typedef struct request {
    double ions[BENCH_MOST_VALUES], accuracy[BENCH_MOST_VALUES], cutoff;
    int n_ions, n_accuracy, steps, peer;
    bench_output output;
} request;

/* Ions on host and device, and the forces that others are compared with. */
typedef struct system_of_ions {
    bench_salt salt;
    double *device_x, *device_forces;
    double *forces, *reference; /* host */
} system_of_ions;

static void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) bench_die(PROGRAM, "%s: %s", what, cudaGetErrorString(error));
}

static void must(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

static request read_arguments(int argc, char **argv)
{
    request r = {.ions = {10000, 110592, 1000000, 10000000},
                 .accuracy = {1e-4, 1e-5, 1e-6},
                 .cutoff = 10,
                 .n_ions = 4,
                 .n_accuracy = 3,
                 .steps = 50,
                 .peer = 1,
                 .output = {.program = PROGRAM, .argc = argc, .argv = argv}};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (bench_output_argument(&r.output, argc, argv, &i)) continue;
        if (strcmp(argv[i], "--no-peer") == 0) {
            r.peer = 0;
            continue;
        }
        if (!value) bench_die(PROGRAM, "%s: unknown, or its value is missing", argv[i]);
        if (strcmp(argv[i], "--ions") == 0)
            r.n_ions = bench_numbers(PROGRAM, value, r.ions);
        else if (strcmp(argv[i], "--accuracy") == 0)
            r.n_accuracy = bench_numbers(PROGRAM, value, r.accuracy);
        else if (strcmp(argv[i], "--cutoff") == 0)
            r.cutoff = strtod(value, NULL);
        else if (strcmp(argv[i], "--steps") == 0)
            r.steps = (int)strtol(value, NULL, 10);
        else
            bench_die(PROGRAM, "%s: unknown argument", argv[i]);
        i++;
    }
    return r;
}

static void *to_device(const void *from, size_t bytes)
{
    void *array;
    check(cudaMalloc(&array, bytes), "device memory");
    if (from) check(cudaMemcpy(array, from, bytes, cudaMemcpyHostToDevice), "copying to the GPU");
    return array;
}

static enuf_ewald *make_ewald(const system_of_ions *s, const enuf_ewald_options *options)
{
    enuf_ewald *ewald;
    must(enuf_ewald_create(options, &ewald));
    must(enuf_ewald_set_cell(ewald, s->salt.cell));
    must(enuf_ewald_set_charges(ewald, s->salt.n, s->salt.q, NULL));
    must(enuf_ewald_tune(ewald, NULL, 3));
    return ewald;
}

static enuf_ewald_options device_options(double lammps_accuracy, enuf_arithmetic arithmetic)
{
    enuf_ewald_options o;
    enuf_ewald_options_init(&o);
    o.accuracy = 0;
    o.lammps_accuracy = lammps_accuracy;
    o.arithmetic = arithmetic;
    o.backend = ENUF_BACKEND_CUDA;
    o.memory = ENUF_DEVICE;
    return o;
}

typedef enuf_status (*evaluation)(enuf_ewald *, const double *, int64_t, int, enuf_ewald_result *);

/* Milliseconds of an evaluation in a row of so many of them. */
static double time_row(const system_of_ions *s, enuf_ewald *ewald, evaluation evaluate, int steps)
{
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = s->device_forces};
    cudaEvent_t start, end;
    float milliseconds;
    check(cudaEventCreate(&start), "an event");
    check(cudaEventCreate(&end), "an event");
    check(cudaEventRecord(start, NULL), "an event");
    for (int step = 0; step < steps; step++)
        must(evaluate(ewald, s->device_x, 3, ENUF_WANT_FORCES, &result));
    check(cudaEventRecord(end, NULL), "an event");
    check(cudaEventSynchronize(end), "evaluations");
    check(cudaEventElapsedTime(&milliseconds, start, end), "an event");
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    return (double)milliseconds / steps;
}

/* The best of three rows, after one that loads and records; fewer steps where these are long. */
static double time_steps(const system_of_ions *s, enuf_ewald *ewald, evaluation evaluate, int most)
{
    time_row(s, ewald, evaluate, 2);
    double best = time_row(s, ewald, evaluate, 2);
    const int steps = steps_within(LONGEST_ROW, 1e-3 * best, most);
    best = HUGE_VAL;
    for (int k = 0; k < 3; k++) best = fmin(best, time_row(s, ewald, evaluate, steps));
    return best;
}

static double predicted_milliseconds(enuf_ewald *ewald)
{
    enuf_ewald_candidate in_use = {.struct_size = sizeof in_use};
    int64_t n;
    must(enuf_ewald_list_candidates(ewald, 1, 1, &in_use, &n));
    return 1e3 * (in_use.seconds_real + in_use.seconds_reciprocal);
}

static void get_forces(const system_of_ions *s, double *forces)
{
    check(cudaMemcpy(forces, s->device_forces, (size_t)s->salt.n * 3 * sizeof(double),
                     cudaMemcpyDeviceToHost),
          "copying forces");
}

static double delivered(const system_of_ions *s)
{
    double sum = 0;
    for (int64_t k = 0; k < 3 * s->salt.n; k++)
        sum += (s->forces[k] - s->reference[k]) * (s->forces[k] - s->reference[k]);
    return sqrt(sum / (double)s->salt.n);
}

static system_of_ions make_system(int64_t n)
{
    const size_t vectors = (size_t)n * 3 * sizeof(double);
    system_of_ions s = {
        .salt = bench_salt_make(n), .forces = malloc(vectors), .reference = malloc(vectors)};
    if (!s.forces || !s.reference) bench_die(PROGRAM, "not enough memory");
    s.device_x = to_device(s.salt.x, vectors);
    s.device_forces = to_device(NULL, vectors);
    enuf_ewald_options o = device_options(0, ENUF_ARITHMETIC_DOUBLE);
    o.accuracy = REFERENCE_ACCURACY;
    enuf_ewald *ewald = make_ewald(&s, &o);
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = s.device_forces};
    must(enuf_ewald_compute(ewald, s.device_x, 3, ENUF_WANT_FORCES, &result));
    get_forces(&s, s.reference);
    enuf_ewald_destroy(&ewald);
    return s;
}

static void free_system(system_of_ions *s)
{
    cudaFree(s->device_x);
    cudaFree(s->device_forces);
    free(s->forces);
    free(s->reference);
    bench_salt_free(&s->salt);
}

static void grid_text(const int64_t grid[3], char text[40])
{
    if (grid[0] == grid[1] && grid[1] == grid[2])
        snprintf(text, 40, "%lld^3", (long long)grid[0]);
    else
        snprintf(text, 40, "%lldx%lldx%lld", (long long)grid[0], (long long)grid[1],
                 (long long)grid[2]);
}

static void ours(bench_table *table, const request *r, const system_of_ions *s, double accuracy,
                 enuf_arithmetic arithmetic)
{
    enuf_ewald_options o = device_options(accuracy, arithmetic);
    o.cutoff = r->cutoff;
    enuf_ewald *ewald = make_ewald(s, &o);
    double pairs = time_steps(s, ewald, enuf_ewald_real, r->steps);
    double mesh = time_steps(s, ewald, enuf_ewald_reciprocal, r->steps);
    double whole = time_steps(s, ewald, enuf_ewald_compute, r->steps);
    enuf_ewald_report report = {.struct_size = sizeof report};
    double stages[BENCH_STAGES];
    char grid[40];
    get_forces(s, s->forces);
    must(enuf_ewald_get_report(ewald, &report));
    grid_text(report.grid, grid);
    must(bench_time_stages(&report, s->salt.n, s->salt.edge, s->device_x, r->steps, stages));
    bench_number(table, "%.0f", (double)s->salt.n);
    bench_number(table, "%.0e", accuracy);
    bench_text(table, "enuf");
    bench_text(table, enuf_arithmetic_name(arithmetic));
    bench_text(table, enuf_split_name(report.split));
    bench_number(table, "%.2f", report.cutoff);
    bench_text(table, grid);
    bench_number(table, "%.0f", report.width);
    bench_number(table, "%.3f", pairs);
    bench_number(table, "%.3f", mesh);
    bench_number(table, "%.3f", whole);
    bench_number(table, "%.3f", predicted_milliseconds(ewald));
    bench_number(table, "%.1e", delivered(s));
    for (int stage = 0; stage < BENCH_STAGES; stage++) bench_number(table, "%.0f", stages[stage]);
    bench_number(table, "%.0f", (double)report.bytes / 1e6);
    enuf_ewald_destroy(&ewald);
}

/* Mesh spacing of LAMMPS' pppm, order 5 (1e-4) and 7, at 0.1 ions per cubic angstrom and a cutoff
 * of 10 angstrom. */
static double pppm_spacing(double accuracy)
{
    const double edge = cbrt(1e7);
    return edge / (accuracy > 3e-5 ? 135 : accuracy > 3e-6 ? 160 : 225);
}

static void theirs(bench_table *table, const request *r, const system_of_ions *s, double accuracy,
                   const char *precision)
{
    enuf_ewald_options o = device_options(accuracy, ENUF_ARITHMETIC_DOUBLE);
    enuf_ewald_report report = {.struct_size = sizeof report};
    o.cutoff = r->cutoff > 0 ? r->cutoff : 10;
    o.split = ENUF_SPLIT_GAUSSIAN;
    enuf_ewald *ewald = make_ewald(s, &o);
    must(enuf_ewald_get_report(ewald, &report));
    enuf_ewald_destroy(&ewald);
    const openmm_ions ions = {s->salt.n, s->salt.edge, s->salt.x, s->salt.q};
    const openmm_settings settings = {
        .precision = precision,
        .cutoff = o.cutoff,
        .alpha = report.alpha,
        .grid = (int)ceil(s->salt.edge / pppm_spacing(accuracy)),
        .steps = 4 * r->steps,
        .longest_row = LONGEST_ROW_OF_PEER,
        .repeats = 3,
    };
    openmm_result result = {.forces = s->forces};
    openmm_measure(&ions, &settings, &result);
    const int64_t g[3] = {result.grid[0], result.grid[1], result.grid[2]};
    char grid[40];
    grid_text(g, grid);
    bench_number(table, "%.0f", (double)s->salt.n);
    bench_number(table, "%.0e", accuracy);
    bench_text(table, "OpenMM");
    bench_text(table, precision);
    bench_text(table, "gaussian");
    bench_number(table, "%.2f", o.cutoff);
    bench_text(table, grid);
    bench_number(table, "%.0f", 5);
    bench_number(table, "%.3f", 1e3 * result.direct);
    bench_number(table, "%.3f", 1e3 * result.reciprocal);
    bench_number(table, "%.3f", 1e3 * (result.direct + result.reciprocal));
    bench_number(table, "%.3f", NAN);
    bench_number(table, "%.1e", delivered(s));
    for (int stage = 0; stage < BENCH_STAGES; stage++) bench_number(table, "%.0f", NAN);
    bench_number(table, "%.0f", NAN);
}

int main(int argc, char **argv)
{
    request r = read_arguments(argc, argv);
    const char *reason = "";
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) {
        printf("%s: %s\n", PROGRAM, reason);
        return 77;
    }
    const char *missing = r.peer ? openmm_open() : "left out";
    if (missing) fprintf(stderr, "%s: without OpenMM: %s\n", PROGRAM, missing);
    char peers[160];
    snprintf(peers, sizeof peers, "%s; %s", reason, missing ? "no peer" : openmm_version_text());
    bench_table table;
    bench_table_begin(&table, &r.output, peers, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    for (int i = 0; i < r.n_ions; i++) {
        system_of_ions s = make_system((int64_t)r.ions[i]);
        for (int a = 0; a < r.n_accuracy; a++) {
            ours(&table, &r, &s, r.accuracy[a], ENUF_ARITHMETIC_MIXED);
            ours(&table, &r, &s, r.accuracy[a], ENUF_ARITHMETIC_DOUBLE);
            if (missing || r.ions[i] > MOST_FOR_PEER) continue;
            theirs(&table, &r, &s, r.accuracy[a], "single");
            theirs(&table, &r, &s, r.accuracy[a], "mixed");
            theirs(&table, &r, &s, r.accuracy[a], "double");
        }
        free_system(&s);
    }
    bench_table_end(&table);
    return 0;
}
