/* scan.c - see scan.h. SPDX-License-Identifier: BSD-3-Clause */
#include "scan.h"

#include "random_system.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

static const long double PI_LONG = 3.14159265358979323846264338327950288L;

enuf_direct_options scan_options(int dim, enuf_precision precision)
{
    enuf_direct_options options;
    enuf_direct_options_init(&options);
    options.dim = dim;
    options.precision = precision;
    options.backend = conformance_options(1, 1, 0, 0).backend;
    return options;
}

static double *drawn(uint64_t seed, int64_t n, double lo, double hi)
{
    double *numbers = numbers_make(ENUF_DOUBLE, n);
    random_numbers(seed, n, lo, hi, numbers);
    return numbers;
}

static scan make(const enuf_direct_options *options, int kind, int64_t samples, int64_t pixels,
                 double turns, uint64_t seed)
{
    static const double LAST = 0.03; /* s */
    scan s = {.options = *options, .kind = kind, .samples = samples, .pixels = pixels};
    for (int d = 0; d < options->dim; ++d)
        s.k[d] = drawn(seed + 1 + (uint64_t)d, samples, -2 * turns, 2 * turns);
    s.times = drawn(seed + 4, samples, -0.1 * LAST, LAST);
    if (kind & SCAN_FIELD)
        s.omega = drawn(seed + 8, pixels, -6.28 * turns / LAST, 6.28 * turns / LAST);
    if (kind & SCAN_DECAY) s.decay = drawn(seed + 9, pixels, 0, 2 / LAST);
    for (int d = 0; d < options->dim && kind & SCAN_VOXEL; ++d) {
        s.voxel[d] = (0.5 + 0.25 * d) / (2 * turns);
        if (kind & 8) s.gradient[d] = drawn(seed + 10 + (uint64_t)d, pixels, -1 / LAST, 1 / LAST);
    }
    s.image = numbers_random(options->precision, 2 * options->batch * pixels, seed + 20);
    s.values = numbers_random(options->precision, 2 * options->batch * samples, seed + 21);
    return s;
}

scan scan_make(const enuf_direct_options *options, int kind, int64_t samples, int64_t pixels,
               double turns, uint64_t seed)
{
    scan s = make(options, kind, samples, pixels, turns, seed);
    for (int d = 0; d < options->dim; ++d)
        s.r[d] = drawn(seed + 5 + (uint64_t)d, pixels, -0.5, 0.5);
    return s;
}

scan scan_on_grid(const enuf_direct_options *options, int kind, int64_t samples,
                  const int64_t counts[3], uint64_t seed)
{
    int64_t pixels = 1;
    for (int d = 0; d < options->dim; ++d) pixels *= counts[d];
    scan s = make(options, kind, samples, pixels, 0.25 * (double)counts[0], seed);
    for (int64_t step = 1, d = 0; d < options->dim; step *= s.counts[d++]) {
        const double spacing = 1 / (double)counts[d], first = -(double)(counts[d] / 2) * spacing;
        s.counts[d] = counts[d];
        s.r[d] = numbers_make(ENUF_DOUBLE, pixels);
        for (int64_t k = 0; k < pixels; ++k)
            s.r[d][k] = first + (double)(k / step % counts[d]) * spacing;
    }
    return s;
}

void scan_free(scan *s)
{
    for (int d = 0; d < 3; ++d) {
        free(s->k[d]);
        free(s->r[d]);
        free(s->gradient[d]);
    }
    free(s->times);
    free(s->omega);
    free(s->decay);
    free(s->image);
    free(s->values);
}

static enuf_status set_all(const scan *s, enuf_direct *sums)
{
    enuf_status status =
        enuf_direct_set_samples(sums, s->samples, s->k[0], s->k[1], s->k[2], 1, s->times);
    if (status == ENUF_SUCCESS)
        status = s->counts[0] > 0
                     ? enuf_direct_set_pixel_grid(sums, s->counts, NULL, NULL)
                     : enuf_direct_set_pixels(sums, s->pixels, s->r[0], s->r[1], s->r[2], 1);
    if (status == ENUF_SUCCESS && s->kind)
        status = enuf_direct_set_field(sums, s->pixels, s->omega, s->decay,
                                       s->kind & 8 ? (const double *const *)s->gradient : NULL,
                                       s->kind & SCAN_VOXEL ? s->voxel : NULL);
    return status;
}

