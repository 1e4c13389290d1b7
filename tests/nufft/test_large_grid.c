/*
 * test_large_grid.c - a fine grid of more than 2^31 cells on a GPU. Type 1 at 40 random modes, and
 * type 2 of these modes at all points, equal direct sums: relative l2 4 tolerances of 1e-3, in
 * float. Skipped if less than 40 GB are free on the GPU.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device_arrays.h"

#include "enuf/direct.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 400, MODES = 660, SAMPLES = 40 };

static double points[3 * POINTS], strengths[2 * POINTS], targets[3 * SAMPLES];
static float single[POINTS];

/* Type 1 at random modes, then type 2 of these modes alone. */
static void check_sampled_modes(enuf_nufft *plan, const enuf_nufft_options *options, const float *q)
{
    int64_t index[SAMPLES], *on_device;
    float packed[2 * SAMPLES];
    double expected[2 * SAMPLES], drawn[SAMPLES], missed = 0, size = 0;
    random_numbers(3, SAMPLES, 0, (double)modes_stored(options) - 1, drawn);
    for (int k = 0; k < SAMPLES; k++) {
        int64_t m[3];
        index[k] = (int64_t)drawn[k];
        while (mode_is_unpaired(options, index[k])) index[k]++;
        mode_numbers(options, index[k], m);
        for (int d = 0; d < 3; d++) targets[3 * k + d] = (double)m[d];
    }
    CHECK_STATUS(
        enuf_direct_sum(3, -1, 0, POINTS, points, strengths, SAMPLES, targets, expected, NULL),
        ENUF_SUCCESS);
    float *found;
    CHECK_CUDA(cudaMalloc((void **)&on_device, sizeof index));
    CHECK_CUDA(cudaMalloc((void **)&found, sizeof packed));
    CHECK_CUDA(to_device(on_device, index, sizeof index));
    CHECK_STATUS(enuf_nufft_forward(plan, q), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_spectrum(plan, SAMPLES, on_device, found), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
    CHECK_CUDA(cudaMemcpy(packed, found, sizeof packed, cudaMemcpyDeviceToHost));
    for (int k = 0; k < 2 * SAMPLES; k++) {
        missed += ((double)packed[k] - expected[k]) * ((double)packed[k] - expected[k]);
        size += expected[k] * expected[k];
    }
    CHECK_BELOW(sqrt(missed / size), 4 * options->tolerance, "type 1 at 40 modes");

    /* type 2 of these modes alone, at all points */
    float values[POINTS], *back;
    double sum[2 * POINTS];
    CHECK_CUDA(cudaMalloc((void **)&back, sizeof values));
    CHECK_STATUS(enuf_nufft_put_spectrum(plan, SAMPLES, on_device, found), ENUF_SUCCESS);
    float *ones;
    int64_t stored = modes_stored(options);
    CHECK_CUDA(cudaMalloc((void **)&ones, (size_t)stored * sizeof *ones));
    float *one = malloc((size_t)stored * sizeof *one);
    for (int64_t m = 0; one && m < stored; m++) one[m] = 1;
    CHECK_CUDA(to_device(ones, one, (size_t)stored * sizeof *ones));
    free(one);
    CHECK_STATUS(enuf_nufft_backward(plan, ENUF_REAL, ones, back, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
    CHECK_CUDA(cudaMemcpy(values, back, sizeof values, cudaMemcpyDeviceToHost));
    for (int k = 0; k < SAMPLES; k++) /* modes with m_1 > 0 count twice */
        for (int c = 0; c < 2; c++)
            expected[2 * k + c] = packed[2 * k + c] * (targets[3 * k] > 0 ? 2 : 1);
    CHECK_STATUS(enuf_direct_sum(3, 1, 0, SAMPLES, targets, expected, POINTS, points, sum, NULL),
                 ENUF_SUCCESS);
    missed = size = 0;
    for (int j = 0; j < POINTS; j++) {
        missed += ((double)values[j] - sum[2 * j]) * ((double)values[j] - sum[2 * j]);
        size += sum[2 * j] * sum[2 * j];
    }
    CHECK_BELOW(sqrt(missed / size), 4 * options->tolerance, "type 2 of these modes");
    CHECK_CUDA(cudaFree(ones));
    CHECK_CUDA(cudaFree(back));
    CHECK_CUDA(cudaFree(found));
    CHECK_CUDA(cudaFree(on_device));
}

static void law(void)
{
    enuf_nufft_options options = device_options(3, MODES, MODES, MODES);
    enuf_nufft *plan = NULL;
    enuf_nufft_report report = {.struct_size = sizeof report};
    options.precision = ENUF_FLOAT;
    options.strengths = ENUF_REAL_STRENGTHS;
    options.tolerance = 1e-3;
    options.upsampling = 2;
    random_numbers(1, 3 * POINTS, 0, 1, points);
    for (int j = 0; j < POINTS; j++) {
        single[j] = j % 2 ? -1.0f : 1.0f + (float)j / POINTS;
        strengths[2 * j] = (double)single[j];
    }
    double *x = device_make(ENUF_DOUBLE, 3 * POINTS, points);
    float *q = device_make(ENUF_FLOAT, POINTS, single);
    if (CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS)) {
        CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
        double cells = 1;
        for (int d = 0; d < 3; d++) cells *= (double)report.fine_grid[d];
        printf("%.3g cells, %.3g GB\n", cells, (double)report.bytes / 1e9);
        CHECK(cells > 2147483648.0);
        CHECK_STATUS(enuf_nufft_set_points(plan, POINTS, x, x + 1, x + 2, 3), ENUF_SUCCESS);
        check_sampled_modes(plan, &options, q);
    }
    enuf_nufft_destroy(&plan);
    device_free(x);
    device_free(q);
}

int main(void)
{
    size_t free_bytes = 0, total = 0;
    const char *reason = "";
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) return check_skip(reason);
    if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess || free_bytes < 40e9)
        return check_skip("the GPU has less than 40 GB free");
    return device_main(law);
}
