/*
 * test_many_points.c - many points are sorted by way of buckets (sort_buckets.cu). The limit is
 * lowered for a plan, whose results are those of an ordinary plan: relative l2 1e-12, in float
 * 1e-5 (sums of 300,001 points in another order). 1D to 3D, both precisions, one complex vector,
 * two, and three real ones, points evenly and in a few cells. Then fewer points than the limit,
 * none, many again, and a bad coordinate, after which the points before it still count, also where
 * the bad one came with few points. A number as argument: so many points, for compute-sanitizer.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "cuda/cuda.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LIMIT = 1000 };

static int64_t most = 300001; /* points */

static enuf_nufft *plan_of(const transform *t, int by_buckets)
{
    enuf_nufft *plan = NULL;
    CHECK_STATUS(enuf_nufft_create(&t->options, &plan), ENUF_SUCCESS);
    if (!plan) return NULL;
    if (by_buckets) enuf_cuda_of(plan)->most_taken = LIMIT;
    /* so few points in 1D have another kernel, which does not give back results by buckets */
    if (t->options.dim == 1) plan->options.interpolation = ENUF_STRATEGY_TILES;
    return plan;
}

static enuf_status set(enuf_nufft *plan, const transform *t, int64_t n)
{
    return enuf_nufft_set_points(plan, n, t->points, t->points + 1, t->points + 2, 3);
}

/* Both types: the plans agree. */
static void agree(const transform *t, enuf_nufft *const plans[2], int64_t n, double bound,
                  const char *what)
{
    const enuf_precision p = t->options.precision;
    const int64_t each = t->options.strengths == ENUF_REAL_STRENGTHS ? 1 : 2;
    void *modes[2], *values[2];
    for (int k = 0; k < 2; k++) {
        modes[k] = numbers_make(p, t->n_modes);
        values[k] = numbers_make(p, t->n_values);
        CHECK_STATUS(enuf_nufft_type1(plans[k], t->strengths, modes[k]), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_type2(plans[k], t->spectrum, values[k], NULL), ENUF_SUCCESS);
    }
    printf("  %s\n", what);
    CHECK_BELOW(relative_error(p, t->n_modes, modes[0], modes[1]), bound, "type 1");
    CHECK_BELOW(relative_error(p, t->options.batch * each * n, values[0], values[1]), bound,
                "type 2");
    for (int k = 0; k < 2; k++) {
        free(modes[k]);
        free(values[k]);
    }
}

static void many_points(int dim, enuf_precision precision, double size, int batch)
{
    static const int64_t modes[3][3] = {{20000, 1, 1}, {201, 130, 1}, {30, 26, 34}};
    const int64_t numbers[] = {most, LIMIT, 0, most - 1};
    enuf_nufft_options options = conformance_options_of(dim, modes[dim - 1]);
    options.backend = ENUF_BACKEND_CUDA;
    options.precision = precision;
    options.tolerance = precision == ENUF_DOUBLE ? 1e-9 : 1e-4;
    options.upsampling = 2;
    options.batch = batch;
    if (batch == 3) options.strengths = ENUF_REAL_STRENGTHS;
    printf("%dD, %s, %s, a batch of %d\n", dim, precision == ENUF_DOUBLE ? "double" : "float",
           size < 1 ? "in a few cells" : "evenly", batch);
    transform t = transform_make(&options, most, 11);
    for (int64_t i = 0; i < 3 * t.n; i++) t.points[i] = 0.3 + size * t.points[i];
    const double bound = precision == ENUF_DOUBLE ? 1e-12 : 1e-5;
    enuf_nufft *plans[2] = {plan_of(&t, 1), plan_of(&t, 0)};
    if (plans[0] && plans[1]) {
        for (int k = 0; k < 4; k++) {
            char what[40];
            snprintf(what, sizeof what, "%lld points", (long long)numbers[k]);
            for (int i = 0; i < 2; i++) CHECK_STATUS(set(plans[i], &t, numbers[k]), ENUF_SUCCESS);
            CHECK(enuf_cuda_of(plans[0])->points.bucket && !enuf_cuda_of(plans[1])->points.bucket);
            agree(&t, plans, numbers[k], bound, what);
        }
        const double kept = t.points[3 * (most - 1)];
        t.points[3 * (most - 1)] = NAN;
        CHECK_STATUS(set(plans[0], &t, most), ENUF_NOT_FINITE);
        CHECK_STATUS(set(plans[0], &t, most), ENUF_NOT_FINITE);
        t.points[3 * (most - 1)] = kept;
        agree(&t, plans, most - 1, bound, "after two refusals");
        const double first = t.points[0];
        t.points[0] = NAN;
        CHECK_STATUS(set(plans[0], &t, LIMIT), ENUF_NOT_FINITE);
        t.points[0] = first;
        agree(&t, plans, most - 1, bound, "after a bad coordinate of a few points");
    }
    for (int k = 0; k < 2; k++) enuf_nufft_destroy(&plans[k]);
    transform_free(&t);
}

int main(int argc, char **argv)
{
    const char *reason = "";
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) return check_skip(reason);
    if (argc > 1) most = atoll(argv[1]);
    CHECK(most > LIMIT);
    for (int dim = 1; dim <= 3; dim++)
        for (int kind = 0; kind < 12; kind++)
            many_points(dim, kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE, kind & 2 ? 0.01 : 1,
                        1 + kind / 4);
    return check_result();
}
