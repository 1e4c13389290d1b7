/*
 * fft_libraries.c - times of transforms on one thread with each library of FFTs that is there, in
 * the same run, by turns: type 1 and type 2 of random points, one a mode, and the share of the FFTs
 * in both.
 *
 *   fft_libraries [--rounds N] [--tolerance T] [--csv FILE] [--markdown]
 *
 * 1D: 1e6 modes, 2D: 1024^2, 3D: 64^3 and 128^3; complex and real strengths, both precisions (float
 * at tolerance 1e-3). `whole` is processor time of the calling thread, which does all work of one
 * thread: the median over the rounds, and of the ratios to the first library. `fft` is wall time of
 * the stage: the least of the rounds, and its ratio. SPDX-License-Identifier: BSD-3-Clause
 */
#include "arguments.h"
#include "nufft_sample.h"
#include "stopwatch.h"
#include "table.h"

#include "enuf/nufft.h"

#include <stdlib.h>
#include <string.h>

static const char PROGRAM[] = "fft_libraries";

enum { LIBRARIES = 3, MOST_ROUNDS = 101 };
static const enuf_fft ffts[LIBRARIES] = {ENUF_FFT_FFTW, ENUF_FFT_DUCC0, ENUF_FFT_MKL};

static const struct {
    int dim;
    int64_t modes;
} sizes[] = {{1, 1000000}, {2, 1024}, {3, 64}, {3, 128}};

typedef struct request {
    int rounds;
    double tolerance;
    bench_output output;
} request;

/* Seconds of the rounds. */
typedef struct times {
    double whole[MOST_ROUNDS], fft[MOST_ROUNDS];
} times;

static request read_arguments(int argc, char **argv)
{
    request r = {.rounds = 11, .tolerance = 1e-6, .output = {.program = PROGRAM}};
    for (int i = 1; i < argc; i++) {
        if (bench_output_argument(&r.output, argc, argv, &i)) continue;
        const char *name = argv[i], *value = argv[++i];
        if (!value) bench_die(PROGRAM, "%s: unknown, or its value is missing", name);
        if (strcmp(name, "--rounds") == 0)
            r.rounds = (int)strtol(value, NULL, 10);
        else if (strcmp(name, "--tolerance") == 0)
            r.tolerance = strtod(value, NULL);
        else
            bench_die(PROGRAM, "%s: unknown argument", name);
    }
    if (r.rounds < 1 || r.rounds > MOST_ROUNDS)
        bench_die(PROGRAM, "--rounds: 1 to %d", MOST_ROUNDS);
    return r;
}

