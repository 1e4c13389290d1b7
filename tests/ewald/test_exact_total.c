/*
 * test_exact_total.c - enuf_total is the exact sum of doubles, rounded once. It does not depend on
 * the order of its terms, on partial sums, or on their range, 2^-1074 to DBL_MAX. Terms that are
 * not finite give NaN. Energy and virial of the exclusions, which are such totals, take one
 * reduction over the ranks. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include "object/ewald_object.h"
#include "sums/exact_total.h"
#include "sums/invariant_sum.h"
#include "random_system.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3000 };

static double sum_of(int n, const double *x, int step)
{
    enuf_total total = {{0}};
    for (int k = 0; k < n; k++) enuf_total_add(&total, x[(int64_t)k * step % n]);
    return enuf_total_value(&total);
}

/* All x, then all -x, then one last term: the total is that term. */
static void terms_of_any_size_are_exact(void)
{
    static double x[2 * N + 1];
    for (int scale = -300; scale <= 300; scale += 60) {
        random_numbers(3, N, -1, 1, x);
        for (int k = 0; k < N; k++) {
            x[k] *= pow(10, (scale > 0 ? scale - 9 : scale) + k % 9);
            x[N + k] = -x[k];
        }
        x[2 * N] = 0.4238;
        CHECK(sum_of(2 * N + 1, x, 1) == 0.4238);
        CHECK(sum_of(2 * N + 1, x, 1009) == 0.4238); /* in another order */
    }
    const double range[] = {DBL_MAX, 0x1p-1074, -DBL_MAX, 0x1p-1074, 3.0};
    CHECK(sum_of(5, range, 1) == 3.0);
    CHECK(sum_of(2, (const double[]){-0x1p-1074, -0x1p-1073}, 1) == -3 * 0x1p-1074);
    CHECK(sum_of(1, (const double[]){-DBL_MAX}, 1) == -DBL_MAX);
    CHECK(sum_of(0, range, 1) == 0);
}

static void against_long_double(void)
{
    static double x[N];
    long double exact = 0;
    random_numbers(4, N, -1, 1, x);
    for (int k = 0; k < N; k++) exact += (long double)x[k];
    CHECK_CLOSE(sum_of(N, x, 1), (double)exact, 2 * DBL_EPSILON, "3000 terms, one rounding");
    CHECK(sum_of(N, x, 1) == sum_of(N, x, 1009));
}

static void parts_join(void)
{
    static double x[N];
    enuf_total part[3] = {{{0}}}, whole[1] = {{{0}}};
    random_numbers(5, N, -1e5, 1e5, x);
    for (int k = 0; k < N; k++) enuf_total_add(&part[k * 7 % 3], x[k]);
    for (int p = 0; p < 3; p++) enuf_totals_join(1, &part[p], whole);
    CHECK(enuf_total_value(whole) == sum_of(N, x, 1));
}

static void terms_not_finite_give_nan(void)
{
    CHECK(isnan(sum_of(3, (const double[]){1, NAN, 2}, 1)));
    CHECK(isnan(sum_of(3, (const double[]){INFINITY, 5, -INFINITY}, 1)));
}

typedef struct reductions {
    int largest, add;
} reductions;

static void count_largest(void *context, int64_t n, double *values)
{
    (void)n;
    (void)values;
    ((reductions *)context)->largest++;
}

static void count_add(void *context, int64_t n, int64_t *sums)
{
    (void)n;
    (void)sums;
    ((reductions *)context)->add++;
}

/* Energy and virial of the exclusions take one reduction: ranks wait for each other once. */
static void one_reduction(void)
{
    int64_t pairs[6 * 50];
    charge_system water = make_water(61, 50, pairs);
    const enuf_exclusions excluded = {150, pairs, NULL};
    enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_PROLATE);
    options.backend = ENUF_BACKEND_CPU;
    enuf_ewald *ewald = make_ewald(&options, &water, &excluded);
    reductions counted = {0};
    const enuf_reduction reduction = {
        .n = water.n, .largest = count_largest, .add = count_add, .context = &counted};
    const enuf_evaluation evaluation = {.positions = water.x,
                                        .stride = 3,
                                        .wanted = ENUF_WANT_ENERGY | ENUF_WANT_VIRIAL,
                                        .real = 1};
    const enuf_atoms atoms = {.n = water.n, .positions = water.x, .stride = 3, .q = water.q};
    enuf_ewald_sums sums = {0};
    ewald->reduction = &reduction;
    enuf_sum_exclusions(ewald, &evaluation, &atoms, &sums);
    ewald->reduction = NULL;
    CHECK(sums.parts.excluded != 0 && sums.virial[0] != 0);
    CHECK_CLOSE(sums.virial[0] + sums.virial[1] + sums.virial[2], sums.parts.excluded, 1e-13,
                "trace of the excluded virial, excluded energy");
    CHECK_BELOW(counted.largest + counted.add, 1.5, "reductions for energy and virial");
    enuf_ewald_destroy(&ewald);
    free_system(&water);
}

int main(void)
{
    terms_of_any_size_are_exact();
    against_long_double();
    parts_join();
    terms_not_finite_give_nan();
    one_reduction();
    return check_result();
}
