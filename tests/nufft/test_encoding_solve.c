/*
 * test_encoding_solve.c - conjugate gradients find the image. Data are summed term by term from a
 * known image, at 3 samples a pixel, in a field of 80 Hz over 20 ms and with decay.
 *
 * - The image comes back within 20 tolerances (the condition of the operator amplifies its error).
 * - The residual is the one promised: A^H W (data - A x) - lambda x, recomputed.
 * - lambda and weights: the solution meets its normal equations, and a start at the solution takes
 *   no iteration.
 * - Coils: 4 sensitivities and half of the samples that one coil takes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "encoding_problem.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static encoding_problem make(enuf_precision precision, int batch, int64_t n)
{
    enuf_encoding_options options = encoding_options(2, 14, 12, 1);
    options.precision = precision;
    options.tolerance = precision == ENUF_FLOAT ? 1e-5 : 1e-9;
    options.batch = batch;
    encoding_problem p = encoding_problem_make(&options, n, 0.02, 91);
    encoding_problem_maps(&p, SMOOTH, 80, 15, 0, 4);
    encoding_problem_sum(&p);
    return p;
}

/* |A^H W (data - A image) - lambda image| / |A^H W data| over all images. */
static double residual(const encoding_problem *p, enuf_encoding *encoding, const void *data,
                       const void *weights, double lambda, const void *image)
{
    const enuf_precision q = p->options.precision;
    void *right = numbers_make(q, p->n_image), *left = numbers_make(q, p->n_image);
    void *weighted = numbers_make(q, p->n_data);
    for (int64_t i = 0; i < p->n_data; i++)
        number_set(q, weighted, i,
                   number_at(q, data, i) * (weights ? number_at(q, weights, i / 2 % p->n) : 1));
    CHECK_STATUS(enuf_encoding_adjoint(encoding, weighted, right), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_normal(encoding, weights, image, left), ENUF_SUCCESS);
    for (int64_t i = 0; i < p->n_image; i++)
        number_set(q, left, i, number_at(q, left, i) + lambda * number_at(q, image, i));
    const double found = relative_error(q, p->n_image, left, right);
    free(right);
    free(left);
    free(weighted);
    return found;
}

static void recovers(enuf_precision precision)
{
    encoding_problem p = make(precision, 2, 3 * 14 * 12);
    const int single = precision == ENUF_FLOAT;
    void *image = numbers_make(precision, p.n_image);
    enuf_encoding *encoding = encoding_of(&p);
    enuf_encoding_solve_options o;
    enuf_encoding_solution s = {.struct_size = sizeof s};
    enuf_encoding_solve_options_init(&o);
    o.iterations = 200;
    o.tolerance = p.options.tolerance;
    if (!encoding) return;
    CHECK_STATUS(enuf_encoding_solve(encoding, p.data_expected, NULL, &o, image, &s), ENUF_SUCCESS);
    printf("%s: %d iterations, residual %.2g\n", single ? "float" : "double", s.iterations,
           s.residual);
    CHECK(s.iterations > 3 && s.iterations < 200);
    CHECK_BELOW(s.residual, o.tolerance, "  residual, as asked for");
    CHECK_BELOW(residual(&p, encoding, p.data_expected, NULL, 0, image), 4 * o.tolerance,
                "  residual, recomputed");
    CHECK_BELOW(relative_error(precision, p.n_image, image, p.image), 20 * p.options.tolerance,
                "  image against the known one, 20 tolerances");
    /* from there on nothing is left to do */
    o.start = 1;
    o.tolerance *= 4;
    CHECK_STATUS(enuf_encoding_solve(encoding, p.data_expected, NULL, &o, image, &s), ENUF_SUCCESS);
    CHECK(s.iterations == 0);
    o.iterations = 0;
    o.start = 0;
    CHECK_STATUS(enuf_encoding_solve(encoding, p.data_expected, NULL, &o, image, &s), ENUF_SUCCESS);
    CHECK(s.iterations == 0 && fabs(s.residual - 1) < 1e-12);
    enuf_encoding_destroy(&encoding);
    free(image);
    encoding_problem_free(&p);
}

static void normal_equations(void)
{
    encoding_problem p = make(ENUF_DOUBLE, 1, 150); /* fewer samples than pixels */
    double *image = numbers_make(ENUF_DOUBLE, p.n_image), *weights = numbers_make(ENUF_DOUBLE, p.n);
    const double lambda = 7;
    enuf_encoding *encoding = encoding_of(&p);
    enuf_encoding_solve_options o;
    enuf_encoding_solution s = {.struct_size = sizeof s};
    enuf_encoding_solve_options_init(&o);
    o.lambda = lambda;
    o.iterations = 400;
    o.tolerance = 1e-10;
    for (int64_t j = 0; j < p.n; j++) weights[j] = (double)(j % 5);
    if (!encoding) return;
    CHECK_STATUS(enuf_encoding_solve(encoding, p.data, weights, &o, image, &s), ENUF_SUCCESS);
    printf("lambda and weights: %d iterations\n", s.iterations);
    CHECK_BELOW(s.residual, o.tolerance, "  residual, as asked for");
    CHECK_BELOW(residual(&p, encoding, p.data, weights, lambda, image), 2e-10,
                "  residual, recomputed");
    enuf_encoding_destroy(&encoding);
    free(image);
    free(weights);
    encoding_problem_free(&p);
}

