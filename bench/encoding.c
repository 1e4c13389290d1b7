/*
 * encoding.c - the signal of an image in an uneven field: an encoding against direct sums.
 *
 *   encoding [--rounds N] [--tolerance T,...] [--threads N] [--backend cpu|cuda]
 *            [--memory host|device] [--csv FILE] [--markdown]
 *
 * 2D images of 128^2 and 256^2 pixels, 3D of 64^3 and 128^3; as many samples as pixels at random
 * places, times from 0 to 30 ms; a smooth field of +-100 Hz; double at the tolerances (default
 * 1e-4,1e-6), float at 1e-4. `direct` is the time that direct sums (enuf/direct.h) of 512 samples,
 * on a GPU of 65536, would take for all, in the same precision, with as many threads, on the same
 * backend and memory. `error` is that of forward at these samples. `plain` is the time of the sum
 * as it is commonly written for a GPU (direct_device.h), in the same precision, in device memory in
 * every row; of 262144 samples at most, for all. Times are wall time: the least of the rounds.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "arguments.h"
#include "direct_device.h"
#include "nufft_sample.h"
#include "stopwatch.h"
#include "table.h"

#include "enuf/direct.h"
#include "enuf/encoding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char PROGRAM[] = "encoding";
static const char *const backends[2] = {"cpu", "cuda"}, *const memories[2] = {"host", "device"};

/* Samples of the direct sums: enough to fill the processors. */
enum { SOME_ON_CPU = 512, SOME_ON_GPU = 65536, SOME_PLAIN = 262144 };

static const struct {
    int dim, side;
} sizes[] = {{2, 128}, {2, 256}, {3, 64}, {3, 128}};

typedef struct request {
    int rounds, threads, tolerances;
    double tolerance[BENCH_MOST_VALUES];
    int cuda, device; /* backend, memory */
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
        else if (strcmp(name, "--backend") == 0)
            r.cuda = bench_names(PROGRAM, value, backends, 2) >> 1;
        else if (strcmp(name, "--memory") == 0)
            r.device = bench_names(PROGRAM, value, memories, 2) >> 1;
        else if (strcmp(name, "--tolerance") == 0)
            r.tolerances = bench_numbers(PROGRAM, value, r.tolerance);
        else
            bench_die(PROGRAM, "%s: unknown argument", name);
    }
    if (r.rounds < 1) bench_die(PROGRAM, "--rounds: 1 or more");
    if (r.device && !r.cuda) bench_die(PROGRAM, "--memory device needs --backend cuda");
    if (r.device && !bench_device_built())
        bench_die(PROGRAM, "--memory device: this program was built without CUDA");
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

/* ---- Arrays of a call: the host's own, or copies in device memory ---- */

static void *give(const request *r, const void *from, int64_t n, size_t size)
{
    if (!r->device) return (void *)(uintptr_t)from;
    void *array = bench_device_array((size_t)n * size, from);
    if (!array) bench_die(PROGRAM, "not enough memory on the GPU");
    return array;
}

