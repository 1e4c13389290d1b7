/*
 * test_encoding_operator.c - an encoding as a linear operator:
 *
 * - <A m, s> = <m, A^H s> to 1e-13, in float 1e-6, of the norms, even with a coarse tolerance;
 * - normal is forward, weights, adjoint: to 1e-14, in float 1e-6;
 * - a batch gives what its images give one by one, to 1e-13, in float 1e-6;
 * - a memory limit makes fewer transforms go at once, with the same result to 1e-13, until the
 *   interpolators do not fit, which names their number and direct sums;
 * - with sensitivities: forward of S_c m, and the sum over coils of conj(S_c) times adjoints;
 * - no samples, no pixels and no field are legal; the order of pixels permutes them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "encoding_problem.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 400, BATCH = 3 };

static double complex inner(enuf_precision p, int64_t n, const void *a, const void *b)
{
    double complex sum = 0;
    for (int64_t i = 0; i < n; i += 2)
        sum += (number_at(p, a, i) - I * number_at(p, a, i + 1)) *
               (number_at(p, b, i) + I * number_at(p, b, i + 1));
    return sum;
}

static void adjointness(const encoding_problem *p, enuf_encoding *encoding)
{
    const enuf_precision precision = p->options.precision;
    void *data = numbers_make(precision, p->n_data), *image = numbers_make(precision, p->n_image);
    CHECK_STATUS(enuf_encoding_forward(encoding, p->image, data), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_adjoint(encoding, p->data, image), ENUF_SUCCESS);
    const double complex left = inner(precision, p->n_data, data, p->data);
    const double complex right = inner(precision, p->n_image, p->image, image);
    const double size = sqrt(creal(inner(precision, p->n_data, data, data)) *
                             creal(inner(precision, p->n_data, p->data, p->data)));
    CHECK_BELOW(cabs(left - right) / size, precision == ENUF_FLOAT ? 1e-6 : 1e-13,
                "  <A m, s> - <m, A^H s>, rounding");
    free(data);
    free(image);
}

static void normal(const encoding_problem *p, enuf_encoding *encoding)
{
    const enuf_precision precision = p->options.precision;
    void *data = numbers_make(precision, p->n_data), *weights = numbers_make(precision, p->n);
    void *expected = numbers_make(precision, p->n_image), *to = numbers_make(precision, p->n_image);
    for (int64_t j = 0; j < p->n; j++) number_set(precision, weights, j, 0.5 + (double)(j % 7));
    for (int weighted = 0; weighted < 2; weighted++) {
        CHECK_STATUS(enuf_encoding_forward(encoding, p->image, data), ENUF_SUCCESS);
        for (int64_t i = 0; weighted && i < p->n_data; i++)
            number_set(precision, data, i,
                       number_at(precision, data, i) * number_at(precision, weights, i / 2 % p->n));
        CHECK_STATUS(enuf_encoding_adjoint(encoding, data, expected), ENUF_SUCCESS);
        CHECK_STATUS(enuf_encoding_normal(encoding, weighted ? weights : NULL, p->image, to),
                     ENUF_SUCCESS);
        CHECK_BELOW(relative_error(precision, p->n_image, to, expected),
                    precision == ENUF_FLOAT ? 1e-6 : 1e-14,
                    "  normal against adjoint of forward, rounding");
    }
    free(data);
    free(weights);
    free(expected);
    free(to);
}

/* The same with one image a call. */
static void one_by_one(const encoding_problem *p, enuf_encoding *encoding)
{
    const enuf_precision precision = p->options.precision;
    const int64_t batch = p->options.batch;
    char *data = numbers_make(precision, p->n_data), *other = numbers_make(precision, p->n_data);
    const size_t step = (size_t)(p->n_data / batch) * (precision == ENUF_FLOAT ? 4 : 8);
    CHECK_STATUS(enuf_encoding_forward(encoding, p->image, data), ENUF_SUCCESS);
    encoding_problem one = *p;
    one.options.batch = 1;
    enuf_encoding *single = encoding_of(&one);
    for (int64_t b = 0; single && b < batch; b++)
        CHECK_STATUS(
            enuf_encoding_forward(single, numbers_from(precision, p->image, b * p->n_image / batch),
                                  other + (size_t)b * step),
            ENUF_SUCCESS);
    CHECK_BELOW(relative_error(precision, p->n_data, other, data),
                precision == ENUF_FLOAT ? 1e-6 : 1e-13, "  a batch against its images, rounding");
    enuf_encoding_destroy(&single);
    free(data);
    free(other);
}

