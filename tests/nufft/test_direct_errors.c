/*
 * test_direct_errors.c - the direct sums refuse invalid arguments with a text that names the
 * argument and its value. Without points or modes they return zeros. A failed allocation is
 * ENUF_OUT_OF_MEMORY and leaks nothing (run under AddressSanitizer).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "enuf/direct.h"
#include "memory.h"

#include <math.h>
#include <string.h>

enum { N = 3 };

static const double X[3 * N] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
static const double ONES[2 * 64] = {1.0, 1.0, 1.0};
static double modes[2 * 64];
static double values[2 * N];

static enuf_status type1_and_type2(const enuf_nufft_options *options)
{
    enuf_status first = enuf_direct_type1(options, NULL, NULL, N, X, X + 1, X + 2, 3, ONES, modes);
    enuf_status second =
        enuf_direct_type2(options, NULL, NULL, N, X, X + 1, X + 2, 3, ONES, values, NULL);
    CHECK(first == second);
    return second;
}

static void bad_options(void)
{
    const enuf_nufft_options good = conformance_options(3, 4, 4, 4);
    enuf_nufft_options options;
#define REFUSED(assignment, text)                                                                  \
    do {                                                                                           \
        options = good;                                                                            \
        assignment;                                                                                \
        CHECK_STATUS(type1_and_type2(&options), ENUF_BAD_ARGUMENT);                                \
        CHECK_TEXT(text);                                                                          \
    } while (0)
    CHECK_STATUS(type1_and_type2(&good), ENUF_SUCCESS);
    CHECK_STATUS(type1_and_type2(NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("options");
    REFUSED(options.struct_size = 8, "struct_size");
    REFUSED(options.dim = 0, "dim is 0");
    REFUSED(options.dim = 4, "dim is 4");
    REFUSED(options.precision = (enuf_precision)7, "precision is 7");
    REFUSED(options.strengths = (enuf_strengths)7, "strengths is 7");
    REFUSED(options.sign = 2, "sign is 2");
    REFUSED(options.type2_sign = 2, "type2_sign is 2");
    REFUSED(options.batch = 0, "batch is 0");
    REFUSED(options.mode_order = (enuf_mode_order)7, "mode_order is 7");
    REFUSED(options.period = 0.0, "period is 0");
    REFUSED(options.period = NAN, "period is");
    REFUSED(options.threads = -1, "threads is -1");
    REFUSED(options.modes[1] = -5, "modes[1] is -5");
    REFUSED(options.modes[0] = options.modes[1] = options.modes[2] = INT64_C(4000000000), "modes");
#undef REFUSED
}

static void bad_arrays(void)
{
    const enuf_nufft_options options = conformance_options(3, 4, 4, 4);
    double bad[3 * N];
    CHECK_STATUS(enuf_direct_type1(&options, NULL, NULL, -1, X, X + 1, X + 2, 3, ONES, modes),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("-1 points");
    CHECK_STATUS(enuf_direct_type1(&options, NULL, NULL, N, X, X + 1, X + 2, 0, ONES, modes),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("stride");
    CHECK_STATUS(enuf_direct_type1(&options, NULL, NULL, N, X, NULL, X + 2, 3, ONES, modes),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("y is NULL");
    CHECK_STATUS(enuf_direct_type1(&options, NULL, NULL, N, X, X + 1, X + 2, 3, NULL, modes),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("strengths is NULL");
    CHECK_STATUS(enuf_direct_type1(&options, NULL, NULL, N, X, X + 1, X + 2, 3, ONES, NULL),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("modes is NULL");
    CHECK_STATUS(enuf_direct_type2(&options, NULL, NULL, N, X, X + 1, X + 2, 3, NULL, values, NULL),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("modes is NULL");
    memcpy(bad, X, sizeof bad);
    bad[7] = NAN;
    CHECK_STATUS(enuf_direct_type1(&options, NULL, NULL, N, bad, bad + 1, bad + 2, 3, ONES, modes),
                 ENUF_NOT_FINITE);
    CHECK_TEXT("point 2");
    bad[3] = INFINITY;
    CHECK_STATUS(
        enuf_direct_type2(&options, NULL, NULL, N, bad, bad + 1, bad + 2, 3, ONES, values, NULL),
        ENUF_NOT_FINITE);
    CHECK_TEXT("point 1");
    double strengths[2 * N] = {1.0, 1.0, 1.0, NAN, 1.0, 1.0};
    CHECK_STATUS(enuf_direct_type1(&options, NULL, NULL, N, X, X + 1, X + 2, 3, strengths, modes),
                 ENUF_NOT_FINITE);
    CHECK_TEXT("strengths[1]");
}

static void bad_sources_and_targets(void)
{
    double gradients[6 * N];
    const double bad[3] = {0.0, NAN, 0.0};
#define SUM(dim, sign, threads, sources, strengths, targets)                                       \
    enuf_direct_sum(dim, sign, threads, 1, sources, strengths, 1, targets, values, gradients)
    CHECK_STATUS(SUM(3, 1, 0, X, ONES, X), ENUF_SUCCESS);
    CHECK_STATUS(SUM(0, 1, 0, X, ONES, X), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("dim is 0");
    CHECK_STATUS(SUM(3, 0, 0, X, ONES, X), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("sign is 0");
    CHECK_STATUS(SUM(3, 1, -2, X, ONES, X), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("threads is -2");
    CHECK_STATUS(SUM(3, 1, 0, NULL, ONES, X), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("sources is NULL");
    CHECK_STATUS(SUM(3, 1, 0, X, NULL, X), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("strengths is NULL");
    CHECK_STATUS(SUM(3, 1, 0, X, ONES, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("targets is NULL");
    CHECK_STATUS(SUM(3, 1, 0, bad, ONES, X), ENUF_NOT_FINITE);
    CHECK_TEXT("source 0");
    CHECK_STATUS(SUM(3, 1, 0, X, ONES, bad), ENUF_NOT_FINITE);
    CHECK_TEXT("target 0");
#undef SUM
    CHECK_STATUS(enuf_direct_sum(3, 1, 0, -1, X, ONES, 1, X, values, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("-1 sources");
    values[0] = values[1] = 7.0;
    CHECK_STATUS(enuf_direct_sum(3, 1, 0, 0, NULL, NULL, 1, X, values, NULL), ENUF_SUCCESS);
    CHECK(values[0] == 0.0 && values[1] == 0.0);
    CHECK_STATUS(enuf_direct_sum(3, 1, 0, 1, X, ONES, 0, NULL, NULL, NULL), ENUF_SUCCESS);
}

static void nothing_to_sum(void)
{
    enuf_nufft_options options = conformance_options(2, 4, 4, 0);
    modes[0] = 7.0;
    CHECK_STATUS(enuf_direct_type1(&options, NULL, NULL, 0, NULL, NULL, NULL, 1, NULL, modes),
                 ENUF_SUCCESS);
    for (int i = 0; i < 2 * 16; ++i) CHECK(modes[i] == 0.0);
    CHECK_STATUS(enuf_direct_type2(&options, NULL, NULL, 0, NULL, NULL, NULL, 1, modes, NULL, NULL),
                 ENUF_SUCCESS);
    double gradients[4 * N];
    options.modes[1] = 0;
    values[0] = gradients[0] = 7.0;
    CHECK_STATUS(enuf_direct_type1(&options, NULL, NULL, N, X, X + 1, NULL, 3, ONES, NULL),
                 ENUF_SUCCESS);
    CHECK_STATUS(
        enuf_direct_type2(&options, NULL, NULL, N, X, X + 1, NULL, 3, NULL, values, gradients),
        ENUF_SUCCESS);
    for (int i = 0; i < 2 * N; ++i) CHECK(values[i] == 0.0);
    for (int i = 0; i < 4 * N; ++i) CHECK(gradients[i] == 0.0);
}

/* The first, second, ... allocation of a call fails, until the call needs no more and succeeds. */
static void allocations_that_fail(void)
{
    const enuf_nufft_options options = conformance_options(3, 4, 4, 4);
    for (int type = 1; type <= 2; ++type) {
        enuf_status status = ENUF_OUT_OF_MEMORY;
        for (int64_t nth = 1; status != ENUF_SUCCESS && nth < 100; ++nth) {
            enuf_fail_allocation(nth);
            status = type == 1 ? enuf_direct_type1(&options, NULL, NULL, N, X, X + 1, X + 2, 3,
                                                   ONES, modes)
                               : enuf_direct_type2(&options, NULL, NULL, N, X, X + 1, X + 2, 3,
                                                   ONES, values, NULL);
            enuf_fail_allocation(0);
            CHECK(nth > 1 || status == ENUF_OUT_OF_MEMORY);
            CHECK(status == ENUF_OUT_OF_MEMORY || status == ENUF_SUCCESS);
        }
        CHECK(status == ENUF_SUCCESS);
    }
}

static void law(void)
{
    bad_options();
    bad_arrays();
    bad_sources_and_targets();
    nothing_to_sum();
    allocations_that_fail();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