static void take_back(const request *r, void *given, void *to, int64_t n, size_t size)
{
    if (!r->device) return;
    if (to) bench_device_read(to, given, (size_t)n * size);
    bench_device_free(given);
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

static size_t size_of_number(const problem *p)
{
    return p->single ? sizeof(float) : sizeof(double);
}

/* Relative l2 distance of the data from direct sums at every step-th sample. */
static double error_of(const problem *p, int some, const void *exact)
{
    const int64_t step = p->n / some;
    double missed = 0, size = 0;
    for (int64_t k = 0; k < 2 * some; k++) {
        const double number = bench_element(exact, p->single, k);
        missed += pow(bench_element(p->data, p->single, 2 * (k / 2) * step + k % 2) - number, 2);
        size += pow(number, 2);
    }
    return sqrt(missed / size);
}

static enuf_direct *make_sums(const request *r, const problem *p, int some)
{
    const int64_t counts[3] = {p->side, p->side, p->side}, step = p->n / some;
    double *places = allocate(3 * some, sizeof(double)), *times = allocate(some, sizeof(double));
    enuf_direct_options o;
    enuf_direct *sums;
    for (int64_t k = 0; k < some; k++) {
        memcpy(places + 3 * k, p->places + 3 * k * step, 3 * sizeof *places);
        times[k] = p->times[k * step];
    }
    enuf_direct_options_init(&o);
    o.dim = p->dim;
    o.precision = p->single ? ENUF_FLOAT : ENUF_DOUBLE;
    o.backend = r->cuda ? ENUF_BACKEND_CUDA : ENUF_BACKEND_CPU;
    o.memory = r->device ? ENUF_DEVICE : ENUF_HOST;
    o.threads = r->threads;
    double *x = give(r, places, 3 * some, sizeof *x), *t = give(r, times, some, sizeof *t);
    double *omega = give(r, p->omega, p->pixels, sizeof *omega);
    check(enuf_direct_create(&o, &sums));
    check(enuf_direct_set_samples(sums, some, x, x + 1, x + 2, 3, t));
    check(enuf_direct_set_pixel_grid(sums, counts, NULL, NULL));
    check(enuf_direct_set_field(sums, p->pixels, omega, NULL, NULL, NULL));
    check(enuf_direct_check(sums, NULL));
    take_back(r, x, NULL, 0, 0);
    take_back(r, t, NULL, 0, 0);
    take_back(r, omega, NULL, 0, 0);
    free(places);
    free(times);
    return sums;
}

/* Seconds of forward of direct sums of some samples, times all; the error of the data there. */
static double time_directly(const request *r, const problem *p, double *error)
{
    const int most = r->cuda ? SOME_ON_GPU : SOME_ON_CPU;
    const int some = p->n < most ? (int)p->n : most;
    const size_t size = size_of_number(p);
    void *sums_of = allocate(2 * some, size);
    void *image = give(r, p->image, 2 * p->pixels, size), *found = give(r, sums_of, 2 * some, size);
    enuf_direct *sums = make_sums(r, p, some);
    double seconds = INFINITY;
    for (int round = 0; round <= r->rounds; round++) { /* the first one makes room */
        const double start = bench_seconds();
        check(enuf_direct_forward(sums, image, found, NULL));
        check(enuf_direct_check(sums, NULL));
        if (round > 0) seconds = fmin(seconds, bench_seconds() - start);
    }
    enuf_direct_destroy(&sums);
    take_back(r, image, NULL, 0, 0);
    take_back(r, found, sums_of, 2 * some, size);
    *error = error_of(p, some, sums_of);
    free(sums_of);
    return seconds * (double)p->n / some;
}

/* A copy in device memory of the numbers that are `stride` apart, in the problem's precision. */
static void *give_plain(const problem *p, const double *from, int64_t n, int stride)
{
    void *here = allocate(n, size_of_number(p));
    for (int64_t i = 0; i < n; i++)
        if (p->single)
            ((float *)here)[i] = (float)from[stride * i];
        else
            ((double *)here)[i] = from[stride * i];
    void *array = bench_device_array((size_t)n * size_of_number(p), here);
    if (!array) bench_die(PROGRAM, "not enough memory on the GPU");
    free(here);
    return array;
}

/* Seconds of forward of the plain sum of some samples, times all. */
static double time_plainly(const problem *p)
{
    const int64_t some = p->n < SOME_PLAIN ? p->n : SOME_PLAIN;
    bench_plain_sum sum = {
        .dim = p->dim, .in_double = !p->single, .pixels = p->pixels, .samples = some};
    double *numbers = allocate(2 * p->pixels, sizeof *numbers);
    void *arrays[10];
    int n = 0;
    for (int64_t d = 0, step = 1; d < p->dim; d++, step *= p->side) {
        for (int64_t i = 0; i < p->pixels; i++)
            numbers[i] = (double)(i / step % p->side - p->side / 2) / p->side;
        sum.k[d] = arrays[n++] = give_plain(p, p->places + d, some, 3);
        sum.r[d] = arrays[n++] = give_plain(p, numbers, p->pixels, 1);
    }
    for (int64_t i = 0; i < 2 * p->pixels; i++) numbers[i] = bench_element(p->image, p->single, i);
    sum.times = arrays[n++] = give_plain(p, p->times, some, 1);
    sum.omega = arrays[n++] = give_plain(p, p->omega, p->pixels, 1);
    sum.input = arrays[n++] = give_plain(p, numbers, 2 * p->pixels, 1);
    sum.output = arrays[n++] = give_plain(p, numbers, 2 * some, 1);
    const double seconds = bench_plain_time(&sum, (double)some * (double)p->pixels > 1e11 ? 1 : 3);
    if (seconds < 0) bench_die(PROGRAM, "the plain sum failed on the GPU");
    for (int k = 0; k < n; k++) bench_device_free(arrays[k]);
    free(numbers);
    return seconds * (double)p->n / (double)some;
}

/* What one encoding takes. */
typedef struct timing {
    double set, forward, adjoint; /* seconds */
    enuf_encoding_report report;
} timing;

static enuf_encoding *make_encoding(const request *r, const problem *p, double tolerance,
                                    double *seconds)
{
    enuf_encoding_options o;
    enuf_encoding *encoding;
    enuf_encoding_options_init(&o);
    o.dim = p->dim;
    for (int d = 0; d < p->dim; d++) o.pixels[d] = p->side;
    o.precision = p->single ? ENUF_FLOAT : ENUF_DOUBLE;
    o.backend = r->cuda ? ENUF_BACKEND_CUDA : ENUF_BACKEND_CPU;
    o.memory = r->device ? ENUF_DEVICE : ENUF_HOST;
    o.tolerance = tolerance;
    o.threads = r->threads;
    double *x = give(r, p->places, 3 * p->n, sizeof *x), *t = give(r, p->times, p->n, sizeof *t);
    double *omega = give(r, p->omega, p->pixels, sizeof *omega);
    check(enuf_encoding_create(&o, &encoding));
    check(enuf_encoding_set_samples(encoding, p->n, x, x + 1, x + 2, 3, t));
    const double start = bench_seconds();
    check(enuf_encoding_set_field(encoding, p->pixels, omega, NULL, NULL, NULL));
    check(enuf_encoding_check(encoding));
    *seconds = bench_seconds() - start;
    take_back(r, x, NULL, 0, 0);
    take_back(r, t, NULL, 0, 0);
    take_back(r, omega, NULL, 0, 0);
    return encoding;
}

static timing time_encoding(const request *r, problem *p, double tolerance)
{
    const size_t size = size_of_number(p);
    timing found = {.forward = INFINITY, .adjoint = INFINITY};
    void *own = allocate(2 * p->pixels, size);
    void *from = give(r, p->image, 2 * p->pixels, size), *image = give(r, own, 2 * p->pixels, size);
    void *data = give(r, p->data, 2 * p->n, size);
    enuf_encoding *encoding = make_encoding(r, p, tolerance, &found.set);
    found.report.struct_size = sizeof found.report;
    check(enuf_encoding_get_report(encoding, &found.report));
    for (int round = 0; round <= r->rounds; round++) { /* the first one makes room */
        const double start = bench_seconds();
        check(enuf_encoding_forward(encoding, from, data));
        check(enuf_encoding_check(encoding));
        const double middle = bench_seconds();
        check(enuf_encoding_adjoint(encoding, data, image));
        check(enuf_encoding_check(encoding));
        if (round == 0) continue;
        found.forward = fmin(found.forward, middle - start);
        found.adjoint = fmin(found.adjoint, bench_seconds() - middle);
    }
    enuf_encoding_destroy(&encoding);
    take_back(r, from, NULL, 0, 0);
    take_back(r, image, NULL, 0, 0);
    take_back(r, data, p->data, 2 * p->n, size);
    free(own);
    return found;
}

static void measure(const request *r, int dim, int side, int single, double tolerance,
                    bench_table *table)
{
    problem p = make_problem(dim, side, single);
    double error;
    bench_progress("%d^%d %s", side, dim, single ? "float" : "double");
    const timing of = time_encoding(r, &p, tolerance);
    const double direct = time_directly(r, &p, &error);
    const double plain = r->cuda && bench_device_built() ? time_plainly(&p) : NAN;
    bench_text(table, backends[r->cuda]);
    bench_text(table, memories[r->device]);
    bench_number(table, "%.0f", dim);
    bench_number(table, "%.0f", side);
    bench_text(table, single ? "float" : "double");
    bench_number(table, "%.0e", tolerance);
    bench_number(table, "%.0f", of.report.interpolators);
    bench_number(table, "%.1e", of.report.error);
    bench_number(table, "%.1e", error);
    bench_number(table, "%.1f", 1e3 * of.set);
    bench_number(table, "%.2f", 1e3 * of.forward);
    bench_number(table, "%.2f", 1e3 * of.adjoint);
    bench_number(table, "%.0f", 1e3 * direct);
    bench_number(table, "%.0f", direct / of.forward);
    bench_number(table, "%.0f", 1e3 * plain);
    bench_number(table, "%.0f", plain / of.forward);
    free_problem(&p);
}

int main(int argc, char **argv)
{
    static const bench_column columns[] = {
        {"backend", -7},       {"memory", -6},     {"dim", 3},
        {"side", 4},           {"precision", -9},  {"tolerance", 9},
        {"interpolators", 13}, {"predicted", 9},   {"error", 8},
        {"set ms", 8},         {"forward ms", 10}, {"adjoint ms", 10},
        {"direct ms", 10},     {"ratio", 7},       {"plain ms", 9},
        {"of plain", 8}};
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
