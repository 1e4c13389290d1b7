/*
 * test_size.c - large transforms are correct. Compared with direct sums are type 1 at 24 modes and
 * type 2 at 24 points: the relative l2 error is at most 4 tolerances.
 *
 *   - points: 1e7 points with 3 to 4 million modes in 1D, 2D and 3D, tolerance 1e-6. All points and
 *     modes together are checked by adjointness, <type 1 of q, F> = <q, type 2 of F>, to 1e-13.
 *   - cells: fine grids of more than 2^31 cells in float, tolerance 1e-3. Skipped if less than 14
 *     GB of memory are free.
 *
 * Argument: points|cells.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include "enuf/direct.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 24 };

static double *make(int64_t n)
{
    double *numbers = calloc((size_t)n, sizeof *numbers);
    if (!numbers) exit(check_skip("no memory for the sums"));
    return numbers;
}

/* Relative l2 difference of SAMPLES complex numbers; real: of their real parts. */
static double sample_error(const double *found, const double *expected, int real)
{
    double missed = 0, size = 0;
    for (int k = 0; k < 2 * SAMPLES; k += real ? 2 : 1) {
        missed += (found[k] - expected[k]) * (found[k] - expected[k]);
        size += expected[k] * expected[k];
    }
    return sqrt(missed / size);
}

/* Random indices below n, with the first and the last index among them. */
static void draw(uint64_t seed, int64_t n, int64_t index[SAMPLES])
{
    double at[SAMPLES];
    random_numbers(seed, SAMPLES, 0, (double)n, at);
    for (int k = 0; k < SAMPLES; k++) index[k] = (int64_t)at[k];
    index[0] = 0;
    index[1] = n - 1;
}

/* Strengths as the direct sum takes them. */
static double *complex_strengths(const transform *t)
{
    const int parts = t->options.strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    double *q = make(2 * t->n);
    for (int64_t j = 0; j < t->n; j++)
        for (int c = 0; c < parts; c++)
            q[2 * j + c] = number_at(t->options.precision, t->strengths, parts * j + c);
    return q;
}

/* Points as the direct sum takes them: [n][dim]. */
static double *packed_points(const transform *t)
{
    const int dim = t->options.dim;
    double *x = make(dim * t->n);
    for (int64_t j = 0; j < t->n; j++)
        memcpy(x + dim * j, t->points + 3 * j, (size_t)dim * sizeof *x);
    return x;
}

static void mode_target(const transform *t, int64_t mode, double *target)
{
    int64_t m[3];
    mode_numbers(&t->options, mode, m);
    for (int d = 0; d < t->options.dim; d++) target[d] = (double)m[d];
}

/* ---- 1e7 points ---- */

static void check_modes(const transform *t, const double *modes)
{
    const int dim = t->options.dim;
    int64_t index[SAMPLES];
    double targets[3 * SAMPLES], found[2 * SAMPLES], expected[2 * SAMPLES];
    double *x = packed_points(t), *q = complex_strengths(t);
    draw(3, t->modes, index);
    for (int k = 0; k < SAMPLES; k++) {
        mode_target(t, index[k], targets + dim * k);
        memcpy(found + 2 * k, modes + 2 * index[k], 2 * sizeof *found);
    }
    CHECK_STATUS(
        enuf_direct_sum(dim, t->options.sign, 0, t->n, x, q, SAMPLES, targets, expected, NULL),
        ENUF_SUCCESS);
    CHECK_BELOW(sample_error(found, expected, 0), 4 * t->options.tolerance, "type 1 at some modes");
    free(x);
    free(q);
}

static void check_values(const transform *t, const double *values)
{
    const int dim = t->options.dim;
    int64_t index[SAMPLES];
    double targets[3 * SAMPLES], found[2 * SAMPLES], expected[2 * SAMPLES];
    double *m = make(dim * t->modes);
    draw(4, t->n, index);
    for (int64_t k = 0; k < t->modes; k++) mode_target(t, k, m + dim * k);
    for (int k = 0; k < SAMPLES; k++) {
        memcpy(targets + dim * k, t->points + 3 * index[k], (size_t)dim * sizeof *targets);
        memcpy(found + 2 * k, values + 2 * index[k], 2 * sizeof *found);
    }
    CHECK_STATUS(enuf_direct_sum(dim, -t->options.sign, 0, t->modes, m, t->spectrum, SAMPLES,
                                 targets, expected, NULL),
                 ENUF_SUCCESS);
    CHECK_BELOW(sample_error(found, expected, 0), 4 * t->options.tolerance,
                "type 2 at some points");
    free(m);
}

/* Re <a, b> of complex arrays. */
static double product(int64_t n, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t k = 0; k < 2 * n; k++) sum += a[k] * b[k];
    return sum;
}

