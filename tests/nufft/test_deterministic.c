/*
 * test_deterministic.c - options.deterministic gives the same bits in every plan: in another run,
 * and with 1, 2 and 3 threads. Points in another order leave the modes as they are and permute the
 * values.
 *
 * 700 points in 1D to 3D, both precisions, both kinds of strengths. Type 1 has a relative l2 error
 * of at most 4 tolerances against direct sums (1e-9, in float 1e-4). Strengths that exceed
 * strength_bound are an error. Strengths of 1e-300 keep the tolerance.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 700 };

typedef struct results {
    void *modes, *values, *gradients;
    double sums[14];
} results;

static results run(const transform *t, int threads)
{
    enuf_precision p = t->options.precision;
    enuf_nufft_options options = t->options;
    results r = {numbers_make(p, t->n_modes),
                 numbers_make(p, t->n_values),
                 numbers_make(p, t->n_gradients),
                 {0.0}};
    void *weights = numbers_random(p, t->modes, 77);
    options.threads = threads;
    enuf_nufft *plan = transform_plan(t, &options);
    if (plan) {
        CHECK_STATUS(enuf_nufft_type1(plan, t->strengths, r.modes), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type2(plan, t->spectrum, r.values, r.gradients), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_forward(plan, t->strengths), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_reduce(plan, 1, weights, 1, r.sums), ENUF_SUCCESS);
    }
    enuf_nufft_destroy(&plan);
    free(weights);
    return r;
}

static void release(results *r)
{
    free(r->modes);
    free(r->values);
    free(r->gradients);
}

static void same_bits(const transform *t, const results *reference, int threads, const char *what)
{
    results r = run(t, threads);
    enuf_precision p = t->options.precision;
    printf("  %s\n", what);
    CHECK(numbers_equal(p, t->n_modes, r.modes, reference->modes));
    CHECK(numbers_equal(p, t->n_values, r.values, reference->values));
    CHECK(numbers_equal(p, t->n_gradients, r.gradients, reference->gradients));
    CHECK(memcmp(r.sums, reference->sums, sizeof r.sums) == 0);
    release(&r);
}

/* Point j of the permuted system is point order(j) of the original one. */
static int64_t order(int64_t j)
{
    return (j * 31 + 17) % N;
}

static void permute(int64_t width, size_t size, void *to, const void *from)
{
    size_t bytes = (size_t)width * size;
    for (int64_t j = 0; j < N; ++j)
        memcpy((char *)to + (size_t)j * bytes, (const char *)from + (size_t)order(j) * bytes,
               bytes);
}

static void permutation(const transform *t, const results *reference, int batch)
{
    size_t size = t->options.precision == ENUF_FLOAT ? sizeof(float) : sizeof(double);
    int64_t parts = t->n_strengths / batch / N;
    int dim = t->options.dim;
    transform other = transform_make(&t->options, N, 99);
    results expected = run(&other, 1); /* only the arrays are used */
    permute(3, sizeof(double), other.points, t->points);
    for (int b = 0; b < batch; ++b) {
        size_t at = (size_t)b * N * (size_t)parts * size;
        permute(parts, size, (char *)other.strengths + at, (const char *)t->strengths + at);
        permute(parts, size, (char *)expected.values + at, (const char *)reference->values + at);
        permute(parts * dim, size, (char *)expected.gradients + at * (size_t)dim,
                (const char *)reference->gradients + at * (size_t)dim);
    }
    memcpy(other.spectrum, t->spectrum, (size_t)t->n_modes * size);
    memcpy(expected.modes, reference->modes, (size_t)t->n_modes * size);
    memcpy(expected.sums, reference->sums, sizeof expected.sums);
    same_bits(&other, &expected, 2, "another order of the points");
    release(&expected);
    transform_free(&other);
}

static void law_of(int dim, enuf_precision precision, enuf_strengths strengths, int batch)
{
    enuf_nufft_options options = conformance_options(dim, 30, 28, 14);
    options.precision = precision;
    options.strengths = strengths;
    options.batch = batch;
    options.deterministic = 1;
    options.gradients = 1;
    options.upsampling = 2.0;
    options.tolerance = precision == ENUF_FLOAT ? 1e-4 : 1e-9;
    transform t = transform_make(&options, N, 3);
    results reference = run(&t, 1);
    printf("%dD %s %s batch %d\n", dim, precision == ENUF_FLOAT ? "float" : "double",
           strengths == ENUF_REAL_STRENGTHS ? "real" : "complex", batch);
    transform_sum(&t);
    CHECK_BELOW(relative_error(precision, t.n_modes, reference.modes, t.modes_expected),
                4.0 * options.tolerance, "  type 1 against the direct sum");
    same_bits(&t, &reference, 1, "once more");
    same_bits(&t, &reference, 2, "2 threads");
    same_bits(&t, &reference, 3, "3 threads");
    permutation(&t, &reference, batch);
    release(&reference);
    transform_free(&t);
}

/* strength_bound is the caller's bound of sum |strength|. Strengths beyond it may leave the range
 * of the fixed-point sums: an error, if a single strength exceeds it (1e-9) or only all of them
 * together (N/4, where the sum is about N/2). */
static void overflow_is_an_error(double bound)
{
    enuf_nufft_options options = conformance_options(1, 20, 0, 0);
    options.deterministic = 1;
    options.strength_bound = bound;
    transform t = transform_make(&options, N, 3);
    enuf_nufft *plan = transform_plan(&t, NULL);
    double *modes = numbers_make(ENUF_DOUBLE, t.n_modes);
    if (plan) CHECK_STATUS(enuf_nufft_type1(plan, t.strengths, modes), ENUF_OVERFLOWED);
    enuf_nufft_destroy(&plan);
    free(modes);
    transform_free(&t);
}

/* Strengths near the smallest doubles: the unit of the fixed-point sums reaches the smallest
 * exponent. */
static void tiny_strengths(void)
{
    enuf_nufft_options options = conformance_options(1, 20, 0, 0);
    options.deterministic = 1;
    transform t = transform_make(&options, N, 3);
    for (int64_t i = 0; i < t.n_strengths; ++i) ((double *)t.strengths)[i] *= 1e-300;
    transform_sum(&t);
    double *modes = numbers_make(ENUF_DOUBLE, t.n_modes), *expected = t.modes_expected;
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (plan) CHECK_STATUS(enuf_nufft_type1(plan, t.strengths, modes), ENUF_SUCCESS);
    for (int64_t i = 0; i < t.n_modes; ++i) {
        modes[i] *= 1e300;
        expected[i] *= 1e300;
    }
    CHECK_BELOW(relative_error(ENUF_DOUBLE, t.n_modes, modes, expected), 4.0 * options.tolerance,
                "strengths of 1e-300");
    enuf_nufft_destroy(&plan);
    free(modes);
    transform_free(&t);
}

static void law(void)
{
    for (int dim = 1; dim <= 3; ++dim)
        for (int kind = 0; kind < 4; ++kind)
            law_of(dim, kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE,
                   kind & 2 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS, kind == 2 ? 2 : 1);
    overflow_is_an_error(1e-9);
    overflow_is_an_error(0.25 * N);
    tiny_strengths();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
