/*
 * ewald_gpu.c - times of Ewald forces on the GPU, against OpenMM's particle mesh Ewald in the same
 * run: pairs, reciprocal part and its steps, both together, with the error of the forces. All data
 * stay in device memory.
 *
 *   ewald_gpu [--ions N,...] [--accuracy A,...] [--cutoff R] [--evaluations N] [--no-peer]
 *             [--csv FILE] [--markdown]
 *
 * Arithmetic: mixed; double; deterministic, which is double with sums in integers. Its steps are
 * those of a plan without integers.
 *
 * Systems: salts of 0.1 ions per cubic angstrom in random order. An accuracy is LAMMPS': the RMS
 * error of the force vector over the force of two unit charges at 1 angstrom. --cutoff is in
 * angstrom (10); with 0 the library chooses it. A time is the mean over N evaluations in a row
 * (50), or over fewer if they take more than 0.3 s. The code cannot know that positions stay the
 * same.
 *
 * Columns. predicted: milliseconds by the cost model that chose the parameters. delivered: RMS
 * error of the forces, against enuf in double with A = 1e-11. sort, spread, forward (FFT and
 * deconvolution), backward (modes to grid, FFT, interpolation): steps of the reciprocal part, each
 * measured alone in a row of calls, by a plan with the parameters of the reciprocal part, whose own
 * time also has the remaining work.
 *
 * OpenMM gets the alpha of enuf's Gaussian splitting and the mesh spacing that LAMMPS' pppm chooses
 * for the accuracy; the error of its splines of order 5 may be larger. Its times are differences of
 * steps with and without a group of forces. It keeps its neighbour list, because nothing moves.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "arguments.h"
#include "ewald_gpu_steps.h"
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
    {"ions", 8},         {"accuracy", 8},       {"code", -6},     {"arithmetic", -13},
    {"splitting", -9},   {"cutoff", 6},         {"grid", -11},    {"width", 5},
    {"pairs ms", 8},     {"reciprocal ms", 13}, {"whole ms", 8},  {"predicted", 9},
    {"delivered", 9},    {"sort us", 7},        {"spread us", 9}, {"forward us", 10},
    {"backward us", 11}, {"device MB", 9},
};

/* Larger systems are not given to the peer: it has not computed one. */
static const double MOST_FOR_PEER = 2e6;

/* Largest duration of a row of evaluations in seconds, of enuf and of the peer. The peer's is
 * longer; making its context takes longer still. */
static const double LONGEST_ROW = 0.3, LONGEST_ROW_OF_PEER = 0.5;

/* The number of evaluations that fit into `seconds`: at least 3, at most `most`. */
static int evaluations_within(double seconds, double seconds_of_one, int most)
{
    const double fit = seconds / seconds_of_one;
    return fit >= most ? most : fit < 3 ? 3 : (int)fit;
}

typedef struct request {
    double ions[BENCH_MOST_VALUES], accuracy[BENCH_MOST_VALUES], cutoff;
    int n_ions, n_accuracy, evaluations, peer;
    bench_output output;
} request;

/* Ions on host and device, and reference forces. */
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
                 .evaluations = 50,
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
        else if (strcmp(argv[i], "--evaluations") == 0)
            r.evaluations = (int)strtol(value, NULL, 10);
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

/* Milliseconds of one evaluation: the mean over n in a row. */
static double time_row(const system_of_ions *s, enuf_ewald *ewald, evaluation evaluate, int n)
{
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = s->device_forces};
    cudaEvent_t start, end;
    float milliseconds;
    check(cudaEventCreate(&start), "an event");
    check(cudaEventCreate(&end), "an event");
    check(cudaEventRecord(start, NULL), "an event");
    for (int k = 0; k < n; k++) must(evaluate(ewald, s->device_x, 3, ENUF_WANT_FORCES, &result));
    check(cudaEventRecord(end, NULL), "an event");
    check(cudaEventSynchronize(end), "evaluations");
    check(cudaEventElapsedTime(&milliseconds, start, end), "an event");
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    return (double)milliseconds / n;
}

