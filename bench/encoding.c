/*
 * encoding.c - the signal of an image in an uneven field: an encoding against direct sums.
 *
 *   encoding [--rounds N] [--tolerance T,...] [--threads N] [--csv FILE] [--markdown]
 *
 * 2D images of 128^2 and 256^2 pixels, 3D of 64^3; as many samples as pixels at random places,
 * times from 0 to 30 ms; a smooth field of +-100 Hz; double at the tolerances (default 1e-4,1e-6),
 * float at 1e-4. `direct` is the time that direct sums (enuf/direct.h) of 512 samples would take
 * for all, in the same precision, with as many threads. `error` is that of forward at these
 * samples. Times are wall time: the least of the rounds. SPDX-License-Identifier: BSD-3-Clause
 */
#include "arguments.h"
#include "nufft_sample.h"
#include "stopwatch.h"
#include "table.h"

#include "enuf/direct.h"
#include "enuf/encoding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char PROGRAM[] = "encoding";

enum { SOME = 512 };

static const struct {
    int dim, side;
} sizes[] = {{2, 128}, {2, 256}, {3, 64}};

typedef struct request {
    int rounds, threads, tolerances;
    double tolerance[BENCH_MOST_VALUES];
    bench_output output;
} request;

typedef struct problem {
    int dim, side, single;
    int64_t n, pixels;
    double *places, *times, *omega; /* [n][3], [n], [pixels] */
    void *image, *data;             /* complex, in the precision */
} problem;

static request read_arguments(int argc, char **argv)
{
    request r = {
        .rounds = 5, .tolerances = 2, .tolerance = {1e-4, 1e-6}, .output = {.program = PROGRAM}};
    for (int i = 1; i < argc; i++) {
        if (bench_output_argument(&r.output, argc, argv, &i)) continue;
        const char *name = argv[i], *value = argv[++i];
        if (!value) bench_die(PROGRAM, "%s: unknown, or its value is missing", name);
        if (strcmp(name, "--rounds") == 0)
            r.rounds = (int)strtol(value, NULL, 10);
        else if (strcmp(name, "--threads") == 0)
            r.threads = (int)strtol(value, NULL, 10);
        else if (strcmp(name, "--tolerance") == 0)
            r.tolerances = bench_numbers(PROGRAM, value, r.tolerance);
        else
            bench_die(PROGRAM, "%s: unknown argument", name);
    }
    if (r.rounds < 1) bench_die(PROGRAM, "--rounds: 1 or more");
    return r;
}

