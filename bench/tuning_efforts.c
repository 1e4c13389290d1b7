/* tuning_efforts.c - the table of efforts: what a plan chooses by itself, what enuf_nufft_tune()
 * chooses at each effort, and how fast that is. SPDX-License-Identifier: BSD-3-Clause */
#include "tuning_clock.h"
#include "tuning_tables.h"

#include "enuf/nufft_tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNTUNED, ESTIMATE, MEASURE, EXHAUSTIVE, N_CHOICES };
enum { N_LEVELS = ENUF_LEVEL_MATRIX + 1 };
static const char *const names[N_CHOICES] = {"untuned", "estimate", "measure", "exhaustive"};

typedef struct choice {
    enuf_nufft_method method;
    double amplitude;       /* of its aliasing */
    int timings, not_timed; /* rounds; candidates that a limit of time left out */
    double seconds;         /* of choosing */
    double best[N_LEVELS];  /* upsampling of the fastest of each level; NaN: none was timed */
    int same_as;            /* an earlier choice with this method, or itself */
    double round[TUNING_MOST_TURNS];
} choice;

static enuf_nufft_options with_method(const tuning_case *c, const enuf_nufft_method *method)
{
    enuf_nufft_options o = c->options;
    tuning_check(enuf_nufft_set_method(&o, method));
    return o;
}

static void choose_untuned(const tuning_case *c, choice *out)
{
    enuf_nufft *plan;
    const double start = tuning_now(c);
    tuning_check(enuf_nufft_create(&c->options, &plan));
    out->seconds = tuning_now(c) - start;
    tuning_check(enuf_nufft_get_method(plan, &out->method));
    enuf_nufft_destroy(&plan);
}

static void read_candidates(const enuf_tuning *tuning, choice *out)
{
    double least[N_LEVELS];
    for (int k = 0; k < N_LEVELS; k++) least[k] = HUGE_VAL;
    for (int i = 0; i < enuf_tuning_count(tuning); i++) {
        enuf_candidate one = {.struct_size = sizeof one};
        tuning_check(enuf_tuning_get(tuning, i, &one));
        out->timings += one.timings;
        out->not_timed += one.state == ENUF_CANDIDATE_NOT_TIMED;
        if (one.state == ENUF_CANDIDATE_CHOSEN) out->method = one.method;
        if (one.timings == 0 || !(one.measured_seconds < least[one.method.level])) continue;
        least[one.method.level] = one.measured_seconds;
        out->best[one.method.level] = one.method.upsampling;
    }
}

static void choose(const tuning_case *c, const tuning_request *r, int k, choice *out)
{
    tuning_timing timing = {c, r->repeats};
    enuf_nufft_options o = c->options;
    enuf_tuning_request request;
    enuf_tuning *tuning;
    enuf_tuning_request_init(&request);
    request.effort = (enuf_tune_effort)(ENUF_TUNE_ESTIMATE + k - ESTIMATE);
    request.type1 = request.type2 = r->repeats;
    request.trials = r->trials;
    request.any_window = r->all_windows;
    request.time_limit = k == EXHAUSTIVE ? r->seconds : 0;
    request.timer = tuning_timer;
    request.timer_context = &timing;
    const double *x = c->points, start = tuning_now(c);
    tuning_check(enuf_nufft_tune(&o, &request, c->n, x, x + 1, x + 2, 3, &tuning));
    out->seconds = tuning_now(c) - start;
    read_candidates(tuning, out);
    enuf_tuning_destroy(&tuning);
}

static int is_same(const enuf_nufft_method *a, const enuf_nufft_method *b)
{
    return a->window == b->window && a->width == b->width && a->shape == b->shape &&
           a->level == b->level && a->spreading == b->spreading &&
           a->interpolation == b->interpolation &&
           memcmp(a->fine_grid, b->fine_grid, sizeof a->fine_grid) == 0;
}

/* A round of a plan of its own: the place of its arrays in memory differs from turn to turn. The
 * first call touches them. */