/* Less and less memory, until it does not suffice. */
static void memory_limits(void)
{
    enuf_encoding_options options = encoding_options(2, 56, 48, 1);
    options.tolerance = 1e-8;
    encoding_problem p = encoding_problem_make(&options, SAMPLES, 0.02, 57);
    encoding_problem_maps(&p, SMOOTH, 120, 0, 0, 3);
    enuf_encoding *encoding = encoding_of(&p);
    if (!encoding) return;
    const enuf_encoding_report whole = encoding_report_of(encoding);
    void *expected = numbers_make(ENUF_DOUBLE, p.n_data),
         *data = numbers_make(ENUF_DOUBLE, p.n_data);
    CHECK_STATUS(enuf_encoding_forward(encoding, p.image, expected), ENUF_SUCCESS);
    enuf_encoding_destroy(&encoding);
    int least = whole.at_once, served = 0;
    for (int percent = 105;; percent -= 3) {
        p.options.memory_limit = whole.bytes / 100 * percent;
        if (enuf_encoding_create(&p.options, &encoding) != ENUF_SUCCESS) break;
        if (encoding_problem_set(&p, encoding) != ENUF_SUCCESS) break;
        const enuf_encoding_report r = encoding_report_of(encoding);
        printf("  limit %lld: %lld bytes, %d of %d at once\n", (long long)p.options.memory_limit,
               (long long)r.bytes, r.at_once, r.interpolators);
        CHECK(r.bytes <= p.options.memory_limit && r.at_once <= least);
        least = r.at_once;
        served++;
        CHECK_STATUS(enuf_encoding_forward(encoding, p.image, data), ENUF_SUCCESS);
        CHECK_BELOW(relative_error(ENUF_DOUBLE, p.n_data, data, expected), 1e-13,
                    "  fewer at once against more, rounding");
        enuf_encoding_destroy(&encoding);
    }
    CHECK(served > 1 && least == 1 && whole.at_once > 1);
    CHECK_STATUS(encoding_problem_set(&p, encoding), ENUF_OUT_OF_MEMORY);
    char number[40];
    snprintf(number, sizeof number, "%d interpolators", whole.interpolators);
    CHECK_TEXT(number);
    CHECK_TEXT("memory_limit");
    CHECK_TEXT("enuf/direct.h");
    /* no field is set, and the samples are still there */
    CHECK_STATUS(enuf_encoding_forward(encoding, p.image, data), ENUF_NO_POINTS_SET);
    CHECK_STATUS(enuf_encoding_set_field(encoding, 0, NULL, NULL, NULL, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_forward(encoding, p.image, data), ENUF_SUCCESS);
    enuf_encoding_destroy(&encoding);
    free(expected);
    free(data);
    encoding_problem_free(&p);
}

static void of(int dim, enuf_precision precision, enuf_separation separation, double gradient)
{
    enuf_encoding_options options = encoding_options(dim, 20, 17, 8);
    options.precision = precision;
    options.separation = separation;
    options.tolerance = 1e-2;
    options.batch = BATCH;
    options.sign = dim == 2 ? 1 : -1;
    encoding_problem p = encoding_problem_make(&options, SAMPLES, 0.02, 51);
    encoding_problem_maps(&p, SMOOTH, 120, 30, gradient, 3);
    enuf_encoding *encoding = encoding_of(&p);
    if (encoding) {
        const enuf_encoding_report r = encoding_report_of(encoding);
        printf("%dD, %s, %s: %d interpolators\n", dim, precision == ENUF_FLOAT ? "float" : "double",
               enuf_separation_name(separation), r.interpolators);
        adjointness(&p, encoding);
        normal(&p, encoding);
        one_by_one(&p, encoding);
    }
    enuf_encoding_destroy(&encoding);
    encoding_problem_free(&p);
}

static void product(enuf_precision p, int64_t n, const void *a, int conjugate, const void *b,
                    int add, void *to)
{
    for (int64_t i = 0; i < n; i += 2) {
        const double c = number_at(p, a, i), s = (conjugate ? -1 : 1) * number_at(p, a, i + 1);
        const double re = number_at(p, b, i), im = number_at(p, b, i + 1);
        number_set(p, to, i, re * c - im * s + (add ? number_at(p, to, i) : 0));
        number_set(p, to, i + 1, re * s + im * c + (add ? number_at(p, to, i + 1) : 0));
    }
}

static void sensitivities(enuf_precision precision)
{
    enuf_encoding_options options = encoding_options(2, 16, 18, 1);
    options.precision = precision;
    options.tolerance = 1e-3;
    options.batch = BATCH;
    encoding_problem p = encoding_problem_make(&options, SAMPLES, 0.02, 52);
    encoding_problem_maps(&p, ROUGH, 50, 0, 0, 3);
    const double bound = precision == ENUF_FLOAT ? 1e-6 : 1e-14;
    const int64_t one = 2 * p.pixels;
    void *maps = numbers_random(precision, p.n_image, 77),
         *coils = numbers_make(precision, p.n_image);
    void *expected = numbers_make(precision, p.n_data), *data = numbers_make(precision, p.n_data);
    void *image = numbers_make(precision, one), *sum = numbers_make(precision, one);
    enuf_encoding *encoding = encoding_of(&p);
    if (!encoding) return;
    printf("sensitivities, %s\n", precision == ENUF_FLOAT ? "float" : "double");
    for (int c = 0; c < BATCH; c++)
        product(precision, one, numbers_from(precision, maps, c * one), 0, p.image, 0,
                (void *)(uintptr_t)numbers_from(precision, coils, c * one));
    CHECK_STATUS(enuf_encoding_forward(encoding, coils, expected), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_adjoint(encoding, p.data, coils), ENUF_SUCCESS);
    for (int c = 0; c < BATCH; c++)
        product(precision, one, numbers_from(precision, maps, c * one), 1,
                numbers_from(precision, coils, c * one), c > 0, sum);
    CHECK_STATUS(enuf_encoding_set_sensitivities(encoding, maps), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_forward(encoding, p.image, data), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(precision, p.n_data, data, expected), bound,
                "  forward against that of products, rounding");
    CHECK_STATUS(enuf_encoding_adjoint(encoding, p.data, image), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(precision, one, image, sum), bound,
                "  adjoint against the sum of products, rounding");
    CHECK_STATUS(enuf_encoding_normal(encoding, NULL, p.image, sum), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_adjoint(encoding, data, image), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(precision, one, sum, image), bound,
                "  normal against adjoint of forward, rounding");
    /* NULL removes them */
    CHECK_STATUS(enuf_encoding_set_sensitivities(encoding, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_adjoint(encoding, p.data, coils), ENUF_SUCCESS);
    CHECK(encoding_report_of(encoding).bytes > 0);
    enuf_encoding_destroy(&encoding);
    void *arrays[] = {maps, coils, expected, data, image, sum};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
    encoding_problem_free(&p);
}

/* Everything may be empty. */
static void degenerate(void)
{
    enuf_encoding_options options = encoding_options(2, 8, 6, 1);
    options.tolerance = 1e-6;
    encoding_problem p = encoding_problem_make(&options, 0, 0.02, 53);
    double zeros[2 * 48], image[2 * 48];
    memset(zeros, 0, sizeof zeros);
    memset(image, -1, sizeof image);
    encoding_problem_maps(&p, ROUGH, 100, 0, 0, 1);
    enuf_encoding *encoding = encoding_of(&p);
    if (encoding) {
        CHECK_STATUS(enuf_encoding_forward(encoding, p.image, NULL), ENUF_SUCCESS);
        CHECK_STATUS(enuf_encoding_adjoint(encoding, NULL, image), ENUF_SUCCESS);
        CHECK(numbers_equal(ENUF_DOUBLE, 2 * 48, image, zeros));
        CHECK_STATUS(enuf_encoding_solve(encoding, NULL, NULL, NULL, image, NULL), ENUF_SUCCESS);
        CHECK(numbers_equal(ENUF_DOUBLE, 2 * 48, image, zeros));
    }
    enuf_encoding_destroy(&encoding);
    encoding_problem_free(&p);
    options.pixels[1] = 0;
    p = encoding_problem_make(&options, 30, 0.02, 54);
    encoding = encoding_of(&p);
    double data[60];
    memset(data, -1, sizeof data);
    if (encoding) {
        CHECK_STATUS(enuf_encoding_forward(encoding, NULL, data), ENUF_SUCCESS);
        CHECK(numbers_equal(ENUF_DOUBLE, 60, data, zeros));
        CHECK_STATUS(enuf_encoding_adjoint(encoding, p.data, NULL), ENUF_SUCCESS);
        CHECK_STATUS(enuf_encoding_solve(encoding, p.data, NULL, NULL, NULL, NULL), ENUF_SUCCESS);
    }
    enuf_encoding_destroy(&encoding);
    encoding_problem_free(&p);
}

static void law(void)
{
    for (int dim = 1; dim <= 3; dim++)
        for (int kind = 0; kind < 4; kind++)
            of(dim, kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE,
               kind & 2 ? ENUF_SEPARATION_SEGMENTS : ENUF_SEPARATION_SVD, dim < 3 ? 20 : 0);
    sensitivities(ENUF_DOUBLE);
    sensitivities(ENUF_FLOAT);
    degenerate();
    memory_limits();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
