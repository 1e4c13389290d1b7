/*
 * test_gram_device.c - a Gram operator in device memory:
 *
 * - it gives what one of the same GPU in host memory gives: to 1e-13, in float 2e-6; in 1D, 2D and
 *   3D, a batch, weights or none, and for a size whose parts are transformed one after the other;
 * - that size holds at most 5.5 arrays of the modes, and 24 MiB of planes, which take turns in
 *   double;
 * - an application recorded in a CUDA graph gives the same bits for other modes;
 * - bad points, weights and modes are reported; arrays of the host are refused;
 * - a plan's enuf_nufft_gram() agrees at levels sorted and gram, to 8 tolerances, with a set of
 *   weights for each vector too, and after other points; level gram recorded in a CUDA graph gives
 *   the same bits; bad modes and points are reported.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "gram_arrays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void same_in_both_memories(enuf_nufft_options options, int weighted)
{
    enuf_nufft_options on_host = options;
    enuf_gram_report report = {.struct_size = sizeof report};
    gram_arrays a = gram_arrays_make(&options);
    const enuf_precision p = options.precision;
    void *here = numbers_make(p, a.t.n_modes);
    enuf_gram *gram = gram_there(&options, &a, weighted), *host = NULL;
    const double *x = a.t.points;
    printf("%dD, %s, %lld numbers\n", options.dim, p == ENUF_FLOAT ? "float" : "double",
           (long long)a.t.n_modes);
    on_host.memory = ENUF_HOST;
    CHECK_STATUS(enuf_gram_create(&on_host, &host), ENUF_SUCCESS);
    CHECK_STATUS(
        enuf_gram_set_points(host, GRAM_POINTS, x, x + 1, x + 2, 3, weighted ? a.weights : NULL),
        ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_apply(host, a.t.spectrum, here), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_apply(gram, a.in, a.out), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_check(gram), ENUF_SUCCESS);
    void *there = device_read(p, a.t.n_modes, a.out);
    CHECK_BELOW(relative_error(p, a.t.n_modes, there, here), p == ENUF_FLOAT ? 2e-6 : 1e-13,
                "  both memories");
    CHECK_STATUS(enuf_gram_get_report(gram, &report), ENUF_SUCCESS);
    const double array = (double)a.t.n_modes * (p == ENUF_FLOAT ? 4 : 8);
    if (a.t.n_modes > 500000)
        CHECK_BELOW(((double)report.bytes - fmin(24 << 20, 2.1 * array)) / array, 5.5,
                    "  bytes beyond the planes, in arrays of the modes");
    enuf_gram_destroy(&gram);
    enuf_gram_destroy(&host);
    free(here);
    free(there);
    gram_arrays_free(&a);
}

static void recorded(void)
{
    enuf_nufft_options options = device_options(3, 12, 10, 9);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t replay;
    CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    options.stream = stream;
    gram_arrays a = gram_arrays_make(&options);
    const int64_t n = a.t.n_modes;
    enuf_gram *gram = gram_there(&options, &a, 1);
    printf("recorded\n");
    CHECK_STATUS(enuf_gram_apply(gram, a.in, a.out), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_check(gram), ENUF_SUCCESS);
    CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CHECK_STATUS(enuf_gram_apply(gram, a.in, a.out), ENUF_SUCCESS);
    CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
    CHECK_CUDA(cudaGraphInstantiate(&replay, graph, 0));
    double *other = numbers_random(ENUF_DOUBLE, n, 77);
    CHECK_CUDA(to_device(a.in, other, (size_t)n * sizeof *other));
    CHECK_STATUS(enuf_gram_apply(gram, a.in, a.out), ENUF_SUCCESS);
    double *called = device_read(ENUF_DOUBLE, n, a.out);
    device_spoil(ENUF_DOUBLE, n, a.out);
    CHECK_CUDA(cudaGraphLaunch(replay, stream));
    double *replayed = device_read(ENUF_DOUBLE, n, a.out);
    CHECK(numbers_equal(ENUF_DOUBLE, n, called, replayed));
    CHECK_CUDA(cudaGraphExecDestroy(replay));
    CHECK_CUDA(cudaGraphDestroy(graph));
    enuf_gram_destroy(&gram);
    free(other);
    free(called);
    free(replayed);
    gram_arrays_free(&a);
    CHECK_CUDA(cudaStreamDestroy(stream));
}

static void bad_data(void)
{
    enuf_nufft_options options = device_options(2, 8, 6, 0);
    gram_arrays a = gram_arrays_make(&options);
    enuf_gram *gram = gram_there(&options, &a, 1);
    const double nan = NAN, *x = a.points, *here = a.t.points;
    printf("bad data\n");
    CHECK_STATUS(enuf_gram_set_points(gram, GRAM_POINTS, here, here + 1, NULL, 3, NULL),
                 ENUF_BAD_MEMORY);
    CHECK_STATUS(enuf_gram_set_points(gram, GRAM_POINTS, x, x + 1, NULL, 3, a.weights),
                 ENUF_BAD_MEMORY);
    CHECK_STATUS(enuf_gram_apply(gram, a.t.spectrum, a.out), ENUF_BAD_MEMORY);
    CHECK_CUDA(to_device(a.points + 3 * 5, &nan, sizeof nan));
    CHECK_STATUS(enuf_gram_set_points(gram, GRAM_POINTS, x, x + 1, NULL, 3, NULL), ENUF_NOT_FINITE);
    CHECK_TEXT("point 5");
    CHECK_CUDA(to_device(a.points + 3 * 5, here + 3 * 5, sizeof nan));
    CHECK_CUDA(to_device((double *)a.weights_there + 3, &nan, sizeof nan));
    CHECK_STATUS(enuf_gram_set_points(gram, GRAM_POINTS, x, x + 1, NULL, 3, a.weights_there),
                 ENUF_NOT_FINITE);
    CHECK_STATUS(enuf_gram_apply(gram, a.in, a.out), ENUF_SUCCESS); /* the earlier points */
    CHECK_STATUS(enuf_gram_check(gram), ENUF_SUCCESS);
    CHECK_CUDA(to_device((double *)a.in + 7, &nan, sizeof nan));
    CHECK_STATUS(enuf_gram_apply(gram, a.in, a.out), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_check(gram), ENUF_NOT_FINITE);
    CHECK_TEXT("enuf_gram_apply");
    CHECK_STATUS(enuf_gram_check(gram), ENUF_SUCCESS);
    enuf_gram_destroy(&gram);
    gram_arrays_free(&a);
}

