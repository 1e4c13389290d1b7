/*
 * test_tuning_levels.c - levels of precomputation as candidates of tuning:
 *
 * - on a table of times and bytes the search takes none, sorted, weights and matrix at the numbers
 *   of repeats where their lines of time cross, exhaustive and by measure, and the fastest level of
 *   those that fit a limit of memory; with calls of the Gram operator alone it goes from none to
 *   matrix to gram;
 * - for calls of the Gram operator alone the plan of level gram is the smallest one;
 * - without calls of the Gram operator, for real strengths, and where the plan that makes the
 *   spectrum cannot be had for its accuracy or memory, level gram is no candidate, and others are
 *   chosen; where it is the only level that is an error; wisdom knows the number of calls;
 * - a candidate whose timer meets a tolerance out of reach is left out;
 * - a fixed level stays, with any grid and with a given one; a refused limit names the least need
 *   with its level, and a level that serves no plan is named;
 * - the predicted time of a round is set + type1 calls + type2 calls, with set above 0; more
 *   repeats never lead an estimate to a level that takes less to set; without calls the cheapest to
 *   set is taken;
 * - predicted bytes are those of the plan at each level, to 1 % and its small arrays;
 * - a plan of a tuned method takes no more from the allocator than memory_limit, whatever it is, at
 *   each level and at any one;
 * - points on lines are not taken for random ones: in 1D none lasts longer there.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "enuf/gram.h"
#include "enuf/nufft_tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What the library holds of the allocator; all its arrays come from aligned_alloc() ---- */

enum { MOST_BLOCKS = 4096 };
static struct {
    void *at[MOST_BLOCKS];
    size_t size[MOST_BLOCKS], held, peak, most; /* most: more is refused; 0: none is */
    int n;
} blocks;

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);
void __wrap_free(void *block);

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    if (blocks.most > 0 && blocks.held + size > blocks.most) return NULL;
    void *block = __real_aligned_alloc(alignment, size);
    if (!block || !CHECK(blocks.n < MOST_BLOCKS)) return block;
    blocks.at[blocks.n] = block;
    blocks.size[blocks.n++] = size;
    blocks.held += size;
    if (blocks.held > blocks.peak) blocks.peak = blocks.held;
    return block;
}

void __wrap_free(void *block)
{
    for (int i = blocks.n - 1; block && i >= 0; i--) {
        if (blocks.at[i] != block) continue;
        blocks.held -= blocks.size[i];
        blocks.n--;
        blocks.at[i] = blocks.at[blocks.n];
        blocks.size[i] = blocks.size[blocks.n];
        break;
    }
    __real_free(block);
}

/* ---- A table of times and bytes ---- */

/* In the order of what they keep. */
static const enuf_level ascending[] = {ENUF_LEVEL_NONE, ENUF_LEVEL_SORTED, ENUF_LEVEL_WEIGHTS,
                                       ENUF_LEVEL_MATRIX, ENUF_LEVEL_GRAM};
enum { LEVELS = 5, OF_POINTS = 4 /* without GRAM */ };

/* The lines of time cross after 2, 10 and 80 repeats. */
static const double set_seconds[LEVELS] = {0, 10, 40, 200, 900},
                    call_seconds[LEVELS] = {20, 15, 12, 10, 14};
static const int64_t level_bytes[LEVELS] = {1000, 1100, 2000, 9000, 5000};
/* A Gram operator by types 2 and 1, and by its spectrum. Lines of none, matrix and gram cross after
 * 7.52 and 10 calls; the others are nowhere below. */
static const double gram_seconds[LEVELS] = {120, 119.5, 117, 93.4, 23.4};

typedef struct table {
    double repeats, gram;
    int calls, bytes_over; /* 1: a matrix takes more than any limit */
} table;

static int place_of(enuf_level level)
{
    int k = 0;
    while (ascending[k] != level) k++;
    return k;
}

/* Wider grids and windows take longer, by less than any level does. */
static enuf_status look_up(void *context, const enuf_nufft_options *o, double *seconds,
                           int64_t *bytes)
{
    table *t = context;
    const int k = place_of(o->level);
    t->calls++;
    *seconds = set_seconds[k] + t->repeats * call_seconds[k] + t->gram * gram_seconds[k];
    *seconds *= 1 + 1e-7 * (double)(o->fine_grid[0] + o->width);
    *bytes = t->bytes_over && o->level == ENUF_LEVEL_MATRIX ? INT64_MAX : level_bytes[k];
    return ENUF_SUCCESS;
}

