/* nufft_sample.c - see nufft_sample.h. SPDX-License-Identifier: BSD-3-Clause */
#include "nufft_sample.h"

#include <math.h>

enum { BLOCK = 1024 }; /* the phases of so many modes of a row are a common factor times powers[] */

typedef struct number {
    double re, im;
} number;

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* exp(i k x), with a correction for the rounding of k x, which would matter for 1e7 modes. */
static number phase(double k, double x)
{
    const double product = k * x, lost = fma(k, x, -product);
    const double c = cos(product), s = sin(product);
    return (number){c - s * lost, s + c * lost};
}

double bench_element(const void *array, int single, int64_t i)
{
    return single ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

double bench_uniform(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)(*state * 0x2545f4914f6cdd1du >> 11) * 0x1p-53;
}

static number complex_element(const void *array, int single, int64_t i)
{
    return (number){bench_element(array, single, 2 * i), bench_element(array, single, 2 * i + 1)};
}

/* Modes along x: half of them where strengths are real. */
static int64_t row_length(const bench_transform *t)
{
    return t->real ? (t->m + 1) / 2 : t->m;
}

/* The mode numbers, or the target, at a place in the result of type 1 or 3; 0 for axes from dim on.
 */
static void frequency(const bench_transform *t, int64_t at, double k[3])
{
    const int64_t h = row_length(t), i[3] = {at % h, at / h % t->m, at / h / t->m};
    for (int d = 0; d < 3; d++)
        if (d >= t->dim)
            k[d] = 0;
        else if (t->type == 3)
            k[d] = bench_element(t->targets[d], t->single, at);
        else
            k[d] = (double)(d == 0 && t->real ? i[d] : i[d] - t->m / 2);
}

static number sum_points(const bench_transform *t, const double k[3])
{
    number sum = {0, 0};
    for (int64_t j = 0; j < t->n; j++) {
        number e = {1, 0};
        for (int d = 0; d < t->dim; d++)
            e = times(e, phase(-k[d], bench_element(t->radians[d], t->single, j)));
        const number q = t->real ? (number){bench_element(t->data, t->single, j), 0}
                                 : complex_element(t->data, t->single, j);
        const number term = times(q, e);
        sum.re += term.re;
        sum.im += term.im;
    }
    return sum;
}

/* A row of modes along x from mode number `first` on. */
static number sum_row(const bench_transform *t, int64_t row, double first, double x,
                      const number powers[BLOCK])
{
    const int64_t h = row_length(t);
    number sum = {0, 0};
    for (int64_t begin = 0; begin < h; begin += BLOCK) {
        number part = {0, 0};
        for (int64_t i = begin; i < h && i < begin + BLOCK; i++) {
            const number f = complex_element(t->data, t->single, row * h + i);
            const number term = times(f, powers[i - begin]);
            part.re += term.re;
            part.im += term.im;
        }
        part = times(part, phase(first + (double)begin, x));
        sum.re += part.re;
        sum.im += part.im;
    }
    if (t->real) { /* a half space: modes count twice, but for m_1 = 0 */
        const number f = complex_element(t->data, t->single, row * h);
        sum = (number){2 * sum.re - f.re, 2 * sum.im - f.im};
    }
    return sum;
}

static number sum_modes(const bench_transform *t, int64_t j)
{
    const int64_t rows[2] = {t->dim > 1 ? t->m : 1, t->dim > 2 ? t->m : 1};
    double x[3] = {0, 0, 0};
    number powers[BLOCK], sum = {0, 0};
    for (int d = 0; d < t->dim; d++) x[d] = bench_element(t->radians[d], t->single, j);
    for (int i = 0; i < BLOCK; i++) powers[i] = phase(i, x[0]);
    for (int64_t i3 = 0; i3 < rows[1]; i3++)
        for (int64_t i2 = 0; i2 < rows[0]; i2++) {
            /* of even m, -m/2 has no partner in a half space */
            const int alone = (t->dim > 1 && i2 == 0) || (t->dim > 2 && i3 == 0);
            if (t->real && t->m % 2 == 0 && alone) continue;
            const double first = t->real ? 0 : (double)(-(t->m / 2));
            number part = sum_row(t, i3 * rows[0] + i2, first, x[0], powers);
            if (t->dim > 1) part = times(part, phase((double)(i2 - t->m / 2), x[1]));
            if (t->dim > 2) part = times(part, phase((double)(i3 - t->m / 2), x[2]));
            sum.re += part.re;
            sum.im += t->real ? 0 : part.im;
        }
    return sum;
}

/* A random mode; of real strengths a mode m whose -m is among the modes, too. */
static int64_t some_mode(const bench_transform *t, uint64_t *state)
{
    const double h = (double)row_length(t), m = (double)t->m;
    int64_t at = 0, stride = 1;
    for (int d = 0; d < t->dim; d++) {
        at += stride * (d == 0 ? (int64_t)(bench_uniform(state) * h)
                               : 1 + (int64_t)(bench_uniform(state) * (m - 1)));
        stride *= d == 0 ? row_length(t) : t->m;
    }
    return at;
}

void bench_sample_make(const bench_transform *t, bench_sample *sample)
{
    uint64_t state = 77;
    for (int k = 0; k < BENCH_SAMPLES; k++)
        sample->at[k] =
            t->type == 1 ? some_mode(t, &state) : (int64_t)(bench_uniform(&state) * (double)t->n);
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < BENCH_SAMPLES; k++) {
        double k_at[3];
        frequency(t, sample->at[k], k_at);
        const number sum = t->type == 2 ? sum_modes(t, sample->at[k]) : sum_points(t, k_at);
        sample->exact[k][0] = sum.re;
        sample->exact[k][1] = sum.im;
    }
}

double bench_sample_error(const bench_transform *t, const bench_sample *sample, const void *result)
{
    double error = 0, scale = 0;
    for (int k = 0; k < BENCH_SAMPLES; k++) {
        const double *exact = sample->exact[k];
        const int64_t at = sample->at[k];
        const number got = t->type == 2 && t->real
                               ? (number){bench_element(result, t->single, at), 0}
                               : complex_element(result, t->single, at);
        error += pow(got.re - exact[0], 2) + pow(got.im - exact[1], 2);
        scale += pow(exact[0], 2) + pow(exact[1], 2);
    }
    return sqrt(error / scale);
}
