/*
 * test_two_backends.c - CPU and GPU agree far beyond the tolerance if they use the same window,
 * width, shape and grid: relative l2 1e-12, in float 1e-5, for types 1 and 2, gradients and sums
 * over modes. 1D to 3D, both kinds of strengths, three tolerances.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct result {
    void *modes, *values, *gradients, *sums;
} result;

static result run(const transform *t, enuf_backend backend)
{
    enuf_nufft_options options = t->options;
    enuf_precision precision = options.precision;
    options.backend = backend;
    result r = {numbers_make(precision, t->n_modes), numbers_make(precision, t->n_values),
                numbers_make(precision, t->n_gradients),
                numbers_make(ENUF_DOUBLE, 7 * (int64_t)options.batch)};
    enuf_nufft *plan = transform_plan(t, &options);
    if (!plan) return r;
    void *weights = numbers_make(precision, t->modes);
    for (int64_t m = 0; m < t->modes; m++)
        number_set(precision, weights, m, 1 + 1.0 / (double)(1 + m));
    CHECK_STATUS(enuf_nufft_type1(plan, t->strengths, r.modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, t->spectrum, r.values, r.gradients), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_forward(plan, t->strengths), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_reduce(plan, 1, weights, 1, r.sums), ENUF_SUCCESS);
    free(weights);
    enuf_nufft_destroy(&plan);
    return r;
}

static void release(result *r)
{
    free(r->modes);
    free(r->values);
    free(r->gradients);
    free(r->sums);
}

/* The method that the CPU chooses, given explicitly: the GPU may choose another. */
static enuf_nufft_options with_its_method(const enuf_nufft_options *options)
{
    enuf_nufft_options given = *options;
    enuf_nufft *plan;
    enuf_nufft_report report = {.struct_size = sizeof report};
    given.backend = ENUF_BACKEND_CPU;
    CHECK_STATUS(enuf_nufft_create(&given, &plan), ENUF_SUCCESS);
    if (!plan) return given;
    CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    given.tolerance = given.upsampling = 0;
    given.width = report.width;
    given.shape = report.shape;
    for (int d = 0; d < given.dim; d++) given.fine_grid[d] = report.fine_grid[d];
    return given;
}

static void agree(const enuf_nufft_options *tolerant, int64_t n)
{
    enuf_nufft_options given = with_its_method(tolerant), *options = &given;
    double bound = options->precision == ENUF_FLOAT ? 1e-5 : 1e-12;
    transform t = transform_make(options, n, 11);
    result a = run(&t, ENUF_BACKEND_CPU), b = run(&t, ENUF_BACKEND_CUDA);
    enuf_precision p = options->precision;
    CHECK_BELOW(relative_error(p, t.n_modes, b.modes, a.modes), bound, "type 1");
    CHECK_BELOW(relative_error(p, t.n_values, b.values, a.values), bound, "type 2");
    CHECK_BELOW(relative_error(p, t.n_gradients, b.gradients, a.gradients), bound, "gradients");
    CHECK_BELOW(relative_error(ENUF_DOUBLE, 7 * (int64_t)options->batch, b.sums, a.sums), bound,
                "sums");
    release(&a);
    release(&b);
    transform_free(&t);
}

int main(void)
{
    static const double tolerances[2][3] = {{1e-3, 1e-7, 1e-12}, {1e-1, 1e-3, 1e-5}};
    const char *reason = "";
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) return check_skip(reason);
    for (int dim = 1; dim <= 3; dim++)
        for (int real = 0; real < 2; real++)
            for (int single = 0; single < 2; single++)
                for (int k = 0; k < 3; k++) {
                    enuf_nufft_options options = conformance_options(dim, 40, 27, 30);
                    options.strengths = real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
                    options.precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
                    options.tolerance = tolerances[single][k];
                    options.sign = k == 1 ? 1 : -1;
                    options.mode_order = k == 1 ? ENUF_FFT_ORDER : ENUF_CENTRED;
                    options.batch = k == 0 ? 2 : 1;
                    options.upsampling = k == 2 && !single ? 2 : 0;
                    printf("%dD, %s, %s, tolerance %g\n", dim, real ? "real" : "complex",
                           single ? "float" : "double", options.tolerance);
                    agree(&options, 5000);
                }
    return check_result();
}
