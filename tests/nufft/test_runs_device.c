/*
 * test_runs_device.c - runs in device memory, on a stream of the caller: enuf_nufft_set_runs()
 * makes the plan that set_points makes of the same coordinates in device memory.
 *
 * Types 1 and 2 of deterministic plans agree bit by bit: 1D to 3D, both precisions, packed and
 * indexed points, and by kept weights and matrices. Level GRAM gives the same Gram operator, to
 * 1e-12 of its size. Arrays that live on the host are refused, and bad numbers on the device are
 * named; the plan keeps its points, as after each allocation that fails. Other runs, and points by
 * coordinates, may follow; as many as before are set without an allocation. A CUDA graph replays
 * the call with other numbers, and with other lengths of the same sum; another sum is a bad point.
 * Lengths of 20,000 runs are added up too. SPDX-License-Identifier: BSD-3-Clause
 */
#include "device_arrays.h"
#include "enuf/gram.h"
#include "memory.h"
#include "sample_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double TWO_PI = 6.28318530717958647693;

/* Runs on the device. */
typedef struct runs_there {
    int64_t runs;
    int64_t *lengths;
    double *start, *step;
} runs_there;

static runs_there runs_there_make(const sample_runs *s)
{
    _Static_assert(sizeof(int64_t) == sizeof(double), "copied as bytes");
    const int64_t numbers = s->runs * s->dim;
    return (runs_there){s->runs, device_make(ENUF_DOUBLE, s->runs, s->lengths),
                        device_make(ENUF_DOUBLE, numbers, s->start),
                        device_make(ENUF_DOUBLE, numbers, s->step)};
}

static void runs_there_free(runs_there *there)
{
    device_free(there->lengths);
    device_free(there->start);
    device_free(there->step);
}

static enuf_status set_runs(enuf_nufft *plan, const runs_there *there)
{
    return enuf_nufft_set_runs(plan, there->runs, there->lengths, there->start, there->step);
}

/* Modes of type 1 and values of type 2, on the host. */
typedef struct results {
    int64_t modes, values;
    void *of_type1, *of_type2;
} results;

