/*
 * test_gram_level_limits.c - a plan's Gram operator at each level:
 *
 * - the report counts the spectrum, or the values at the points; memory_limit is kept by both, and
 *   the plan goes on after a refusal; a limit of the bytes that a tuning tells serves;
 * - no points and no modes are legal; wrong input is refused with a reason.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "enuf/gram.h"
#include "enuf/nufft_tuning.h"
#include "gram_levels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory ---- */

static int64_t bytes_of(const enuf_nufft *plan)
{
    enuf_nufft_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
    return report.bytes;
}

/* Bytes of the choice of a tuning at the options' level, whose method they get. */
static int64_t tuned_bytes(const transform *t, enuf_nufft_options *o)
{
    enuf_tuning_request r;
    enuf_tuning *tuning = NULL;
    enuf_candidate c = {.struct_size = sizeof c};
    const double *x = t->points;
    int64_t bytes = 0;
    enuf_tuning_request_init(&r);
    r.any_level = 0;
    r.gram = 10;
    o->memory_limit = 1000000000; /* with a limit the choice is weighed */
    CHECK_STATUS(enuf_nufft_tune(o, &r, t->n, x, x + 1, x + 2, 3, &tuning), ENUF_SUCCESS);
    for (int i = 0; i < enuf_tuning_count(tuning); i++) {
        CHECK_STATUS(enuf_tuning_get(tuning, i, &c), ENUF_SUCCESS);
        if (c.state == ENUF_CANDIDATE_CHOSEN) bytes = c.bytes;
    }
    enuf_tuning_destroy(&tuning);
    CHECK(bytes > 0);
    return bytes;
}

static void memory(enuf_level level)
{
    enuf_nufft_options o = conformance_options(3, 24, 24, 24);
    o.level = level;
    o.threads = 1;
    if (!gram_level_serves(&o, level)) return;
    printf("memory, %s\n", enuf_level_name(level));
    transform t = transform_make(&o, 20000, 4);
    double *out = numbers_make(ENUF_DOUBLE, t.n_modes),
           *again = numbers_make(ENUF_DOUBLE, t.n_modes);
    enuf_nufft *plan = transform_plan(&t, &o);
    const int64_t before = bytes_of(plan);
    CHECK_STATUS(enuf_nufft_gram(plan, t.spectrum, out), ENUF_SUCCESS);
    const int64_t more = bytes_of(plan) - before;
    /* complex values at the points; the spectrum of 2^3 times as many numbers as modes, the modes
     * along one axis of 24 */
    const int64_t least = level == ENUF_LEVEL_GRAM ? 8 * 8 * 24 * 24 * 24 : 16 * t.n;
    CHECK(more >= least &&
          (double)more < 1.5 * (double)least + 4096 + (gram_levels_on_gpu() ? 1e7 : 0));
    enuf_nufft_destroy(&plan);
    /* no room for that, and for what makes the spectrum; then the plan still has its types */
    o.memory_limit = before + more - 1;
    plan = transform_plan(&t, &o);
    CHECK_STATUS(enuf_nufft_gram(plan, t.spectrum, again), ENUF_OUT_OF_MEMORY);
    CHECK_TEXT("enuf_nufft_gram");
    CHECK_TEXT("memory_limit");
    CHECK(bytes_of(plan) <= o.memory_limit);
    CHECK_STATUS(enuf_nufft_type1(plan, t.strengths, again), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    if (!gram_levels_on_gpu()) {
        /* at level gram: what a tuning says that the plan takes at most */
        o.memory_limit = level == ENUF_LEVEL_GRAM ? tuned_bytes(&t, &o) : before + more;
        plan = transform_plan(&t, &o);
        CHECK_STATUS(enuf_nufft_gram(plan, t.spectrum, again), ENUF_SUCCESS);
        CHECK_BELOW(relative_error(ENUF_DOUBLE, t.n_modes, again, out), 1e-13,
                    "  within the limit");
        enuf_nufft_destroy(&plan);
    }
    free(out);
    free(again);
    transform_free(&t);
}

/* ---- Wrong input ---- */

static void refused(enuf_nufft_options o, const char *text)
{
    enuf_nufft *plan = NULL;
    o.level = ENUF_LEVEL_GRAM;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_UNSUPPORTED);
    CHECK_TEXT(text);
    CHECK(!plan);
}

static void wrong_options(void)
{
    enuf_nufft_options o = conformance_options(2, 8, 8, 0);
    o.strengths = ENUF_REAL_STRENGTHS;
    refused(o, "level gram with real strengths: use ENUF_COMPLEX_STRENGTHS");
    o.strengths = ENUF_COMPLEX_STRENGTHS;
    o.no_grid = 1;
    refused(o, "level gram with no_grid");
    o.no_grid = 0;
    o.type3 = 1;
    refused(o, "type3 with a level");
}

static void wrong_calls(enuf_level level)
{
    enuf_nufft_options o = conformance_options(1, 8, 0, 0);
    const double x[3] = {0.1, 0.5, 0.7};
    double modes[16] = {1}, out[16], zeros[16] = {0};
    enuf_nufft *plan = NULL;
    o.level = level;
    if (!gram_level_serves(&o, level)) return;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_gram(plan, modes, out), ENUF_NO_POINTS_SET);
    CHECK_TEXT("enuf_nufft_gram: call enuf_nufft_set_points() first");
    CHECK_STATUS(enuf_nufft_set_points(plan, 3, x, NULL, NULL, 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_gram(plan, modes, modes), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_nufft_gram(plan, NULL, out), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_nufft_gram(plan, modes, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("in or out is NULL");
    CHECK_STATUS(enuf_nufft_gram(NULL, modes, out), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("plan is NULL");
    CHECK_STATUS(enuf_nufft_set_point_weights(plan, ENUF_REAL, 1, x), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_gram(plan, modes, out), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, 2, x, NULL, NULL, 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_gram(plan, modes, out), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("the weights are those of 3 points");
    CHECK_STATUS(enuf_nufft_set_point_weights(plan, ENUF_REAL, 1, NULL), ENUF_SUCCESS);
    modes[5] = (double)NAN;
    CHECK_STATUS(enuf_nufft_gram(plan, modes, out), ENUF_NOT_FINITE);
    CHECK_TEXT("enuf_nufft_gram");
    modes[5] = 0;
    CHECK_STATUS(enuf_nufft_check(plan, NULL), ENUF_SUCCESS); /* host memory: nothing is left */
    CHECK_STATUS(enuf_nufft_set_points(plan, 0, NULL, NULL, NULL, 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_gram(plan, modes, out), ENUF_SUCCESS);
    CHECK(memcmp(out, zeros, sizeof out) == 0);
    enuf_nufft_destroy(&plan);
    o.modes[0] = 0;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, 3, x, NULL, NULL, 1), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_gram(plan, NULL, NULL), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    o.modes[0] = 8;
    o.type3 = 1;
    o.level = ENUF_LEVEL_SORTED;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_gram(plan, modes, out), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("type 3");
    enuf_nufft_destroy(&plan);
}

static void law(void)
{
    wrong_options();
    for (int l = 0; enuf_level_name((enuf_level)l); l++) {
        memory((enuf_level)l);
        wrong_calls((enuf_level)l);
    }
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
