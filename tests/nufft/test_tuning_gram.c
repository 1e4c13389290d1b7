/*
 * test_tuning_gram.c - calls of the Gram operator in tuning:
 *
 * - on a table of times and bytes the search goes from none to matrix to gram at the numbers of
 *   calls where their lines of time cross;
 * - a call in 64^3 modes is predicted to be faster than in 60^3 where FFTW estimates its plans, as
 *   it is;
 * - for calls of the Gram operator alone the plan of level gram is the smallest one;
 * - without calls of the Gram operator, for real strengths, and where the plan that makes the
 *   spectrum cannot be had for its accuracy or memory, level gram is no candidate, and others are
 *   chosen; where it is the only level that is an error; wisdom knows the number of calls;
 * - a candidate whose timer meets a tolerance out of reach is left out.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "level_table.h"
#include "watched_blocks.h"

#include <stdio.h>

/* The level that is found for so many calls of the Gram operator alone. */
static enuf_level found_for_gram(const enuf_nufft_options *problem, double calls, int64_t limit)
{
    enuf_nufft_options o = *problem;
    level_table t = {.gram = calls};
    enuf_tuning_request r = level_request(ENUF_TUNE_EXHAUSTIVE, 0, &t);
    r.gram = calls;
    o.memory_limit = limit;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    return o.level;
}

static void crossings_of_gram(void)
{
    enuf_nufft_options o = level_problem();
    CHECK(found_for_gram(&o, 1, 0) == ENUF_LEVEL_NONE);
    CHECK(found_for_gram(&o, 7.5, 0) == ENUF_LEVEL_NONE);
    CHECK(found_for_gram(&o, 7.55, 0) == ENUF_LEVEL_MATRIX);
    CHECK(found_for_gram(&o, 9.99, 0) == ENUF_LEVEL_MATRIX);
    CHECK(found_for_gram(&o, 10.01, 0) == ENUF_LEVEL_GRAM);
    CHECK(found_for_gram(&o, 1e6, 0) == ENUF_LEVEL_GRAM);
    o.strengths = ENUF_REAL_STRENGTHS;
    CHECK(found_for_gram(&o, 1e6, 0) == ENUF_LEVEL_MATRIX);
}

/* A candidate of level gram is one of the list, or is not. */
static int lists_gram(enuf_strengths strengths, double calls)
{
    enuf_nufft_options o = level_problem();
    enuf_tuning_request r = level_request(ENUF_TUNE_ESTIMATE, 1, NULL);
    enuf_tuning *tuning = NULL;
    enuf_candidate c = {.struct_size = sizeof c};
    int listed = 0;
    o.strengths = strengths;
    r.gram = calls;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, &tuning), ENUF_SUCCESS);
    for (int i = 0; i < enuf_tuning_count(tuning); i++) {
        CHECK_STATUS(enuf_tuning_get(tuning, i, &c), ENUF_SUCCESS);
        listed |= c.method.level == ENUF_LEVEL_GRAM;
    }
    enuf_tuning_destroy(&tuning);
    return listed;
}

/* Tunes for calls of the Gram operator at a level, or at any; says whether gram was listed. */
static enuf_status tune_for_gram(enuf_nufft_options *o, int any, enuf_level level, int *listed)
{
    enuf_tuning_request r = level_request(ENUF_TUNE_ESTIMATE, 1, NULL);
    enuf_tuning *tuning = NULL;
    enuf_candidate c = {.struct_size = sizeof c};
    r.gram = 5;
    r.any_level = any;
    o->level = level;
    *listed = 0;
    const enuf_status status = enuf_nufft_tune(o, &r, 0, NULL, NULL, NULL, 1, &tuning);
    for (int i = 0; i < enuf_tuning_count(tuning); i++) {
        CHECK_STATUS(enuf_tuning_get(tuning, i, &c), ENUF_SUCCESS);
        *listed |= c.method.level == ENUF_LEVEL_GRAM;
    }
    enuf_tuning_destroy(&tuning);
    return status;
}