static void check(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

static void *random_numbers(int64_t n, int single, uint64_t seed)
{
    void *array = malloc((size_t)n * (single ? sizeof(float) : sizeof(double)));
    if (!array) bench_die(PROGRAM, "not enough memory");
    for (int64_t i = 0; i < n; i++)
        if (single)
            ((float *)array)[i] = (float)bench_uniform(&seed);
        else
            ((double *)array)[i] = bench_uniform(&seed);
    return array;
}

static enuf_nufft *make_plan(const request *r, size_t size, int single, int real, enuf_fft fft,
                             int64_t n, const double *points)
{
    enuf_nufft_options o;
    enuf_nufft *plan;
    enuf_nufft_options_init(&o);
    o.dim = sizes[size].dim;
    for (int d = 0; d < o.dim; d++) o.modes[d] = sizes[size].modes;
    o.precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
    o.strengths = real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    o.tolerance = single ? 1e-3 : r->tolerance;
    o.threads = 1;
    o.fft = fft;
    check(enuf_nufft_create(&o, &plan));
    check(enuf_nufft_set_points(plan, n, points, points + 1, points + 2, 3));
    return plan;
}

static void time_once(enuf_nufft *plan, const void *strengths, void *modes, void *values,
                      double *whole, double *fft)
{
    double stages[ENUF_STAGE_COUNT];
    check(enuf_nufft_elapsed(plan, ENUF_STAGE_COUNT, stages)); /* starts at 0 again */
    const double start = bench_thread_seconds();
    check(enuf_nufft_type1(plan, strengths, modes));
    check(enuf_nufft_type2(plan, modes, values, NULL));
    *whole = bench_thread_seconds() - start;
    check(enuf_nufft_elapsed(plan, ENUF_STAGE_COUNT, stages));
    *fft = stages[ENUF_STAGE_FFT];
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median of x/y over the rounds; y NULL: of x. */
static double median(int rounds, const double *x, const double *y)
{
    double sorted[MOST_ROUNDS];
    for (int k = 0; k < rounds; k++) sorted[k] = y ? x[k] / y[k] : x[k];
    qsort(sorted, (size_t)rounds, sizeof *sorted, by_size);
    return sorted[rounds / 2];
}

static double least(int rounds, const double *x)
{
    double found = x[0];
    for (int k = 1; k < rounds; k++) found = x[k] < found ? x[k] : found;
    return found;
}

static void compare(const request *r, size_t size, int single, int real, bench_table *table)
{
    static times all[LIBRARIES];
    int64_t n = 1;
    for (int d = 0; d < sizes[size].dim; d++) n *= sizes[size].modes;
    double *points = random_numbers(3 * n, 0, 3);
    void *strengths = random_numbers(2 * n, single, 4), *modes = random_numbers(2 * n, single, 5);
    void *values = random_numbers(2 * n, single, 6);
    enuf_nufft *plans[LIBRARIES] = {NULL};
    int first = -1;
    for (int l = 0; l < LIBRARIES; l++)
        if (enuf_fft_usable(ffts[l], NULL))
            plans[l] = make_plan(r, size, single, real, ffts[l], n, points);
    for (int round = -1; round < r->rounds; round++) /* the first warms up */
        for (int l = 0; l < LIBRARIES; l++) {
            const int at = round < 0 ? 0 : round;
            if (plans[l])
                time_once(plans[l], strengths, modes, values, &all[l].whole[at], &all[l].fft[at]);
        }
    for (int l = 0; l < LIBRARIES; l++) {
        if (!plans[l]) continue;
        if (first < 0) first = l;
        const times *t = &all[l], *reference = &all[first];
        bench_number(table, "%.0f", sizes[size].dim);
        bench_number(table, "%.0f", (double)sizes[size].modes);
        bench_text(table, single ? "float" : "double");
        bench_text(table, real ? "real" : "complex");
        bench_text(table, enuf_fft_name(ffts[l]));
        bench_number(table, "%.2f", 1e3 * median(r->rounds, t->whole, NULL));
        bench_number(table, "%.2f", 1e3 * least(r->rounds, t->fft));
        bench_number(table, "%.3f", median(r->rounds, t->whole, reference->whole));
        bench_number(table, "%.3f", least(r->rounds, t->fft) / least(r->rounds, reference->fft));
        enuf_nufft_destroy(&plans[l]);
    }
    free(points);
    free(strengths);
    free(modes);
    free(values);
}

int main(int argc, char **argv)
{
    static const bench_column columns[] = {{"dim", 3},        {"modes", 8},       {"precision", -9},
                                           {"strengths", -9}, {"fft", -5},        {"whole ms", 9},
                                           {"fft ms", 9},     {"whole ratio", 9}, {"fft ratio", 9}};
    const request r = read_arguments(argc, argv);
    bench_table table;
    char versions[600] = "";
    for (int l = 0; l < LIBRARIES; l++) {
        const char *detail;
        const size_t used = strlen(versions);
        if (enuf_fft_usable(ffts[l], &detail))
            snprintf(versions + used, sizeof versions - used, "%s%s", used ? ", " : "", detail);
    }
    bench_table_begin(&table, &r.output, versions, columns, sizeof columns / sizeof *columns);
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++)
        for (int single = 0; single < 2; single++)
            for (int real = 0; real < 2; real++) compare(&r, size, single, real, &table);
    bench_table_end(&table);
    return 0;
}
