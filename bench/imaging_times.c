/* imaging_times.c - see imaging_times.h. SPDX-License-Identifier: BSD-3-Clause */
#include "imaging_times.h"
#include "device_clock.h"
#include "direct_device.h"
#include "fail.h"
#include "stopwatch.h"

#include "enuf/nufft_stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_TURNS = 3, MOST_TURNS = 1000 };

/* A plan with its samples, and its arrays where the backend works. */
typedef struct work {
    const imaging_clock *clock;
    const imaging_case *c;
    enuf_nufft *plan;
    imaging_direction direction;
    int64_t n;
    double *k[2];         /* NULL with runs */
    imaging_runs runs;    /* of 0 runs with coordinates */
    void *input, *output; /* complex float */
    void *cells;          /* zeros: of a fine grid */
    enuf_brick grid;
    enuf_spectral_box modes; /* as many frequencies as modes */
} work;

static int on_device(const imaging_clock *clock)
{
    return clock->backend == ENUF_BACKEND_CUDA;
}

/* ---- Arrays ---- */

/* A copy of `from` where the backend works; NULL: zeros. */
static void *place(const imaging_clock *clock, size_t bytes, const void *from)
{
    void *here = allocate((int64_t)bytes, 1);
    if (from) memcpy(here, from, bytes);
    if (!on_device(clock)) return here;
    void *there = bench_device_array(bytes, here);
    if (!there) fail("no device memory for %zu bytes", bytes);
    free(here);
    return there;
}

static void release(const imaging_clock *clock, void *array)
{
    if (on_device(clock) && array)
        bench_device_free(array);
    else
        free(array);
}

/* `coils` copies of complex numbers in float. */
static void *place_coils(const imaging_clock *clock, int64_t n, int coils, const double *from)
{
    float *numbers = allocate(2 * n * coils, sizeof *numbers);
    for (int64_t i = 0; from && i < 2 * n * coils; i++) numbers[i] = (float)from[i % (2 * n)];
    void *placed = place(clock, (size_t)(2 * n * coils) * sizeof *numbers, numbers);
    free(numbers);
    return placed;
}

/* ---- What is timed ---- */

static void set_points(work *w)
{
    const imaging_runs *r = &w->runs;
    check(r->runs ? enuf_nufft_set_runs(w->plan, r->runs, r->lengths, r->start, r->step)
                  : enuf_nufft_set_points(w->plan, w->n, w->k[0], w->k[1], NULL, 1));
}

static void transform(work *w)
{
    check(w->direction == IMAGING_ADJOINT ? enuf_nufft_type1(w->plan, w->input, w->output)
                                          : enuf_nufft_type2(w->plan, w->input, w->output, NULL));
}

static void set_and_transform(work *w)
{
    set_points(w);
    transform(w);
}

static void compute_and_transform(work *w)
{
    imaging_case_samples(w->c, w->k[0], w->k[1]);
    set_and_transform(w);
}

static void convolve(work *w)
{
    check(w->direction == IMAGING_ADJOINT
              ? enuf_stage_spread(w->plan, w->input, NULL, &w->grid, w->cells, 0)
              : enuf_stage_interpolate(w->plan, &w->grid, w->cells, NULL, w->output, NULL, 0));
}

static void deapodise(work *w)
{
    check(enuf_stage_deconvolve(w->plan, &w->modes, w->cells));
}

/* ---- Clocks ---- */

clockid_t imaging_cpu_clock(const imaging_clock *clock)
{
    return clock->threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
}

int imaging_turns(const imaging_clock *clock, double seconds)
{
    return (int)fmax(LEAST_TURNS, fmin(MOST_TURNS, clock->seconds / seconds));
}

/* Seconds of a call, of some in a row. */
static double seconds_of_turn(work *w, void (*call)(work *), int calls)
{
    const clockid_t clock = imaging_cpu_clock(w->clock);
    const double begin = bench_clock(clock);
    if (on_device(w->clock)) bench_device_begin();
    for (int i = 0; i < calls; i++) call(w);
    const double seconds = on_device(w->clock) ? bench_device_end() : bench_clock(clock) - begin;
    if (seconds < 0) fail("the GPU failed");
    return seconds / calls;
}

/* A turn on the CPU has calls for a millisecond: the system counts processor time in steps that a
 * short call may fall between. */
static int calls_of_turn(const imaging_clock *clock, double seconds)
{
    return on_device(clock) ? IMAGING_IN_A_ROW : (int)fmax(1, fmin(100, 1e-3 / seconds));
}

/* The least of the turns; the first call makes room, and loads the kernels of a device. */
static double least_seconds(work *w, void (*call)(work *))
{
    double least = HUGE_VAL;
    if (on_device(w->clock)) seconds_of_turn(w, call, 1);
    const double once = seconds_of_turn(w, call, 1);
    const int calls = calls_of_turn(w->clock, once), turns = imaging_turns(w->clock, calls * once);
    for (int k = 0; k < turns; k++) least = fmin(least, seconds_of_turn(w, call, calls));
    return least;
}

/* ---- Plans ---- */

static void find_boxes(work *w, int64_t side, const int64_t fine_grid[3])
{
    w->grid = (enuf_brick){.global = {fine_grid[0], fine_grid[1], 1},
                           .n = {fine_grid[0], fine_grid[1], 1},
                           .stride = {1, fine_grid[0], fine_grid[0] * fine_grid[1]}};
    w->modes = (enuf_spectral_box){.global_grid = {fine_grid[0], fine_grid[1], 1},
                                   .modes = {side, side, 1},
                                   .n = {side, side, 1},
                                   .axis_order = {1, 0, 2},
                                   .half_axis = -1};
}

