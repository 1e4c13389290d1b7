/*
 * test_weights.c - weights of points and modes, and the adjoints of both types.
 *
 *     type 1   modes[m]  = v_m sum_j w_j strengths[j] exp(sign 2 pi i m . s_j)
 *     type 2   values[j] = w_j sum_m v_m modes[m] exp(...)
 *
 * 90 random points in 1D to 3D, both precisions; real and complex strengths and weights, one set
 * and a set for each of 3 vectors; every combination of signs; deterministic sums too. Results
 * equal direct sums of weighted input to 4 tolerances. <A x, y> = <x, A* y> to 1e-13 of the norms,
 * in float 1e-5: with v and w of size 1 both sides are sums of a few hundred terms.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 90, BATCH = 3 };

/* Re <a, b> over modes, with w(m) for real strengths. */
static double of_modes(const transform *t, const void *a, const void *b)
{
    double sum = 0;
    for (int64_t i = 0; i < t->n_modes; ++i) {
        int64_t m[3];
        mode_numbers(&t->options, i / 2 % t->modes, m);
        if (mode_is_unpaired(&t->options, i / 2 % t->modes)) continue;
        const double weight = t->options.strengths == ENUF_REAL_STRENGTHS && m[0] > 0 ? 2.0 : 1.0;
        sum +=
            weight * number_at(t->options.precision, a, i) * number_at(t->options.precision, b, i);
    }
    return sum;
}

static double of_points(const transform *t, const void *a, const void *b)
{
    double sum = 0;
    for (int64_t i = 0; i < t->n_values; ++i)
        sum += number_at(t->options.precision, a, i) * number_at(t->options.precision, b, i);
    return sum;
}

/* |<A x, y> - <x, A* y>| over the norms of x, y, and of a transform: sqrt(N modes). */
static double asymmetry(double left, double right, const transform *t)
{
    const double of_x = of_points(t, t->strengths, t->strengths);
    const double of_y = of_modes(t, t->spectrum, t->spectrum);
    return (left - right) / sqrt(of_x * of_y);
}

