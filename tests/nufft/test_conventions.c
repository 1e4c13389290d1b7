/*
 * test_conventions.c - sign, mode order, batch and period mean what docs/conventions.md says.
 *
 * All combinations of signs, mode orders, batches of 1 and 3, strengths and precisions in 1D to 3D
 * are compared with direct sums: the relative l2 error is at most 4 tolerances of 1e-11, in float
 * 1e-5. FFT order holds the bits of centred order at other places. A member of a batch equals the
 * same transform alone, and the opposite sign gives the conjugate, both to 1e-15.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <stdio.h>
#include <stdlib.h>

static void against_the_direct_sum(int dim, const int64_t modes[3], int kind)
{
    enuf_nufft_options options = conformance_options_of(dim, modes);
    options.strengths = kind & 1 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    options.sign = kind & 2 ? 1 : -1;
    options.type2_sign = kind & 4 ? options.sign : 0;
    options.mode_order = kind & 8 ? ENUF_FFT_ORDER : ENUF_CENTRED;
    options.batch = kind & 16 ? 3 : 1;
    options.precision = kind & 32 ? ENUF_FLOAT : ENUF_DOUBLE;
    options.period = kind & 4 ? 6.28318530717958647693 : 2.5;
    options.tolerance = kind & 32 ? 1e-5 : 1e-11;
    options.gradients = 1;
    options.upsampling = 2.0;
    transform t = transform_make(&options, 70, (uint64_t)(100 + kind));
    transform_sum(&t);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (plan) {
        double bound = 4.0 * options.tolerance;
        printf("%dD %s %s sign %d/%d %s batch %d\n", dim,
               options.precision == ENUF_FLOAT ? "float" : "double",
               options.strengths == ENUF_REAL_STRENGTHS ? "real" : "complex", options.sign,
               options.type2_sign, options.mode_order == ENUF_FFT_ORDER ? "FFT order" : "centred",
               options.batch);
        CHECK_BELOW(type1_error(&t, plan), bound, "  type 1");
        CHECK_BELOW(type2_error(&t, plan), bound, "  type 2");
        CHECK_BELOW(gradient_error(&t, plan), bound, "  gradients");
    }
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

static void *type1_of(const transform *t, const enuf_nufft_options *options, const void *strengths)
{
    void *modes = numbers_make(options->precision, options->batch * t->modes * 2);
    enuf_nufft *plan = transform_plan(t, options);
    if (plan) CHECK_STATUS(enuf_nufft_type1(plan, strengths, modes), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    return modes;
}

/* Both orders have the same bits, at other places. */
static void orders_differ_in_places_only(void)
{
    enuf_nufft_options options = conformance_options(2, 9, 6, 0);
    options.threads = 1;
    options.deterministic =
        options.backend == ENUF_BACKEND_CUDA; /* else the order of a GPU's sums varies */
    transform t = transform_make(&options, 40, 7);
    enuf_nufft_options fft = options;
    fft.mode_order = ENUF_FFT_ORDER;
    double *centred = type1_of(&t, &options, t.strengths);
    double *ordered = type1_of(&t, &fft, t.strengths);
    for (int64_t i = 0; i < 9; ++i)
        for (int64_t j = 0; j < 6; ++j) {
            int64_t from = 9 * j + i;
            int64_t to = 9 * ((j + 3) % 6) + (i + 5) % 9;
            CHECK(centred[2 * from] == ordered[2 * to]);
            CHECK(centred[2 * from + 1] == ordered[2 * to + 1]);
        }
    free(centred);
    free(ordered);
    transform_free(&t);
}

/* conj(type1_sign(conj c)) = type1_-sign(c); here c is real. */
static void opposite_sign_is_the_conjugate(void)
{
    enuf_nufft_options options = conformance_options(3, 6, 5, 4);
    options.strengths = ENUF_REAL_STRENGTHS;
    transform t = transform_make(&options, 40, 8);
    enuf_nufft_options opposite = options;
    opposite.sign = 1;
    double *minus = type1_of(&t, &options, t.strengths);
    double *plus = type1_of(&t, &opposite, t.strengths);
    for (int64_t i = 1; i < t.n_modes; i += 2) plus[i] = -plus[i];
    CHECK_BELOW(relative_error(ENUF_DOUBLE, t.n_modes, plus, minus), 1e-15, "conjugate, rounding");
    free(minus);
    free(plus);
    transform_free(&t);
}

/* Without `deterministic`, threads add in another order each time, and sums differ by rounding. A
 * small upsampling amplifies this rounding many times; 2 does not. */
static void batch_equals_its_members(enuf_strengths strengths, int deterministic)
{
    enuf_nufft_options options = conformance_options(2, 12, 11, 0);
    options.strengths = strengths;
    options.deterministic = deterministic;
    if (!deterministic) options.upsampling = 2;
    options.batch = 4;
    transform t = transform_make(&options, 60, 9);
    enuf_nufft_options single = options;
    single.batch = 1;
    double *together = type1_of(&t, &options, t.strengths);
    for (int64_t b = 0; b < 4; ++b) {
        double *alone =
            type1_of(&t, &single, numbers_from(ENUF_DOUBLE, t.strengths, b * t.n_strengths / 4));
        CHECK_BELOW(relative_error(ENUF_DOUBLE, 2 * t.modes, together + 2 * b * t.modes, alone),
                    1e-15, "member of a batch against itself alone, rounding");
        free(alone);
    }
    free(together);
    transform_free(&t);
}

static void law(void)
{
    for (int kind = 0; kind < 64; ++kind) {
        against_the_direct_sum(1, (int64_t[3]){20, 1, 1}, kind);
        against_the_direct_sum(2, (int64_t[3]){9, 8, 1}, kind);
        against_the_direct_sum(3, (int64_t[3]){6, 7, 5}, kind);
    }
    orders_differ_in_places_only();
    opposite_sign_is_the_conjugate();
    for (int deterministic = 0; deterministic < 2; ++deterministic) {
        batch_equals_its_members(ENUF_COMPLEX_STRENGTHS, deterministic);
        batch_equals_its_members(ENUF_REAL_STRENGTHS, deterministic);
    }
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
