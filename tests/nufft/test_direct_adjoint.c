/*
 * test_direct_adjoint.c - the direct sums of type 1 and type 2 are adjoint to each other, in 1D to
 * 3D:
 *
 *     Re <type1(c), F> = Re <c, type2(F)>
 *
 * <a, b> is the sum of conj(a) b. For real strengths, modes have the weight 1 in the plane m_1 = 0
 * and 2 elsewhere. The difference of both sides over the norms of modes and spectrum is at most
 * 2e-16. Values at unpaired modes of real strengths have no effect.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Re <type1(strengths), spectrum> - Re <strengths, type2(spectrum)>, over the norms of the modes
 * and of the spectrum. */
static double asymmetry(const transform *t)
{
    const double *modes = t->modes_expected;
    const double *spectrum = t->spectrum;
    const double *strengths = t->strengths;
    const double *values = t->values_expected;
    double left = 0.0, right = 0.0, modes_squared = 0.0, spectrum_squared = 0.0;
    for (int64_t i = 0; i < t->n_modes; ++i) {
        int64_t m[3];
        mode_numbers(&t->options, i / 2, m);
        double weight = t->options.strengths == ENUF_REAL_STRENGTHS && m[0] > 0 ? 2.0 : 1.0;
        left += weight * modes[i] * spectrum[i];
        modes_squared += weight * modes[i] * modes[i];
        spectrum_squared += weight * spectrum[i] * spectrum[i];
    }
    for (int64_t i = 0; i < t->n_values; ++i) right += strengths[i] * values[i];
    return (left - right) / sqrt(modes_squared * spectrum_squared);
}

static void adjointness(int dim, const int64_t modes[3], enuf_strengths strengths)
{
    enuf_nufft_options options = conformance_options_of(dim, modes);
    options.strengths = strengths;
    options.mode_order = ENUF_FFT_ORDER;
    transform t = transform_make(&options, 131, 17);
    transform_sum(&t);
    printf("%dD, %s strengths\n", dim, strengths == ENUF_REAL_STRENGTHS ? "real" : "complex");
    CHECK_BELOW(asymmetry(&t), 2e-16, "  <type1(c), F> - <c, type2(F)>, rounding");
    transform_free(&t);
}

static void unpaired_modes_do_not_matter(void)
{
    enuf_nufft_options options = conformance_options(3, 5, 4, 6);
    options.strengths = ENUF_REAL_STRENGTHS;
    transform t = transform_make(&options, 20, 23);
    transform_sum(&t);
    void *values = t.values_expected;
    void *gradients = t.gradients_expected;
    t.values_expected = numbers_make(ENUF_DOUBLE, t.n_values);
    t.gradients_expected = numbers_make(ENUF_DOUBLE, t.n_gradients);
    double *modes = t.modes_expected;
    double *spectrum = t.spectrum;
    int unpaired = 0;
    for (int64_t mode = 0; mode < t.modes; ++mode)
        if (mode_is_unpaired(&options, mode)) {
            ++unpaired;
            CHECK(modes[2 * mode] == 0.0 && modes[2 * mode + 1] == 0.0);
            spectrum[2 * mode] = 1e30;
            spectrum[2 * mode + 1] = -1e30;
        }
    CHECK(unpaired == 3 * (6 + 4 - 1)); /* h_1 = 3; planes m_2 = -2 and m_3 = -3 */
    transform_sum(&t);
    CHECK(numbers_equal(ENUF_DOUBLE, t.n_values, t.values_expected, values));
    CHECK(numbers_equal(ENUF_DOUBLE, t.n_gradients, t.gradients_expected, gradients));
    free(values);
    free(gradients);
    transform_free(&t);
}

static void law(void)
{
    for (int real = 0; real < 2; ++real) {
        enuf_strengths strengths = real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
        adjointness(1, (int64_t[3]){50, 0, 0}, strengths);
        adjointness(2, (int64_t[3]){11, 12, 0}, strengths);
        adjointness(3, (int64_t[3]){6, 5, 8}, strengths);
    }
    unpaired_modes_do_not_matter();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
