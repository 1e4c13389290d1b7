/*
 * direct.c - pairs of sample and pixel a second of direct sums, forward and adjoint, with the error
 * of each result; beside them NFFT3's direct sums on the CPU and, on a GPU, the sum as it is
 * commonly written.
 *
 *   direct [--grids 64^2,128^2,256^2,64^3,128^3] [--trajectories spiral,radial,random]
 *          [--kinds plain,field,decay,gradients] [--precisions double,float] [--backends cpu,cuda]
 *          [--memory host,device] [--pairs N] [--threads N] [--batch N] [--repeats N] [--csv FILE]
 *          [--markdown]
 *
 * --pairs caps the samples of a grid so that a call has about so many pairs. A time is the least of
 * the repeats: with one thread on the CPU processor time, else wall time, which with device memory
 * ends when the results are there. Kinds: plain has none, field a field map, decay a field map and
 * a decay, gradients a field map and gradients in voxels. The error is relative l2 at some outputs,
 * against sums in double on the CPU, whose own is not seen. NFFT3_LIBRARY names the peer's file
 * (peers/library.h); it serves `plain` in double, and OMP_NUM_THREADS gives its threads.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "arguments.h"
#include "direct_case.h"
#include "direct_device.h"
#include "peers/nfft3.h"
#include "stopwatch.h"
#include "table.h"

#include "enuf/direct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char PROGRAM[] = "direct";

enum { GRIDS = 5, OUTPUTS = 64 };
static const char *const grid_names[GRIDS] = {"64^2", "128^2", "256^2", "64^3", "128^3"};
static const struct {
    int dim;
    int64_t edge;
} grids[GRIDS] = {{2, 64}, {2, 128}, {2, 256}, {3, 64}, {3, 128}};
static const char *const trajectory_names[] = {"spiral", "radial", "random"};
static const char *const kind_names[] = {"plain", "field", "decay", "gradients"};
static const char *const precision_names[] = {"double", "float"};
static const char *const backend_names[] = {"cpu", "cuda"};
static const char *const memory_names[] = {"host", "device"};

typedef struct request {
    int grids, trajectories, kinds, precisions, backends, memories; /* bits */
    double pairs;
    int threads, batch, repeats, nfft3; /* nfft3: it is here */
    bench_output output;
} request;

/* What is timed in one row. */
typedef struct row {
    enuf_precision precision;
    enuf_backend backend;
    enuf_memory memory;
    int adjoint;
} row;

static request read_arguments(int argc, char **argv)
{
    request r = {.grids = 31,
                 .trajectories = 7,
                 .kinds = 15,
                 .precisions = 3,
                 .backends = 1,
                 .memories = 1,
                 .pairs = 2e8,
                 .batch = 1,
                 .repeats = 3,
                 .output = {.program = PROGRAM}};
    const struct {
        const char *name;
        int *to, n;
        const char *const *names;
    } lists[] = {{"--grids", &r.grids, GRIDS, grid_names},
                 {"--trajectories", &r.trajectories, BENCH_TRAJECTORIES, trajectory_names},
                 {"--kinds", &r.kinds, BENCH_SCANS, kind_names},
                 {"--precisions", &r.precisions, 2, precision_names},
                 {"--backends", &r.backends, 2, backend_names},
                 {"--memory", &r.memories, 2, memory_names}};
    const int n_lists = (int)(sizeof lists / sizeof lists[0]);
    for (int i = 1; i < argc; i++) {
        if (bench_output_argument(&r.output, argc, argv, &i)) continue;
        const char *name = argv[i], *value = argv[++i];
        if (!value) bench_die(PROGRAM, "%s: unknown, or its value is missing", name);
        int k = 0;
        while (k < n_lists && strcmp(name, lists[k].name) != 0) k++;
        if (k < n_lists)
            *lists[k].to = bench_names(PROGRAM, value, lists[k].names, lists[k].n);
        else if (strcmp(name, "--pairs") == 0)
            r.pairs = strtod(value, NULL);
        else if (strcmp(name, "--threads") == 0)
            r.threads = (int)strtol(value, NULL, 10);
        else if (strcmp(name, "--batch") == 0)
            r.batch = (int)strtol(value, NULL, 10);
        else if (strcmp(name, "--repeats") == 0)
            r.repeats = (int)strtol(value, NULL, 10);
        else
            bench_die(PROGRAM, "%s: unknown argument", name);
    }
    if (r.batch < 1 || r.repeats < 1) bench_die(PROGRAM, "--batch and --repeats: 1 or more");
    return r;
}

