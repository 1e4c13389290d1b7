/*
 * test_filter_lengths.c - filter() is transform() followed by backward(), on grids whose axes have
 * many lengths: products of two radices, which a GPU filters in three launches, odd and even ones,
 * and lengths that have no such radices.
 *
 * Real and complex strengths, both precisions, batches of 1 and 3, both signs, odd and even numbers
 * of modes. Relative l2 differences at an upsampling of 2: 1e-6 in float, 3e-15 in double; 10 times
 * as much at 1.3, where the deconvolution amplifies rounding. SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct filter_case {
    int64_t grid[3];
    double upsampling;
} filter_case;

static const filter_case cases[] = {
    {{8, 10, 9}, 2},    {{12, 14, 15}, 2},   {{16, 12, 18}, 1.3}, {{20, 21, 24}, 2},
    {{25, 27, 28}, 2},  {{30, 32, 35}, 1.3}, {{36, 36, 36}, 2},   {{40, 42, 45}, 2},
    {{48, 49, 50}, 2},  {{54, 56, 60}, 1.3}, {{63, 64, 70}, 2},   {{72, 80, 84}, 2},
    {{81, 90, 96}, 2},  {{100, 20, 108}, 2}, {{20, 108, 120}, 2}, {{120, 144, 16}, 2},
    {{144, 15, 20}, 2}, {{22, 24, 26}, 2},
};

typedef struct outcome {
    void *values, *gradients, *spectrum;
} outcome;

static outcome outcome_make(const transform *t)
{
    const enuf_precision p = t->options.precision;
    return (outcome){numbers_make(p, t->n_values), numbers_make(p, t->n_gradients),
                     numbers_make(p, t->n_modes)};
}

static void outcome_free(outcome *o)
{
    free(o->values);
    free(o->gradients);
    free(o->spectrum);
}

static void *multiplier_of(const transform *t)
{
    void *multiplier = numbers_make(t->options.precision, t->modes);
    for (int64_t i = 0; i < t->modes; i++) {
        int64_t m[3];
        mode_numbers(&t->options, i, m);
        const double square = (double)(m[0] * m[0] + 2 * m[1] * m[1] + 3 * m[2] * m[2]);
        number_set(t->options.precision, multiplier, i, exp(-square / 100) + 0.1);
    }
    return multiplier;
}

static void compare(const transform *t, enuf_nufft *plan, double rounding)
{
    const enuf_precision p = t->options.precision;
    void *multiplier = multiplier_of(t);
    outcome once = outcome_make(t), twice = outcome_make(t);
    CHECK_STATUS(enuf_nufft_spread(plan, t->strengths), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_filter(plan, multiplier, once.values, once.gradients), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_spectrum(plan, 0, NULL, once.spectrum), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_forward(plan, t->strengths), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_spectrum(plan, 0, NULL, twice.spectrum), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_backward(plan, ENUF_REAL, multiplier, twice.values, twice.gradients),
                 ENUF_SUCCESS);
    CHECK_BELOW(relative_error(p, t->n_modes, once.spectrum, twice.spectrum), rounding,
                "  spectrum");
    CHECK_BELOW(relative_error(p, t->n_values, once.values, twice.values), rounding, "  values");
    CHECK_BELOW(relative_error(p, t->n_gradients, once.gradients, twice.gradients), rounding,
                "  gradients");
    outcome_free(&once);
    outcome_free(&twice);
    free(multiplier);
}

static void law_of(const filter_case *c, enuf_strengths strengths, enuf_precision precision,
                   int odd, int batch)
{
    const int real = strengths == ENUF_REAL_STRENGTHS;
    int64_t modes[3];
    for (int d = 0; d < 3; d++) {
        modes[d] = (int64_t)floor((double)c->grid[d] / c->upsampling);
        if (modes[d] % 2 != odd) modes[d]--;
    }
    enuf_nufft_options o = conformance_options(3, modes[0], modes[1], modes[2]);
    o.precision = precision;
    o.strengths = strengths;
    o.gradients = 1;
    o.batch = batch;
    o.sign = odd && (real || batch == 1) ? 1 : -1; /* 1, complex: a GPU has no such kernels */
    o.width = 6;
    o.tolerance = 0;
    for (int d = 0; d < 3; d++) o.fine_grid[d] = c->grid[d];
    printf("%lld x %lld x %lld cells, upsampling %g, %s %s, batch %d\n", (long long)c->grid[0],
           (long long)c->grid[1], (long long)c->grid[2], c->upsampling, real ? "real" : "complex",
           precision == ENUF_FLOAT ? "float" : "double", batch);
    transform t = transform_make(&o, 300, 5);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (plan)
        compare(&t, plan, (precision == ENUF_FLOAT ? 1e-6 : 3e-15) * (c->upsampling < 2 ? 10 : 1));
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

static void law(void)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int kind = 0; kind < 8; kind++)
            law_of(&cases[k], kind & 4 ? ENUF_COMPLEX_STRENGTHS : ENUF_REAL_STRENGTHS,
                   kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE, (int)(k + kind / 2 % 2) % 2,
                   kind & 2 ? 3 : 1);
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