static void coils(void)
{
    enum { COILS = 4 };
    encoding_problem p = make(ENUF_DOUBLE, COILS, 100); /* 168 pixels */
    const int64_t one = 2 * p.pixels;
    double *maps = numbers_make(ENUF_DOUBLE, p.n_image), *image = numbers_make(ENUF_DOUBLE, one);
    double *data = numbers_make(ENUF_DOUBLE, p.n_data);
    for (int64_t i = 0; i < COILS * p.pixels; i++) {
        const double complex s =
            cexp(I * (1.3 * (double)(i / p.pixels) * (double)(i % 14) / 14)) *
            (1 + cos(1.5 * (double)(i / p.pixels) + (double)(i % p.pixels / 14) / 4));
        maps[2 * i] = creal(s);
        maps[2 * i + 1] = cimag(s);
    }
    enuf_encoding *encoding = encoding_of(&p);
    enuf_encoding_solve_options o;
    enuf_encoding_solution s = {.struct_size = sizeof s};
    enuf_encoding_solve_options_init(&o);
    o.iterations = 500;
    o.tolerance = 1e-8;
    if (!encoding) return;
    CHECK_STATUS(enuf_encoding_set_sensitivities(encoding, maps), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_forward(encoding, p.image, data), ENUF_SUCCESS);
    CHECK_STATUS(enuf_encoding_solve(encoding, data, NULL, &o, image, &s), ENUF_SUCCESS);
    printf("coils: %d iterations, residual %.2g\n", s.iterations, s.residual);
    CHECK_BELOW(relative_error(ENUF_DOUBLE, one, image, p.image), 1e-4,
                "  image of 4 coils with 100 samples each of 168 pixels");
    enuf_encoding_destroy(&encoding);
    free(maps);
    free(image);
    free(data);
    encoding_problem_free(&p);
}

/* Gram operators against transforms: the same image to the tolerance, in as many iterations. In
 * half a sample a pixel most of the image is not seen: many iterations must not put errors there.
 */
static void both_ways(int64_t n, double lambda, double bound, int more)
{
    encoding_problem p = make(ENUF_DOUBLE, 1, n);
    double *image[2];
    enuf_encoding_solution s[2];
    enuf_encoding_solve_options o;
    enuf_encoding_solve_options_init(&o);
    o.lambda = lambda;
    o.iterations = 500;
    o.tolerance = 1e-7;
    p.options.tolerance = 1e-5;
    for (int by = 0; by < 2; by++) {
        image[by] = numbers_make(ENUF_DOUBLE, p.n_image);
        s[by] = (enuf_encoding_solution){.struct_size = sizeof s[by]};
        p.options.normal = by ? ENUF_NORMAL_GRAM : ENUF_NORMAL_TRANSFORMS;
        enuf_encoding *encoding = encoding_of(&p);
        CHECK_STATUS(enuf_encoding_solve(encoding, p.data_expected, NULL, &o, image[by], &s[by]),
                     ENUF_SUCCESS);
        CHECK(encoding_report_of(encoding).normal == p.options.normal);
        CHECK_BELOW(s[by].residual, o.tolerance, "  residual, as asked for");
        CHECK_BELOW(residual(&p, encoding, p.data_expected, NULL, lambda, image[by]), 2e-5,
                    "  residual, recomputed by the same operator, twice the encoding's tolerance");
        enuf_encoding_destroy(&encoding);
    }
    printf("%lld samples, lambda %g: %d iterations by transforms, %d by Gram operators\n",
           (long long)n, lambda, s[0].iterations, s[1].iterations);
    CHECK(abs(s[1].iterations - s[0].iterations) <= more);
    CHECK_BELOW(relative_error(ENUF_DOUBLE, p.n_image, image[1], image[0]), bound,
                "  image by Gram operators against that by transforms");
    free(image[0]);
    free(image[1]);
    encoding_problem_free(&p);
}

static void law(void)
{
    both_ways(8 * 14 * 12, 0, 1e-5, 2);
    both_ways(3 * 14 * 12, 5, 1e-5, 4);
    both_ways(14 * 12 / 2, 0, 1e-3, 30);
    recovers(ENUF_DOUBLE);
    recovers(ENUF_FLOAT);
    normal_equations();
    coils();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
