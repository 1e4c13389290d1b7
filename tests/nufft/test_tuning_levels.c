/*
 * test_tuning_levels.c - levels of precomputation as candidates of tuning:
 *
 * - on a table of times and bytes the search takes none, sorted, weights and matrix at the numbers
 *   of repeats where their lines of time cross, exhaustive and by measure, and the fastest level of
 *   those that fit a limit of memory; test_tuning_gram.c has calls of the Gram operator;
 * - a fixed level stays, with any grid and with a given one; a refused limit names the least need
 *   with its level, and a level that serves no plan is named;
 * - the predicted time of a round is set + type1 calls + type2 calls, with set above 0; more
 *   repeats never lead an estimate to a level that takes less to set; without calls the cheapest to
 *   set is taken;
 * - predicted bytes are those of the plan at each level, to 1 % and its small arrays;
 * - a plan of a tuned method takes no more from the allocator than memory_limit, whatever it is, at
 *   each level and at any one;
 * - points on lines are not taken for random ones: in 1D none lasts longer there;
 * - FFTs of 96 and 128 cells are predicted to be faster than those of 90 and 120, as FFTW's
 *   estimated plans are.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "level_table.h"
#include "watched_blocks.h"

#include "enuf/gram.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The level that is found for a type 1 and a type 2 so many times, with a limit if it is not 0. */
static enuf_level found(const enuf_nufft_options *problem, double repeats, int64_t limit)
{
    enuf_nufft_options o = *problem;
    level_table t = {.repeats = repeats};
    const enuf_tuning_request r = level_request(ENUF_TUNE_EXHAUSTIVE, repeats, &t);
    o.memory_limit = limit;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    return o.level;
}

static void crossings(void)
{
    enuf_nufft_options o = level_problem();
    for (int given = 0; given < 2; given++) {
        if (given) {
            o.fine_grid[0] = 90;
            o.fine_grid[1] = 72;
        }
        CHECK(found(&o, 1, 0) == ENUF_LEVEL_NONE && found(&o, 1.99, 0) == ENUF_LEVEL_NONE);
        CHECK(found(&o, 2.01, 0) == ENUF_LEVEL_SORTED && found(&o, 9.99, 0) == ENUF_LEVEL_SORTED);
        CHECK(found(&o, 10.01, 0) == ENUF_LEVEL_WEIGHTS);
        CHECK(found(&o, 79.9, 0) == ENUF_LEVEL_WEIGHTS);
        CHECK(found(&o, 80.1, 0) == ENUF_LEVEL_MATRIX);
        CHECK(found(&o, 1e6, 0) == ENUF_LEVEL_MATRIX);
    }
}

/* Exhaustive times each level of each grid; measure only what the model finds near the best, and
 * takes what is as fast as the fastest of that. */
static void measured(void)
{
    int timed_levels = 0;
    for (double repeats = 1; repeats < 1e4; repeats *= 3) {
        enuf_nufft_options o = level_problem();
        level_table t = {.repeats = repeats};
        enuf_tuning *tuning = NULL;
        enuf_candidate c = {.struct_size = sizeof c};
        double best = HUGE_VAL, chosen = 0;
        int seen = 0;
        const enuf_tuning_request r = level_request(ENUF_TUNE_MEASURE, repeats, &t);
        CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, &tuning), ENUF_SUCCESS);
        for (int i = 0; i < enuf_tuning_count(tuning); i++) {
            CHECK_STATUS(enuf_tuning_get(tuning, i, &c), ENUF_SUCCESS);
            if (c.timings == 0) continue;
            seen |= 1 << c.method.level;
            best = fmin(best, c.measured_seconds);
            if (c.state == ENUF_CANDIDATE_CHOSEN) chosen = c.measured_seconds;
            CHECK(c.bytes == level_bytes[level_place(c.method.level)]);
        }
        /* of those within 3 % of the fastest the first one is taken */
        CHECK(chosen >= best && chosen <= 1.03 * best && c.struct_size > 0);
        CHECK(t.calls < enuf_tuning_count(tuning) / 4);
        timed_levels = (seen & (seen - 1)) ? timed_levels + 1 : timed_levels;
        enuf_tuning_destroy(&tuning);
    }
    printf("measure timed several levels for %d of 9 numbers of repeats\n", timed_levels);
    CHECK(timed_levels >= 5);
}

