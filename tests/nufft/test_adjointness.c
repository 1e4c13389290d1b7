/*
 * test_adjointness.c - type 2 is the adjoint of type 1 to rounding, even with a coarse window:
 *
 *     Re <type1(c), F> = Re <c, type2(F)>
 *
 * <a, b> is the sum of conj(a) b. For real strengths, modes have the weight 1 in the plane m_1 = 0
 * and 2 elsewhere. 500 random points in 1D, 2D and 3D; both precisions, all windows, tolerances
 * 1e-2 and 1e-5, batches of 1 and 3. The difference of both sides over the norms of modes and
 * spectrum is at most 5e-16, in float 2e-7.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The difference of both sides over the norms of the modes and of the spectrum. */
static double asymmetry(const transform *t, const void *modes, const void *values)
{
    enuf_precision p = t->options.precision;
    double left = 0.0, right = 0.0, modes_squared = 0.0, spectrum_squared = 0.0;
    for (int64_t i = 0; i < t->n_modes; ++i) {
        int64_t m[3];
        mode_numbers(&t->options, i / 2 % t->modes, m);
        double weight = t->options.strengths == ENUF_REAL_STRENGTHS && m[0] > 0 ? 2.0 : 1.0;
        double mode = number_at(p, modes, i);
        double spectrum = number_at(p, t->spectrum, i);
        left += weight * mode * spectrum;
        modes_squared += weight * mode * mode;
        spectrum_squared += weight * spectrum * spectrum;
    }
    for (int64_t i = 0; i < t->n_values; ++i)
        right += number_at(p, t->strengths, i) * number_at(p, values, i);
    return (left - right) / sqrt(modes_squared * spectrum_squared);
}

static void adjointness(const enuf_nufft_options *options)
{
    transform t = transform_make(options, 500, 81);
    enuf_nufft *plan = transform_plan(&t, NULL);
    void *modes = numbers_make(options->precision, t.n_modes);
    void *values = numbers_make(options->precision, t.n_values);
    int in_float = options->precision == ENUF_FLOAT;
    printf("%dD %s %s, %s, tolerance %g, batch %d\n", options->dim, in_float ? "float" : "double",
           options->strengths == ENUF_REAL_STRENGTHS ? "real" : "complex",
           enuf_window_name(options->window), options->tolerance, options->batch);
    if (plan) {
        CHECK_STATUS(enuf_nufft_type1(plan, t.strengths, modes), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type2(plan, t.spectrum, values, NULL), ENUF_SUCCESS);
        /* a few units in the last place: rounding averages over hundreds of terms */
        CHECK_BELOW(asymmetry(&t, modes, values), in_float ? 2e-7 : 5e-16,
                    "  <type1(c), F> - <c, type2(F)>, rounding");
    }
    enuf_nufft_destroy(&plan);
    free(modes);
    free(values);
    transform_free(&t);
}

static void law(void)
{
    static const int64_t modes[3][3] = {{120, 1, 1}, {21, 18, 1}, {10, 9, 8}};
    for (int dim = 1; dim <= 3; ++dim)
        for (int kind = 0; kind < 16; ++kind) {
            enuf_nufft_options options = conformance_options_of(dim, modes[dim - 1]);
            options.precision = kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE;
            options.strengths = kind & 2 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
            options.tolerance = kind & 4 ? 1e-2 : 1e-5;
            options.batch = kind & 8 ? 3 : 1;
            options.mode_order = kind & 8 ? ENUF_FFT_ORDER : ENUF_CENTRED;
            options.window = (enuf_window)(kind % 6);
            options.upsampling = 2.0;
            adjointness(&options);
        }
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
