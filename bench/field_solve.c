/*
 * field_solve.c - the image of samples in an uneven field by conjugate gradients
 * (enuf/encoding.h): A^H W A by transforms, by Gram operators, and by what solve chooses.
 *
 *   field_solve [--dim 2,3] [--planes 128,256] [--cubes 64] [--density 0.25,1,4]
 *               [--precision float,double] [--tolerance 1e-4] [--iterations 30] [--hertz 100]
 *               [--threads 1] [--csv FILE] [--markdown]
 *
 * Samples at random places, times from 0 to 30 ms in their order; a smooth field of +-hertz; lambda
 * a hundredth of the samples. A way's time is that of set_field and one solve of at most so many
 * iterations; the ways take turns, twice, and the least time counts. One thread is timed by its
 * processor time, several by wall time. `distance` is that of the images by Gram operators and by
 * transforms, relative. On a CPU. SPDX-License-Identifier: BSD-3-Clause
 */
#include "nufft_sample.h"
#include "options.h"
#include "stopwatch.h"

#include "enuf/encoding.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { TURNS = 2, WAYS = 3 };

static const char PROGRAM[] = "field_solve";
static const char *const precisions[] = {"float", "double"};
static const enuf_normal ways[WAYS] = {ENUF_NORMAL_TRANSFORMS, ENUF_NORMAL_GRAM, ENUF_NORMAL_AUTO};

static const bench_column COLUMNS[] = {
    {"dim", 3},
    {"side", 5},
    {"samples a pixel", 15},
    {"precision", 9},
    {"interpolators", 13},
    {"operators", 9},
    {"iterations", 10},
    {"gram iterations", 15},
    {"transforms s", 12},
    {"gram s", 8},
    {"ratio", 6},
    {"auto s", 8},
    {"auto took", 10},
    {"transforms MB", 13},
    {"gram MB", 8},
    {"distance", 8},
};

typedef struct problem {
    enuf_encoding_options options;
    int side, iterations;
    int64_t n, pixels;
    double density, *places, *times, *omega; /* [n][3], [n], [pixels] */
    void *data, *image[WAYS];                /* complex, in the precision */
} problem;

typedef struct outcome {
    double seconds;
    enuf_encoding_report report;
    enuf_encoding_solution solution;
} outcome;

