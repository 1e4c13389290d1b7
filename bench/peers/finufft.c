/*
 * finufft.c - see finufft.h. Calls and options as in the documented C interface (guru mode) of
 * FINUFFT 2.5 and 2.6.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "finufft.h"
#include "library.h"
#include "stopwatch.h"
#include "symbol.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The first fields of the options in the documented order; nthreads and showwarn are set here. */
typedef struct peer_options {
    int modeord, spreadinterponly, debug, spread_debug, showwarn, nthreads, fftw, spread_sort;
    int spread_kerevalmeth, spread_kerpad;
    double upsampfac;
    char rest[256];
} peer_options;

typedef void (*default_function)(peer_options *);
typedef int (*make_function)(int, int, const int64_t *, int, int, double, void **, peer_options *);
typedef int (*make_function_f)(int, int, const int64_t *, int, int, float, void **, peer_options *);
typedef int (*points_function)(void *, int64_t, const void *, const void *, const void *, int64_t,
                               const void *, const void *, const void *);
typedef int (*execute_function)(void *, void *, void *);
typedef int (*destroy_function)(void *);

static struct {
    default_function defaults[2];
    make_function make;
    make_function_f make_f;
    points_function points[2];
    execute_function execute[2];
    destroy_function destroy[2];
    char description[512];
} peer;

const char *finufft_open(void)
{
    void *library = peer_library_open("finufft");
    if (!library)
        return "FINUFFT is not installed: build it (docs/benchmarks.md) or pip install finufft, "
               "then "
               "set FINUFFT_LIBRARY to its libfinufft.so";
    peer_library_describe(library, "finufft", peer.description, sizeof peer.description);
    int found = peer_symbol(library, "finufft_default_opts", &peer.defaults[0]) &&
                peer_symbol(library, "finufftf_default_opts", &peer.defaults[1]) &&
                peer_symbol(library, "finufft_makeplan", &peer.make) &&
                peer_symbol(library, "finufftf_makeplan", &peer.make_f) &&
                peer_symbol(library, "finufft_setpts", &peer.points[0]) &&
                peer_symbol(library, "finufftf_setpts", &peer.points[1]) &&
                peer_symbol(library, "finufft_execute", &peer.execute[0]) &&
                peer_symbol(library, "finufftf_execute", &peer.execute[1]) &&
                peer_symbol(library, "finufft_destroy", &peer.destroy[0]) &&
                peer_symbol(library, "finufftf_destroy", &peer.destroy[1]);
    return found ? NULL : "this libfinufft.so lacks the guru interface";
}

const char *finufft_description(void)
{
    return peer.description;
}

/* The status if it is an error, else 0; status 1 is a warning. */
static int error_of(int status)
{
    return status > 1 || status < 0 ? status : 0;
}

static int make_plan(const finufft_problem *p, void **plan)
{
    const int f = p->single, sign = p->type == 2 ? 1 : -1;
    peer_options options;
    memset(&options, 0, sizeof options);
    peer.defaults[f](&options);
    options.nthreads = p->threads;
    options.showwarn = 0;
    return error_of(
        f ? peer.make_f(p->type, p->dim, p->modes, sign, 1, (float)p->tolerance, plan, &options)
          : peer.make(p->type, p->dim, p->modes, sign, 1, p->tolerance, plan, &options));
}

/* Sets points (and targets) and executes, once. Returns the status of the failed call, or 0. */
static int run(const finufft_problem *p, void *plan, const void *data, void *result,
               finufft_times *best)
{
    const int f = p->single;
    void *input = (void *)(uintptr_t)data;
    const clockid_t clock = p->processor_time ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
    const double start = bench_clock(clock);
    int status = error_of(peer.points[f](plan, p->n, p->radians[0], p->radians[1], p->radians[2],
                                         p->type == 3 ? p->n : 0, p->targets[0], p->targets[1],
                                         p->targets[2]));
    if (status) return status;
    const double between = bench_clock(clock);
    status = error_of(p->type == 2 ? peer.execute[f](plan, result, input)
                                   : peer.execute[f](plan, input, result));
    const double end = bench_clock(clock);
    best->seconds = fmin(best->seconds, end - start);
    best->execute = fmin(best->execute, end - between);
    return status;
}

finufft_times finufft_time(const finufft_problem *p, const void *data, void *result, int repeats)
{
    finufft_times best = {.seconds = HUGE_VAL, .execute = HUGE_VAL};
    void *plan = NULL;
    best.status = make_plan(p, &plan);
    const int made = best.status == 0 && plan; /* a refused plan must not be destroyed */
    for (int k = 0; made && best.status == 0 && k < repeats; k++)
        best.status = run(p, plan, data, result, &best);
    if (made) peer.destroy[p->single](plan);
    if (!made || best.status) best.seconds = best.execute = -1;
    return best;
}