/* The best of three rows, after two rows to warm up; fewer evaluations if they are long. */
static double time_evaluations(const system_of_ions *s, enuf_ewald *ewald, evaluation evaluate,
                               int most)
{
    time_row(s, ewald, evaluate, 2);
    double best = time_row(s, ewald, evaluate, 2);
    const int n = evaluations_within(LONGEST_ROW, 1e-3 * best, most);
    best = HUGE_VAL;
    for (int k = 0; k < 3; k++) best = fmin(best, time_row(s, ewald, evaluate, n));
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

static void row_of_enuf(bench_table *table, const request *r, const system_of_ions *s,
                        double accuracy, enuf_arithmetic arithmetic, int deterministic)
{
    enuf_ewald_options o = device_options(accuracy, arithmetic);
    o.cutoff = r->cutoff;
    o.deterministic = deterministic;
    enuf_ewald *ewald = make_ewald(s, &o);
    double pairs = time_evaluations(s, ewald, enuf_ewald_real, r->evaluations);
    double mesh = time_evaluations(s, ewald, enuf_ewald_reciprocal, r->evaluations);
    double whole = time_evaluations(s, ewald, enuf_ewald_compute, r->evaluations);
    enuf_ewald_report report = {.struct_size = sizeof report};
    double steps[BENCH_STEPS];
    char grid[40];
    get_forces(s, s->forces);
    must(enuf_ewald_get_report(ewald, &report));
    grid_text(report.grid, grid);
    must(bench_time_steps(&report, s->salt.n, s->salt.edge, s->device_x, r->evaluations, steps));
    bench_number(table, "%.0f", (double)s->salt.n);
    bench_number(table, "%.0e", accuracy);
    bench_text(table, "enuf");
    bench_text(table, deterministic ? "deterministic" : enuf_arithmetic_name(arithmetic));
    bench_text(table, enuf_split_name(report.split));
    bench_number(table, "%.2f", report.cutoff);
    bench_text(table, grid);
    bench_number(table, "%.0f", report.width);
    bench_number(table, "%.3f", pairs);
    bench_number(table, "%.3f", mesh);
    bench_number(table, "%.3f", whole);
    bench_number(table, "%.3f", predicted_milliseconds(ewald));
    bench_number(table, "%.1e", delivered(s));
    for (int step = 0; step < BENCH_STEPS; step++) bench_number(table, "%.0f", steps[step]);
    bench_number(table, "%.0f", (double)report.bytes / 1e6);
    enuf_ewald_destroy(&ewald);
}

/* The mesh spacing that LAMMPS' pppm chooses for an accuracy, with order 5 (1e-4) or 7, at 0.1 ions
 * per cubic angstrom and a cutoff of 10 angstrom. */
static double pppm_spacing(double accuracy)
{
    const double edge = cbrt(1e7);
    return edge / (accuracy > 3e-5 ? 135 : accuracy > 3e-6 ? 160 : 225);
}

static void row_of_openmm(bench_table *table, const request *r, const system_of_ions *s,
                          double accuracy, const char *precision)
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
        .steps = 4 * r->evaluations,
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
    for (int step = 0; step < BENCH_STEPS; step++) bench_number(table, "%.0f", NAN);
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
            row_of_enuf(&table, &r, &s, r.accuracy[a], ENUF_ARITHMETIC_MIXED, 0);
            row_of_enuf(&table, &r, &s, r.accuracy[a], ENUF_ARITHMETIC_DOUBLE, 0);
            row_of_enuf(&table, &r, &s, r.accuracy[a], ENUF_ARITHMETIC_DOUBLE, 1);
            if (missing || r.ions[i] > MOST_FOR_PEER) continue;
            row_of_openmm(&table, &r, &s, r.accuracy[a], "single");
            row_of_openmm(&table, &r, &s, r.accuracy[a], "mixed");
            row_of_openmm(&table, &r, &s, r.accuracy[a], "double");
        }
        free_system(&s);
    }
    bench_table_end(&table);
    return 0;
}
