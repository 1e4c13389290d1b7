/*
 * test_concurrency.c - different objects may be used by different threads at the same time.
 *
 * The jobs are 6 transforms (1D to 3D) and 5 Ewald sums, all of 240 ions. Each job makes, uses and
 * destroys an object. The reference is each job on one thread while no other runs. Then 4 threads
 * run all jobs at once: as POSIX threads, and in an OpenMP parallel region. Last, objects are made
 * by one thread, used by a second and destroyed by a third. A deterministic job has equal bits; any
 * other differs by at most N roundings of its precision (relative l2). Each thread reads the text
 * of its own last error, and lines of the log come from the thread that called.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "random_system.h"

#include "enuf/ewald.h"
#include "enuf/nufft.h"

#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 240, MODES = 1024, THREADS = 4, NUMBERS = 2 * MODES + 4 * N };

static const double cell[9] = {14, 0, 0, 2, 13, 0, -1, 3, 15};
static double positions[3 * N], charges[N], strengths[2 * N];
static float strengths_f32[2 * N];
static const char *wisdom[] = {"concurrency.f64.wisdom", "concurrency.f32.wisdom"};

/* The results of a job, and the bound of their difference from the reference. */
typedef struct outcome {
    enuf_status status;
    double bound; /* relative l2; 0: equal bits */
    double number[NUMBERS];
} outcome;

#define TRY(call)                                                                                  \
    do {                                                                                           \
        if (status == ENUF_SUCCESS) status = (call);                                               \
    } while (0)

/* ---- NUFFT: type 1, and back ---- */

static const struct {
    int dim;
    int64_t modes[3];
    enuf_precision precision;
    enuf_strengths strengths;
    enuf_window window;
    int deterministic, threads;
    enuf_fft_effort effort; /* above ESTIMATE: FFTW's plans share a file of wisdom */
} transforms[] = {
    {1, {900}, ENUF_DOUBLE, ENUF_COMPLEX_STRENGTHS, ENUF_WINDOW_PROLATE, 0, 2, ENUF_FFT_MEASURE},
    {2, {30, 32}, ENUF_DOUBLE, ENUF_REAL_STRENGTHS, ENUF_WINDOW_PROLATE, 1, 2, ENUF_FFT_ESTIMATE},
    {2, {32, 30}, ENUF_FLOAT, ENUF_COMPLEX_STRENGTHS, ENUF_WINDOW_ES, 0, 1, ENUF_FFT_MEASURE},
    {3,
     {10, 9, 11},
     ENUF_DOUBLE,
     ENUF_COMPLEX_STRENGTHS,
     ENUF_WINDOW_KAISER_BESSEL,
     0,
     3,
     ENUF_FFT_MEASURE},
    {3,
     {10, 10, 10},
     ENUF_DOUBLE,
     ENUF_REAL_STRENGTHS,
     ENUF_WINDOW_PROLATE,
     1,
     2,
     ENUF_FFT_ESTIMATE},
    {3,
     {8, 12, 10},
     ENUF_FLOAT,
     ENUF_REAL_STRENGTHS,
     ENUF_WINDOW_GAUSSIAN,
     1,
     1,
     ENUF_FFT_ESTIMATE},
};
enum { TRANSFORMS = sizeof transforms / sizeof *transforms };

static enuf_status make_transform(int k, enuf_nufft **plan)
{
    enuf_nufft_options options;
    enuf_nufft_options_init(&options);
    options.dim = transforms[k].dim;
    memcpy(options.modes, transforms[k].modes, sizeof options.modes);
    options.precision = transforms[k].precision;
    options.strengths = transforms[k].strengths;
    options.window = transforms[k].window;
    options.deterministic = transforms[k].deterministic;
    options.threads = transforms[k].threads;
    options.fft_effort = transforms[k].effort;
    const enuf_status status = enuf_fft_find(ENUF_FFT_AUTO, &options.fft);
    if (status != ENUF_SUCCESS) return status;
    if (options.fft_effort != ENUF_FFT_ESTIMATE && options.fft == ENUF_FFT_FFTW)
        options.fft_wisdom = wisdom[options.precision == ENUF_FLOAT];
    options.tolerance = 1e-5;
    options.period = 14;
    return enuf_nufft_create(&options, plan);
}

