/*
 * test_device_memory.c - plans with arrays in device memory and a stream of the caller.
 *
 *   - All transforms, enqueued without waiting, give the direct sums: relative l2 4 tolerances of
 *     1e-10, in float 1e-5. 1D to 3D, all kinds of strengths, arithmetic and point storage.
 *   - check() reports bad points, strengths and mode indices once; then the plan works again.
 *   - After bad points the plan keeps the earlier points.
 *   - A pointer to the wrong memory is refused.
 *   - Strengths and values may begin at any number, so that a complex one is not aligned to its
 *     size: type 1 and 2, 1D to 3D, both precisions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device_arrays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Compares an array on the GPU with the expected one. */
static void compare(enuf_precision precision, int64_t n, const void *array, const void *expected,
                    double bound, const char *name)
{
    void *numbers = device_read(precision, n, array);
    CHECK_BELOW(relative_error(precision, n, numbers, expected), bound, name);
    free(numbers);
}

/* All transforms of a plan, enqueued without waiting in between. */
static void check_all_transforms(const enuf_nufft_options *options, int64_t n, double bound)
{
    transform t = transform_make(options, n, 7);
    enuf_precision precision = options->precision;
    transform_sum(&t);
    device_transform d = device_transform_make(&t);
    enuf_nufft_options streamed = *options;
    cudaStream_t stream;
    CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    streamed.stream = stream;
    enuf_nufft *plan = NULL;
    int64_t bad = 0, stored = modes_stored(options);
    void *ones = numbers_make(precision, stored);
    for (int64_t m = 0; m < stored; m++) number_set(precision, ones, m, 1);
    void *multiplier = device_make(precision, stored, ones);
    double *sums = device_make(ENUF_DOUBLE, 7 * (int64_t)options->batch, NULL);
    if (CHECK_STATUS(enuf_nufft_create(&streamed, &plan), ENUF_SUCCESS)) {
        CHECK_STATUS(device_transform_points(&t, &d, plan), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type1(plan, d.strengths, d.modes), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type2(plan, d.spectrum, d.values, d.gradients), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_check(plan, &bad), ENUF_SUCCESS);
        CHECK(bad == -1);
        compare(precision, t.n_modes, d.modes, t.modes_expected, bound, "type 1");
        compare(precision, t.n_values, d.values, t.values_expected, bound, "type 2");
        compare(precision, t.n_gradients, d.gradients, t.gradients_expected, bound, "gradients");

        /* the same results by way of the spectrum in the plan */
        device_spoil(precision, t.n_modes, d.modes);
        device_spoil(precision, t.n_values, d.values);
        device_spoil(precision, t.n_gradients, d.gradients);
        CHECK_STATUS(enuf_nufft_forward(plan, d.strengths), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_reduce(plan, 1, multiplier, 1, sums), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_get_spectrum(plan, 0, NULL, d.modes), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_put_spectrum(plan, 0, NULL, d.spectrum), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_backward(plan, ENUF_REAL, multiplier, d.values, d.gradients),
                     ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
        compare(precision, t.n_modes, d.modes, t.modes_expected, bound, "spectrum");
        compare(precision, t.n_values, d.values, t.values_expected, bound, "backward");
        compare(precision, t.n_gradients, d.gradients, t.gradients_expected, bound, "gradients");
        double *sum = device_read(ENUF_DOUBLE, 7 * (int64_t)options->batch, sums), expected = 0;
        for (int64_t m = 0; m < stored; m++) {
            double re = number_at(precision, t.modes_expected, 2 * m);
            double im = number_at(precision, t.modes_expected, 2 * m + 1);
            int64_t number[3];
            mode_numbers(options, m, number);
            double weight = options->strengths == ENUF_REAL_STRENGTHS && number[0] > 0 ? 2 : 1;
            if (!mode_is_unpaired(options, m)) expected += weight * (re * re + im * im);
        }
        CHECK_CLOSE(sum[0], expected, 2 * bound, "sum of |S|^2");
        free(sum);
    }
    enuf_nufft_destroy(&plan);
    CHECK_CUDA(cudaStreamDestroy(stream));
    device_free(sums);
    device_free(multiplier);
    free(ones);
    device_transform_free(&d);
    transform_free(&t);
}

static void all_kinds_of_plans(void)
{
    for (int dim = 1; dim <= 3; dim++)
        for (int real = 0; real < 2; real++)
            for (int single = 0; single < 2; single++)
                for (int kind = 0; kind < 4; kind++) {
                    const int deterministic = kind % 2, indexed = kind / 2;
                    enuf_nufft_options options = device_options(dim, 18, 15, 12);
                    options.strengths = real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
                    options.precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
                    options.tolerance = single ? 1e-5 : 1e-10;
                    options.gradients = 1;
                    options.deterministic = deterministic;
                    options.point_storage = indexed ? ENUF_POINTS_INDEXED : ENUF_POINTS_PACKED;
                    options.batch = dim == 2 ? 3 : 1;
                    printf("%dD, %s, %s, deterministic %d%s\n", dim, real ? "real" : "complex",
                           single ? "float" : "double", deterministic, indexed ? ", indexed" : "");
                    check_all_transforms(&options, 700, 4 * options.tolerance);
                }
}

/* Bad data are recorded on the device. check() reports them once, and the plan works again. */
static void bad_data_are_reported(int deterministic, enuf_point_storage storage)
{
    enuf_nufft_options options = device_options(3, 16, 16, 16);
    options.strengths = ENUF_REAL_STRENGTHS;
    options.tolerance = 1e-8;
    options.deterministic = deterministic;
    options.point_storage = storage;
    transform t = transform_make(&options, 500, 3);
    transform_sum(&t);
    enuf_nufft *plan = NULL;
    int64_t bad = 0;
    device_transform d = device_transform_make(&t);
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);

    double *points = t.points, right = points[3 * 321 + 1];
    points[3 * 321 + 1] = (double)NAN;
    double right_of_second = points[3 * 400];
    points[3 * 400] = (double)INFINITY;
    CHECK_CUDA(to_device(d.points, points, 3 * 500 * sizeof(double)));
    CHECK_STATUS(device_transform_points(&t, &d, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, d.strengths, d.modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, d.spectrum, d.values, d.gradients), ENUF_SUCCESS);
    const uint64_t *on_device = NULL;
    uint64_t first_bad = 0;
    CHECK_STATUS(enuf_nufft_first_bad(plan, &on_device), ENUF_SUCCESS);
    CHECK_CUDA(cudaMemcpy(&first_bad, on_device, sizeof first_bad, cudaMemcpyDeviceToHost));
    CHECK(first_bad == 321);
    CHECK_STATUS(enuf_nufft_check(plan, &bad), ENUF_NOT_FINITE);
    CHECK(bad == 321);
    CHECK_TEXT("321");
    CHECK_STATUS(enuf_nufft_check(plan, &bad), ENUF_SUCCESS);
    CHECK(bad == -1);
    CHECK_CUDA(cudaMemcpy(&first_bad, on_device, sizeof first_bad, cudaMemcpyDeviceToHost));
    CHECK(first_bad == UINT64_MAX);
    CHECK_STATUS(enuf_nufft_type1(plan, d.strengths, d.modes), ENUF_NO_POINTS_SET);

    points[3 * 321 + 1] = right;
    points[3 * 400] = right_of_second;
    CHECK_CUDA(to_device(d.points, points, 3 * 500 * sizeof(double)));
    void *strengths = device_make(ENUF_DOUBLE, 500, t.strengths);
    CHECK_CUDA(cudaMemset((double *)strengths + 17, 0xff, sizeof(double)));
    CHECK_STATUS(device_transform_points(&t, &d, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_forward(plan, strengths), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_check(plan, &bad), ENUF_NOT_FINITE);
    CHECK(bad == -1);
    CHECK_TEXT("strength");
    CHECK_STATUS(enuf_nufft_get_spectrum(plan, 0, NULL, d.modes), ENUF_NO_POINTS_SET);

    CHECK_STATUS(enuf_nufft_type1(plan, d.strengths, d.modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_check(plan, &bad), ENUF_SUCCESS);
    compare(ENUF_DOUBLE, t.n_modes, d.modes, t.modes_expected, 1e-7, "type 1 after the errors");
    enuf_nufft_destroy(&plan);

    if (deterministic) {
        options.strength_bound = 1;
        CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
        CHECK_STATUS(device_transform_points(&t, &d, plan), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_forward(plan, d.strengths), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_OVERFLOWED);
        CHECK_TEXT("strength_bound 1");
        enuf_nufft_destroy(&plan);
    }
    device_free(strengths);
    device_transform_free(&d);
    transform_free(&t);
}

/* Sets n points on the device of which the last is bad; check() names it. */
static void set_bad_points(enuf_nufft *plan, int64_t n, const double *bad)
{
    int64_t first_bad = -2;
    CHECK_STATUS(enuf_nufft_set_points(plan, n, bad, bad, bad, 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_check(plan, &first_bad), ENUF_NOT_FINITE);
    CHECK(first_bad == n - 1);
}

/* After bad points the plan keeps the earlier points, whether the bad ones are fewer or more. Until
 * check() reports them, calls read and write no more elements than the bad set has points. */
static void bad_points_keep_the_earlier_ones(int dim, enuf_precision precision, int deterministic)
{
    enum { N = 400, MOST = 9000 };
    enuf_nufft_options options = device_options(dim, 16, 15, 12);
    options.precision = precision;
    options.deterministic = deterministic;
    options.tolerance = 1e-4;
    transform t = transform_make(&options, N, 41), other = transform_make(&options, N / 3, 42);
    transform_sum(&t);
    transform_sum(&other);
    device_transform d = device_transform_make(&t), of_other = device_transform_make(&other);
    double *x = calloc(MOST, sizeof *x), *bad[3];
    const int64_t n_bad[3] = {N / 4, N, MOST};
    for (int k = 0; k < 3; k++) {
        x[n_bad[k] - 1] = (double)NAN;
        bad[k] = device_make(ENUF_DOUBLE, n_bad[k], x);
        x[n_bad[k] - 1] = 0;
    }
    void *strengths = device_make(precision, 2 * N / 4, t.strengths); /* for the smallest bad set */
    enuf_nufft *plan = NULL;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(device_transform_points(&t, &d, plan), ENUF_SUCCESS);
    for (int k = 0; k < 6; k++) {
        if (k < 3) {
            set_bad_points(plan, n_bad[k], bad[k]);
        } else { /* several sets and a transform before one check */
            CHECK_STATUS(enuf_nufft_set_points(plan, N / 4, bad[0], bad[0], bad[0], 1),
                         ENUF_SUCCESS);
            CHECK_STATUS(enuf_nufft_type1(plan, strengths, d.modes), ENUF_SUCCESS);
            if (k == 4) CHECK_STATUS(device_transform_points(&t, &d, plan), ENUF_SUCCESS);
            if (k == 5)
                CHECK_STATUS(enuf_nufft_set_points(plan, N, bad[1], bad[1], bad[1], 1),
                             ENUF_SUCCESS);
            CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_NOT_FINITE);
        }
        device_spoil(precision, t.n_modes, d.modes);
        device_spoil(precision, t.n_values, d.values);
        CHECK_STATUS(enuf_nufft_type1(plan, d.strengths, d.modes), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type2(plan, d.spectrum, d.values, d.gradients), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
        compare(precision, t.n_modes, d.modes, t.modes_expected, 4e-4, "earlier points: type 1");
        compare(precision, t.n_values, d.values, t.values_expected, 4e-4, "type 2");
    }
    /* fewer good points, then bad points, then more good points */
    CHECK_STATUS(device_transform_points(&other, &of_other, plan), ENUF_SUCCESS);
    set_bad_points(plan, N, bad[1]);
    CHECK_STATUS(enuf_nufft_type1(plan, of_other.strengths, of_other.modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
    compare(precision, other.n_modes, of_other.modes, other.modes_expected, 4e-4, "fewer points");
    CHECK_STATUS(device_transform_points(&t, &d, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, d.strengths, d.modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
    compare(precision, t.n_modes, d.modes, t.modes_expected, 4e-4, "points set again");
    /* a new frame, or a larger reserve(), has no earlier points */
    CHECK_STATUS(enuf_nufft_set_frame(plan, NULL, NULL), ENUF_SUCCESS);
    set_bad_points(plan, N, bad[1]);
    CHECK_STATUS(enuf_nufft_type1(plan, d.strengths, d.modes), ENUF_NO_POINTS_SET);
    CHECK_STATUS(device_transform_points(&t, &d, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_reserve(plan, 4 * MOST), ENUF_SUCCESS);
    set_bad_points(plan, N, bad[1]);
    CHECK_STATUS(enuf_nufft_type1(plan, d.strengths, d.modes), ENUF_NO_POINTS_SET);
    enuf_nufft_destroy(&plan);
    for (int k = 0; k < 3; k++) device_free(bad[k]);
    device_free(strengths);
    free(x);
    device_transform_free(&d);
    device_transform_free(&of_other);
    transform_free(&t);
    transform_free(&other);
}

/* A complex strength of which one part is NaN is reported. */
static void one_bad_part(int dim, enuf_precision precision)
{
    enum { N = 300 };
    enuf_nufft_options options = device_options(dim, 16, 15, 12);
    options.precision = precision;
    options.tolerance = 1e-4;
    options.batch = 2;
    transform t = transform_make(&options, N, 3);
    device_transform d = device_transform_make(&t);
    enuf_nufft *plan = NULL;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(device_transform_points(&t, &d, plan), ENUF_SUCCESS);
    for (int part = 0; part < 2; part++) {
        void *strengths = device_make(precision, t.n_strengths, t.strengths);
        size_t size = precision == ENUF_FLOAT ? sizeof(float) : sizeof(double);
        device_spoil(precision, 1, (char *)strengths + (size_t)(2 * (N + 17) + part) * size);
        CHECK_STATUS(enuf_nufft_type1(plan, strengths, d.modes), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_NOT_FINITE);
        CHECK_TEXT("strength");
        device_free(strengths);
    }
    enuf_nufft_destroy(&plan);
    device_transform_free(&d);
    transform_free(&t);
}

/* An array in the wrong memory is refused before anything reads it. */
static void wrong_memory(void)
{
    enuf_nufft_options options = device_options(3, 8, 8, 8);
    transform t = transform_make(&options, 50, 3);
    device_transform d = device_transform_make(&t);
    enuf_nufft *plan = NULL, *host_plan = NULL;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(transform_points(&t, plan), ENUF_BAD_MEMORY);
    CHECK_TEXT("x lives in host memory");
    CHECK_STATUS(device_transform_points(&t, &d, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, t.strengths, d.modes), ENUF_BAD_MEMORY);
    CHECK_TEXT("strengths");
    CHECK_STATUS(enuf_nufft_type1(plan, d.strengths, t.spectrum), ENUF_BAD_MEMORY);
    CHECK_TEXT("modes");
    CHECK_STATUS(enuf_nufft_type2(plan, d.spectrum, t.values_expected, NULL), ENUF_BAD_MEMORY);
    CHECK_TEXT("values");
    options.memory = ENUF_HOST;
    CHECK_STATUS(enuf_nufft_create(&options, &host_plan), ENUF_SUCCESS);
    CHECK_STATUS(device_transform_points(&t, &d, host_plan), ENUF_BAD_MEMORY);
    CHECK_TEXT("lives in device memory");
    CHECK_STATUS(transform_points(&t, host_plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(host_plan, d.strengths, t.spectrum), ENUF_BAD_MEMORY);
    enuf_nufft_destroy(&plan);
    enuf_nufft_destroy(&host_plan);
    device_transform_free(&d);
    transform_free(&t);
}

/* Mode indices in device memory are checked on the device. */
static void mode_indices(void)
{
    enuf_nufft_options options = device_options(2, 8, 8, 1);
    transform t = transform_make(&options, 50, 3);
    transform_sum(&t);
    device_transform d = device_transform_make(&t);
    enuf_nufft *plan = NULL;
    int64_t index[3] = {5, 63, 0}, *on_device;
    double packed[6];
    CHECK_CUDA(cudaMalloc((void **)&on_device, sizeof index));
    CHECK_CUDA(to_device(on_device, index, sizeof index));
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(device_transform_points(&t, &d, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_forward(plan, d.strengths), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_spectrum(plan, 3, on_device, d.modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
    for (int k = 0; k < 6; k++)
        packed[k] = number_at(ENUF_DOUBLE, t.modes_expected, 2 * index[k / 2] + k % 2);
    compare(ENUF_DOUBLE, 6, d.modes, packed, 1e-5, "three modes");
    index[1] = 64;
    CHECK_CUDA(to_device(on_device, index, sizeof index));
    CHECK_STATUS(enuf_nufft_get_spectrum(plan, 3, on_device, d.modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("mode_index[1]");
    enuf_nufft_destroy(&plan);
    CHECK_CUDA(cudaFree(on_device));
    device_transform_free(&d);
    transform_free(&t);
}

/* A copy on the GPU that begins one number behind an aligned place. */
static void *make_behind(enuf_precision precision, int64_t n, const void *from, void **block)
{
    const size_t number = precision == ENUF_FLOAT ? sizeof(float) : sizeof(double);
    *block = device_make(precision, n + 1, NULL);
    char *array = (char *)*block + number;
    if (from) CHECK_CUDA(to_device(array, from, (size_t)n * number));
    return array;
}

static void arrays_begin_anywhere(int dim, enuf_precision precision)
{
    enuf_nufft_options options = device_options(dim, 18, dim > 1 ? 10 : 0, dim > 2 ? 8 : 0);
    enuf_nufft *plan = NULL;
    void *of_strengths, *of_values;
    options.precision = precision;
    options.tolerance = precision == ENUF_FLOAT ? 1e-4 : 1e-9;
    transform t = transform_make(&options, 900, 5);
    device_transform d = device_transform_make(&t);
    void *strengths = make_behind(precision, t.n_strengths, t.strengths, &of_strengths);
    void *values = make_behind(precision, t.n_values, NULL, &of_values);
    printf("%dD, %s, one number behind an aligned place\n", dim,
           precision == ENUF_FLOAT ? "float" : "double");
    transform_sum(&t);
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(device_transform_points(&t, &d, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, strengths, d.modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, d.spectrum, values, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS);
    compare(precision, t.n_modes, d.modes, t.modes_expected, options.tolerance, "type 1");
    compare(precision, t.n_values, values, t.values_expected, options.tolerance, "type 2");
    enuf_nufft_destroy(&plan);
    device_free(of_strengths);
    device_free(of_values);
    device_transform_free(&d);
    transform_free(&t);
}

static void law(void)
{
    all_kinds_of_plans();
    for (int dim = 1; dim <= 3; dim++) {
        arrays_begin_anywhere(dim, ENUF_DOUBLE);
        arrays_begin_anywhere(dim, ENUF_FLOAT);
    }
    for (int deterministic = 0; deterministic < 2; deterministic++) {
        bad_data_are_reported(deterministic, ENUF_POINTS_PACKED);
        bad_data_are_reported(deterministic, ENUF_POINTS_INDEXED);
    }
    for (int kind = 0; kind < 12; kind++)
        bad_points_keep_the_earlier_ones(kind % 3 + 1, kind / 3 % 2 ? ENUF_FLOAT : ENUF_DOUBLE,
                                         kind / 6);
    for (int dim = 1; dim <= 3; dim++) {
        one_bad_part(dim, ENUF_DOUBLE);
        one_bad_part(dim, ENUF_FLOAT);
    }
    wrong_memory();
    mode_indices();
}

int main(void)
{
    return device_main(law);
}