static void many_points(int dim, int64_t n1, int64_t n2, int64_t n3)
{
    const int64_t n = 10000000;
    enuf_nufft_options options = conformance_options(dim, n1, n2, n3);
    options.tolerance = 1e-6;
    transform t = transform_make(&options, n, 7);
    double *modes = make(2 * t.modes), *values = make(2 * n);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (!plan) return;
    printf("%dD: %lld points, %lld modes\n", dim, (long long)n, (long long)t.modes);
    CHECK_STATUS(enuf_nufft_type1(plan, t.strengths, modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, t.spectrum, values, NULL), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    check_modes(&t, modes);
    check_values(&t, values);
    /* rounding errors add up like a random walk; each term has a few */
    const double scale =
        sqrt(product(t.modes, modes, modes) * product(t.modes, t.spectrum, t.spectrum));
    CHECK_BELOW((product(t.modes, modes, t.spectrum) - product(n, t.strengths, values)) / scale,
                1e-13, "adjointness, all points and modes");
    free(modes);
    free(values);
    transform_free(&t);
}

static void points(void)
{
    many_points(1, 4000000, 0, 0);
    many_points(2, 2000, 2001, 0);
    many_points(3, 160, 150, 140);
}

/* ---- More than 2^31 cells ---- */

/* Type 2 of the sampled modes alone, at SAMPLES points. */
static void check_backward(const transform *t, enuf_nufft *plan, const double *targets,
                           const float *packed)
{
    double weighted[2 * SAMPLES], expected[2 * SAMPLES], found[2 * SAMPLES], x[3 * SAMPLES];
    float *ones = malloc((size_t)t->modes * sizeof *ones),
          *values = malloc((size_t)t->n * sizeof *values);
    if (!ones || !values) exit(check_skip("no memory for the multiplier"));
    for (int64_t m = 0; m < t->modes; m++) ones[m] = 1;
    CHECK_STATUS(enuf_nufft_backward(plan, ENUF_REAL, ones, values, NULL), ENUF_SUCCESS);
    for (int k = 0; k < 2 * SAMPLES; k++) /* modes with m_1 > 0 count twice */
        weighted[k] = (double)packed[k] * (targets[3 * (k / 2)] > 0 ? 2 : 1);
    for (int k = 0; k < SAMPLES; k++) {
        memcpy(x + 3 * k, t->points + 3 * k, 3 * sizeof *x);
        found[2 * k] = (double)values[k];
    }
    CHECK_STATUS(enuf_direct_sum(3, -t->options.sign, 0, SAMPLES, targets, weighted, SAMPLES, x,
                                 expected, NULL),
                 ENUF_SUCCESS);
    CHECK_BELOW(sample_error(found, expected, 1), 4 * t->options.tolerance,
                "type 2 of these modes");
    free(ones);
    free(values);
}

static void check_spectrum(const transform *t, enuf_nufft *plan)
{
    int64_t index[SAMPLES];
    double targets[3 * SAMPLES], found[2 * SAMPLES], expected[2 * SAMPLES];
    float packed[2 * SAMPLES];
    double *q = complex_strengths(t);
    draw(5, t->modes, index);
    for (int k = 0; k < SAMPLES; k++) {
        while (mode_is_unpaired(&t->options, index[k]))
            index[k] += index[k] + 1 < t->modes ? 1 : -7;
        mode_target(t, index[k], targets + 3 * k);
    }
    CHECK_STATUS(enuf_nufft_forward(plan, t->strengths), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_spectrum(plan, SAMPLES, index, packed), ENUF_SUCCESS);
    for (int k = 0; k < 2 * SAMPLES; k++) found[k] = (double)packed[k];
    CHECK_STATUS(enuf_direct_sum(3, t->options.sign, 0, t->n, t->points, q, SAMPLES, targets,
                                 expected, NULL),
                 ENUF_SUCCESS);
    CHECK_BELOW(sample_error(found, expected, 0), 4 * t->options.tolerance, "type 1 at some modes");
    CHECK_STATUS(enuf_nufft_put_spectrum(plan, SAMPLES, index, packed), ENUF_SUCCESS);
    check_backward(t, plan, targets, packed);
    free(q);
}

/* Memory that is free on this machine. Linux grants allocations beyond it, so a successful
 * allocation proves nothing. */
static double gigabytes_free(void)
{
    char line[256];
    double kilobytes = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && kilobytes == 0 && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lf", &kilobytes) != 1) kilobytes = 0;
    if (file) fclose(file);
    return kilobytes / 1e6;
}

static void cells(void)
{
    enuf_nufft_options options = conformance_options(3, 660, 650, 654);
    enuf_nufft_report report = {.struct_size = sizeof report};
    options.precision = ENUF_FLOAT;
    options.strengths = ENUF_REAL_STRENGTHS;
    options.tolerance = 1e-3;
    options.upsampling = 2;
    if (gigabytes_free() < 14) exit(check_skip("less than 14 GB of memory are free"));
    enuf_nufft *plan = NULL;
    const enuf_status status = enuf_nufft_create(&options, &plan);
    if (status == ENUF_OUT_OF_MEMORY) exit(check_skip(enuf_last_error()));
    if (!CHECK_STATUS(status, ENUF_SUCCESS)) return;
    transform t = transform_make(&options, 400, 9);
    CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
    double n_cells = 1;
    for (int d = 0; d < 3; d++) n_cells *= (double)report.fine_grid[d];
    printf("%.4g cells, %.3g GB\n", n_cells, (double)report.bytes / 1e9);
    CHECK(n_cells > 2147483648.0);
    if (CHECK_STATUS(transform_points(&t, plan), ENUF_SUCCESS)) check_spectrum(&t, plan);
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

static void law(void)
{
    if (strcmp(conformance_argument(0), "cells") == 0)
        cells();
    else
        points();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