static void check(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

/* ---- Arrays in either memory and precision ---- */

/* n numbers of `from` (NULL: room for them), `copies` times, in a precision and a memory. */
static void *place(int64_t n, int copies, const double *from, const row *w)
{
    const int single = w->precision == ENUF_FLOAT;
    const size_t size = single ? sizeof(float) : sizeof(double);
    const size_t bytes = (size_t)(n * copies) * size;
    char *array = malloc(bytes + 1);
    if (!array) bench_die(PROGRAM, "not enough memory");
    for (int64_t i = 0; from && i < n * copies; i++)
        if (single)
            ((float *)array)[i] = (float)from[i % n];
        else
            ((double *)array)[i] = from[i % n];
    if (w->memory == ENUF_HOST) return array;
    void *device = bench_device_array(bytes, from ? array : NULL);
    if (!device) bench_die(PROGRAM, "no device memory for %zu bytes", bytes);
    free(array);
    return device;
}

static void release(void *array, const row *w)
{
    if (w->memory == ENUF_HOST)
        free(array);
    else if (array)
        bench_device_free(array);
}

/* The first n numbers of an array, as doubles. */
static double *read_back(int64_t n, void *array, const row *w)
{
    const int single = w->precision == ENUF_FLOAT;
    const size_t bytes = (size_t)n * (single ? sizeof(float) : sizeof(double));
    double *wide = malloc((size_t)n * sizeof *wide + 1);
    void *here = malloc(bytes + 1);
    if (!wide || !here) bench_die(PROGRAM, "not enough memory");
    if (w->memory == ENUF_HOST)
        memcpy(here, array, bytes);
    else
        bench_device_read(here, array, bytes);
    for (int64_t i = 0; i < n; i++)
        wide[i] = single ? (double)((const float *)here)[i] : ((const double *)here)[i];
    free(here);
    return wide;
}

/* ---- The sums ---- */

static void set_maps(const bench_scan *s, enuf_direct *sums, double *omega, double *decay,
                     double *const gradient[3])
{
    const double *slopes[3] = {gradient[0], gradient[1], gradient[2]};
    const int gradients = s->kind == BENCH_GRADIENTS;
    if (s->kind == BENCH_PLAIN) return;
    check(enuf_direct_set_field(sums, s->pixels, omega, s->kind == BENCH_DECAY ? decay : NULL,
                                gradients ? slopes : NULL, gradients ? s->voxel : NULL));
}

static enuf_direct *make_sums(const bench_scan *s, const request *r, const row *w)
{
    const row in_double = {.precision = ENUF_DOUBLE, .memory = w->memory};
    const int64_t counts[3] = {s->edge, s->edge, s->edge};
    double *k[3] = {NULL}, *gradient[3] = {NULL};
    enuf_direct_options o;
    enuf_direct *sums;
    enuf_direct_options_init(&o);
    o.dim = s->dim;
    o.precision = w->precision;
    o.backend = w->backend;
    o.memory = w->memory;
    o.threads = r->threads;
    o.batch = r->batch;
    for (int d = 0; d < s->dim; d++) {
        k[d] = place(s->samples, 1, s->k[d], &in_double);
        gradient[d] = place(s->pixels, 1, s->gradient[d], &in_double);
    }
    double *times = place(s->samples, 1, s->times, &in_double);
    double *omega = place(s->pixels, 1, s->omega, &in_double);
    double *decay = place(s->pixels, 1, s->decay, &in_double);
    check(enuf_direct_create(&o, &sums));
    check(enuf_direct_set_samples(sums, s->samples, k[0], k[1], k[2], 1, times));
    check(enuf_direct_set_pixel_grid(sums, counts, NULL, NULL));
    set_maps(s, sums, omega, decay, gradient);
    check(enuf_direct_check(sums, NULL));
    for (int d = 0; d < 3; d++) {
        release(k[d], &in_double);
        release(gradient[d], &in_double);
    }
    release(times, &in_double);
    release(omega, &in_double);
    release(decay, &in_double);
    return sums;
}

/* Relative l2 error at some outputs, by sums over them alone, in double on the CPU. */
static double error_of(const bench_scan *s, int adjoint, const double *found)
{
    const int64_t n = adjoint ? s->pixels : s->samples, count = n < OUTPUTS ? n : OUTPUTS;
    double exact[2 * OUTPUTS], missed = 0, size = 0, places[6][OUTPUTS];
    double maps[5][OUTPUTS];
    const double *const of_pixels[5] = {s->omega, s->decay, s->gradient[0], s->gradient[1],
                                        s->gradient[2]};
    bench_scan few = *s;
    enuf_direct_options o;
    enuf_direct *sums;
    enuf_direct_options_init(&o);
    o.dim = s->dim;
    *(adjoint ? &few.pixels : &few.samples) = count;
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = i * (n / count);
        for (int64_t d = 0, step = 1; d < s->dim; d++, step *= s->edge) {
            places[d][i] = s->k[d][adjoint ? 0 : at];
            places[3 + d][i] =
                ((double)(at / step % s->edge) - (double)(s->edge / 2)) / (double)s->edge;
        }
        for (int m = 0; m < 5; m++) maps[m][i] = of_pixels[m] && adjoint ? of_pixels[m][at] : 0;
        if (!adjoint) maps[0][i] = s->times[at];
    }
    check(enuf_direct_create(&o, &sums));
    if (adjoint) {
        double *const slopes[3] = {maps[2], maps[3], maps[4]};
        check(enuf_direct_set_samples(sums, s->samples, s->k[0], s->k[1], s->k[2], 1, s->times));
        check(enuf_direct_set_pixels(sums, count, places[3], places[4], places[5], 1));
        set_maps(&few, sums, maps[0], maps[1], slopes);
        check(enuf_direct_adjoint(sums, s->values, exact));
    } else {
        const int64_t counts[3] = {s->edge, s->edge, s->edge};
        check(enuf_direct_set_samples(sums, count, places[0], places[1], places[2], 1, maps[0]));
        check(enuf_direct_set_pixel_grid(sums, counts, NULL, NULL));
        set_maps(s, sums, s->omega, s->decay, s->gradient);
        check(enuf_direct_forward(sums, s->image, exact, NULL));
    }
    enuf_direct_destroy(&sums);
    for (int64_t i = 0; i < 2 * count; i++) {
        const double difference = found[2 * (i / 2 * (n / count)) + i % 2] - exact[i];
        missed += difference * difference;
        size += exact[i] * exact[i];
    }
    return sqrt(missed / size);
}