static enuf_status use_transform(int k, enuf_nufft *plan, outcome *o)
{
    const int single = transforms[k].precision == ENUF_FLOAT, dim = transforms[k].dim;
    const int real = transforms[k].strengths == ENUF_REAL_STRENGTHS;
    int64_t modes = real ? (transforms[k].modes[0] + 1) / 2 : transforms[k].modes[0];
    for (int d = 1; d < dim; d++) modes *= transforms[k].modes[d];
    const int64_t values = real ? N : 2 * N;
    float numbers_f32[NUMBERS] = {0};
    void *found = single ? (void *)numbers_f32 : o->number;
    void *back = single ? (void *)(numbers_f32 + 2 * modes) : o->number + 2 * modes;
    const double *x = positions;
    enuf_status status =
        enuf_nufft_set_points(plan, N, x, dim > 1 ? x + 1 : NULL, dim > 2 ? x + 2 : NULL, 3);
    TRY(enuf_nufft_type1(plan, single ? (void *)strengths_f32 : strengths, found));
    TRY(enuf_nufft_type2(plan, found, back, NULL));
    for (int64_t j = 0; single && j < 2 * modes + values; j++)
        o->number[j] = (double)numbers_f32[j];
    /* rounding of sums of N terms in another order; the FFT may be planned differently, too */
    o->bound = transforms[k].deterministic ? 0 : N * (single ? 0x1p-24 : 0x1p-53);
    return status;
}

static enuf_status transform_job(int k, outcome *o)
{
    enuf_nufft *plan = NULL;
    enuf_status status = make_transform(k, &plan);
    TRY(use_transform(k, plan, o));
    enuf_nufft_destroy(&plan);
    return status;
}

/* ---- Ewald ---- */

static const struct {
    enuf_split split;
    double accuracy;
    enuf_arithmetic arithmetic;
    int deterministic, threads;
    int in_halves; /* by begin and finish instead of compute */
    int tuned;     /* parameters are chosen by enuf_ewald_tune() at the positions */
} sums[] = {
    {ENUF_SPLIT_AUTO, 1e-4, ENUF_ARITHMETIC_MIXED, 0, 2, 0, 0},
    {ENUF_SPLIT_GAUSSIAN, 1e-6, ENUF_ARITHMETIC_DOUBLE, 1, 2, 0, 0},
    {ENUF_SPLIT_PROLATE, 1e-8, ENUF_ARITHMETIC_DOUBLE, 1, 1, 1, 0},
    {ENUF_SPLIT_GAUSSIAN, 1e-5, ENUF_ARITHMETIC_DOUBLE, 0, 2, 1, 1},
    {ENUF_SPLIT_PROLATE, 1e-4, ENUF_ARITHMETIC_MIXED, 1, 3, 0, 0},
};
enum { SUMS = sizeof sums / sizeof *sums, JOBS = TRANSFORMS + SUMS };

/* Counts the lines of the log that other threads than the caller's write. */
typedef struct listener {
    pthread_t caller;
    int lines, from_others;
} listener;

static void listen(void *context, const char *text)
{
    listener *l = context;
    l->lines += text[0] != '\0';
    l->from_others += !pthread_equal(l->caller, pthread_self());
}

static enuf_status make_sum(int k, listener *log, enuf_ewald **ewald)
{
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.split = sums[k].split;
    options.accuracy = sums[k].accuracy;
    options.arithmetic = sums[k].arithmetic;
    options.deterministic = sums[k].deterministic;
    options.threads = sums[k].threads;
    options.log = log ? listen : NULL;
    options.log_context = log;
    enuf_status status = enuf_ewald_create(&options, ewald);
    TRY(enuf_ewald_set_cell(*ewald, cell));
    TRY(enuf_ewald_set_charges(*ewald, N, charges, NULL));
    return status;
}