static void check(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

static void *allocate(int64_t n, size_t size)
{
    void *array = malloc((size_t)n * size);
    if (!array) bench_die(PROGRAM, "not enough memory");
    return array;
}

static problem make_problem(int dim, int side, int single)
{
    problem p = {.dim = dim, .side = side, .single = single, .pixels = 1};
    uint64_t seed = 3;
    for (int d = 0; d < dim; d++) p.pixels *= side;
    p.n = p.pixels;
    p.places = allocate(3 * p.n, sizeof(double));
    p.times = allocate(p.n, sizeof(double));
    p.omega = allocate(p.pixels, sizeof(double));
    p.image = allocate(2 * p.pixels, single ? sizeof(float) : sizeof(double));
    p.data = allocate(2 * p.n, single ? sizeof(float) : sizeof(double));
    for (int64_t j = 0; j < 3 * p.n; j++) p.places[j] = side * (bench_uniform(&seed) - 0.5);
    for (int64_t j = 0; j < p.n; j++) p.times[j] = 0.03 * bench_uniform(&seed);
    for (int64_t k = 0; k < p.pixels; k++) {
        const double x = (double)(k % side) / side, y = (double)(k / side % side) / side;
        const double z = (double)(k / side / side) / side;
        p.omega[k] = 2 * M_PI * 100 * cos(5 * x + 3 * sin(2 * y) + 4 * z);
    }
    for (int64_t i = 0; i < 2 * p.pixels; i++) {
        const double number = bench_uniform(&seed) - 0.5;
        if (single)
            ((float *)p.image)[i] = (float)number;
        else
            ((double *)p.image)[i] = number;
    }
    return p;
}

static void free_problem(problem *p)
{
    free(p->places);
    free(p->times);
    free(p->omega);
    free(p->image);
    free(p->data);
}

/* Seconds of forward of direct sums of SOME samples, in the problem's precision, times all; the
 * error of the data there, against sums in double. */
static double time_directly(const request *r, const problem *p, double *error)
{
    const enuf_precision precision = p->single ? ENUF_FLOAT : ENUF_DOUBLE;
    const int64_t counts[3] = {p->side, p->side, p->side}, step = p->n / SOME;
    double *places = allocate(3 * SOME, sizeof(double)), *times = allocate(SOME, sizeof(double));
    void *found = allocate(2 * SOME, sizeof(double));
    double seconds = INFINITY, missed = 0, size = 0;
    enuf_direct_options o;
    enuf_direct *sums;
    for (int k = 0; k < SOME; k++) {
        memcpy(places + 3 * k, p->places + 3 * k * step, 3 * sizeof *places);
        times[k] = p->times[k * step];
    }
    enuf_direct_options_init(&o);
    o.dim = p->dim;
    o.precision = precision;
    o.threads = r->threads;
    check(enuf_direct_create(&o, &sums));
    check(enuf_direct_set_samples(sums, SOME, places, places + 1, places + 2, 3, times));
    check(enuf_direct_set_pixel_grid(sums, counts, NULL, NULL));
    check(enuf_direct_set_field(sums, p->pixels, p->omega, NULL, NULL, NULL));
    for (int round = 0; round < r->rounds; round++) {
        const double start = bench_seconds();
        check(enuf_direct_forward(sums, p->image, found, NULL));
        seconds = fmin(seconds, bench_seconds() - start);
    }
    enuf_direct_destroy(&sums);
    for (int k = 0; k < 2 * SOME; k++) {
        const double exact = bench_element(found, p->single, k);
        missed += pow(bench_element(p->data, p->single, 2 * (k / 2) * step + k % 2) - exact, 2);
        size += pow(exact, 2);
    }
    *error = sqrt(missed / size);
    free(places);
    free(times);
    free(found);
    return seconds * (double)p->n / SOME;
}

static enuf_encoding *make_encoding(const request *r, const problem *p, double tolerance,
                                    double *seconds)
{
    enuf_encoding_options o;
    enuf_encoding *encoding;
    enuf_encoding_options_init(&o);
    o.dim = p->dim;
    for (int d = 0; d < p->dim; d++) o.pixels[d] = p->side;
    o.precision = p->single ? ENUF_FLOAT : ENUF_DOUBLE;
    o.tolerance = tolerance;
    o.threads = r->threads;
    check(enuf_encoding_create(&o, &encoding));
    check(enuf_encoding_set_samples(encoding, p->n, p->places, p->places + 1, p->places + 2, 3,
                                    p->times));
    const double start = bench_seconds();
    check(enuf_encoding_set_field(encoding, p->pixels, p->omega, NULL, NULL, NULL));
    *seconds = bench_seconds() - start;
    return encoding;
}

static void measure(const request *r, int dim, int side, int single, double tolerance,
                    bench_table *table)
{
    problem p = make_problem(dim, side, single);
    enuf_encoding_report report = {.struct_size = sizeof report};
    double set, forward = INFINITY, adjoint = INFINITY, error;
    void *image = allocate(2 * p.pixels, single ? sizeof(float) : sizeof(double));
    enuf_encoding *encoding = make_encoding(r, &p, tolerance, &set);
    check(enuf_encoding_get_report(encoding, &report));
    for (int round = 0; round < r->rounds; round++) {
        const double start = bench_seconds();
        check(enuf_encoding_forward(encoding, p.image, p.data));
        const double middle = bench_seconds();
        check(enuf_encoding_adjoint(encoding, p.data, image));
        forward = fmin(forward, middle - start);
        adjoint = fmin(adjoint, bench_seconds() - middle);
    }
    enuf_encoding_destroy(&encoding);
    const double direct = time_directly(r, &p, &error);
    bench_number(table, "%.0f", dim);
    bench_number(table, "%.0f", side);
    bench_text(table, single ? "float" : "double");
    bench_number(table, "%.0e", tolerance);
    bench_number(table, "%.0f", report.interpolators);
    bench_number(table, "%.1e", report.error);
    bench_number(table, "%.1e", error);
    bench_number(table, "%.1f", 1e3 * set);
    bench_number(table, "%.2f", 1e3 * forward);
    bench_number(table, "%.2f", 1e3 * adjoint);
    bench_number(table, "%.0f", 1e3 * direct);
    bench_number(table, "%.0f", direct / forward);
    free(image);
    free_problem(&p);
}

int main(int argc, char **argv)
{
    static const bench_column columns[] = {
        {"dim", 3},         {"side", 4},           {"precision", -9},
        {"tolerance", 9},   {"interpolators", 13}, {"predicted", 9},
        {"error", 8},       {"set ms", 8},         {"forward ms", 10},
        {"adjoint ms", 10}, {"direct ms", 10},     {"ratio", 7}};
    const request r = read_arguments(argc, argv);
    bench_table table;
    bench_table_begin(&table, &r.output, NULL, columns, sizeof columns / sizeof *columns);
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        for (int k = 0; k < r.tolerances; k++)
            measure(&r, sizes[size].dim, sizes[size].side, 0, r.tolerance[k], &table);
        measure(&r, sizes[size].dim, sizes[size].side, 1, 1e-4, &table);
    }
    bench_table_end(&table);
    return 0;
}