static enuf_nufft_options problem(void)
{
    enuf_nufft_options o = conformance_options(2, 60, 48, 0);
    o.tolerance = 1e-3;
    o.threads = 1;
    return o;
}

static enuf_tuning_request request_of(enuf_tune_effort effort, double repeats, table *t)
{
    enuf_tuning_request r;
    enuf_tuning_request_init(&r);
    r.effort = effort;
    r.trials = 1;
    r.type1 = r.type2 = repeats;
    if (t) r.timer = look_up;
    r.timer_context = t;
    return r;
}

/* The level that is found for a type 1 and a type 2 so many times, with a limit if it is not 0. */
static enuf_level found(const enuf_nufft_options *problem, double repeats, int64_t limit)
{
    enuf_nufft_options o = *problem;
    table t = {.repeats = repeats};
    const enuf_tuning_request r = request_of(ENUF_TUNE_EXHAUSTIVE, repeats, &t);
    o.memory_limit = limit;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    return o.level;
}

static void crossings(void)
{
    enuf_nufft_options o = problem();
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

/* The level that is found for so many calls of the Gram operator alone. */
static enuf_level found_for_gram(const enuf_nufft_options *problem, double calls, int64_t limit)
{
    enuf_nufft_options o = *problem;
    table t = {.gram = calls};
    enuf_tuning_request r = request_of(ENUF_TUNE_EXHAUSTIVE, 0, &t);
    r.gram = calls;
    o.memory_limit = limit;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    return o.level;
}

static void crossings_of_gram(void)
{
    enuf_nufft_options o = problem();
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
    enuf_nufft_options o = problem();
    enuf_tuning_request r = request_of(ENUF_TUNE_ESTIMATE, 1, NULL);
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
    enuf_tuning_request r = request_of(ENUF_TUNE_ESTIMATE, 1, NULL);
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
            const enuf_level level = ascending[k];
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
    blocks.most = blocks.held + 12000000;
    gram_out_of_reach(&large, ENUF_OUT_OF_MEMORY);
    /* a limit that T alone exceeds: nothing of it is allocated, whatever the machine has */
    o = large;
    o.memory_limit = 12000000;
    blocks.most = 0;
    blocks.peak = blocks.held;
    const size_t before = blocks.held;
    CHECK_STATUS(tune_for_gram(&o, 1, ENUF_LEVEL_SORTED, &listed), ENUF_SUCCESS);
    CHECK(o.level != ENUF_LEVEL_GRAM && blocks.peak - before < 12000000);
    /* real strengths */
    o = problem();
    o.strengths = ENUF_REAL_STRENGTHS;
    CHECK_STATUS(tune_for_gram(&o, 0, ENUF_LEVEL_GRAM, &listed), ENUF_UNSUPPORTED);
    CHECK_TEXT("enuf_nufft_tune: level gram with real strengths: use ENUF_COMPLEX_STRENGTHS");
    CHECK_STATUS(tune_for_gram(&o, 1, ENUF_LEVEL_GRAM, &listed), ENUF_SUCCESS);
    CHECK(!listed);
}

/* As look_up(), but the spectrum of level gram is out of reach. */
static enuf_status reach(void *context, const enuf_nufft_options *o, double *seconds,
                         int64_t *bytes)
{
    if (o->level == ENUF_LEVEL_GRAM) return ENUF_UNREACHABLE_ACCURACY;
    return look_up(context, o, seconds, bytes);
}

static void left_out(void)
{
    enuf_nufft_options o = problem();
    table t = {.gram = 1e6};
    enuf_tuning_request r = request_of(ENUF_TUNE_EXHAUSTIVE, 0, &t);
    r.gram = 1e6;
    r.timer = reach;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK(o.level == ENUF_LEVEL_MATRIX);
    o = problem();
    o.level = ENUF_LEVEL_GRAM;
    r.any_level = 0;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_UNREACHABLE_ACCURACY);
}

