/*
 * test_failing_allocator.c - every allocation in the life of a plan fails once. The call returns
 * ENUF_OUT_OF_MEMORY and leaks nothing (run under AddressSanitizer). The plan works afterwards,
 * with the points it had: its relative l2 error against direct sums is at most 4 tolerances.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_ALLOCATIONS = 1000 };

typedef enuf_status (*step)(const transform *t, enuf_nufft *plan, void *output);

/* Repeats a call with its first, second, ... allocation failing, until it succeeds. Returns the
 * number of its allocations. */
static int fail_one_by_one(const transform *t, enuf_nufft *plan, void *output, step call)
{
    int nth = 1;
    for (; nth < MOST_ALLOCATIONS; ++nth) {
        enuf_fail_allocation(nth);
        enuf_status status = call(t, plan, output);
        enuf_fail_allocation(0);
        if (status == ENUF_SUCCESS) return nth - 1;
        if (!CHECK(status == ENUF_OUT_OF_MEMORY)) return -1;
        CHECK_TEXT("memory");
    }
    CHECK(nth < MOST_ALLOCATIONS);
    return -1;
}

static enuf_status create_and_destroy(const transform *t, enuf_nufft *unused, void *output)
{
    enuf_nufft *plan;
    (void)unused;
    (void)output;
    enuf_status status = enuf_nufft_create(&t->options, &plan);
    CHECK((plan == NULL) == (status != ENUF_SUCCESS));
    enuf_nufft_destroy(&plan);
    return status;
}

static enuf_status set_points(const transform *t, enuf_nufft *plan, void *output)
{
    (void)output;
    return transform_points(t, plan);
}

static enuf_status type1(const transform *t, enuf_nufft *plan, void *output)
{
    return enuf_nufft_type1(plan, t->strengths, output);
}

static enuf_status type2(const transform *t, enuf_nufft *plan, void *output)
{
    return enuf_nufft_type2(plan, t->spectrum, NULL, output);
}

static enuf_status convolve(const transform *t, enuf_nufft *plan, void *output)
{
    double sums[7 * 2];
    enuf_status status = enuf_nufft_forward(plan, t->strengths);
    if (status == ENUF_SUCCESS) status = enuf_nufft_reduce(plan, 1, t->spectrum, 1, sums);
    if (status == ENUF_SUCCESS)
        status = enuf_nufft_backward(plan, ENUF_REAL, t->spectrum, NULL, output);
    return status;
}

static enuf_status get_and_put(const transform *t, enuf_nufft *plan, void *output)
{
    (void)t;
    enuf_status status = enuf_nufft_get_spectrum(plan, 0, NULL, output);
    return status == ENUF_SUCCESS ? enuf_nufft_put_spectrum(plan, 0, NULL, output) : status;
}

static void law_of(int dim, enuf_precision precision, enuf_strengths strengths, int deterministic)
{
    enuf_nufft_options options = conformance_options(dim, 9, 8, 7);
    options.precision = precision;
    options.strengths = strengths;
    options.deterministic = deterministic;
    options.batch = 2;
    options.tolerance = 1e-4;
    transform t = transform_make(&options, 300, 3);
    transform few = transform_make(&options, 10, 4);
    int64_t most = t.n_gradients > t.n_modes ? t.n_gradients : t.n_modes;
    void *output = numbers_make(precision, most);
    enuf_nufft *plan = NULL;
    transform_sum(&t);
    transform_sum(&few);
    int in_create = fail_one_by_one(&t, NULL, NULL, create_and_destroy);
    CHECK(in_create > 0);
    if (CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS)) {
        CHECK_STATUS(transform_points(&few, plan), ENUF_SUCCESS);
        int in_set_points = fail_one_by_one(&t, plan, output, set_points);
        int in_type1 = fail_one_by_one(&t, plan, output, type1);
        int in_type2 = fail_one_by_one(&t, plan, output, type2);
        int in_convolve = fail_one_by_one(&t, plan, output, convolve);
        int in_spectrum = fail_one_by_one(&t, plan, output, get_and_put);
        CHECK(in_set_points > 0);
        printf("%dD %s %s%s: allocations of create %d, set_points %d, type1 %d, type2 %d, "
               "convolution %d, spectrum %d\n",
               dim, precision == ENUF_FLOAT ? "float" : "double",
               strengths == ENUF_REAL_STRENGTHS ? "real" : "complex",
               deterministic ? " deterministic" : "", in_create, in_set_points, in_type1, in_type2,
               in_convolve, in_spectrum);
        CHECK_BELOW(type1_error(&t, plan), 4e-4, "  afterwards: type 1");
        CHECK_BELOW(type2_error(&t, plan), 4e-4, "  afterwards: type 2");
    }
    enuf_nufft_destroy(&plan);
    free(output);
    transform_free(&t);
    transform_free(&few);
}

/* If set_points() with more points fails at any of its allocations, the plan keeps the earlier
 * points. */
static void failed_set_points_keeps_the_earlier_ones(int stride)
{
    enuf_nufft_options options = conformance_options(2, 9, 8, 0);
    transform few = transform_make(&options, 10, 5);
    transform many = transform_make(&options, 5000, 6);
    transform_sum(&few);
    enuf_nufft *plan = transform_plan(&few, NULL);
    int failed = 0;
    for (enuf_status status = ENUF_OUT_OF_MEMORY; plan && status != ENUF_SUCCESS; ++failed) {
        enuf_fail_allocation(failed + 1);
        status = enuf_nufft_set_points(plan, many.n / stride, many.points, many.points + 1, NULL,
                                       stride);
        enuf_fail_allocation(0);
        if (status == ENUF_SUCCESS) break;
        if (!CHECK_STATUS(status, ENUF_OUT_OF_MEMORY)) break;
        CHECK_BELOW(type1_error(&few, plan), 4e-6, "earlier points: type 1");
        CHECK_BELOW(type2_error(&few, plan), 4e-6, "earlier points: type 2");
    }
    CHECK(failed > 0);
    enuf_nufft_destroy(&plan);
    transform_free(&few);
    transform_free(&many);
}

static void law(void)
{
    for (int dim = 1; dim <= 3; ++dim)
        for (int kind = 0; kind < 8; ++kind)
            law_of(dim, kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE,
                   kind & 2 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS, kind >> 2);
    failed_set_points_keeps_the_earlier_ones(3);
    /* a stride above 4 is packed before the copy to a GPU */
    failed_set_points_keeps_the_earlier_ones(6);
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