static void adjointness(const transform *t, enuf_nufft *plan)
{
    const enuf_precision p = t->options.precision;
    const double bound = p == ENUF_FLOAT ? 1e-5 : 1e-13;
    void *modes = numbers_make(p, t->n_modes), *values = numbers_make(p, t->n_values);
    CHECK_STATUS(enuf_nufft_type1(plan, t->strengths, modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1_adjoint(plan, t->spectrum, values), ENUF_SUCCESS);
    CHECK_BELOW(asymmetry(of_modes(t, modes, t->spectrum), of_points(t, t->strengths, values), t),
                bound, "  <type1 c, F> - <c, type1* F>");
    CHECK_STATUS(enuf_nufft_type2(plan, t->spectrum, values, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2_adjoint(plan, t->strengths, modes), ENUF_SUCCESS);
    CHECK_BELOW(asymmetry(of_points(t, values, t->strengths), of_modes(t, t->spectrum, modes), t),
                bound, "  <type2 F, c> - <F, type2* c>");
    free(modes);
    free(values);
}

static void against_direct_sums(const transform *t, enuf_nufft *plan)
{
    const double bound = 4 * t->options.tolerance;
    CHECK_BELOW(type1_error(t, plan), bound, "  type 1");
    CHECK_BELOW(type2_error(t, plan), bound, "  type 2");
    CHECK_BELOW(gradient_error(t, plan), bound, "  gradients");
}

/* bits of kind: float, real strengths, signs (2 bits), sets for each vector, complex weights */
static void law_of(int dim, int kind, int deterministic)
{
    static const int64_t modes[3][3] = {{46, 1, 1}, {10, 9, 1}, {6, 5, 6}};
    enuf_nufft_options options = conformance_options_of(dim, modes[dim - 1]);
    options.precision = kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE;
    options.strengths = kind & 2 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    options.sign = kind & 4 ? 1 : -1;
    options.type2_sign = kind & 8 ? 1 : -1;
    options.batch = BATCH;
    options.gradients = 1;
    options.upsampling = 2;
    options.tolerance = kind & 1 ? 1e-4 : 1e-11;
    options.deterministic = deterministic;
    options.mode_order = kind & 4 ? ENUF_FFT_ORDER : ENUF_CENTRED;
    const int sets = kind & 16 ? BATCH : 1;
    const enuf_multiplier complex = kind & 32 ? ENUF_COMPLEX : ENUF_REAL;
    transform t = transform_make(&options, N, (uint64_t)(5 + kind));
    weight_set w = weight_set_make(options.precision, kind & 2 ? ENUF_REAL : complex, sets, N, 51);
    weight_set v = weight_set_make(options.precision, complex, sets, t.modes, 52);
    printf("%dD %s %s, signs %d %d, %s weights, sets %d%s\n", dim, kind & 1 ? "float" : "double",
           kind & 2 ? "real" : "complex", options.sign, options.type2_sign,
           kind & 32 ? "complex" : "real", sets, deterministic ? ", deterministic" : "");
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (plan) {
        adjointness(&t, plan);
        transform_weighted_sum(&t, &w, &v);
        CHECK_STATUS(enuf_nufft_set_point_weights(plan, w.kind, sets, w.numbers), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_set_mode_weights(plan, v.kind, sets, v.numbers), ENUF_SUCCESS);
        against_direct_sums(&t, plan);
        adjointness(&t, plan);
        /* NULL removes them */
        CHECK_STATUS(enuf_nufft_set_point_weights(plan, w.kind, sets, NULL), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_set_mode_weights(plan, v.kind, sets, NULL), ENUF_SUCCESS);
        transform_sum(&t);
        against_direct_sums(&t, plan);
    }
    enuf_nufft_destroy(&plan);
    free(w.numbers);
    free(v.numbers);
    transform_free(&t);
}

/* filter = transform, then backward: weights of points on both sides, of modes on both. */
static void of_a_convolution(void)
{
    enuf_nufft_options options = conformance_options(2, 10, 9, 1);
    options.strengths = ENUF_REAL_STRENGTHS;
    options.batch = BATCH;
    options.tolerance = 1e-11;
    transform t = transform_make(&options, N, 9);
    weight_set w = weight_set_make(ENUF_DOUBLE, ENUF_REAL, 1, N, 51);
    weight_set v = weight_set_make(ENUF_DOUBLE, ENUF_REAL, BATCH, t.modes, 52);
    double *ones = numbers_make(ENUF_DOUBLE, t.modes), sums[BATCH], expected[BATCH] = {0};
    double *values = numbers_make(ENUF_DOUBLE, t.n_values);
    double *filtered = numbers_make(ENUF_DOUBLE, t.n_values);
    double *modes = numbers_make(ENUF_DOUBLE, t.n_modes);
    for (int64_t m = 0; m < t.modes; m++) ones[m] = 1;
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (!plan) return;
    CHECK_STATUS(enuf_nufft_set_point_weights(plan, w.kind, w.sets, w.numbers), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_mode_weights(plan, v.kind, v.sets, v.numbers), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, t.strengths, modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, modes, values, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_spread(plan, t.strengths), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_filter(plan, ones, filtered, NULL), ENUF_SUCCESS);
    CHECK_BELOW(relative_error(ENUF_DOUBLE, t.n_values, filtered, values), 1e-13,
                "filter by 1 and type 2 of type 1, rounding");
    CHECK_STATUS(enuf_nufft_reduce(plan, 1, ones, 0, sums), ENUF_SUCCESS);
    for (int64_t i = 0; i < t.n_modes; i++) {
        int64_t m[3];
        mode_numbers(&options, i / 2 % t.modes, m);
        expected[i / (2 * t.modes)] += (m[0] > 0 ? 2 : 1) * modes[i] * modes[i];
    }
    for (int b = 0; b < BATCH; b++) CHECK_CLOSE(sums[b], expected[b], 1e-13, "sum |S|^2");
    enuf_nufft_destroy(&plan);
    weight_set *both[2] = {&w, &v};
    for (int k = 0; k < 2; k++) free(both[k]->numbers);
    free(ones);
    free(values);
    free(filtered);
    free(modes);
    transform_free(&t);
}

static void refusals(void)
{
    enuf_nufft_options options = conformance_options(2, 10, 9, 1);
    options.batch = 2;
    options.tolerance = 1e-9;
    transform t = transform_make(&options, N, 10);
    transform_sum(&t);
    weight_set w = weight_set_make(ENUF_DOUBLE, ENUF_COMPLEX, 2, N, 53);
    double *numbers = w.numbers, values[4 * N], modes[4 * 90];
    enuf_nufft *plan = NULL;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    if (!plan) return;
#define REFUSED(call, status, text)                                                                \
    do {                                                                                           \
        CHECK_STATUS(call, status);                                                                \
        CHECK_TEXT(text);                                                                          \
    } while (0)
    REFUSED(enuf_nufft_set_point_weights(plan, ENUF_COMPLEX, 1, numbers), ENUF_NO_POINTS_SET,
            "set_points");
    REFUSED(enuf_nufft_type1_adjoint(plan, t.spectrum, values), ENUF_NO_POINTS_SET, "set_points");
    REFUSED(enuf_nufft_type2_adjoint(plan, t.strengths, modes), ENUF_NO_POINTS_SET, "set_points");
    CHECK_STATUS(transform_points(&t, plan), ENUF_SUCCESS);
    REFUSED(enuf_nufft_type1_adjoint(plan, NULL, values), ENUF_BAD_ARGUMENT, "modes");
    REFUSED(enuf_nufft_type1_adjoint(plan, t.spectrum, NULL), ENUF_BAD_ARGUMENT, "values");
    REFUSED(enuf_nufft_type2_adjoint(plan, NULL, modes), ENUF_BAD_ARGUMENT, "values");
    REFUSED(enuf_nufft_type2_adjoint(plan, t.strengths, NULL), ENUF_BAD_ARGUMENT, "modes");
    REFUSED(enuf_nufft_type1_adjoint(NULL, modes, values), ENUF_BAD_ARGUMENT, "plan");
    REFUSED(enuf_nufft_type2_adjoint(NULL, values, modes), ENUF_BAD_ARGUMENT, "plan");
    REFUSED(enuf_nufft_set_point_weights(NULL, ENUF_REAL, 1, numbers), ENUF_BAD_ARGUMENT, "plan");
    REFUSED(enuf_nufft_set_mode_weights(NULL, ENUF_REAL, 1, numbers), ENUF_BAD_ARGUMENT, "plan");
    REFUSED(enuf_nufft_set_point_weights(plan, (enuf_multiplier)7, 1, numbers), ENUF_BAD_ARGUMENT,
            "kind 7");
    REFUSED(enuf_nufft_set_mode_weights(plan, ENUF_REAL, 3, numbers), ENUF_BAD_ARGUMENT,
            "sets is 3");
    numbers[2 * 17 + 1] = (double)NAN;
    REFUSED(enuf_nufft_set_point_weights(plan, ENUF_COMPLEX, 2, numbers), ENUF_NOT_FINITE,
            "weights[17]");
    CHECK_BELOW(type1_error(&t, plan), 4e-9, "no weights after the error: type 1");
    numbers[2 * 17 + 1] = 0.5;
    CHECK_STATUS(enuf_nufft_set_point_weights(plan, ENUF_COMPLEX, 2, numbers), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, N - 1, t.points, t.points + 1, NULL, 3), ENUF_SUCCESS);
    REFUSED(enuf_nufft_type1(plan, t.strengths, modes), ENUF_BAD_ARGUMENT,
            "weights are those of 90");
    CHECK_STATUS(enuf_nufft_set_point_weights(plan, ENUF_COMPLEX, 2, NULL), ENUF_SUCCESS);
    CHECK_STATUS(transform_points(&t, plan), ENUF_SUCCESS);
    CHECK_BELOW(type1_error(&t, plan), 4e-9, "after the errors: type 1");
    enuf_nufft_destroy(&plan);
    options.strengths = ENUF_REAL_STRENGTHS;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(transform_points(&t, plan), ENUF_SUCCESS);
    REFUSED(enuf_nufft_set_point_weights(plan, ENUF_COMPLEX, 1, numbers), ENUF_BAD_ARGUMENT,
            "real strengths");
    enuf_nufft_destroy(&plan);
#undef REFUSED
    free(w.numbers);
    transform_free(&t);
}

/* The plan's bytes count weights, and the limit holds for them. */
static void memory_limit(void)
{
    enum { MANY = 200000 };
    enuf_nufft_options options = conformance_options(1, 16, 1, 1);
    enuf_nufft_report before = {.struct_size = sizeof before}, after = before;
    transform t = transform_make(&options, MANY, 10);
    double *numbers = numbers_random(ENUF_DOUBLE, 2 * MANY, 4);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (!plan) return;
    CHECK_STATUS(enuf_nufft_get_report(plan, &before), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_point_weights(plan, ENUF_COMPLEX, 1, numbers), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_report(plan, &after), ENUF_SUCCESS);
    CHECK(after.bytes - before.bytes >= 16 * MANY);
    enuf_nufft_destroy(&plan);
    options.memory_limit = before.bytes + 8 * MANY;
    plan = transform_plan(&t, &options);
    CHECK_STATUS(enuf_nufft_set_point_weights(plan, ENUF_COMPLEX, 1, numbers), ENUF_OUT_OF_MEMORY);
    CHECK_TEXT("memory_limit");
    enuf_nufft_destroy(&plan);
    free(numbers);
    transform_free(&t);
}

static void law(void)
{
    for (int dim = 1; dim <= 3; dim++)
        for (int kind = 0; kind < 64; kind++) law_of(dim, kind, kind % 7 == 3 && !(kind & 1));
    of_a_convolution();
    refusals();
    memory_limit();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