static void check(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

static void *allocate(int64_t n, size_t size)
{
    void *array = calloc((size_t)n, size);
    if (!array) bench_die(PROGRAM, "not enough memory");
    return array;
}

static double now(int threads)
{
    struct timespec t;
    if (threads != 1) return bench_seconds();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static problem make_problem(const enuf_encoding_options *o, int side, double density, double hertz)
{
    const size_t number = o->precision == ENUF_FLOAT ? sizeof(float) : sizeof(double);
    problem p = {.options = *o, .side = side, .pixels = 1, .density = density};
    uint64_t seed = 11;
    for (int d = 0; d < o->dim; d++) {
        p.options.pixels[d] = side;
        p.pixels *= side;
    }
    p.n = (int64_t)(density * (double)p.pixels);
    p.places = allocate(3 * p.n, sizeof *p.places);
    p.times = allocate(p.n, sizeof *p.times);
    p.omega = allocate(p.pixels, sizeof *p.omega);
    p.data = allocate(2 * p.n, number);
    for (int k = 0; k < WAYS; k++) p.image[k] = allocate(2 * p.pixels, number);
    for (int64_t j = 0; j < p.n; j++) {
        for (int d = 0; d < 3; d++) p.places[3 * j + d] = side * (bench_uniform(&seed) - 0.5);
        p.times[j] = 0.03 * (double)j / (double)p.n;
    }
    for (int64_t k = 0; k < p.pixels; k++) {
        const double x = (double)(k % side) / side, y = (double)(k / side % side) / side;
        const double z = (double)(k / side / side) / side;
        p.omega[k] = 2 * M_PI * hertz * cos(5 * x + 3 * sin(2 * y) + 4 * z);
    }
    for (int64_t i = 0; i < 2 * p.n; i++)
        if (o->precision == ENUF_FLOAT)
            ((float *)p.data)[i] = (float)(bench_uniform(&seed) - 0.5);
        else
            ((double *)p.data)[i] = bench_uniform(&seed) - 0.5;
    return p;
}

static void free_problem(problem *p)
{
    free(p->places);
    free(p->times);
    free(p->omega);
    free(p->data);
    for (int k = 0; k < WAYS; k++) free(p->image[k]);
}

static void solve(const problem *p, int way, outcome *best)
{
    enuf_encoding_options o = p->options;
    enuf_encoding_solve_options how;
    enuf_encoding *encoding;
    outcome here = {.report.struct_size = sizeof here.report,
                    .solution.struct_size = sizeof here.solution};
    enuf_encoding_solve_options_init(&how);
    how.lambda = 0.01 * (double)p->n;
    how.iterations = p->iterations;
    o.normal = ways[way];
    check(enuf_encoding_create(&o, &encoding));
    check(enuf_encoding_set_samples(encoding, p->n, p->places, p->places + 1, p->places + 2, 3,
                                    p->times));
    const double start = now(o.threads);
    check(enuf_encoding_set_field(encoding, p->pixels, p->omega, NULL, NULL, NULL));
    check(enuf_encoding_solve(encoding, p->data, NULL, &how, p->image[way], &here.solution));
    here.seconds = now(o.threads) - start;
    check(enuf_encoding_get_report(encoding, &here.report));
    enuf_encoding_destroy(&encoding);
    if (best->seconds == 0 || here.seconds < best->seconds) *best = here;
}

static double distance_of(const problem *p)
{
    const int single = p->options.precision == ENUF_FLOAT;
    double missed = 0, size = 0;
    for (int64_t i = 0; i < 2 * p->pixels; i++) {
        const double exact = bench_element(p->image[0], single, i);
        missed += pow(bench_element(p->image[1], single, i) - exact, 2);
        size += exact * exact;
    }
    return sqrt(missed / size);
}

static void row(bench_table *table, problem *p)
{
    outcome of[WAYS] = {{0}};
    for (int turn = 0; turn < TURNS; turn++)
        for (int way = 0; way < WAYS; way++) solve(p, way, &of[way]);
    bench_number(table, "%.0f", p->options.dim);
    bench_number(table, "%.0f", p->side);
    bench_number(table, "%g", p->density);
    bench_text(table, precisions[p->options.precision == ENUF_DOUBLE]);
    bench_number(table, "%.0f", of[0].report.interpolators);
    bench_number(table, "%.0f", of[1].report.normal_terms);
    bench_number(table, "%.0f", of[0].solution.iterations);
    bench_number(table, "%.0f", of[1].solution.iterations);
    bench_number(table, "%.3f", of[0].seconds);
    bench_number(table, "%.3f", of[1].seconds);
    bench_number(table, "%.2f", of[0].seconds / of[1].seconds);
    bench_number(table, "%.3f", of[2].seconds);
    bench_text(table, enuf_normal_name(of[2].report.normal));
    bench_number(table, "%.1f", 1e-6 * (double)of[0].report.bytes);
    bench_number(table, "%.1f", 1e-6 * (double)of[1].report.bytes);
    bench_number(table, "%.1e", distance_of(p));
}

int main(int argc, char **argv)
{
    bench_output output = {.program = PROGRAM};
    enuf_encoding_options o;
    double dims[BENCH_MOST_VALUES] = {2, 3}, densities[BENCH_MOST_VALUES] = {0.25, 1, 4};
    double sides[2][BENCH_MOST_VALUES] = {{128, 256}, {64}};
    int n_dims = 2, n_densities = 3, n_sides[2] = {2, 1}, of_precision = 3, iterations = 30;
    double hertz = 100;
    enuf_encoding_options_init(&o);
    o.backend = ENUF_BACKEND_CPU;
    o.threads = 1;
    const bench_option known[] = {
        BENCH_LIST("--dim", dims, &n_dims),
        BENCH_LIST("--planes", sides[0], &n_sides[0]),
        BENCH_LIST("--cubes", sides[1], &n_sides[1]),
        BENCH_LIST("--density", densities, &n_densities),
        BENCH_NAMES("--precision", &of_precision, precisions, 2),
        BENCH_REAL("--tolerance", &o.tolerance),
        BENCH_INTEGER("--iterations", &iterations),
        BENCH_REAL("--hertz", &hertz),
        BENCH_INTEGER("--threads", &o.threads),
    };
    bench_read_options(&output, argc, argv, known, sizeof known / sizeof *known);
    bench_table table;
    bench_table_begin(&table, &output, NULL, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    for (int k = 0; k < n_dims; k++) {
        if (dims[k] != 2 && dims[k] != 3) bench_die(PROGRAM, "--dim %g: 2 or 3", dims[k]);
        const int in_3d = dims[k] == 3;
        o.dim = (int)dims[k];
        for (int s = 0; s < n_sides[in_3d]; s++)
            for (int d = 0; d < n_densities; d++)
                for (int precision = 0; precision < 2; precision++) {
                    if (!(of_precision >> precision & 1)) continue;
                    o.precision = precision == 0 ? ENUF_FLOAT : ENUF_DOUBLE;
                    problem p = make_problem(&o, (int)sides[in_3d][s], densities[d], hertz);
                    p.iterations = iterations;
                    row(&table, &p);
                    free_problem(&p);
                }
    }
    bench_table_end(&table);
    return 0;
}