/* The plan of T has twice as many modes: it reaches less accuracy, and takes more memory. */
static void gram_out_of_reach(const enuf_nufft_options *problem, enuf_status why)
{
    for (int any = 0; any < 2; any++)
        for (int k = 0; k < LEVELS; k++) {
            enuf_nufft_options o = *problem;
            const enuf_level level = level_ascending[k];
            int listed;
            const enuf_status status = tune_for_gram(&o, any, level, &listed);
            if (!any && level == ENUF_LEVEL_GRAM) {
                CHECK_STATUS(status, why);
                CHECK_TEXT("enuf_nufft_tune: level gram");
                continue;
            }
            CHECK_STATUS(status, ENUF_SUCCESS);
            CHECK(!listed && o.level != ENUF_LEVEL_GRAM && (any || o.level == level));
        }
}

static void without_gram(void)
{
    enuf_nufft_options accurate = conformance_options(1, 1024, 0, 0);
    enuf_nufft_options large = conformance_options(3, 48, 48, 48);
    int listed;
    accurate.tolerance = 1.8e-14;
    large.tolerance = 1e-3;
    accurate.threads = large.threads = 1;
    gram_out_of_reach(&accurate, ENUF_UNREACHABLE_ACCURACY);
    enuf_nufft_options o = large;
    CHECK_STATUS(tune_for_gram(&o, 1, ENUF_LEVEL_SORTED, &listed), ENUF_SUCCESS);
    CHECK(listed);
    /* the spectrum takes 7 MB; the grid of T 8 * 120^3 bytes */
    watched.most = watched.held + 12000000;
    gram_out_of_reach(&large, ENUF_OUT_OF_MEMORY);
    /* a limit that T alone exceeds: nothing of it is allocated, whatever the machine has */
    o = large;
    o.memory_limit = 12000000;
    watched.most = 0;
    watched.peak = watched.held;
    const size_t before = watched.held;
    CHECK_STATUS(tune_for_gram(&o, 1, ENUF_LEVEL_SORTED, &listed), ENUF_SUCCESS);
    CHECK(o.level != ENUF_LEVEL_GRAM && watched.peak - before < 12000000);
    /* real strengths */
    o = level_problem();
    o.strengths = ENUF_REAL_STRENGTHS;
    CHECK_STATUS(tune_for_gram(&o, 0, ENUF_LEVEL_GRAM, &listed), ENUF_UNSUPPORTED);
    CHECK_TEXT("enuf_nufft_tune: level gram with real strengths: use ENUF_COMPLEX_STRENGTHS");
    CHECK_STATUS(tune_for_gram(&o, 1, ENUF_LEVEL_GRAM, &listed), ENUF_SUCCESS);
    CHECK(!listed);
}

/* As level_look_up(), but the spectrum of level gram is out of reach. */
static enuf_status reach(void *context, const enuf_nufft_options *o, double *seconds,
                         int64_t *bytes)
{
    if (o->level == ENUF_LEVEL_GRAM) return ENUF_UNREACHABLE_ACCURACY;
    return level_look_up(context, o, seconds, bytes);
}

static void left_out(void)
{
    enuf_nufft_options o = level_problem();
    level_table t = {.gram = 1e6};
    enuf_tuning_request r = level_request(ENUF_TUNE_EXHAUSTIVE, 0, &t);
    r.gram = 1e6;
    r.timer = reach;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK(o.level == ENUF_LEVEL_MATRIX);
    o = level_problem();
    o.level = ENUF_LEVEL_GRAM;
    r.any_level = 0;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_UNREACHABLE_ACCURACY);
}

/* Grids do not matter to the Gram operator of level gram: the smallest plan is timed, and no other.
 */
