/* tuning_gram.c - the table of the Gram operator: A^H A of the spectrum beside type 2 and type 1 of
 * the fastest plan, and which of them tuning chooses. SPDX-License-Identifier: BSD-3-Clause */
#include "tuning_clock.h"
#include "tuning_tables.h"

#include "enuf/gram.h"
#include "enuf/nufft_tuning.h"

#include <math.h>

typedef struct timing {
    double set, apply;
} timing;

/* Tunes for calls of both types, or of the Gram operator, by the library's own clock. */
static enuf_nufft_options tuned(const tuning_case *c, const tuning_request *r,
                                enuf_tune_effort effort, double types, double gram)
{
    enuf_nufft_options o = c->options;
    enuf_tuning_request request;
    enuf_tuning_request_init(&request);
    request.effort = effort;
    request.type1 = request.type2 = types;
    request.gram = gram;
    request.trials = r->trials;
    request.any_window = r->all_windows;
    const double *x = c->points;
    tuning_check(enuf_nufft_tune(&o, &request, c->n, x, x + 1, x + 2, 3, NULL));
    return o;
}

static timing time_transforms(const tuning_case *c, const tuning_request *r,
                              const enuf_nufft_options *o)
{
    enuf_nufft *plan;
    tuning_parts t = {NAN, NAN, NAN, NAN, NAN};
    tuning_check(enuf_nufft_create(o, &plan));
    for (int k = 0; k <= r->turns; k++) {
        const tuning_parts parts = tuning_call(c, plan);
        if (k > 0) t = tuning_least(t, parts);
    }
    enuf_nufft_destroy(&plan);
    return (timing){t.set, t.type1 + t.type2};
}

static timing time_gram(const tuning_case *c, const tuning_request *r)
{
    enuf_gram *gram;
    timing t = {NAN, NAN};
    const double *x = c->points;
    tuning_check(enuf_gram_create(&c->options, &gram));
    const double start = tuning_now(c);
    tuning_check(enuf_gram_set_points(gram, c->n, x, x + 1, x + 2, 3, NULL));
    t.set = tuning_now(c) - start;
    for (int k = 0; k <= r->turns; k++) {
        const double begin = tuning_now(c);
        tuning_check(enuf_gram_apply(gram, c->in, c->out));
        if (k > 0) t.apply = fmin(t.apply, tuning_now(c) - begin);
    }
    enuf_gram_destroy(&gram);
    return t;
}

static void gram_of(bench_table *table, const tuning_request *r, const tuning_case *c)
{
    enuf_nufft_method method = {.struct_size = sizeof method};
    enuf_nufft *plan;
    const enuf_nufft_options o = tuned(c, r, ENUF_TUNE_MEASURE, r->repeats, 0);
    const timing types = time_transforms(c, r, &o), gram = time_gram(c, r);
    const double types_round = types.set + r->repeats * types.apply;
    const double gram_round = gram.set + r->repeats * gram.apply;
    tuning_check(enuf_nufft_create(&o, &plan));
    tuning_check(enuf_nufft_get_method(plan, &method));
    enuf_nufft_destroy(&plan);
    tuning_problem_cells(table, c);
    bench_number(table, "%.0f", r->repeats);
    bench_text(table, enuf_level_name(method.level));
    bench_number(table, "%.2f", method.upsampling);
    bench_number(table, "%.0f", method.width);
    bench_number(table, "%.2f", 1e3 * types.set);
    bench_number(table, "%.2f", 1e3 * types.apply);
    bench_number(table, "%.2f", 1e3 * gram.set);
    bench_number(table, "%.2f", 1e3 * gram.apply);
    bench_number(table, "%.2f", types.apply / gram.apply);
    bench_number(table, "%.2f", types_round / gram_round);
    for (int effort = ENUF_TUNE_ESTIMATE; effort <= ENUF_TUNE_MEASURE; effort++) {
        const enuf_nufft_options of_gram = tuned(c, r, (enuf_tune_effort)effort, 0, r->repeats);
        bench_text(table, enuf_level_name(of_gram.level));
    }
}

static const bench_column columns[] = {
    TUNING_PROBLEM_COLUMNS, {"repeats", 7}, {"level", -7},           {"upsampling", 10},
    {"width", 5},           {"set ms", 8},  {"2 transforms ms", 15}, {"gram set ms", 11},
    {"gram ms", 8},         {"ratio", 6},   {"ratio of rounds", 15}, {"estimate", -8},
    {"measure", -8}};

const tuning_table tuning_gram = {
    columns, sizeof columns / sizeof *columns, gram_of,
    "ratio: two transforms over the operator; of rounds: with setting the points once, and "
    "`repeats` calls; estimate, measure: the level that tuning chooses for those calls"};
