/* figure_times.c - see figure_times.h. SPDX-License-Identifier: BSD-3-Clause */
#include "figure_times.h"
#include "arguments.h"
#include "device_memory.h"
#include "nufft_gpu_direct.h"
#include "peers/cufinufft.h"
#include "stopwatch.h"

#include "enuf/nufft.h"
#include "enuf/nufft_stages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char PROGRAM[] = "nufft_gpu_figures";
static const double ENOUGH = 0.1; /* seconds with copies that are not measured twice */
enum { CLUSTER = 8 /* fine cells along an axis */, MOST_TURNS = 10 };

static void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) bench_die(PROGRAM, "%s: %s", what, cudaGetErrorString(error));
}

static void must(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

/* ---- Arrays ---- */

static size_t bytes_of(const figure_problem *p, int64_t numbers)
{
    return (size_t)numbers * (p->single ? sizeof(float) : sizeof(double));
}

static void *on_device(const figure_problem *p, int64_t numbers)
{
    void *array;
    check(cudaMalloc(&array, bytes_of(p, numbers)), "device memory");
    return array;
}

static void *on_host(size_t bytes)
{
    void *array;
    check(cudaMallocHost(&array, bytes), "pinned memory");
    return array;
}

figure_arrays figure_arrays_make(const figure_problem *p, int pinned)
{
    figure_arrays a = {.numbers = 2};
    const double fine = (p->alone ? 1 : 2) * (double)p->side;
    const double corner = p->cluster ? 0.3 : 0, size = p->cluster ? CLUSTER / fine : 1;
    int failed = 0;
    for (int d = 0; d < p->dim; d++) a.numbers *= p->side;
    for (int d = 0; d < p->dim; d++) {
        a.x[d] = on_device(p, p->n);
        a.radians[d] = on_device(p, p->n);
        failed |= bench_fill(a.x[d], p->single, p->n, (uint64_t)d + 1, corner, corner + size);
        failed |= bench_radians(a.x[d], a.radians[d], p->single, p->n);
    }
    a.strengths = on_device(p, 2 * p->n);
    a.values = on_device(p, 2 * p->n);
    a.spectrum = on_device(p, a.numbers);
    a.modes = on_device(p, a.numbers);
    failed |= bench_fill(a.strengths, p->single, 2 * p->n, 11, -0.5, 0.5);
    failed |= bench_fill(a.spectrum, p->single, a.numbers, 12, -0.5, 0.5);
    if (failed) bench_die(PROGRAM, "data could not be made on the device");
    if (!pinned) return a;
    a.host_points = on_host(bytes_of(p, 3 * p->n));
    a.host_strengths = on_host(bytes_of(p, 2 * p->n));
    a.host_spectrum = on_host(bytes_of(p, a.numbers));
    return a;
}

void figure_arrays_free(figure_arrays *a)
{
    for (int d = 0; d < 3; d++) {
        cudaFree(a->x[d]);
        cudaFree(a->radians[d]);
    }
    cudaFree(a->strengths);
    cudaFree(a->values);
    cudaFree(a->spectrum);
    cudaFree(a->modes);
    cudaFreeHost(a->host_points);
    cudaFreeHost(a->host_strengths);
    cudaFreeHost(a->host_spectrum);
}

/* ---- One library's plan, on arrays in device memory ---- */

typedef struct work {
    const figure_problem *p;
    const figure_way *way;
    void *points[3], *strengths, *spectrum; /* data or result, as the type says */
    enuf_nufft *plan;
    enuf_brick grid; /* of enuf: all cells */
    void *cells;     /* of enuf: to convolve alone */
    cufinufft_problem peer;
    void *peer_plan;
} work;

static enuf_brick whole(int dim, const int64_t n[3])
{
    enuf_brick all = {.stride = {1, n[0], n[0] * (dim > 1 ? n[1] : 1)}};
    for (int d = 0; d < 3; d++) all.global[d] = all.n[d] = d < dim ? n[d] : 1;
    return all;
}

static int make_ours(work *w)
{
    const figure_problem *p = w->p;
    enuf_nufft_options o;
    enuf_nufft_report report = {.struct_size = sizeof report};
    enuf_nufft_options_init(&o);
    o.dim = p->dim;
    o.density = (double)p->n;
    for (int d = 0; d < p->dim; d++) {
        o.modes[d] = p->alone ? p->side / 2 : p->side;
        o.fine_grid[d] = p->alone ? p->side : 0;
        o.density /= (double)o.modes[d];
    }
    o.no_grid = p->alone;
    o.precision = p->single ? ENUF_FLOAT : ENUF_DOUBLE;
    o.tolerance = p->tolerance;
    o.backend = ENUF_BACKEND_CUDA;
    o.memory = ENUF_DEVICE;
    *(p->type == 1 ? &o.spreading : &o.interpolation) = (enuf_strategy)w->way->method;
    if (enuf_nufft_create(&o, &w->plan) != ENUF_SUCCESS) {
        fprintf(stderr, "%s\n", enuf_last_error());
        return 0;
    }
    must(enuf_nufft_reserve(w->plan, p->n));
    must(enuf_nufft_get_report(w->plan, &report));
    w->grid = whole(p->dim, report.fine_grid);
    return 1;
}

static int make_peer(work *w)
{
    const figure_problem *p = w->p;
    int status;
    w->peer = (cufinufft_problem){.dim = p->dim,
                                  .single = p->single,
                                  .type = p->type,
                                  .tolerance = p->tolerance,
                                  .n = p->n,
                                  .strengths = w->strengths,
                                  .spectrum = w->spectrum,
                                  .unsorted = w->way->unsorted,
                                  .alone = p->alone};
    for (int d = 0; d < 3; d++) {
        w->peer.modes[d] = d < p->dim ? p->side : 1;
        w->peer.radians[d] = w->points[d];
    }
    w->peer_plan = cufinufft_make(&w->peer, w->way->method, &status);
    return w->peer_plan != NULL;
}

static int make(work *w)
{
    return w->way->peer ? make_peer(w) : make_ours(w);
}

static void destroy(work *w)
{
    if (w->way->peer)
        cufinufft_destroy(&w->peer, w->peer_plan);
    else
        enuf_nufft_destroy(&w->plan);
}

static int set(work *w)
{
    void *const *x = w->points;
    if (w->way->peer) return cufinufft_set(&w->peer, w->peer_plan) == 0;
    must(w->p->single ? enuf_nufft_set_points_f32(w->plan, w->p->n, x[0], x[1], x[2], 1)
                      : enuf_nufft_set_points(w->plan, w->p->n, x[0], x[1], x[2], 1));
    return 1;
}

static void convolve(work *w, void *cells)
{
    if (w->p->type == 1)
        must(enuf_stage_spread(w->plan, w->strengths, NULL, &w->grid, cells, 0));
    else
        must(enuf_stage_interpolate(w->plan, &w->grid, cells, NULL, w->strengths, NULL, 0));
}

static int execute(work *w)
{
    if (w->way->peer) return cufinufft_execute(&w->peer, w->peer_plan) == 0;
    if (w->p->alone)
        convolve(w, w->spectrum);
    else if (w->p->type == 1)
        must(enuf_nufft_type1(w->plan, w->strengths, w->spectrum));
    else
        must(enuf_nufft_type2(w->plan, w->spectrum, w->strengths, NULL));
    return 1;
}

/* ---- Timings ---- */

/* Seconds that the GPU takes for two calls. 0: one of them failed. */
static int time_turn(work *w, cudaEvent_t event[3], double *first, double *second)
{
    float ms[2] = {0};
    check(cudaEventRecord(event[0], NULL), "an event");
    int done = set(w);
    check(cudaEventRecord(event[1], NULL), "an event");
    if (done) done = execute(w);
    check(cudaEventRecord(event[2], NULL), "an event");
    if (cudaEventSynchronize(event[2]) != cudaSuccess) done = 0;
    cudaEventElapsedTime(&ms[0], event[0], event[1]);
    cudaEventElapsedTime(&ms[1], event[1], event[2]);
    *first = 1e-3 * ms[0];
    *second = 1e-3 * ms[1];
    return done;
}

/* The least of the turns; the first loads the kernels and makes room: its bytes, from `memory` on.
 */
static int least_of_turns(work *w, double seconds, const bench_device_memory *memory,
                          figure_times *t)
{
    cudaEvent_t event[3];
    double first, second, spent = 0;
    for (int k = 0; k < 3; k++) check(cudaEventCreate(&event[k]), "an event");
    int done = time_turn(w, event, &first, &second);
    t->bytes = bench_device_memory_peak(memory);
    t->set = t->execute = t->total = HUGE_VAL;
    for (int k = 0; done && k < MOST_TURNS && (k == 0 || spent < seconds); k++) {
        done = time_turn(w, event, &first, &second);
        t->set = fmin(t->set, first);
        t->execute = fmin(t->execute, second);
        t->total = fmin(t->total, first + second);
        spent += first + second;
    }
    for (int k = 0; k < 3; k++) cudaEventDestroy(event[k]);
    return done;
}

/* Spreading or interpolation alone, on a grid of the same size: enuf's by the same plan, the
 * peer's by another one. */
static double time_convolution(const work *of, double seconds)
{
    figure_problem p = *of->p;
    figure_times t;
    work w = *of;
    int64_t cells = 2;
    p.alone = 1;
    p.side *= 2;
    for (int d = 0; d < p.dim; d++) cells *= w.way->peer ? p.side : w.grid.n[d];
    w.p = &p;
    w.spectrum = on_device(&p, cells);
    check(cudaMemset(w.spectrum, 0, bytes_of(&p, cells)), "a grid");
    const bench_device_memory memory = bench_device_memory_start();
    const int done = (!w.way->peer || make(&w)) && least_of_turns(&w, seconds, &memory, &t);
    if (w.way->peer && done) destroy(&w);
    cudaFree(w.spectrum);
    return done ? t.execute : NAN;
}

/* Everything from pinned host memory and back; the plan is made anew. */
static double time_with_memory(const work *from, const figure_arrays *a)
{
    const figure_problem *p = from->p;
    const size_t points = bytes_of(p, p->n), spectrum = bytes_of(p, a->numbers);
    work w = *from;
    const double start = bench_seconds();
    for (int d = 0; d < p->dim; d++) {
        w.points[d] = on_device(p, p->n);
        check(cudaMemcpyAsync(w.points[d], (char *)a->host_points + (size_t)d * points, points,
                              cudaMemcpyHostToDevice, NULL),
              "a copy");
    }
    w.strengths = on_device(p, 2 * p->n);
    w.spectrum = on_device(p, a->numbers);
    if (p->type == 1)
        check(cudaMemcpyAsync(w.strengths, a->host_strengths, 2 * points, cudaMemcpyHostToDevice,
                              NULL),
              "a copy");
    else
        check(cudaMemcpyAsync(w.spectrum, a->host_spectrum, spectrum, cudaMemcpyHostToDevice, NULL),
              "a copy");
    if (!make(&w) || !set(&w) || !execute(&w)) bench_die(PROGRAM, "a second plan failed");
    if (p->type == 1)
        check(cudaMemcpy(a->host_spectrum, w.spectrum, spectrum, cudaMemcpyDeviceToHost), "a copy");
    else
        check(cudaMemcpy(a->host_strengths, w.strengths, 2 * points, cudaMemcpyDeviceToHost),
              "a copy");
    destroy(&w);
    for (int d = 0; d < p->dim; d++) cudaFree(w.points[d]);
    cudaFree(w.strengths);
    cudaFree(w.spectrum);
    return bench_seconds() - start;
}

static double error_of(const work *w, const figure_arrays *a)
{
    bench_sum s = {.dim = w->p->dim,
                   .single = w->p->single,
                   .type = w->p->type,
                   .m = w->p->side,
                   .n = w->p->n,
                   .period = w->way->peer ? 2 * M_PI : 1,
                   .strengths = a->strengths,
                   .spectrum = w->spectrum,
                   .values = a->values};
    for (int d = 0; d < w->p->dim; d++) s.x[d] = w->points[d];
    const double error = bench_error(&s);
    if (error < 0)
        bench_die(PROGRAM, "direct sums failed: %s", cudaGetErrorString(cudaGetLastError()));
    return error;
}

static void fill_host(const figure_problem *p, const work *w, const figure_arrays *a)
{
    const size_t points = bytes_of(p, p->n);
    for (int d = 0; d < p->dim; d++)
        check(cudaMemcpy((char *)a->host_points + (size_t)d * points, w->points[d], points,
                         cudaMemcpyDeviceToHost),
              "a copy");
    check(cudaMemcpy(a->host_strengths, a->strengths, 2 * points, cudaMemcpyDeviceToHost),
          "a copy");
    check(
        cudaMemcpy(a->host_spectrum, a->spectrum, bytes_of(p, a->numbers), cudaMemcpyDeviceToHost),
        "a copy");
}

int figure_time(const figure_problem *p, const figure_way *way, figure_arrays *a, double seconds,
                figure_times *t)
{
    work w = {.p = p,
              .way = way,
              .strengths = p->type == 1 ? a->strengths : a->values,
              .spectrum = p->type == 1 ? a->modes : a->spectrum};
    for (int d = 0; d < 3; d++) w.points[d] = way->peer ? a->radians[d] : a->x[d];
    *t = (figure_times){.with_memory = NAN, .convolution = NAN, .error = NAN};
    const bench_device_memory memory = bench_device_memory_start();
    if (!make(&w)) return 0;
    const int done = least_of_turns(&w, seconds, &memory, t);
    if (done && !p->alone) t->error = error_of(&w, a);
    if (done && p->share) t->convolution = time_convolution(&w, seconds);
    if (done && !way->peer) must(enuf_nufft_check(w.plan, NULL));
    destroy(&w);
    if (done && a->host_points) {
        fill_host(p, &w, a);
        t->with_memory = time_with_memory(&w, a);
        if (t->with_memory < ENOUGH) t->with_memory = fmin(t->with_memory, time_with_memory(&w, a));
    }
    cudaGetLastError(); /* of a refusal */
    return done;
}