static void smallest_for_gram(void)
{
    enuf_nufft_options o = level_problem();
    level_table t = {.gram = 1e4};
    enuf_tuning_request r = level_request(ENUF_TUNE_MEASURE, 0, &t);
    enuf_tuning *tuning = NULL;
    enuf_candidate c = {.struct_size = sizeof c}, chosen = c;
    int64_t least = INT64_MAX;
    r.gram = 1e4;
    r.any_level = 0;
    o.level = ENUF_LEVEL_GRAM;
    enuf_nufft_options timed = o;
    CHECK_STATUS(enuf_nufft_tune(&timed, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK(t.calls == 1);
    r.effort = ENUF_TUNE_ESTIMATE;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, &tuning), ENUF_SUCCESS);
    for (int i = 0; i < enuf_tuning_count(tuning); i++) {
        CHECK_STATUS(enuf_tuning_get(tuning, i, &c), ENUF_SUCCESS);
        if (c.state == ENUF_CANDIDATE_MISSES_TOLERANCE) continue;
        if (c.bytes < least) least = c.bytes;
        if (c.state == ENUF_CANDIDATE_CHOSEN) chosen = c;
    }
    CHECK(chosen.bytes == least);
    enuf_tuning_destroy(&tuning);
}

/* The calls of the Gram operator are part of the problem that wisdom knows. */
/* The least predicted time of a round at level gram, of so many calls in n^3 modes. */
static double predicted_at_gram(int64_t n, double calls)
{
    enuf_nufft_options o = conformance_options(3, n, n, n);
    enuf_tuning_request r = level_request(ENUF_TUNE_ESTIMATE, 0, NULL);
    enuf_tuning *tuning = NULL;
    enuf_candidate c = {.struct_size = sizeof c};
    o.threads = 1;
    o.level = ENUF_LEVEL_GRAM;
    r.any_level = 0;
    r.gram = calls;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 100, NULL, NULL, NULL, 1, &tuning), ENUF_SUCCESS);
    CHECK_STATUS(enuf_tuning_get(tuning, 0, &c), ENUF_SUCCESS);
    enuf_tuning_destroy(&tuning);
    return c.predicted_seconds;
}

static void lengths(void)
{
    enuf_fft library;
    CHECK_STATUS(enuf_fft_find(ENUF_FFT_AUTO, &library), ENUF_SUCCESS);
    const double at64 = predicted_at_gram(64, 2) - predicted_at_gram(64, 1);
    const double at60 = predicted_at_gram(60, 2) - predicted_at_gram(60, 1);
    printf("a call: %.3g ms in 64^3 modes, %.3g in 60^3\n", 1e3 * at64, 1e3 * at60);
    CHECK(at60 > 0 && (at64 < at60) == (library == ENUF_FFT_FFTW));
}

static void wisdom_knows_gram(void)
{
    enuf_nufft_options o = level_problem();
    level_table t = {.gram = 100};
    enuf_wisdom *wisdom = NULL;
    CHECK_STATUS(enuf_wisdom_create(&wisdom), ENUF_SUCCESS);
    enuf_tuning_request r = level_request(ENUF_TUNE_EXHAUSTIVE, 0, &t);
    r.gram = 100;
    r.wisdom = wisdom;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK(o.level == ENUF_LEVEL_GRAM && enuf_wisdom_count(wisdom) == 1);
    r.effort = ENUF_TUNE_WISDOM_ONLY;
    o = level_problem();
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK(o.level == ENUF_LEVEL_GRAM);
    for (r.gram = 0; r.gram < 100; r.gram += 50) {
        o = level_problem();
        CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_UNSUPPORTED);
        CHECK_TEXT("wisdom has no entry");
    }
    enuf_wisdom_destroy(&wisdom);
}

int main(void)
{
    crossings_of_gram();
    wisdom_knows_gram();
    smallest_for_gram();
    lengths();
    CHECK(lists_gram(ENUF_COMPLEX_STRENGTHS, 1) && !lists_gram(ENUF_COMPLEX_STRENGTHS, 0));
    CHECK(!lists_gram(ENUF_REAL_STRENGTHS, 1));
    without_gram();
    left_out();
    return check_result();
}
