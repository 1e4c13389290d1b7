/*
 * test_graph.c - a time step (set_points, forward, reduce, backward) is captured once in a CUDA
 * graph and replayed three times with new positions in the same buffers. Values and gradients have
 * a relative l2 error of at most 8 tolerances against direct sums, the energy of 16. The tolerance
 * is 1e-9, in float 1e-5. Deterministic or not, packed and indexed points, levels weights and
 * matrix. SPDX-License-Identifier: BSD-3-Clause
 */
#include "device_arrays.h"

#include "enuf/direct.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 2000, STEPS = 3 };

typedef struct step {
    enuf_nufft *plan;
    device_transform d;
    void *weights;
    double *sums;
} step;

static void enqueue(const transform *t, const step *s)
{
    CHECK_STATUS(device_transform_points(t, &s->d, s->plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_forward(s->plan, s->d.strengths), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_reduce(s->plan, 1, s->weights, 1, s->sums), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_backward(s->plan, ENUF_REAL, s->weights, s->d.values, s->d.gradients),
                 ENUF_SUCCESS);
}

/* Compares the results of a step with direct sums that use the same weights. */
static void compare(const transform *t, const step *s, const void *weights, double bound)
{
    enuf_precision precision = t->options.precision;
    const double *p = t->points;
    void *modes = numbers_make(precision, t->n_modes), *values, *gradients;
    double energy = 0;
    CHECK_STATUS(
        enuf_direct_type1(&t->options, NULL, NULL, t->n, p, p + 1, p + 2, 3, t->strengths, modes),
        ENUF_SUCCESS);
    for (int64_t m = 0; m < t->modes; m++) {
        double w = number_at(precision, weights, m), re = number_at(precision, modes, 2 * m);
        double im = number_at(precision, modes, 2 * m + 1);
        int64_t number[3];
        mode_numbers(&t->options, m, number);
        if (mode_is_unpaired(&t->options, m)) w = 0;
        energy += (number[0] > 0 ? 2 : 1) * w * (re * re + im * im);
        number_set(precision, modes, 2 * m, w * re);
        number_set(precision, modes, 2 * m + 1, w * im);
    }
    values = numbers_make(precision, t->n_values);
    gradients = numbers_make(precision, t->n_gradients);
    CHECK_STATUS(enuf_direct_type2(&t->options, NULL, NULL, t->n, p, p + 1, p + 2, 3, modes, values,
                                   gradients),
                 ENUF_SUCCESS);
    void *found = device_read(precision, t->n_values, s->d.values);
    CHECK_BELOW(relative_error(precision, t->n_values, found, values), bound, "values");
    free(found);
    found = device_read(precision, t->n_gradients, s->d.gradients);
    CHECK_BELOW(relative_error(precision, t->n_gradients, found, gradients), bound, "gradients");
    free(found);
    double *sums = device_read(ENUF_DOUBLE, 7, s->sums);
    CHECK_CLOSE(sums[0], energy, 2 * bound, "energy");
    free(sums);
    free(modes);
    free(values);
    free(gradients);
}

/* Draws new points, in the transform and in the buffer on the GPU. */
static void move(transform *t, const step *s, uint64_t seed)
{
    transform other = transform_make(&t->options, t->n, seed);
    for (int64_t k = 0; k < 3 * t->n; k++) t->points[k] = other.points[k];
    CHECK_CUDA(to_device(s->d.points, t->points, (size_t)(3 * t->n) * sizeof(double)));
    CHECK_CUDA(cudaDeviceSynchronize());
    transform_free(&other);
}

static void capture_and_replay(enuf_precision precision, int deterministic,
                               enuf_point_storage storage, enuf_level level)
{
    enuf_nufft_options options = device_options(3, 20, 16, 18);
    cudaStream_t stream;
    CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    options.precision = precision;
    options.strengths = ENUF_REAL_STRENGTHS;
    options.tolerance = precision == ENUF_FLOAT ? 1e-5 : 1e-9;
    options.gradients = 1;
    options.deterministic = deterministic;
    options.point_storage = storage;
    options.level = level;
    options.stream = stream;
    transform t = transform_make(&options, POINTS, 1);
    step s = {.d = device_transform_make(&t)};
    void *weights = numbers_make(precision, t.modes);
    for (int64_t m = 0; m < t.modes; m++) {
        int64_t k[3];
        mode_numbers(&options, m, k);
        double square = (double)(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]);
        number_set(precision, weights, m, square > 0 ? exp(-square / 20) / square : 0);
    }
    s.weights = device_make(precision, t.modes, weights);
    s.sums = device_make(ENUF_DOUBLE, 7, NULL);
    printf("precision %d, deterministic %d, point storage %d, level %s\n", (int)precision,
           deterministic, (int)storage, enuf_level_name(level));
    if (CHECK_STATUS(enuf_nufft_create(&options, &s.plan), ENUF_SUCCESS)) {
        cudaGraph_t graph = NULL;
        cudaGraphExec_t exec = NULL;
        CHECK_STATUS(enuf_nufft_reserve(s.plan, POINTS), ENUF_SUCCESS);
        CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        enqueue(&t, &s);
        CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
        CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
        for (int k = 0; k < STEPS && exec; k++) {
            move(&t, &s, 100 + (uint64_t)k);
            CHECK_CUDA(cudaGraphLaunch(exec, stream));
            CHECK_STATUS(enuf_nufft_check(s.plan, NULL), ENUF_SUCCESS);
            compare(&t, &s, weights, 8 * options.tolerance);
        }
        if (exec) CHECK_CUDA(cudaGraphExecDestroy(exec));
        if (graph) CHECK_CUDA(cudaGraphDestroy(graph));
    }
    enuf_nufft_destroy(&s.plan);
    CHECK_CUDA(cudaStreamDestroy(stream));
    device_free(s.weights);
    device_free(s.sums);
    free(weights);
    device_transform_free(&s.d);
    transform_free(&t);
}

static void law(void)
{
    for (int kind = 0; kind < 4; kind++) {
        const enuf_precision precision = kind / 2 ? ENUF_FLOAT : ENUF_DOUBLE;
        capture_and_replay(precision, kind % 2, ENUF_POINTS_PACKED, ENUF_LEVEL_SORTED);
        capture_and_replay(precision, kind % 2, ENUF_POINTS_INDEXED, ENUF_LEVEL_SORTED);
        capture_and_replay(precision, kind % 2, ENUF_POINTS_PACKED, ENUF_LEVEL_WEIGHTS);
        capture_and_replay(precision, kind % 2, ENUF_POINTS_PACKED, ENUF_LEVEL_MATRIX);
    }
}

int main(void)
{
    return device_main(law);
}