static void within_limits(void)
{
    enuf_nufft_options o = level_problem();
    CHECK(found(&o, 1e4, 100000000) == ENUF_LEVEL_MATRIX);
    level_table t = {.repeats = 1e4};
    const enuf_tuning_request r = level_request(ENUF_TUNE_EXHAUSTIVE, 1e4, &t);
    o.memory_limit = 500000; /* a matrix takes 1.5 MB or more */
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK(o.level == ENUF_LEVEL_WEIGHTS);
    /* what the plans take counts too */
    t.bytes_over = 1;
    o = level_problem();
    o.memory_limit = 100000000;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK(o.level == ENUF_LEVEL_WEIGHTS);
}

/* ---- Fixed levels ---- */

static void fixed(enuf_level level)
{
    enuf_nufft_options o = level_problem();
    char expected[40];
    level_table t = {.repeats = 50};
    enuf_tuning *tuning = NULL;
    enuf_candidate c = {.struct_size = sizeof c};
    enuf_tuning_request r = level_request(ENUF_TUNE_EXHAUSTIVE, 50, &t);
    r.any_level = 0;
    o.level = level;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, &tuning), ENUF_SUCCESS);
    CHECK(o.level == level && enuf_tuning_count(tuning) > 20);
    for (int i = 0; i < enuf_tuning_count(tuning); i++) {
        CHECK_STATUS(enuf_tuning_get(tuning, i, &c), ENUF_SUCCESS);
        CHECK(c.method.level == level);
    }
    enuf_tuning_destroy(&tuning);
    /* level and grid given: windows are left, whose times differ by their width; a round each, then
     * a pair for each of the fastest three */
    o = level_problem();
    o.level = level;
    o.fine_grid[0] = 90;
    o.fine_grid[1] = 72;
    t.calls = 0;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, &tuning), ENUF_SUCCESS);
    CHECK(o.level == level && o.fine_grid[0] == 90 && o.fine_grid[1] == 72);
    CHECK(t.calls > 0);
    CHECK(enuf_tuning_count(tuning) <= 6 && t.calls <= enuf_tuning_count(tuning) + 2 * 3);
    enuf_tuning_destroy(&tuning);
    o = level_problem();
    o.level = level;
    o.memory_limit = 1000;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_OUT_OF_MEMORY);
    snprintf(expected, sizeof expected, "cells, level %s", enuf_level_name(level));
    CHECK_TEXT(expected);
}

/* No grid serves: that is told, not a window of width 0. */
static void too_many_for_a_matrix(void)
{
    enuf_nufft_options o = level_problem();
    enuf_tuning_request r = level_request(ENUF_TUNE_ESTIMATE, 1, NULL);
    o.density = 1e9;
    o.level = ENUF_LEVEL_MATRIX;
    r.any_level = 0;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_UNSUPPORTED);
    CHECK_TEXT("level matrix does not serve 2880000000000 points");
}

/* ---- The cost model ---- */

/* Lines through the centre, or points at random, in one period. */
static double *draw(int64_t n, int lines)
{
    double *x = numbers_make(ENUF_DOUBLE, 3 * n), along[3] = {1, 0, 0};
    uint64_t seed = 5;
    for (int64_t j = 0; j < 3 * n; j++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x[j] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
    }
    for (int64_t j = 0; lines && j < n; j++) {
        if (j % 200 == 0) memcpy(along, x + 3 * j, sizeof along);
        for (int d = 0; d < 3; d++) x[3 * j + d] = along[d] * ((double)(j % 200) / 200 - 0.5);
    }
    return x;
}