/* Other work on the machine does not count where one thread does all. */
static clockid_t clock_of(const request *r, const row *w)
{
    return r->threads == 1 && w->backend == ENUF_BACKEND_CPU ? CLOCK_THREAD_CPUTIME_ID
                                                             : CLOCK_MONOTONIC;
}

static double time_sums(const bench_scan *s, const request *r, const row *w, double *error)
{
    const int64_t in = 2 * (w->adjoint ? s->samples : s->pixels);
    const int64_t out = 2 * (w->adjoint ? s->pixels : s->samples);
    void *input = place(in, r->batch, w->adjoint ? s->values : s->image, w);
    void *output = place(out, r->batch, NULL, w);
    enuf_direct *sums = make_sums(s, r, w);
    double best = HUGE_VAL;
    for (int k = 0; k < r->repeats + 1; k++) { /* the first one makes room */
        const double start = bench_clock(clock_of(r, w));
        check(w->adjoint ? enuf_direct_adjoint(sums, input, output)
                         : enuf_direct_forward(sums, input, output, NULL));
        check(enuf_direct_check(sums, NULL));
        if (k > 0) best = fmin(best, bench_clock(clock_of(r, w)) - start);
    }
    enuf_direct_destroy(&sums);
    double *found = read_back(out, output, w);
    *error = error_of(s, w->adjoint, found);
    free(found);
    release(input, w);
    release(output, w);
    return best;
}