static enuf_status use_sum(int k, enuf_ewald *ewald, outcome *o)
{
    const int wanted = ENUF_WANT_ENERGY | ENUF_WANT_FORCES | ENUF_WANT_VIRIAL | ENUF_WANT_POTENTIAL;
    enuf_ewald_result result = {.struct_size = sizeof result};
    enuf_ewald_report report = {.struct_size = sizeof report};
    enuf_status status = ENUF_SUCCESS;
    result.forces = o->number;
    result.potential = o->number + 3 * N;
    if (sums[k].tuned) TRY(enuf_ewald_tune(ewald, positions, 3));
    if (sums[k].in_halves) {
        TRY(enuf_ewald_begin(ewald, positions, 3, wanted, &result));
        TRY(enuf_ewald_finish(ewald));
    } else {
        TRY(enuf_ewald_compute(ewald, positions, 3, wanted, &result));
    }
    TRY(enuf_ewald_get_report(ewald, &report));
    double *at = o->number + 4 * N;
    *at++ = result.energy;
    memcpy(at, result.virial, sizeof result.virial);
    at[6] = report.cutoff;
    at[7] = report.kmax;
    /* rounding of sums of N terms in another order; the parameters are equal */
    o->bound = sums[k].deterministic                         ? 0
               : sums[k].arithmetic == ENUF_ARITHMETIC_MIXED ? N * 0x1p-24
                                                             : N * 0x1p-53;
    return status;
}

static enuf_status sum_job(int k, outcome *o)
{
    enuf_ewald *ewald = NULL;
    listener log = {.caller = pthread_self()};
    enuf_status status = make_sum(k, &log, &ewald);
    TRY(use_sum(k, ewald, o));
    enuf_ewald_destroy(&ewald);
    return log.from_others ? ENUF_INTERNAL : status;
}

/* ---- One thread alone, and several at once ---- */

static outcome alone[JOBS];

static void run(int job, outcome *o)
{
    *o = (outcome){0};
    o->status = job < TRANSFORMS ? transform_job(job, o) : sum_job(job - TRANSFORMS, o);
}

/* The difference from the reference, in units of the bound; infinite for a job that failed, or that
 * is deterministic and has other bits. */
static double difference_over_bound(int job, const outcome *o)
{
    const outcome *reference = &alone[job];
    double difference = 0, size = 0;
    if (o->status != ENUF_SUCCESS) return INFINITY;
    if (reference->bound == 0)
        return memcmp(o->number, reference->number, sizeof o->number) == 0 ? 0 : INFINITY;
    for (int j = 0; j < NUMBERS; j++) {
        const double d = o->number[j] - reference->number[j];
        difference += d * d;
        size += reference->number[j] * reference->number[j];
    }
    return sqrt(difference / size) / reference->bound;
}

/* One of the threads. Each begins with another job, and once makes an error between two jobs. */
typedef struct caller {
    int number, repeats;
    pthread_barrier_t *together; /* the threads begin each job together; NULL: they do not wait */
    double worst[JOBS];
    int errors_of_others;
} caller;

/* Asks for a value that only this thread asks for. 1 if the error text names this value, also after
 * a successful call in between. */
static int reads_its_own_error(int number, int repeat)
{
    char value[32];
    enuf_nufft_options options;
    enuf_ewald_options ewald_options;
    enuf_nufft *plan = NULL;
    enuf_ewald *ewald = NULL;
    outcome ignored;
    enuf_nufft_options_init(&options);
    enuf_ewald_options_init(&ewald_options);
    options.dim = 1000 + 10 * number + repeat;
    ewald_options.threads = -options.dim;
    snprintf(value, sizeof value, "%d", options.dim);
    if (enuf_nufft_create(&options, &plan) != ENUF_BAD_ARGUMENT) return 0;
    run(0, &ignored); /* a success leaves the text */
    const int is_own = strstr(enuf_last_error(), value) != NULL;
    if (enuf_ewald_create(&ewald_options, &ewald) != ENUF_BAD_ARGUMENT) return 0;
    return is_own && strstr(enuf_last_error(), value) != NULL;
}

static void *call(void *argument)
{
    caller *c = argument;
    outcome *o = malloc(sizeof *o);
    if (!o) abort();
    for (int repeat = 0; repeat < c->repeats; repeat++)
        for (int k = 0; k < JOBS; k++) {
            const int job = (k + 3 * c->number) % JOBS;
            if (c->together) pthread_barrier_wait(c->together);
            run(job, o);
            c->worst[job] = fmax(c->worst[job], difference_over_bound(job, o));
            if (k == c->number) c->errors_of_others += !reads_its_own_error(c->number, repeat);
        }
    free(o);
    return NULL;
}