static double time_once(const tuning_case *c, const tuning_request *r, const choice *a)
{
    const enuf_nufft_options o = with_method(c, &a->method);
    enuf_nufft *plan;
    tuning_check(enuf_nufft_create(&o, &plan));
    tuning_check(enuf_nufft_reserve(plan, c->n));
    tuning_call(c, plan);
    const double seconds = tuning_round(tuning_call(c, plan), r->repeats);
    enuf_nufft_destroy(&plan);
    return seconds;
}

/* Rounds of all methods in turns; equal methods share theirs. */
static void time_in_turns(const tuning_case *c, const tuning_request *r, choice *all)
{
    for (int k = 0; k < N_CHOICES; k++) {
        all[k].same_as = 0;
        while (!is_same(&all[all[k].same_as].method, &all[k].method)) all[k].same_as++;
    }
    for (int turn = 0; turn < r->turns; turn++)
        for (int k = 0; k < N_CHOICES; k++) {
            const int from = all[k].same_as;
            all[k].round[turn] = from == k ? time_once(c, r, &all[k]) : all[from].round[turn];
        }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *values, int n)
{
    double sorted[TUNING_MOST_TURNS];
    memcpy(sorted, values, (size_t)n * sizeof *values);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    return 0.5 * (sorted[n / 2] + sorted[(n - 1) / 2]);
}

/* Of the ratios of the turns: what slows the machine slows both. */
static double median_ratio(const choice *a, const choice *b, int turns)
{
    double ratio[TUNING_MOST_TURNS];
    for (int k = 0; k < turns; k++) ratio[k] = a->round[k] / b->round[k];
    return median(ratio, turns);
}

static void efforts_of(bench_table *table, const tuning_request *r, const tuning_case *c)
{
    choice all[N_CHOICES];
    for (int k = 0; k < N_CHOICES; k++) {
        bench_progress("%s", names[k]);
        all[k] = (choice){.method = {.struct_size = sizeof(enuf_nufft_method)},
                          .best = {NAN, NAN, NAN, NAN}};
        if (k == UNTUNED)
            choose_untuned(c, &all[k]);
        else
            choose(c, r, k, &all[k]);
        const enuf_nufft_options o = with_method(c, &all[k].method);
        tuning_check(enuf_nufft_aliasing(&o, &all[k].amplitude, NULL));
    }
    time_in_turns(c, r, all);
    for (int k = 0; k < N_CHOICES; k++) {
        const choice *a = &all[k];
        tuning_problem_cells(table, c);
        bench_number(table, "%.0f", r->repeats);
        bench_text(table, names[k]);
        bench_text(table, enuf_level_name(a->method.level));
        bench_text(table, enuf_strategy_name(a->method.spreading));
        bench_text(table, enuf_strategy_name(a->method.interpolation));
        bench_number(table, "%.0f", a->method.width);
        bench_number(table, "%.0f", (double)a->method.fine_grid[0]);
        bench_number(table, "%.2f", a->method.upsampling);
        bench_number(table, "%.1e", a->amplitude);
        bench_number(table, "%.0f", a->timings);
        bench_number(table, "%.0f", a->not_timed);
        bench_number(table, "%.3f", a->seconds);
        bench_number(table, "%.4f", median(a->round, r->turns));
        bench_number(table, "%.3f", median_ratio(a, &all[EXHAUSTIVE], r->turns));
        bench_number(table, "%.3f", median_ratio(a, &all[UNTUNED], r->turns));
        for (int level = 0; level < N_LEVELS; level++) bench_number(table, "%.2f", a->best[level]);
    }
}

static const bench_column columns[] = {
    TUNING_PROBLEM_COLUMNS, {"repeats", 7},         {"effort", -10},       {"level", -7},
    {"spreading", -9},      {"interpolation", -13}, {"width", 5},          {"grid", 4},
    {"upsampling", 10},     {"amplitude", 9},       {"timings", 7},        {"not timed", 9},
    {"tune s", 8},          {"round s", 8},         {"of exhaustive", 13}, {"of untuned", 10},
    {"best sorted", 11},    {"best none", 9},       {"best weights", 12},  {"best matrix", 11}};

const tuning_table tuning_efforts = {
    columns, sizeof columns / sizeof *columns, efforts_of,
    "of exhaustive, of untuned: medians over the turns; best: upsampling of the fastest candidate "
    "of the level among those that were timed"};