static void place_samples(work *w, imaging_samples samples)
{
    const imaging_case *c = w->c;
    for (int d = 0; d < 2 && samples != IMAGING_RUNS; d++)
        w->k[d] = place(w->clock, (size_t)c->n * sizeof *c->k[d], c->k[d]);
    if (samples != IMAGING_RUNS) return;
    const imaging_runs here = imaging_case_runs(c);
    const size_t n = (size_t)here.runs;
    w->runs = (imaging_runs){here.runs, place(w->clock, n * sizeof *here.lengths, here.lengths),
                             place(w->clock, 2 * n * sizeof *here.start, here.start),
                             place(w->clock, 2 * n * sizeof *here.step, here.step)};
    free(here.lengths);
    free(here.start);
    free(here.step);
}

static work begin(const imaging_case *c, imaging_direction direction,
                  const enuf_nufft_options *method, imaging_samples samples,
                  const imaging_clock *clock, int coils, imaging_times *t)
{
    work w = {.clock = clock, .c = c, .direction = direction, .n = c->n};
    enuf_nufft_options options = *method;
    enuf_nufft_report report = {.struct_size = sizeof report};
    options.precision = ENUF_FLOAT;
    options.sign = -1; /* that of nufft_sample.h */
    options.batch = coils;
    options.backend = clock->backend;
    options.memory = on_device(clock) ? ENUF_DEVICE : ENUF_HOST;
    options.threads = clock->threads;
    check(enuf_nufft_create(&options, &w.plan));
    check(enuf_nufft_get_report(w.plan, &report));
    t->width = report.width;
    t->upsampling = report.upsampling;
    find_boxes(&w, c->side, report.fine_grid);
    place_samples(&w, samples);
    w.input = place_coils(clock, c->n, coils, imaging_case_input(c, direction));
    w.output = place_coils(clock, c->n, coils, NULL);
    set_points(&w);
    return w;
}

static void end(work *w)
{
    check(enuf_nufft_check(w->plan, NULL));
    enuf_nufft_destroy(&w->plan);
    for (int d = 0; d < 2; d++) release(w->clock, w->k[d]);
    release(w->clock, w->runs.lengths);
    release(w->clock, w->runs.start);
    release(w->clock, w->runs.step);
    release(w->clock, w->input);
    release(w->clock, w->output);
}

static double error_of(const imaging_case *c, const work *w)
{
    const size_t bytes = (size_t)(2 * c->n) * sizeof(float);
    void *found = allocate((int64_t)bytes, 1);
    if (on_device(w->clock))
        bench_device_read(found, w->output, bytes);
    else
        memcpy(found, w->output, bytes);
    const double error = imaging_case_error(c, w->direction, 1, found);
    free(found);
    return error;
}

/* ---- Parts ---- */

static void measure_parts_on_cpu(work *w, imaging_times *t)
{
    const enuf_nufft_stage convolution =
        w->direction == IMAGING_ADJOINT ? ENUF_STAGE_SPREAD : ENUF_STAGE_INTERPOLATE;
    double s[ENUF_STAGE_COUNT];
    const int turns = imaging_turns(w->clock, t->total);
    t->convolution = t->fft = t->deapodisation = HUGE_VAL;
    check(enuf_nufft_elapsed(w->plan, ENUF_STAGE_COUNT, s));
    for (int k = 0; k < turns; k++) {
        transform(w);
        check(enuf_nufft_elapsed(w->plan, ENUF_STAGE_COUNT, s));
        t->convolution = fmin(t->convolution, s[convolution]);
        t->fft = fmin(t->fft, s[ENUF_STAGE_FFT]);
        t->deapodisation = fmin(t->deapodisation, s[ENUF_STAGE_DECONVOLVE]);
    }
    const double share = t->total / (t->convolution + t->fft + t->deapodisation);
    t->convolution *= share;
    t->fft *= share;
    t->deapodisation *= share;
}

/* Deapodisation first: it leaves zeros zeros, spreading does not. */
static void measure_parts_on_device(work *w, imaging_times *t)
{
    const int64_t cells = w->grid.n[0] * w->grid.n[1];
    w->cells = place(w->clock, (size_t)(2 * cells) * sizeof(float), NULL);
    t->deapodisation = least_seconds(w, deapodise);
    t->convolution = least_seconds(w, convolve);
    t->fft = t->total - t->convolution - t->deapodisation;
    release(w->clock, w->cells);
}

imaging_times imaging_measure(const imaging_case *c, imaging_direction direction,
                              const enuf_nufft_options *method, imaging_samples samples,
                              const imaging_clock *clock)
{
    const int computed = samples == IMAGING_COMPUTED;
    imaging_times t = {0};
    for (int i = clock->n_coils - 1; i >= 0; i--) { /* one coil last: its method stays in `t` */
        work w = begin(c, direction, method, samples, clock, (int)clock->coils[i], &t);
        t.still[i] = least_seconds(&w, computed ? compute_and_transform : transform);
        t.moving[i] = computed ? t.still[i] : least_seconds(&w, set_and_transform);
        if (i == 0) {
            t.error = error_of(c, &w);
            t.total = t.still[0];
            t.setting = computed ? 0 : least_seconds(&w, set_points);
            if (on_device(clock))
                measure_parts_on_device(&w, &t);
            else
                measure_parts_on_cpu(&w, &t);
        }
        end(&w);
    }
    return t;
}
