/*
 * test_encoding_normal_memory.c - what Gram operators of an encoding keep:
 *
 * - other weights, samples and fields are seen: the result is that of a new object, bit by bit;
 * - equal weights need no new spectra: nothing is allocated;
 * - the allocator never holds more than memory_limit, and 1 % of it for small arrays; what does not
 * fit is refused with its bytes. SPDX-License-Identifier: BSD-3-Clause
 */
#include "encoding_problem.h"
#include "watched_blocks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 300 };

static double *weights_make(const encoding_problem *p)
{
    double *weights = numbers_make(ENUF_DOUBLE, p->n);
    for (int64_t j = 0; j < p->n; j++) weights[j] = 0.5 + (double)(j % 7);
    return weights;
}

/* The object against a new one. */
static void check_new(const encoding_problem *p, enuf_encoding *encoding, const double *weights)
{
    double *to = numbers_make(ENUF_DOUBLE, p->n_image),
           *of_new = numbers_make(ENUF_DOUBLE, p->n_image);
    enuf_encoding *other = encoding_of(p);
    if (!other) return;
    CHECK_STATUS(enuf_encoding_normal(encoding, weights, p->image, to), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_normal(other, weights, p->image, of_new), ENUF_SUCCESS);
    CHECK(numbers_equal(ENUF_DOUBLE, p->n_image, to, of_new));
    enuf_encoding_destroy(&other);
    free(to);
    free(of_new);
}

/* Spectra are those of the weights, samples and field of the call. */
static void changes(void)
{
    enuf_encoding_options options = encoding_options(2, 12, 11, 1);
    options.normal = ENUF_NORMAL_GRAM;
    options.tolerance = 1e-6;
    options.backend = ENUF_BACKEND_CPU; /* whose allocations are counted */
    options.threads = 1;                /* several add up in any order: their bits differ */
    encoding_problem p = encoding_problem_make(&options, SAMPLES, 0.02, 73);
    encoding_problem_maps(&p, SMOOTH, 90, 20, 0, 4);
    enuf_encoding *encoding = encoding_of(&p);
    if (!encoding) return;
    double *to = numbers_make(ENUF_DOUBLE, p.n_image),
           *again = numbers_make(ENUF_DOUBLE, p.n_image);
    double *weights = weights_make(&p);
    printf("changes\n");
    CHECK_STATUS(enuf_encoding_normal(encoding, weights, p.image, to), ENUF_SUCCESS);
    watched.peak = watched.held;
    const size_t held = watched.held;
    CHECK_STATUS(enuf_encoding_normal(encoding, weights, p.image, again), ENUF_SUCCESS);
    CHECK(watched.peak == held && memcmp(to, again, (size_t)p.n_image * sizeof *to) == 0);
    weights[SAMPLES / 2] *= 3;
    CHECK_STATUS(enuf_encoding_normal(encoding, weights, p.image, again), ENUF_SUCCESS);
    CHECK(watched.peak > held && relative_error(ENUF_DOUBLE, p.n_image, again, to) > 1e-4);
    check_new(&p, encoding, NULL);
    for (int64_t j = 0; j < p.n; j++) p.places[3 * j] *= 0.7;
    CHECK_STATUS(encoding_problem_set(&p, encoding), ENUF_SUCCESS);
    check_new(&p, encoding, weights);
    for (int64_t k = 0; k < p.pixels; k++) p.omega[k] *= -1.5;
    CHECK_STATUS(encoding_problem_set(&p, encoding), ENUF_SUCCESS);
    check_new(&p, encoding, weights);
    enuf_encoding_destroy(&encoding);
    free(to);
    free(again);
    free(weights);
    encoding_problem_free(&p);
}

/* Less and less memory. */
static void memory_limits(void)
{
    enuf_encoding_options options = encoding_options(2, 40, 36, 1);
    options.normal = ENUF_NORMAL_GRAM;
    options.backend = ENUF_BACKEND_CPU;
    options.threads = 1;
    encoding_problem p = encoding_problem_make(&options, 4000, 0.02, 74);
    encoding_problem_maps(&p, SMOOTH, 60, 0, 0, 4);
    double *to = numbers_make(ENUF_DOUBLE, p.n_image), *weights = weights_make(&p);
    enuf_encoding *encoding = encoding_of(&p);
    if (!encoding) return;
    CHECK_STATUS(enuf_encoding_normal(encoding, weights, p.image, to), ENUF_SUCCESS);
    const int64_t whole = encoding_report_of(encoding).bytes;
    enuf_encoding_destroy(&encoding);
    int served = 0, refused = 0;
    for (int percent = 140; percent >= 60; percent -= 8) {
        p.options.memory_limit = whole / 100 * percent;
        const size_t before = watched.held;
        const double most = 1.01 * (double)p.options.memory_limit;
        if (!CHECK_STATUS(enuf_encoding_create(&p.options, &encoding), ENUF_SUCCESS)) break;
        const enuf_status status = encoding_problem_set(&p, encoding);
        if (status == ENUF_SUCCESS) {
            watched.peak = watched.held;
            CHECK_STATUS(enuf_encoding_normal(encoding, weights, p.image, to), ENUF_SUCCESS);
            printf("limit %lld: %lld bytes, at most %zu\n", (long long)p.options.memory_limit,
                   (long long)encoding_report_of(encoding).bytes, watched.peak - before);
            CHECK_BELOW((double)(watched.peak - before), most, "  limit, and 1 % for small arrays");
            CHECK(encoding_report_of(encoding).bytes <= p.options.memory_limit);
            served++;
        } else {
            CHECK(status == ENUF_OUT_OF_MEMORY);
            CHECK_TEXT("GB");
            CHECK_TEXT("memory_limit");
            refused++;
        }
        enuf_encoding_destroy(&encoding);
    }
    CHECK(served > 0 && refused > 0);
    free(to);
    free(weights);
    encoding_problem_free(&p);
}

static void law(void)
{
    changes();
    memory_limits();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