static void check_callers(const caller callers[THREADS], const char *who)
{
    char text[128];
    int others = 0;
    for (int job = 0; job < JOBS; job++) {
        double worst = 0;
        for (int c = 0; c < THREADS; c++) worst = fmax(worst, callers[c].worst[job]);
        snprintf(text, sizeof text, "%s: %s %d, difference over %.1e", who,
                 job < TRANSFORMS ? "transform" : "sum", job < TRANSFORMS ? job : job - TRANSFORMS,
                 alone[job].bound);
        CHECK_BELOW(worst, 1, text);
    }
    for (int c = 0; c < THREADS; c++) others += callers[c].errors_of_others;
    snprintf(text, sizeof text, "%s: texts of errors that were not the caller's own", who);
    CHECK_BELOW(others, 0.5, text);
}

static void threads_at_once(int repeats)
{
    caller callers[THREADS] = {{0}};
    pthread_t thread[THREADS];
    pthread_barrier_t together;
    pthread_barrier_init(&together, NULL, THREADS);
    for (int k = 0; k < THREADS; k++) {
        callers[k] = (caller){.number = k, .repeats = repeats, .together = &together};
        if (!CHECK(pthread_create(&thread[k], NULL, call, &callers[k]) == 0)) exit(CHECK_FAILED);
    }
    for (int k = 0; k < THREADS; k++) pthread_join(thread[k], NULL);
    pthread_barrier_destroy(&together);
    check_callers(callers, "threads");
}

/* levels 1: parallel regions of the library inside this one get one thread; 2: they get several. */
static void parallel_region(int levels)
{
    caller callers[THREADS] = {{0}};
    omp_set_max_active_levels(levels);
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
    for (int k = 0; k < THREADS; k++) {
        callers[k] = (caller){.number = k, .repeats = 1};
        call(&callers[k]);
    }
    omp_set_max_active_levels(1);
    check_callers(callers, levels == 1 ? "parallel region" : "nested parallel region");
}

/* ---- Made by one thread, used by a second, destroyed by a third ---- */

typedef struct relay {
    int step;
    enuf_nufft *plan[TRANSFORMS];
    enuf_ewald *ewald[SUMS];
    double worst;
} relay;

static void *run_leg(void *argument)
{
    relay *r = argument;
    outcome *o = malloc(sizeof *o);
    if (!o) abort();
    for (int k = 0; k < JOBS; k++) {
        const int s = k - TRANSFORMS;
        *o = (outcome){0};
        if (r->step == 0)
            o->status = s < 0 ? make_transform(k, &r->plan[k]) : make_sum(s, NULL, &r->ewald[s]);
        else if (r->step == 1)
            o->status = s < 0 ? use_transform(k, r->plan[k], o) : use_sum(s, r->ewald[s], o);
        else if (s < 0)
            enuf_nufft_destroy(&r->plan[k]);
        else
            enuf_ewald_destroy(&r->ewald[s]);
        if (o->status != ENUF_SUCCESS)
            r->worst = INFINITY;
        else if (r->step == 1)
            r->worst = fmax(r->worst, difference_over_bound(k, o));
    }
    free(o);
    return NULL;
}

static void objects_go_from_thread_to_thread(void)
{
    relay r = {0};
    for (r.step = 0; r.step < 3; r.step++) {
        pthread_t thread;
        if (!CHECK(pthread_create(&thread, NULL, run_leg, &r) == 0)) return;
        pthread_join(thread, NULL);
    }
    CHECK_BELOW(r.worst, 1, "objects made, used and destroyed by three threads, difference");
}

static void forget_wisdom(void)
{
    for (int k = 0; k < 2; k++) remove(wisdom[k]);
}

int main(void)
{
    random_ions(11, N, cell, 1.2, positions, charges);
    random_numbers(12, (int64_t)2 * N, -1, 1, strengths);
    for (int j = 0; j < 2 * N; j++) strengths_f32[j] = (float)strengths[j];
    forget_wisdom();
    for (int job = 0; job < JOBS; job++) {
        run(job, &alone[job]);
        CHECK_STATUS(alone[job].status, ENUF_SUCCESS);
    }
    forget_wisdom(); /* now several threads measure and write it at once */
    threads_at_once(2);
    parallel_region(1);
    parallel_region(2);
    objects_go_from_thread_to_thread();
    forget_wisdom();
    return check_result();
}
