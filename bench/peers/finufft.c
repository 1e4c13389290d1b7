/*
 * finufft.c - see finufft.h. The calls and the options' layout are those of FINUFFT 2.5's
 * documented C interface (guru mode), 2.5 and 2.6. SPDX-License-Identifier: BSD-3-Clause
 */
#include "finufft.h"
#include "symbol.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Fields in the documented order; only three of them are set here. */
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
} peer;

const char *finufft_open(void)
{
    const char *path = getenv("FINUFFT_LIBRARY");
    void *library = dlopen(path ? path : "libfinufft.so", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return "FINUFFT is not installed: pip install finufft==2.5.1, then set FINUFFT_LIBRARY to "
               "its "
               "libfinufft.so";
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

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Coordinates in its units, radians in [-pi, pi), in its precision. */
static void *radians(const double *x, int64_t n, int single)
{
    void *out = malloc((size_t)n * (single ? sizeof(float) : sizeof(double)));
    for (int64_t i = 0; out && i < n; i++) {
        double r = 6.283185307179586 * (x[i] < 0.5 ? x[i] : x[i] - 1);
        if (single)
            ((float *)out)[i] = (float)r;
        else
            ((double *)out)[i] = r;
    }
    return out;
}

/* 1 is a warning. */
static int is_error(int status)
{
    return status > 1 || status < 0;
}

/* Set points and execute, once: what the call that failed returned, or 0. */
static int run(const peer_problem *p, void *plan, void *const x[3], const void *data, void *result)
{
    const int f = p->single;
    int status = peer.points[f](plan, p->n, x[0], x[1], x[2], 0, NULL, NULL, NULL);
    if (is_error(status)) return status;
    void *given = (void *)(uintptr_t)data;
    status =
        p->type == 1 ? peer.execute[f](plan, given, result) : peer.execute[f](plan, result, given);
    return is_error(status) ? status : 0;
}

double finufft_time(const peer_problem *p, const void *data, void *result, int repeats, int *status)
{
    const int f = p->single, sign = p->type == 1 ? -1 : 1;
    peer_options options;
    void *plan = NULL;
    void *x[3] = {radians(p->x, p->n, f), radians(p->y, p->n, f), radians(p->z, p->n, f)};
    memset(&options, 0, sizeof options);
    peer.defaults[f](&options);
    options.nthreads = p->threads;
    options.showwarn = 0;
    if (p->upsampling > 0) options.upsampfac = p->upsampling;
    *status = f ? peer.make_f(p->type, 3, p->modes, sign, 1, (float)p->tolerance, &plan, &options)
                : peer.make(p->type, 3, p->modes, sign, 1, p->tolerance, &plan, &options);
    if (!is_error(*status)) *status = 0;
    const int made = *status == 0 && plan; /* a plan that was refused is the peer's to free */
    double best = made && x[0] && x[1] && x[2] ? 1e30 : -1;
    for (int k = 0; best > 0 && k < repeats; k++) {
        const double start = now();
        *status = run(p, plan, x, data, result);
        const double seconds = now() - start;
        best = *status ? -1 : seconds < best ? seconds : best;
    }
    if (made) peer.destroy[f](plan);
    for (int d = 0; d < 3; d++) free(x[d]);
    return best;
}