/* Candidate i of an estimate for these numbers of calls, by method and level. */
static double predicted(const enuf_nufft_options *problem, const double *x, int64_t n,
                        const enuf_nufft_method *method, double type1, double type2)
{
    enuf_nufft_options o = *problem;
    enuf_tuning *tuning = NULL;
    enuf_candidate c = {.struct_size = sizeof c};
    enuf_tuning_request r = level_request(ENUF_TUNE_ESTIMATE, 0, NULL);
    double seconds = -1;
    r.any_window = 0;
    r.type1 = type1;
    r.type2 = type2;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, n, x, x + 1, x + 2, 3, &tuning), ENUF_SUCCESS);
    for (int i = 0; i < enuf_tuning_count(tuning); i++) {
        CHECK_STATUS(enuf_tuning_get(tuning, i, &c), ENUF_SUCCESS);
        if (c.method.level == method->level && c.method.width == method->width &&
            memcmp(c.method.fine_grid, method->fine_grid, sizeof method->fine_grid) == 0)
            seconds = c.predicted_seconds;
    }
    enuf_tuning_destroy(&tuning);
    return seconds;
}

/* The time of a round, at every level; levels in the order of their time without calls. */
static void rounds(int dim, enuf_precision precision)
{
    enum { MANY = 4000 };
    enuf_nufft_options o = conformance_options(dim,
                                               dim == 1   ? 2000
                                               : dim == 2 ? 50
                                                          : 14,
                                               dim == 2 ? 40 : 14, 14);
    o.precision = precision;
    o.tolerance = 1e-3;
    o.threads = 1;
    double *x = draw(MANY, 0), last = 0;
    enuf_nufft *plan = NULL;
    enuf_nufft_method method = {.struct_size = sizeof method};
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_method(plan, &method), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    CHECK_STATUS(enuf_nufft_set_method(&o, &method), ENUF_SUCCESS); /* only levels are left */
    for (int k = 0; k < OF_POINTS; k++) {
        method.level = level_ascending[k];
        const double set = predicted(&o, x, MANY, &method, 0, 0);
        const double one = predicted(&o, x, MANY, &method, 1, 0);
        const double two = predicted(&o, x, MANY, &method, 0, 1);
        const double all = predicted(&o, x, MANY, &method, 7, 9);
        CHECK(set > 0 && one > set && two > set && set >= last);
        last = set;
        CHECK_BELOW(fabs(all - (set + 7 * (one - set) + 9 * (two - set))) / all, 1e-12,
                    "a round: set + 7 type 1 + 9 type 2, relative difference");
    }
    free(x);
}

/* The levels that an estimate takes as repeats grow; bits of them. */
static int moves(int dim, int lines, double type1, int64_t points)
{
    int taken = 0;
    enuf_nufft_options problem = conformance_options(dim,
                                                     dim == 1   ? 4000
                                                     : dim == 2 ? 64
                                                                : 16,
                                                     dim == 2 ? 64 : 16, 16);
    problem.precision = ENUF_FLOAT;
    problem.tolerance = 1e-3;
    problem.threads = 1;
    double *x = draw(points, lines);
    int at = 0;
    printf("%dD, %s:", dim, lines ? "lines" : "random");
    for (double repeats = 0; repeats < 1e6; repeats = repeats * 2.5 + 1) {
        enuf_nufft_options o = problem;
        enuf_tuning_request r = level_request(ENUF_TUNE_ESTIMATE, 0, NULL);
        r.type1 = type1 * repeats;
        r.type2 = (1 - type1) * repeats;
        CHECK_STATUS(enuf_nufft_tune(&o, &r, points, x, x + 1, x + 2, 3, NULL), ENUF_SUCCESS);
        const int now = level_place(o.level);
        if (repeats == 0) CHECK(now == 0);
        if (now != at || repeats == 0) printf(" %s from %.0f", enuf_level_name(o.level), repeats);
        CHECK(now >= at);
        at = now;
        taken |= 1 << o.level;
    }
    printf("\n");
    free(x);
    return taken;
}