enuf_direct *scan_object(const scan *s, const enuf_direct_options *options)
{
    enuf_direct *sums = NULL;
    if (CHECK_STATUS(enuf_direct_create(options, &sums), ENUF_SUCCESS) &&
        !CHECK_STATUS(set_all(s, sums), ENUF_SUCCESS))
        enuf_direct_destroy(&sums);
    return sums;
}

/* sinc(x) and its derivative */
static long double sinc(long double x, long double *slope)
{
    const long double u = PI_LONG * x;
    if (fabsl(u) < 1e-3L) {
        *slope = PI_LONG * u * (-1 / 3.0L + u * u / 30 - u * u * u * u / 840);
        return 1 - u * u / 6 + u * u * u * u / 120;
    }
    *slope = (cosl(u) - sinl(u) / u) / x;
    return sinl(u) / u;
}

/* The factor of a pair, and its derivatives along the sample's place. */
static long double complex factor_of(const scan *s, int64_t j, int64_t k,
                                     long double complex slope[3])
{
    const int dim = s->options.dim, sign = s->options.sign;
    const long double t = s->times[j];
    long double turns = 0, size = 1, mean[3] = {1, 1, 1}, mean_slope[3] = {0, 0, 0};
    for (int d = 0; d < dim; ++d) turns += (long double)s->k[d][j] * s->r[d][k];
    if (s->omega) turns += s->omega[k] * t / (2 * PI_LONG);
    if (s->decay) size = expl(-s->decay[k] * t);
    for (int d = 0; d < dim && s->kind & SCAN_VOXEL; ++d) {
        const long double field = s->kind & 8 ? s->gradient[d][k] * t : 0;
        mean[d] = sinc((long double)s->k[d][j] * s->voxel[d] + field, &mean_slope[d]);
        mean_slope[d] *= s->voxel[d];
    }
    const long double angle = 2 * PI_LONG * sign * (turns - rintl(turns));
    const long double complex turned = size * (cosl(angle) + I * sinl(angle));
    const long double all = mean[0] * mean[1] * mean[2];
    for (int d = 0; d < dim; ++d) {
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        slope[d] = turned * (mean_slope[d] * mean[e] * mean[f] +
                             2 * PI_LONG * I * sign * (long double)s->r[d][k] * all);
    }
    return turned * all;
}

static long double complex number(const scan *s, const void *array, int64_t at)
{
    return (long double)number_at(s->options.precision, array, 2 * at) +
           I * (long double)number_at(s->options.precision, array, 2 * at + 1);
}

static void put(double *array, int64_t at, long double complex x)
{
    array[2 * at] = (double)creall(x);
    array[2 * at + 1] = (double)cimagl(x);
}

enum { MOST_BATCH = 8 };

void scan_forward(const scan *s, double *values, double *gradients)
{
    const int dim = s->options.dim, batch = s->options.batch;
    CHECK(batch <= MOST_BATCH);
    for (int64_t j = 0; j < s->samples; ++j) {
        long double complex sum[MOST_BATCH][4] = {{0}}, slope[3];
        for (int64_t k = 0; k < s->pixels; ++k) {
            const long double complex factor = factor_of(s, j, k, slope);
            for (int b = 0; b < batch; ++b) {
                const long double complex m = number(s, s->image, b * s->pixels + k);
                sum[b][0] += m * factor;
                for (int d = 0; d < dim; ++d) sum[b][1 + d] += m * slope[d];
            }
        }
        for (int b = 0; b < batch; ++b) {
            const int64_t at = b * s->samples + j;
            put(values, at, sum[b][0]);
            for (int d = 0; d < dim; ++d) put(gradients, at * dim + d, sum[b][1 + d]);
        }
    }
}

void scan_adjoint(const scan *s, double *image)
{
    const int batch = s->options.batch;
    for (int64_t k = 0; k < s->pixels; ++k) {
        long double complex sum[MOST_BATCH] = {0}, slope[3];
        for (int64_t j = 0; j < s->samples; ++j) {
            const long double complex factor = conjl(factor_of(s, j, k, slope));
            for (int b = 0; b < batch; ++b)
                sum[b] += number(s, s->values, b * s->samples + j) * factor;
        }
        for (int b = 0; b < batch; ++b) put(image, b * s->pixels + k, sum[b]);
    }
}

double scan_error(const scan *s, int64_t n, const void *found, const double *expected)
{
    double *wide = numbers_make(ENUF_DOUBLE, 2 * n);
    for (int64_t i = 0; i < 2 * n; ++i) wide[i] = number_at(s->options.precision, found, i);
    const double error = relative_error(ENUF_DOUBLE, 2 * n, wide, expected);
    free(wide);
    return error;
}