/* A plan with its points in device memory; weights, if they are given, for each vector. */
static enuf_nufft *plan_there(enuf_nufft_options options, enuf_level level, const gram_arrays *a,
                              const void *weights)
{
    enuf_nufft *plan = NULL;
    const double *x = a->points;
    options.level = level;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, GRAM_POINTS, x, x + 1, x + 2, 3), ENUF_SUCCESS);
    if (weights)
        CHECK_STATUS(enuf_nufft_set_point_weights(plan, ENUF_REAL, options.batch, weights),
                     ENUF_SUCCESS);
    return plan;
}

static void gram_of(enuf_nufft *plan, const gram_arrays *a, void **found)
{
    const enuf_precision p = a->t.options.precision;
    CHECK_STATUS(enuf_nufft_gram(plan, a->in, a->out), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
    *found = device_read(p, a->t.n_modes, a->out);
}

/* Level gram against sorted, whose passes are type 2, weights, and the adjoint; then other points.
 */
static void of_a_plan(int dim, enuf_precision precision, int weighted)
{
    enuf_nufft_options options = device_options(dim, 18, 13, 9);
    options.precision = precision;
    options.tolerance = precision == ENUF_FLOAT ? 1e-4 : 1e-9;
    options.batch = 2;
    gram_arrays a = gram_arrays_make(&options);
    void *numbers = numbers_random(precision, 2 * GRAM_POINTS, 12), *found[2];
    void *weights = device_make(precision, 2 * GRAM_POINTS, numbers);
    double *others = numbers_random(ENUF_DOUBLE, 3 * GRAM_POINTS, 13);
    printf("of a plan, %dD, %s\n", dim, precision == ENUF_FLOAT ? "float" : "double");
    enuf_nufft *sorted = plan_there(options, ENUF_LEVEL_SORTED, &a, weighted ? weights : NULL);
    enuf_nufft *gram = plan_there(options, ENUF_LEVEL_GRAM, &a, weighted ? weights : NULL);
    for (int again = 0; again < 2; again++) {
        gram_of(sorted, &a, &found[0]);
        gram_of(gram, &a, &found[1]);
        CHECK_BELOW(relative_error(precision, a.t.n_modes, found[1], found[0]),
                    8 * options.tolerance, "  two levels, 8 tolerances");
        free(found[0]);
        free(found[1]);
        CHECK_CUDA(to_device(a.points, others, 3 * GRAM_POINTS * sizeof *others));
        const double *x = a.points;
        CHECK_STATUS(enuf_nufft_set_points(sorted, GRAM_POINTS, x, x + 1, x + 2, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_set_points(gram, GRAM_POINTS, x, x + 1, x + 2, 3), ENUF_SUCCESS);
    }
    enuf_nufft_destroy(&sorted);
    enuf_nufft_destroy(&gram);
    free(numbers);
    free(others);
    device_free(weights);
    gram_arrays_free(&a);
}

static void recorded_of_a_plan(void)
{
    enuf_nufft_options options = device_options(2, 24, 15, 0);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t replay;
    void *called;
    CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    options.stream = stream;
    gram_arrays a = gram_arrays_make(&options);
    enuf_nufft *plan = plan_there(options, ENUF_LEVEL_GRAM, &a, NULL);
    printf("recorded, of a plan\n");
    gram_of(plan, &a, &called);
    CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CHECK_STATUS(enuf_nufft_gram(plan, a.in, a.out), ENUF_SUCCESS);
    CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
    CHECK_CUDA(cudaGraphInstantiate(&replay, graph, 0));
    device_spoil(ENUF_DOUBLE, a.t.n_modes, a.out);
    CHECK_CUDA(cudaGraphLaunch(replay, stream));
    void *replayed = device_read(ENUF_DOUBLE, a.t.n_modes, a.out);
    CHECK(numbers_equal(ENUF_DOUBLE, a.t.n_modes, called, replayed));
    CHECK_CUDA(cudaGraphExecDestroy(replay));
    CHECK_CUDA(cudaGraphDestroy(graph));
    enuf_nufft_destroy(&plan);
    free(called);
    free(replayed);
    gram_arrays_free(&a);
    CHECK_CUDA(cudaStreamDestroy(stream));
}

static void bad_data_of_a_plan(enuf_level level)
{
    enuf_nufft_options options = device_options(2, 8, 6, 0);
    gram_arrays a = gram_arrays_make(&options);
    enuf_nufft *plan = plan_there(options, level, &a, NULL);
    const double nan = NAN, *x = a.points;
    printf("bad data of a plan, %s\n", enuf_level_name(level));
    CHECK_STATUS(enuf_nufft_gram(plan, a.t.spectrum, a.out), ENUF_BAD_MEMORY);
    CHECK_STATUS(enuf_nufft_gram(plan, a.in, a.out), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
    CHECK_CUDA(to_device((double *)a.in + 7, &nan, sizeof nan));
    CHECK_STATUS(enuf_nufft_gram(plan, a.in, a.out), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_NOT_FINITE);
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
    CHECK_CUDA(to_device(a.points + 3 * 5, &nan, sizeof nan));
    CHECK_STATUS(enuf_nufft_set_points(plan, GRAM_POINTS, x, x + 1, NULL, 3), ENUF_SUCCESS);
    if (level == ENUF_LEVEL_GRAM) {
        CHECK_STATUS(enuf_nufft_gram(plan, a.in, a.out), ENUF_NOT_FINITE);
        CHECK_TEXT("point 5");
    }
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_NOT_FINITE);
    enuf_nufft_destroy(&plan);
    gram_arrays_free(&a);
}

static void law(void)
{
    const int64_t sizes[][4] = {{1, 97, 0, 0}, {2, 24, 15, 0}, {3, 9, 12, 7}, {3, 104, 98, 100}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int single = 0; single < 2; single++) {
            const int64_t *s = sizes[k];
            enuf_nufft_options options = device_options((int)s[0], s[1], s[2], s[3]);
            options.precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
            options.tolerance = single ? 1e-4 : 1e-9;
            options.mode_order = k % 2 ? ENUF_FFT_ORDER : ENUF_CENTRED;
            options.batch = k == 1 ? 3 : 1;
            same_in_both_memories(options, k != 2);
        }
    recorded();
    bad_data();
    for (int dim = 1; dim <= 3; dim++)
        for (int kind = 0; kind < 4; kind++)
            of_a_plan(dim, kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE, kind >> 1);
    recorded_of_a_plan();
    bad_data_of_a_plan(ENUF_LEVEL_SORTED);
    bad_data_of_a_plan(ENUF_LEVEL_GRAM);
}

int main(void)
{
    return device_main(law);
}
