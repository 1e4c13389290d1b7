/* direct_peers.c - see direct_peers.h. SPDX-License-Identifier: BSD-3-Clause */
#include "direct_peers.h"
#include "arguments.h"
#include "direct_device.h"
#include "peers/bart.h"
#include "peers/nfft3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char PROGRAM[] = "direct";

static struct {
    int nfft3, bart; /* it is here */
    char description[1024];
} peers;

const char *direct_open_peers(void)
{
    const char *const missing[2] = {nfft3_open(), bart_open()};
    peers.nfft3 = !missing[0];
    peers.bart = !missing[1];
    snprintf(peers.description, sizeof peers.description, "%s; %s",
             peers.nfft3 ? nfft3_description() : missing[0],
             peers.bart ? bart_description() : missing[1]);
    return peers.description;
}

static void check_peer(const char *name, double most, double error)
{
    if (!(error < most))
        bench_die(PROGRAM, "%s and enuf sum different things: they differ by %g", name, error);
}

static double time_nfft3(const bench_scan *s, const direct_request *r, const direct_row *w)
{
    const int adjoint = w->adjoint;
    nfft3_problem p = {.dim = s->dim, .n = s->samples, .clock = direct_clock(r, w)};
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
        nfft3_time(&p, adjoint, adjoint ? s->values : s->image, result, r->repeats).execute;
    check_peer("NFFT3", 1e-6, direct_error(s, adjoint, result));
    for (int d = 0; d < s->dim; d++) free(x[d]);
    free(result);
    return seconds;
}

static double time_bart(const bench_scan *s, const direct_request *r, const direct_row *w)
{
    const int64_t out = 2 * (w->adjoint ? s->pixels : s->samples);
    bart_problem p = {.dim = s->dim, .edge = s->edge, .n = s->samples, .adjoint = w->adjoint};
    double *result = malloc((size_t)out * sizeof *result);
    if (!result) bench_die(PROGRAM, "not enough memory");
    for (int d = 0; d < s->dim; d++) p.k[d] = s->k[d];
    p.processor_time = r->threads == 1;
    p.input = w->adjoint ? s->values : s->image;
    p.result = result;
    const double seconds = bart_time(&p, r->repeats);
    if (seconds > 0) check_peer("BART", 1e-2, direct_error(s, w->adjoint, result));
    free(result);
    return seconds > 0 ? seconds : NAN;
}

static double time_plain(const bench_scan *s, const direct_request *r, const direct_row *w)
{
    const direct_row single = {.precision = ENUF_FLOAT, .memory = ENUF_DEVICE};
    const int64_t out = 2 * (w->adjoint ? s->pixels : s->samples);
    double *node = malloc((size_t)s->pixels * sizeof *node);
    void *arrays[16];
    int n = 0;
    bench_plain_sum p = {
        .dim = s->dim, .adjoint = w->adjoint, .pixels = s->pixels, .samples = s->samples};
    if (!node) bench_die(PROGRAM, "not enough memory");
    for (int64_t d = 0, step = 1; d < s->dim; d++, step *= s->edge) {
        for (int64_t i = 0; i < s->pixels; i++)
            node[i] = ((double)(i / step % s->edge) - (double)(s->edge / 2)) / (double)s->edge;
        p.k[d] = arrays[n++] = direct_place(s->samples, 1, s->k[d], &single);
        p.r[d] = arrays[n++] = direct_place(s->pixels, 1, node, &single);
        if (s->kind == BENCH_GRADIENTS)
            p.gradient[d] = arrays[n++] = direct_place(s->pixels, 1, s->gradient[d], &single);
        p.voxel[d] = s->voxel[d];
    }
    p.times = arrays[n++] = direct_place(s->samples, 1, s->times, &single);
    if (s->kind != BENCH_PLAIN)
        p.omega = arrays[n++] = direct_place(s->pixels, 1, s->omega, &single);
    p.input = arrays[n++] = direct_place(2 * (w->adjoint ? s->samples : s->pixels), 1,
                                         w->adjoint ? s->values : s->image, &single);
    p.output = arrays[n++] = direct_place(out, 1, NULL, &single);
    const double seconds = bench_plain_time(&p, r->repeats);
    double *found = direct_read(out, p.output, &single);
    check_peer("a thread an output", 1e-2, direct_error(s, w->adjoint, found));
    free(found);
    for (int k = 0; k < n; k++) direct_release(arrays[k], &single);
    free(node);
    return seconds;
}

double direct_time_peer(const bench_scan *s, const direct_request *r, const direct_row *w,
                        const char **name)
{
    const int single = w->precision == ENUF_FLOAT, plain = s->kind == BENCH_PLAIN;
    *name = "";
    if (peers.nfft3 && w->backend == ENUF_BACKEND_CPU && plain && !single) {
        *name = "nfft3";
        return time_nfft3(s, r, w);
    }
    if (peers.bart && w->backend == ENUF_BACKEND_CPU && plain && single) {
        *name = "bart";
        return time_bart(s, r, w);
    }
    if (w->memory == ENUF_DEVICE && single && s->kind != BENCH_DECAY) {
        *name = "thread an output";
        return time_plain(s, r, w);
    }
    return NAN;
}