/* Grids do not matter to the Gram operator of level gram: the smallest plan is timed, and no other.
 */
static void smallest_for_gram(void)
{
    enuf_nufft_options o = problem();
    table t = {.gram = 1e4};
    enuf_tuning_request r = request_of(ENUF_TUNE_MEASURE, 0, &t);
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
static void wisdom_knows_gram(void)
{
    enuf_nufft_options o = problem();
    table t = {.gram = 100};
    enuf_wisdom *wisdom = NULL;
    CHECK_STATUS(enuf_wisdom_create(&wisdom), ENUF_SUCCESS);
    enuf_tuning_request r = request_of(ENUF_TUNE_EXHAUSTIVE, 0, &t);
    r.gram = 100;
    r.wisdom = wisdom;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK(o.level == ENUF_LEVEL_GRAM && enuf_wisdom_count(wisdom) == 1);
    r.effort = ENUF_TUNE_WISDOM_ONLY;
    o = problem();
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK(o.level == ENUF_LEVEL_GRAM);
    for (r.gram = 0; r.gram < 100; r.gram += 50) {
        o = problem();
        CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_UNSUPPORTED);
        CHECK_TEXT("wisdom has no entry");
    }
    enuf_wisdom_destroy(&wisdom);
}

/* Exhaustive times each level of each grid; measure only what the model finds near the best, and
 * takes the fastest of that. */
static void measured(void)
{
    int timed_levels = 0;
    for (double repeats = 1; repeats < 1e4; repeats *= 3) {
        enuf_nufft_options o = problem();
        table t = {.repeats = repeats};
        enuf_tuning *tuning = NULL;
        enuf_candidate c = {.struct_size = sizeof c};
        double best = HUGE_VAL, chosen = 0;
        int seen = 0;
        const enuf_tuning_request r = request_of(ENUF_TUNE_MEASURE, repeats, &t);
        CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, &tuning), ENUF_SUCCESS);
        for (int i = 0; i < enuf_tuning_count(tuning); i++) {
            CHECK_STATUS(enuf_tuning_get(tuning, i, &c), ENUF_SUCCESS);
            if (c.timings == 0) continue;
            seen |= 1 << c.method.level;
            best = fmin(best, c.measured_seconds);
            if (c.state == ENUF_CANDIDATE_CHOSEN) chosen = c.measured_seconds;
            CHECK(c.bytes == level_bytes[place_of(c.method.level)]);
        }
        CHECK(chosen == best && c.struct_size > 0);
        CHECK(t.calls < enuf_tuning_count(tuning) / 4);
        timed_levels = (seen & (seen - 1)) ? timed_levels + 1 : timed_levels;
        enuf_tuning_destroy(&tuning);
    }
    printf("measure timed several levels for %d of 9 numbers of repeats\n", timed_levels);
    CHECK(timed_levels >= 5);
}

static void within_limits(void)
{
    enuf_nufft_options o = problem();
    CHECK(found(&o, 1e4, 100000000) == ENUF_LEVEL_MATRIX);
    table t = {.repeats = 1e4};
    const enuf_tuning_request r = request_of(ENUF_TUNE_EXHAUSTIVE, 1e4, &t);
    o.memory_limit = 500000; /* a matrix takes 1.5 MB or more */
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK(o.level == ENUF_LEVEL_WEIGHTS);
    /* what the plans take counts too */
    t.bytes_over = 1;
    o = problem();
    o.memory_limit = 100000000;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK(o.level == ENUF_LEVEL_WEIGHTS);
}

/* ---- Fixed levels ---- */