/* NONE pays where neighbours are near: what it takes more in a type 1 than SORTED. */
static double price_of_none(int lines)
{
    enum { MANY = 4096 };
    enuf_nufft_options o = conformance_options(1, 4000, 0, 0);
    double *x = draw(MANY, lines), more = 0;
    enuf_nufft_method method = {.struct_size = sizeof method};
    enuf_nufft *plan = NULL;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_method(plan, &method), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    CHECK_STATUS(enuf_nufft_set_method(&o, &method), ENUF_SUCCESS);
    for (int none = 0; none < 2; none++) {
        method.level = none ? ENUF_LEVEL_NONE : ENUF_LEVEL_SORTED;
        const double call =
            predicted(&o, x, MANY, &method, 1, 0) - predicted(&o, x, MANY, &method, 0, 0);
        more += none ? call : -call;
    }
    free(x);
    return more;
}

static void neighbours(void)
{
    const double random = price_of_none(0), lines = price_of_none(1);
    printf("a type 1 at none takes %.3g us more at random points, %.3g on lines\n", 1e6 * random,
           1e6 * lines);
    CHECK(lines >= 0 && lines < 0.2 * random);
}

/* Of a type 1 of few points on n^3 cells. */
static double call_on(int64_t n, enuf_fft_effort effort)
{
    enum { FEW = 100 };
    enuf_nufft_options o = conformance_options(3, 60, 60, 60);
    enuf_nufft_method method = {.struct_size = sizeof method};
    enuf_nufft *plan = NULL;
    double *x = draw(FEW, 0);
    o.tolerance = 1e-2;
    o.threads = 1;
    o.width = 6;
    o.fft_effort = effort;
    for (int d = 0; d < 3; d++) o.fine_grid[d] = n;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_get_method(plan, &method), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    const double call = predicted(&o, x, FEW, &method, 1, 0) - predicted(&o, x, FEW, &method, 0, 0);
    free(x);
    return call;
}

static void lengths(void)
{
    enuf_fft library;
    CHECK_STATUS(enuf_fft_find(ENUF_FFT_AUTO, &library), ENUF_SUCCESS);
    const int factors = library == ENUF_FFT_FFTW;
    /* they have 1.21 times as many cells */
    CHECK((call_on(96, ENUF_FFT_ESTIMATE) < call_on(90, ENUF_FFT_ESTIMATE)) == factors);
    CHECK((call_on(128, ENUF_FFT_ESTIMATE) < call_on(120, ENUF_FFT_ESTIMATE)) == factors);
    CHECK(call_on(96, ENUF_FFT_MEASURE) > call_on(90, ENUF_FFT_MEASURE));
}

/* ---- Bytes ---- */

static void predicted_bytes(int dim, enuf_precision precision, int kind)
{
    /* a thread has tiles of up to 4 times 512 KiB, and counts of bins */
    enum { MANY = 20000, SMALL = 4 * 512 * 1024 + 100000 };
    enuf_nufft_options o = conformance_options(dim,
                                               dim == 1   ? 9000
                                               : dim == 2 ? 120
                                                          : 24,
                                               dim == 2 ? 80 : 20, 22);
    enuf_tuning *tuning = NULL;
    enuf_tuning_request r = level_request(ENUF_TUNE_ESTIMATE, 1, NULL);
    double most_more = 0, most_less = 0;
    o.precision = precision;
    o.strengths = kind & 1 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    o.deterministic = kind >> 1;
    o.batch = 3;
    o.tolerance = 1e-3;
    o.threads = 1;
    enuf_nufft_options tuned = o;
    CHECK_STATUS(enuf_nufft_tune(&tuned, &r, MANY, NULL, NULL, NULL, 1, &tuning), ENUF_SUCCESS);
    for (int i = 0; i < enuf_tuning_count(tuning); i += 7) {
        enuf_candidate c = {.struct_size = sizeof c};
        enuf_nufft_report report = {.struct_size = sizeof report};
        enuf_nufft *plan = NULL;
        CHECK_STATUS(enuf_tuning_get(tuning, i, &c), ENUF_SUCCESS);
        if (c.state == ENUF_CANDIDATE_MISSES_TOLERANCE) continue;
        enuf_nufft_options whole = o;
        CHECK_STATUS(enuf_nufft_set_method(&whole, &c.method), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_create(&whole, &plan), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_reserve(plan, MANY), ENUF_SUCCESS);
        CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
        const double more = (double)c.bytes / (double)report.bytes - 1;
        const double less = (double)(report.bytes - c.bytes) - 0.01 * (double)report.bytes;
        most_more = fmax(most_more, more);
        most_less = fmax(most_less, less / (double)SMALL);
        enuf_nufft_destroy(&plan);
    }
    CHECK_BELOW(most_more, 0.01, "predicted bytes over the plan's, less 1");
    CHECK_BELOW(most_less, 1,
                "bytes that were not predicted, beyond 1 %, over those of small arrays");
    enuf_tuning_destroy(&tuning);
}

