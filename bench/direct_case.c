/* direct_case.c - see direct_case.h. SPDX-License-Identifier: BSD-3-Clause */
#include "direct_case.h"
#include "arguments.h"
#include "nufft_sample.h"

#include <math.h>
#include <stdlib.h>

static const double TURN = 6.28318530717958648, SHOT = 0.03; /* s */

static double *numbers(int64_t n)
{
    double *array = malloc((size_t)(n > 0 ? n : 1) * sizeof *array);
    if (!array) bench_die("direct", "not enough memory");
    return array;
}

static double *random_numbers(int64_t n, uint64_t seed)
{
    double *array = numbers(n);
    for (int64_t i = 0; i < n; i++) array[i] = bench_uniform(&seed) - 0.5;
    return array;
}

/* A shot of `length` samples: an arm of a spiral in planes of kz, or a spoke through the centre at
 * golden angles. */
static void place(const bench_scan *s, int64_t j, int64_t length, double k[3])
{
    static const double GOLDEN = 0.61803398874989485;
    const double half = (double)s->edge / 2, along = (double)(j % length) / (double)length;
    const double shot = (double)(j / length), angle = TURN * GOLDEN * shot;
    if (s->trajectory == BENCH_SPIRAL) {
        const double radius = half * sqrt(along), phase = angle + TURN * half / 8 * sqrt(along);
        k[0] = radius * cos(phase);
        k[1] = radius * sin(phase);
        k[2] = 2 * half * (fmod(shot * 0.7548776662466927, 1) - 0.5);
    } else {
        const double height = s->dim == 3 ? 2 * fmod(shot * 0.7548776662466927, 1) - 1 : 0;
        const double radius = half * (2 * along - 1), flat = radius * sqrt(1 - height * height);
        k[0] = flat * cos(angle);
        k[1] = flat * sin(angle);
        k[2] = radius * height;
    }
}

static void make_samples(bench_scan *s)
{
    const int64_t length = s->trajectory == BENCH_SPIRAL ? 4096 : 2 * s->edge;
    uint64_t seed = 5;
    for (int d = 0; d < s->dim; d++) s->k[d] = numbers(s->samples);
    s->times = numbers(s->samples);
    for (int64_t j = 0; j < s->samples; j++) {
        double k[3];
        if (s->trajectory == BENCH_RANDOM)
            for (int d = 0; d < 3; d++) k[d] = (double)s->edge * (bench_uniform(&seed) - 0.5);
        else
            place(s, j, length, k);
        for (int d = 0; d < s->dim; d++) s->k[d][j] = k[d];
        s->times[j] = SHOT * (double)(j % length) / (double)length;
    }
}

static void make_maps(bench_scan *s)
{
    s->omega = numbers(s->pixels);
    s->decay = numbers(s->pixels);
    for (int d = 0; d < s->dim; d++) {
        s->gradient[d] = numbers(s->pixels);
        s->voxel[d] = 1 / (double)s->edge;
    }
    for (int64_t i = 0, step; i < s->pixels; i++) {
        double wave[3] = {0, 0, 0}, field = 1;
        step = 1;
        for (int d = 0; d < s->dim; d++, step *= s->edge) {
            wave[d] = TURN * ((double)(i / step % s->edge) / (double)s->edge - 0.5);
            field *= cos(wave[d]);
        }
        s->omega[i] = TURN * 100 * field;
        s->decay[i] = 35 + 15 * sin(wave[0]);
        for (int d = 0; d < s->dim; d++)
            s->gradient[d][i] = -100 * TURN / (double)s->edge * sin(wave[d]);
    }
}

bench_scan bench_scan_make(int dim, int64_t edge, int trajectory, int64_t samples)
{
    bench_scan s = {
        .dim = dim, .trajectory = trajectory, .edge = edge, .pixels = 1, .samples = samples};
    for (int d = 0; d < dim; d++) s.pixels *= edge;
    make_samples(&s);
    make_maps(&s);
    s.image = random_numbers(2 * s.pixels, 11);
    s.values = random_numbers(2 * s.samples, 12);
    return s;
}

void bench_scan_free(bench_scan *s)
{
    for (int d = 0; d < 3; d++) {
        free(s->k[d]);
        free(s->gradient[d]);
    }
    free(s->times);
    free(s->omega);
    free(s->decay);
    free(s->image);
    free(s->values);
}