/* ---- Peers ---- */

static double time_nfft3(const bench_scan *s, const request *r, const row *w)
{
    const int adjoint = w->adjoint;
    nfft3_problem p = {.dim = s->dim, .n = s->samples, .clock = clock_of(r, w)};
    const int64_t out = 2 * (adjoint ? s->pixels : s->samples);
    double *result = malloc((size_t)out * sizeof *result), *x[3] = {NULL};
    if (!result) bench_die(PROGRAM, "not enough memory");
    for (int d = 0; d < s->dim; d++) {
        x[d] = malloc((size_t)s->samples * sizeof *x[d]);
        if (!x[d]) bench_die(PROGRAM, "not enough memory");
        for (int64_t j = 0; j < s->samples; j++) x[d][j] = s->k[d][j] / (double)s->edge;
        p.modes[d] = s->edge;
        p.x[d] = x[d];
    }
    const double seconds =
        nfft3_time(&p, adjoint, adjoint ? s->values : s->image, result, r->repeats);
    const double error = error_of(s, adjoint, result);
    if (!(error < 1e-6)) bench_die(PROGRAM, "NFFT3 and enuf sum different things: %g", error);
    for (int d = 0; d < s->dim; d++) free(x[d]);
    free(result);
    return seconds;
}

static double time_plain(const bench_scan *s, const request *r, const row *w)
{
    const row single = {.precision = ENUF_FLOAT, .memory = ENUF_DEVICE};
    const int field = s->kind == BENCH_FIELD;
    double *node = malloc((size_t)s->pixels * sizeof *node);
    void *arrays[10];
    int n = 0;
    bench_plain_sum p = {
        .dim = s->dim, .adjoint = w->adjoint, .pixels = s->pixels, .samples = s->samples};
    if (!node) bench_die(PROGRAM, "not enough memory");
    for (int64_t d = 0, step = 1; d < s->dim; d++, step *= s->edge) {
        for (int64_t i = 0; i < s->pixels; i++)
            node[i] = ((double)(i / step % s->edge) - (double)(s->edge / 2)) / (double)s->edge;
        p.k[d] = arrays[n++] = place(s->samples, 1, s->k[d], &single);
        p.r[d] = arrays[n++] = place(s->pixels, 1, node, &single);
    }
    p.times = arrays[n++] = place(s->samples, 1, s->times, &single);
    p.omega = arrays[n++] = place(s->pixels, 1, s->omega, &single);
    p.input = arrays[n++] = place(2 * (w->adjoint ? s->samples : s->pixels), 1,
                                  w->adjoint ? s->values : s->image, &single);
    p.output = arrays[n++] = place(2 * (w->adjoint ? s->pixels : s->samples), 1, NULL, &single);
    if (!field) p.omega = NULL;
    const double seconds = bench_plain_time(&p, r->repeats);
    for (int k = 0; k < n; k++) release(arrays[k], &single);
    free(node);
    return seconds;
}

/* The peer of a row: its name, and its seconds for one vector of the batch. */
static double time_peer(const bench_scan *s, const request *r, const row *w, const char **name)
{
    *name = "";
    if (r->nfft3 && w->backend == ENUF_BACKEND_CPU && s->kind == BENCH_PLAIN &&
        w->precision == ENUF_DOUBLE) {
        *name = "nfft3";
        return time_nfft3(s, r, w);
    }
    if (w->memory == ENUF_DEVICE && w->precision == ENUF_FLOAT && s->kind <= BENCH_FIELD) {
        *name = "thread an output";
        return time_plain(s, r, w);
    }
    return NAN;
}