/* ---- The allocator ---- */

/* Bytes at most from the making of the plan to its last call. */
static int64_t peak_of(const transform *t, const enuf_nufft_options *o, int gram)
{
    enuf_nufft *plan = NULL;
    const size_t before = watched.held;
    void *modes = numbers_make(o->precision, t->n_modes);
    watched.peak = before;
    CHECK_STATUS(enuf_nufft_create(o, &plan), ENUF_SUCCESS);
    CHECK_STATUS(transform_points(t, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, t->strengths, modes), ENUF_SUCCESS);
    if (gram) CHECK_STATUS(enuf_nufft_gram(plan, t->spectrum, modes), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    free(modes);
    CHECK(watched.held == before);
    return (int64_t)(watched.peak - before);
}

/* With calls of the Gram operator, or without. */
static void allocated(int any, enuf_level level, int gram)
{
    int fitting = 0, limits = 0;
    int64_t nearest = INT64_MAX;
    for (int64_t limit = 150000; limit < 16000000; limit = limit * 5 / 4, limits++) {
        enuf_nufft_options o = level_problem();
        enuf_tuning_request r = level_request(ENUF_TUNE_ESTIMATE, 300, NULL);
        r.any_level = any;
        r.gram = gram ? 1e6 : 0;
        o.level = level;
        o.memory_limit = limit;
        transform t = transform_make(&o, 60 * 48, 2);
        const double *x = t.points;
        const size_t before = watched.held;
        watched.peak = before;
        const enuf_status status = enuf_nufft_tune(&o, &r, t.n, x, x + 1, x + 2, 3, NULL);
        CHECK(status == ENUF_SUCCESS || status == ENUF_OUT_OF_MEMORY);
        CHECK(watched.held == before);
        if (status == ENUF_SUCCESS) {
            const int64_t peak = peak_of(&t, &o, gram);
            CHECK(peak <= limit);
            CHECK(any || o.level == level);
            if (limit - peak < nearest) nearest = limit - peak;
            fitting++;
        }
        transform_free(&t);
    }
    printf("%s%s: %d of %d limits are met, the nearest by %lld bytes\n",
           any ? "any level" : enuf_level_name(level), gram ? ", gram" : "", fitting, limits,
           (long long)nearest);
    CHECK(fitting > 0 && fitting < limits);
}

int main(void)
{
    int taken = 0;
    crossings();
    measured();
    within_limits();
    for (int k = 0; k < LEVELS; k++) fixed(level_ascending[k]);
    for (int dim = 1; dim <= 3; dim++) {
        rounds(dim, ENUF_DOUBLE);
        rounds(dim, ENUF_FLOAT);
        for (int lines = 0; lines < 2; lines++) taken |= moves(dim, lines, 0.5, 4096);
        taken |= moves(dim, 1, 0, 4096);
        for (int kind = 0; kind < 4; kind++) predicted_bytes(dim, kind % 2, kind);
        predicted_bytes(dim, ENUF_FLOAT, 2);
    }
    too_many_for_a_matrix();
    neighbours();
    lengths();
    /* by the shipped constants a matrix pays nowhere here */
    CHECK(taken == (1 << ENUF_LEVEL_NONE | 1 << ENUF_LEVEL_SORTED | 1 << ENUF_LEVEL_WEIGHTS));
    for (int gram = 0; gram < 2; gram++) {
        for (int k = 0; k < LEVELS; k++) allocated(0, level_ascending[k], gram);
        allocated(1, ENUF_LEVEL_SORTED, gram);
    }
    return check_result();
}
