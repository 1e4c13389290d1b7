/*
 * test_gram_device.c - a Gram operator in device memory:
 *
 * - it gives what one of the same GPU in host memory gives: to 1e-13, in float 2e-6; in 1D, 2D and
 *   3D, a batch, weights or none, and for a size whose parts are transformed one after the other;
 * - that size holds at most 6.5 arrays of the modes;
 * - an application recorded in a CUDA graph gives the same bits for other modes;
 * - bad points, weights and modes are reported; arrays of the host are refused.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device_arrays.h"

#include "enuf/gram.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 700 };

typedef struct gram_arrays {
    transform t;
    void *weights; /* [n] on the host */
    double *points;
    void *weights_there, *in, *out;
} gram_arrays;

static gram_arrays arrays_make(const enuf_nufft_options *options)
{
    const enuf_precision p = options->precision;
    gram_arrays a = {.t = transform_make(options, N, 23)};
    a.weights = numbers_random(p, N, 9);
    a.points = device_make(ENUF_DOUBLE, 3 * N, a.t.points);
    a.weights_there = device_make(p, N, a.weights);
    a.in = device_make(p, a.t.n_modes, a.t.spectrum);
    a.out = device_make(p, a.t.n_modes, NULL);
    return a;
}

static void arrays_free(gram_arrays *a)
{
    transform_free(&a->t);
    free(a->weights);
    device_free(a->points);
    device_free(a->weights_there);
    device_free(a->in);
    device_free(a->out);
}

static enuf_gram *make_there(const enuf_nufft_options *options, const gram_arrays *a, int weighted)
{
    enuf_gram *gram = NULL;
    const double *x = a->points;
    CHECK_STATUS(enuf_gram_create(options, &gram), ENUF_SUCCESS);
    if (gram)
        CHECK_STATUS(
            enuf_gram_set_points(gram, N, x, x + 1, x + 2, 3, weighted ? a->weights_there : NULL),
            ENUF_SUCCESS);
    return gram;
}

static void same_in_both_memories(enuf_nufft_options options, int weighted)
{
    enuf_nufft_options on_host = options;
    enuf_gram_report report = {.struct_size = sizeof report};
    gram_arrays a = arrays_make(&options);
    const enuf_precision p = options.precision;
    void *here = numbers_make(p, a.t.n_modes);
    enuf_gram *gram = make_there(&options, &a, weighted), *host = NULL;
    const double *x = a.t.points;
    printf("%dD, %s, %lld numbers\n", options.dim, p == ENUF_FLOAT ? "float" : "double",
           (long long)a.t.n_modes);
    on_host.memory = ENUF_HOST;
    CHECK_STATUS(enuf_gram_create(&on_host, &host), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_set_points(host, N, x, x + 1, x + 2, 3, weighted ? a.weights : NULL),
                 ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_apply(host, a.t.spectrum, here), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_apply(gram, a.in, a.out), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_check(gram), ENUF_SUCCESS);
    void *there = device_read(p, a.t.n_modes, a.out);
    CHECK_BELOW(relative_error(p, a.t.n_modes, there, here), p == ENUF_FLOAT ? 2e-6 : 1e-13,
                "  both memories");
    CHECK_STATUS(enuf_gram_get_report(gram, &report), ENUF_SUCCESS);
    if (a.t.n_modes > 500000)
        CHECK_BELOW((double)report.bytes / ((double)a.t.n_modes * (p == ENUF_FLOAT ? 4 : 8)), 6.5,
                    "  bytes, in arrays of the modes");
    enuf_gram_destroy(&gram);
    enuf_gram_destroy(&host);
    free(here);
    free(there);
    arrays_free(&a);
}

static void recorded(void)
{
    enuf_nufft_options options = device_options(3, 12, 10, 9);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t replay;
    CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    options.stream = stream;
    gram_arrays a = arrays_make(&options);
    const int64_t n = a.t.n_modes;
    enuf_gram *gram = make_there(&options, &a, 1);
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
    arrays_free(&a);
    CHECK_CUDA(cudaStreamDestroy(stream));
}

static void bad_data(void)
{
    enuf_nufft_options options = device_options(2, 8, 6, 0);
    gram_arrays a = arrays_make(&options);
    enuf_gram *gram = make_there(&options, &a, 1);
    const double nan = NAN, *x = a.points, *here = a.t.points;
    printf("bad data\n");
    CHECK_STATUS(enuf_gram_set_points(gram, N, here, here + 1, NULL, 3, NULL), ENUF_BAD_MEMORY);
    CHECK_STATUS(enuf_gram_set_points(gram, N, x, x + 1, NULL, 3, a.weights), ENUF_BAD_MEMORY);
    CHECK_STATUS(enuf_gram_apply(gram, a.t.spectrum, a.out), ENUF_BAD_MEMORY);
    CHECK_CUDA(to_device(a.points + 3 * 5, &nan, sizeof nan));
    CHECK_STATUS(enuf_gram_set_points(gram, N, x, x + 1, NULL, 3, NULL), ENUF_NOT_FINITE);
    CHECK_TEXT("point 5");
    CHECK_CUDA(to_device(a.points + 3 * 5, here + 3 * 5, sizeof nan));
    CHECK_CUDA(to_device((double *)a.weights_there + 3, &nan, sizeof nan));
    CHECK_STATUS(enuf_gram_set_points(gram, N, x, x + 1, NULL, 3, a.weights_there),
                 ENUF_NOT_FINITE);
    CHECK_STATUS(enuf_gram_apply(gram, a.in, a.out), ENUF_SUCCESS); /* the earlier points */
    CHECK_STATUS(enuf_gram_check(gram), ENUF_SUCCESS);
    CHECK_CUDA(to_device((double *)a.in + 7, &nan, sizeof nan));
    CHECK_STATUS(enuf_gram_apply(gram, a.in, a.out), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_check(gram), ENUF_NOT_FINITE);
    CHECK_TEXT("enuf_gram_apply");
    CHECK_STATUS(enuf_gram_check(gram), ENUF_SUCCESS);
    enuf_gram_destroy(&gram);
    arrays_free(&a);
}

static void law(void)
{
    const int64_t sizes[][4] = {{1, 97, 0, 0}, {2, 24, 15, 0}, {3, 9, 12, 7}, {3, 72, 70, 66}};
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
}

int main(void)
{
    return device_main(law);
}