static void measure(bench_table *t, const bench_scan *s, const request *r, const row *w, int grid)
{
    const double pairs = (double)s->samples * (double)s->pixels;
    const char *name;
    double error;
    bench_progress("%s %s %s", grid_names[grid], trajectory_names[s->trajectory],
                   kind_names[s->kind]);
    const double seconds = time_sums(s, r, w, &error), peer = time_peer(s, r, w, &name);
    bench_text(t, backend_names[w->backend == ENUF_BACKEND_CUDA]);
    bench_text(t, memory_names[w->memory == ENUF_DEVICE]);
    bench_text(t, precision_names[w->precision == ENUF_FLOAT]);
    bench_text(t, grid_names[grid]);
    bench_text(t, trajectory_names[s->trajectory]);
    bench_number(t, "%.0f", (double)s->samples);
    bench_number(t, "%.0f", r->batch);
    bench_text(t, kind_names[s->kind]);
    bench_text(t, w->adjoint ? "adjoint" : "forward");
    bench_number(t, "%.4g", seconds);
    bench_number(t, "%.3g", r->batch * pairs / seconds);
    bench_number(t, "%.1e", error);
    bench_text(t, name);
    bench_number(t, "%.3g", pairs / peer);
    bench_number(t, "%.2f", r->batch * peer / seconds);
}

static void measure_scan(bench_table *t, bench_scan *s, const request *r, int grid)
{
    for (int place_of = 0; place_of < 4; place_of++) {
        const int cuda = place_of / 2, device = place_of % 2;
        if (!(r->backends >> cuda & 1) || !(r->memories >> device & 1) || (device && !cuda))
            continue;
        for (int single = 0; single < 2; single++)
            for (int adjoint = 0; adjoint < 2; adjoint++) {
                const row w = {single ? ENUF_FLOAT : ENUF_DOUBLE,
                               cuda ? ENUF_BACKEND_CUDA : ENUF_BACKEND_CPU,
                               device ? ENUF_DEVICE : ENUF_HOST, adjoint};
                if (r->precisions >> single & 1) measure(t, s, r, &w, grid);
            }
    }
}

int main(int argc, char **argv)
{
    static const bench_column columns[] = {{"backend", -7}, {"memory", -6},       {"precision", -9},
                                           {"grid", -6},    {"trajectory", -10},  {"samples", 9},
                                           {"batch", 5},    {"kind", -9},         {"direction", -9},
                                           {"s", 10},       {"pairs/s", 9},       {"error", 8},
                                           {"peer", -16},   {"peer pairs/s", 12}, {"ratio", 7}};
    request r = read_arguments(argc, argv);
    bench_table table;
    const char *missing = nfft3_open();
    r.nfft3 = !missing;
    if (r.memories >> 1 & 1 && !bench_device_built())
        bench_die(PROGRAM, "--memory device: this program was built without CUDA");
    bench_table_begin(&table, &r.output, missing ? missing : nfft3_description(), columns,
                      (int)(sizeof columns / sizeof columns[0]));
    for (int grid = 0; grid < GRIDS; grid++)
        for (int trajectory = 0; trajectory < BENCH_TRAJECTORIES; trajectory++) {
            if (!(r.grids >> grid & 1) || !(r.trajectories >> trajectory & 1)) continue;
            const double pixels = pow((double)grids[grid].edge, grids[grid].dim);
            const double samples = fmax(OUTPUTS, fmin(4 * pixels, r.pairs / pixels));
            bench_scan scan =
                bench_scan_make(grids[grid].dim, grids[grid].edge, trajectory, (int64_t)samples);
            for (scan.kind = 0; scan.kind < BENCH_SCANS; scan.kind++)
                if (r.kinds >> scan.kind & 1) measure_scan(&table, &scan, &r, grid);
            bench_scan_free(&scan);
        }
    bench_table_end(&table);
    return 0;
}