static results transforms(const enuf_nufft_options *options, enuf_nufft *plan, int64_t n)
{
    const enuf_precision p = options->precision;
    results r = {.modes = 2 * modes_stored(options), .values = 2 * n};
    void *strengths = numbers_random(p, r.values, 7), *spectrum = numbers_random(p, r.modes, 8);
    void *strengths_there = device_make(p, r.values, strengths);
    void *spectrum_there = device_make(p, r.modes, spectrum);
    void *modes = device_make(p, r.modes, NULL), *values = device_make(p, r.values, NULL);
    CHECK_STATUS(enuf_nufft_type1(plan, strengths_there, modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, spectrum_there, values, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
    r.of_type1 = device_read(p, r.modes, modes);
    r.of_type2 = device_read(p, r.values, values);
    device_free(strengths_there);
    device_free(spectrum_there);
    device_free(modes);
    device_free(values);
    free(strengths);
    free(spectrum);
    return r;
}

static void results_free(results *r)
{
    free(r->of_type1);
    free(r->of_type2);
}

static void same_results(const enuf_nufft_options *options, enuf_nufft *plan, int64_t n,
                         const results *expected)
{
    results found = transforms(options, plan, n);
    CHECK(numbers_equal(options->precision, found.modes, found.of_type1, expected->of_type1));
    CHECK(numbers_equal(options->precision, found.values, found.of_type2, expected->of_type2));
    results_free(&found);
}

static void refused(const enuf_nufft_options *options, enuf_nufft *plan, const sample_runs *s,
                    const runs_there *there, const results *before)
{
    const int64_t negative = -2;
    const double nan = NAN;
    CHECK_STATUS(enuf_nufft_set_runs(plan, s->runs, s->lengths, there->start, there->step),
                 ENUF_BAD_MEMORY);
    CHECK_TEXT("lengths");
    CHECK_STATUS(enuf_nufft_set_runs(plan, s->runs, there->lengths, there->start, s->step),
                 ENUF_BAD_MEMORY);
    CHECK_TEXT("step");
    same_results(options, plan, s->n, before);
    /* run 0 is empty, run 1 is not */
    const double start = s->start[s->dim];
    CHECK_CUDA(to_device(there->start + s->dim, &nan, sizeof nan));
    CHECK_STATUS(set_runs(plan, there), ENUF_NOT_FINITE);
    CHECK_TEXT("start of run 1 along x");
    CHECK_CUDA(to_device(there->start + s->dim, &start, sizeof start));
    CHECK_CUDA(to_device(there->lengths + 1, &negative, sizeof negative));
    CHECK_STATUS(set_runs(plan, there), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("lengths[1] is -2");
    CHECK_CUDA(to_device(there->lengths + 1, s->lengths + 1, sizeof negative));
    same_results(options, plan, s->n, before);
}

static enuf_status set_coordinates(enuf_nufft *plan, const sample_runs *s, enuf_precision p,
                                   const void *there)
{
    return sample_runs_set_coordinates(plan, s->dim, s->n, p, there);
}

/* More points: each allocation fails in turn, and the plan keeps those it has. */
static void failures_keep_the_points(const enuf_nufft_options *options, enuf_nufft *plan,
                                     const runs_there *more, int64_t n, const results *before)
{
    enuf_status status = ENUF_OUT_OF_MEMORY;
    int failures = 0;
    for (; failures < 100 && status == ENUF_OUT_OF_MEMORY; failures++) {
        enuf_fail_allocation(failures + 1);
        status = set_runs(plan, more);
        enuf_fail_allocation(0);
        if (status == ENUF_OUT_OF_MEMORY) same_results(options, plan, n, before);
    }
    CHECK_STATUS(status, ENUF_SUCCESS);
    CHECK(failures > 3); /* sums of lengths, coordinates, records */
}

static void set_without_allocation(enuf_nufft *plan, const runs_there *there)
{
    enuf_fail_allocation(1);
    CHECK_STATUS(set_runs(plan, there), ENUF_SUCCESS);
    enuf_fail_allocation(0);
}

static void same_as_coordinates(const enuf_nufft_options *options, const sample_runs *s)
{
    const enuf_precision p = options->precision;
    sample_runs others = sample_runs_make(LINES, s->dim, 3 * s->runs); /* more points */
    void *x = sample_runs_coordinates(s, p), *x_there = device_make(p, s->n * s->dim, x);
    runs_there there = runs_there_make(s), others_there = runs_there_make(&others);
    enuf_nufft *plan;
    if (CHECK_STATUS(enuf_nufft_create(options, &plan), ENUF_SUCCESS)) {
        CHECK_STATUS(set_coordinates(plan, s, p, x_there), ENUF_SUCCESS);
        results expected = transforms(options, plan, s->n);
        CHECK_STATUS(set_runs(plan, &there), ENUF_SUCCESS);
        same_results(options, plan, s->n, &expected);
        failures_keep_the_points(options, plan, &others_there, s->n, &expected);
        set_without_allocation(plan, &there);
        same_results(options, plan, s->n, &expected);
        refused(options, plan, s, &there, &expected);
        CHECK_STATUS(set_coordinates(plan, s, p, x_there), ENUF_SUCCESS);
        same_results(options, plan, s->n, &expected);
        CHECK_STATUS(enuf_nufft_set_runs(plan, 0, NULL, NULL, NULL), ENUF_SUCCESS);
        CHECK_STATUS(set_runs(plan, &there), ENUF_SUCCESS);
        same_results(options, plan, s->n, &expected);
        results_free(&expected);
    }
    enuf_nufft_destroy(&plan);
    runs_there_free(&there);
    runs_there_free(&others_there);
    device_free(x_there);
    free(x);
    sample_runs_free(&others);
}

static enuf_nufft_options options_of(int dim, enuf_precision precision)
{
    enuf_nufft_options options = device_options(dim, 18, 15, 12);
    options.precision = precision;
    options.tolerance = precision == ENUF_FLOAT ? 1e-4 : 1e-9;
    options.period = TWO_PI;
    options.deterministic = 1;
    return options;
}

static void runs_are_their_coordinates(int dim, cudaStream_t stream)
{
    for (int shape = 0; shape < RUN_SHAPES; shape++)
        for (int kind = 0; kind < 4; kind++) {
            sample_runs s = sample_runs_make((run_shape)shape, dim, 61);
            enuf_nufft_options options = options_of(dim, kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE);
            options.stream = stream;
            options.point_storage = kind & 2 ? ENUF_POINTS_INDEXED : ENUF_POINTS_PACKED;
            printf("%dD, %s, %s, %s\n", dim, run_shape_name((run_shape)shape),
                   kind & 1 ? "float" : "double", kind & 2 ? "indexed" : "packed");
            same_as_coordinates(&options, &s);
            sample_runs_free(&s);
        }
}

static void levels_of_runs(enuf_level level)
{
    sample_runs s = sample_runs_make(SPOKES, 3, 61);
    enuf_nufft_options options = options_of(3, ENUF_DOUBLE);
    options.level = level;
    printf("level %s\n", enuf_level_name(level));
    same_as_coordinates(&options, &s);
    sample_runs_free(&s);
}

static void gram_of_runs(void)
{
    enuf_nufft_options options = options_of(2, ENUF_DOUBLE);
    options.level = ENUF_LEVEL_GRAM;
    options.deterministic = 0;
    const int64_t n = 2 * modes_stored(&options);
    sample_runs s = sample_runs_make(SPOKES, 2, 30);
    void *x = sample_runs_coordinates(&s, ENUF_DOUBLE), *modes = numbers_random(ENUF_DOUBLE, n, 4);
    void *x_there = device_make(ENUF_DOUBLE, 2 * s.n, x), *in = device_make(ENUF_DOUBLE, n, modes);
    void *out[2] = {device_make(ENUF_DOUBLE, n, NULL), device_make(ENUF_DOUBLE, n, NULL)};
    runs_there there = runs_there_make(&s);
    enuf_nufft *plan;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(set_coordinates(plan, &s, ENUF_DOUBLE, x_there), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_gram(plan, in, out[0]), ENUF_SUCCESS);
    CHECK_STATUS(set_runs(plan, &there), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_gram(plan, in, out[1]), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
    void *expected = device_read(ENUF_DOUBLE, n, out[0]),
         *found = device_read(ENUF_DOUBLE, n, out[1]);
    CHECK_BELOW(relative_error(ENUF_DOUBLE, n, found, expected), 1e-12, "Gram operator of runs");
    enuf_nufft_destroy(&plan);
    runs_there_free(&there);
    device_free(x_there);
    device_free(in);
    device_free(out[0]);
    device_free(out[1]);
    free(x);
    free(modes);
    free(expected);
    free(found);
    sample_runs_free(&s);
}

static void send(const runs_there *to, const sample_runs *s)
{
    const size_t runs = (size_t)s->runs, numbers = runs * (size_t)s->dim;
    CHECK_CUDA(to_device(to->lengths, s->lengths, runs * sizeof *s->lengths));
    CHECK_CUDA(to_device(to->start, s->start, numbers * sizeof *s->start));
    CHECK_CUDA(to_device(to->step, s->step, numbers * sizeof *s->step));
}

/* A graph of a call; of another number of runs than before it is refused. */
static cudaGraphExec_t captured(const enuf_nufft_options *options, enuf_nufft *plan,
                                const runs_there *there)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    runs_there fewer = *there;
    fewer.runs--;
    CHECK_CUDA(cudaStreamBeginCapture(options->stream, cudaStreamCaptureModeGlobal));
    CHECK_STATUS(set_runs(plan, &fewer), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("graph");
    CHECK_STATUS(set_runs(plan, there), ENUF_SUCCESS);
    CHECK_CUDA(cudaStreamEndCapture(options->stream, &graph));
    CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
    CHECK_CUDA(cudaGraphDestroy(graph));
    return exec;
}

static void replay(const enuf_nufft_options *options, enuf_nufft *plan, cudaGraphExec_t graph,
                   const runs_there *there)
{
    sample_runs moved = sample_runs_make(LINES, options->dim, there->runs); /* as many points */
    moved.lengths[1] += 3, moved.lengths[2] -= 3;
    void *x = sample_runs_coordinates(&moved, options->precision);
    void *x_there = device_make(options->precision, moved.n * moved.dim, x);
    CHECK_STATUS(set_coordinates(plan, &moved, options->precision, x_there), ENUF_SUCCESS);
    results expected = transforms(options, plan, moved.n);
    CHECK_STATUS(set_runs(plan, there), ENUF_SUCCESS); /* indexed points read the plan's room */
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
    send(there, &moved);
    CHECK_CUDA(cudaGraphLaunch(graph, options->stream));
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
    same_results(options, plan, moved.n, &expected);
    moved.lengths[1]++;
    send(there, &moved);
    CHECK_CUDA(cudaGraphLaunch(graph, options->stream));
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_NOT_FINITE);
    CHECK_TEXT("point 0");
    results_free(&expected);
    device_free(x_there);
    free(x);
    sample_runs_free(&moved);
}

static void graphs_replay_runs(cudaStream_t stream, enuf_point_storage storage)
{
    enuf_nufft_options options = options_of(2, ENUF_DOUBLE);
    sample_runs s = sample_runs_make(SPOKES, 2, 61);
    runs_there there = runs_there_make(&s);
    enuf_nufft *plan;
    options.stream = stream;
    options.point_storage = storage;
    printf("graph, %s\n", storage == ENUF_POINTS_INDEXED ? "indexed" : "packed");
    if (CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS)) {
        CHECK_STATUS(set_runs(plan, &there), ENUF_SUCCESS);
        cudaGraphExec_t graph = captured(&options, plan, &there);
        if (graph) replay(&options, plan, graph, &there);
        if (graph) CHECK_CUDA(cudaGraphExecDestroy(graph));
    }
    enuf_nufft_destroy(&plan);
    runs_there_free(&there);
    sample_runs_free(&s);
}

static void many_runs(void)
{
    sample_runs s = sample_runs_make(SPIRAL, 2, 20000);
    enuf_nufft_options options = options_of(2, ENUF_FLOAT);
    printf("%lld runs\n", (long long)s.runs);
    same_as_coordinates(&options, &s);
    sample_runs_free(&s);
}

static void law(void)
{
    cudaStream_t stream;
    CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int dim = 1; dim <= 3; dim++) runs_are_their_coordinates(dim, stream);
    graphs_replay_runs(stream, ENUF_POINTS_PACKED);
    graphs_replay_runs(stream, ENUF_POINTS_INDEXED);
    CHECK_CUDA(cudaStreamDestroy(stream));
    many_runs();
    levels_of_runs(ENUF_LEVEL_WEIGHTS);
    levels_of_runs(ENUF_LEVEL_MATRIX);
    gram_of_runs();
}

int main(void)
{
    return device_main(law);
}