static void fixed(enuf_level level)
{
    enuf_nufft_options o = problem();
    char expected[40];
    table t = {.repeats = 50};
    enuf_tuning *tuning = NULL;
    enuf_candidate c = {.struct_size = sizeof c};
    enuf_tuning_request r = request_of(ENUF_TUNE_EXHAUSTIVE, 50, &t);
    r.any_level = 0;
    o.level = level;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, &tuning), ENUF_SUCCESS);
    CHECK(o.level == level && enuf_tuning_count(tuning) > 20);
    for (int i = 0; i < enuf_tuning_count(tuning); i++) {
        CHECK_STATUS(enuf_tuning_get(tuning, i, &c), ENUF_SUCCESS);
        CHECK(c.method.level == level);
    }
    enuf_tuning_destroy(&tuning);
    /* level and grid given: windows are left, whose times differ by their width */
    o = problem();
    o.level = level;
    o.fine_grid[0] = 90;
    o.fine_grid[1] = 72;
    t.calls = 0;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK(o.level == level && o.fine_grid[0] == 90 && o.fine_grid[1] == 72);
    CHECK(t.calls > 0 && t.calls <= 6);
    o = problem();
    o.level = level;
    o.memory_limit = 1000;
    CHECK_STATUS(enuf_nufft_tune(&o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_OUT_OF_MEMORY);
    snprintf(expected, sizeof expected, "cells, level %s", enuf_level_name(level));
    CHECK_TEXT(expected);
}

/* No grid serves: that is told, not a window of width 0. */
static void too_many_for_a_matrix(void)
{
    enuf_nufft_options o = problem();
    enuf_tuning_request r = request_of(ENUF_TUNE_ESTIMATE, 1, NULL);
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
    enuf_tuning_request r = request_of(ENUF_TUNE_ESTIMATE, 0, NULL);
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
        method.level = ascending[k];
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
        enuf_tuning_request r = request_of(ENUF_TUNE_ESTIMATE, 0, NULL);
        r.type1 = type1 * repeats;
        r.type2 = (1 - type1) * repeats;
        CHECK_STATUS(enuf_nufft_tune(&o, &r, points, x, x + 1, x + 2, 3, NULL), ENUF_SUCCESS);
        const int now = place_of(o.level);
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
    enuf_tuning_request r = request_of(ENUF_TUNE_ESTIMATE, 1, NULL);
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
    const size_t before = blocks.held;
    void *modes = numbers_make(o->precision, t->n_modes);
    blocks.peak = before;
    CHECK_STATUS(enuf_nufft_create(o, &plan), ENUF_SUCCESS);
    CHECK_STATUS(transform_points(t, plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(plan, t->strengths, modes), ENUF_SUCCESS);
    if (gram) CHECK_STATUS(enuf_nufft_gram(plan, t->spectrum, modes), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    free(modes);
    CHECK(blocks.held == before);
    return (int64_t)(blocks.peak - before);
}

/* With calls of the Gram operator, or without. */
static void allocated(int any, enuf_level level, int gram)
{
    int fitting = 0, limits = 0;
    int64_t nearest = INT64_MAX;
    for (int64_t limit = 150000; limit < 16000000; limit = limit * 5 / 4, limits++) {
        enuf_nufft_options o = problem();
        enuf_tuning_request r = request_of(ENUF_TUNE_ESTIMATE, 300, NULL);
        r.any_level = any;
        r.gram = gram ? 1e6 : 0;
        o.level = level;
        o.memory_limit = limit;
        transform t = transform_make(&o, 60 * 48, 2);
        const double *x = t.points;
        const size_t before = blocks.held;
        blocks.peak = before;
        const enuf_status status = enuf_nufft_tune(&o, &r, t.n, x, x + 1, x + 2, 3, NULL);
        CHECK(status == ENUF_SUCCESS || status == ENUF_OUT_OF_MEMORY);
        CHECK(blocks.held == before);
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
    crossings_of_gram();
    wisdom_knows_gram();
    smallest_for_gram();
    CHECK(lists_gram(ENUF_COMPLEX_STRENGTHS, 1) && !lists_gram(ENUF_COMPLEX_STRENGTHS, 0));
    CHECK(!lists_gram(ENUF_REAL_STRENGTHS, 1));
    without_gram();
    left_out();
    measured();
    within_limits();
    for (int k = 0; k < LEVELS; k++) fixed(ascending[k]);
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
    /* by the shipped constants a matrix pays nowhere here */
    CHECK(taken == (1 << ENUF_LEVEL_NONE | 1 << ENUF_LEVEL_SORTED | 1 << ENUF_LEVEL_WEIGHTS));
    for (int gram = 0; gram < 2; gram++) {
        for (int k = 0; k < LEVELS; k++) allocated(0, ascending[k], gram);
        allocated(1, ENUF_LEVEL_SORTED, gram);
    }
    return check_result();
}
