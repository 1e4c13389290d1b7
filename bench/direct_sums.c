/* direct_sums.c - see direct_sums.h. SPDX-License-Identifier: BSD-3-Clause */
#include "direct_sums.h"
#include "arguments.h"
#include "direct_device.h"
#include "stopwatch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char PROGRAM[] = "direct";

enum { OUTPUTS = DIRECT_OUTPUTS };

static void check(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

/* ---- Arrays in either memory and precision ---- */

/* n numbers of `from` (NULL: room for them), `copies` times, in a precision and a memory. */
void *direct_place(int64_t n, int copies, const double *from, const direct_row *w)
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

void direct_release(void *array, const direct_row *w)
{
    if (w->memory == ENUF_HOST)
        free(array);
    else if (array)
        bench_device_free(array);
}

/* The first n numbers of an array, as doubles. */
double *direct_read(int64_t n, void *array, const direct_row *w)
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

static enuf_direct *make_sums(const bench_scan *s, const direct_request *r, const direct_row *w)
{
    const direct_row in_double = {.precision = ENUF_DOUBLE, .memory = w->memory};
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
        k[d] = direct_place(s->samples, 1, s->k[d], &in_double);
        gradient[d] = direct_place(s->pixels, 1, s->gradient[d], &in_double);
    }
    double *times = direct_place(s->samples, 1, s->times, &in_double);
    double *omega = direct_place(s->pixels, 1, s->omega, &in_double);
    double *decay = direct_place(s->pixels, 1, s->decay, &in_double);
    check(enuf_direct_create(&o, &sums));
    check(enuf_direct_set_samples(sums, s->samples, k[0], k[1], k[2], 1, times));
    check(enuf_direct_set_pixel_grid(sums, counts, NULL, NULL));
    set_maps(s, sums, omega, decay, gradient);
    check(enuf_direct_check(sums, NULL));
    for (int d = 0; d < 3; d++) {
        direct_release(k[d], &in_double);
        direct_release(gradient[d], &in_double);
    }
    direct_release(times, &in_double);
    direct_release(omega, &in_double);
    direct_release(decay, &in_double);
    return sums;
}

/* Relative l2 error at some outputs, by sums over them alone, in double on the CPU. */
double direct_error(const bench_scan *s, int adjoint, const double *found)
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
clockid_t direct_clock(const direct_request *r, const direct_row *w)
{
    return r->threads == 1 && w->backend == ENUF_BACKEND_CPU ? CLOCK_THREAD_CPUTIME_ID
                                                             : CLOCK_MONOTONIC;
}

double direct_time(const bench_scan *s, const direct_request *r, const direct_row *w, double *error)
{
    const int64_t in = 2 * (w->adjoint ? s->samples : s->pixels);
    const int64_t out = 2 * (w->adjoint ? s->pixels : s->samples);
    void *input = direct_place(in, r->batch, w->adjoint ? s->values : s->image, w);
    void *output = direct_place(out, r->batch, NULL, w);
    enuf_direct *sums = make_sums(s, r, w);
    double best = HUGE_VAL;
    for (int k = 0; k < r->repeats + 1; k++) { /* the first one makes room */
        const double start = bench_clock(direct_clock(r, w));
        check(w->adjoint ? enuf_direct_adjoint(sums, input, output)
                         : enuf_direct_forward(sums, input, output, NULL));
        check(enuf_direct_check(sums, NULL));
        if (k > 0) best = fmin(best, bench_clock(direct_clock(r, w)) - start);
    }
    enuf_direct_destroy(&sums);
    double *found = direct_read(out, output, w);
    *error = direct_error(s, w->adjoint, found);
    free(found);
    direct_release(input, w);
    direct_release(output, w);
    return best;
}
