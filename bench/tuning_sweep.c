/* tuning_sweep.c - the table of the sweep: time against upsampling at each level, at equal aliasing
 * amplitude. SPDX-License-Identifier: BSD-3-Clause */
#include "tuning_clock.h"
#include "tuning_rows.h"
#include "tuning_tables.h"

#include "enuf/nufft_tuning.h"

#include <math.h>
#include <string.h>

static const double upsamplings[] = {1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875, 2, 2.25, 2.5, 3};
enum { N_UPSAMPLINGS = sizeof upsamplings / sizeof *upsamplings };
static const enuf_level levels[] = {ENUF_LEVEL_NONE, ENUF_LEVEL_SORTED, ENUF_LEVEL_WEIGHTS,
                                    ENUF_LEVEL_MATRIX};
enum { N_LEVELS = sizeof levels / sizeof *levels };

typedef struct swept {
    enuf_nufft_method method; /* width 0: no width serves */
    double amplitude;
} swept;

typedef struct timing {
    tuning_parts parts; /* NaN: it takes too much memory */
    double round;
} timing;

/* The least width whose aliasing amplitude is within the tolerance. */
static swept method_of(const tuning_case *c, double upsampling)
{
    enuf_nufft_options o = c->options;
    swept m = {.method = {.struct_size = sizeof m.method}};
    o.upsampling = upsampling;
    o.tolerance = 0;
    for (o.width = 2; o.width <= ENUF_MAX_WIDTH; o.width++) {
        enuf_nufft *plan;
        /* narrow windows do not serve every upsampling */
        if (enuf_nufft_aliasing(&o, &m.amplitude, NULL) != ENUF_SUCCESS) continue;
        if (m.amplitude > c->options.tolerance) continue;
        tuning_check(enuf_nufft_create(&o, &plan));
        tuning_check(enuf_nufft_get_method(plan, &m.method));
        enuf_nufft_destroy(&plan);
        return m;
    }
    return m;
}

static timing time_level(const tuning_case *c, const tuning_request *r,
                         const enuf_nufft_method *method, enuf_level level)
{
    const tuning_parts none = {NAN, NAN, NAN, NAN, NAN};
    timing t = {none, NAN};
    enuf_nufft_options o = c->options;
    enuf_nufft *plan;
    tuning_check(enuf_nufft_set_method(&o, method));
    o.level = level;
    o.tolerance = 0;
    enuf_status status = enuf_nufft_create(&o, &plan);
    if (status == ENUF_OUT_OF_MEMORY) return t;
    tuning_check(status);
    status = enuf_nufft_reserve(plan, c->n);
    if (status != ENUF_OUT_OF_MEMORY) tuning_check(status);
    for (int k = 0; status == ENUF_SUCCESS && k <= r->trials; k++) {
        const tuning_parts parts = tuning_call(c, plan);
        if (k > 0) t.parts = tuning_least(t.parts, parts); /* the first touches all memory */
    }
    t.round = tuning_round(t.parts, r->repeats);
    enuf_nufft_destroy(&plan);
    return t;
}

/* Upsamplings of one grid are one method: it stands once. */
static int is_new(const swept *m, int k)
{
    return m[k].method.width > 0 &&
           (k == 0 || memcmp(m[k].method.fine_grid, m[k - 1].method.fine_grid,
                             sizeof m[k].method.fine_grid) != 0);
}

static void row(bench_table *table, const tuning_case *c, const swept *m, enuf_level level,
                const timing *t, double least)
{
    const tuning_rows rows = tuning_rows_of(c, m->method.fine_grid, m->method.width);
    const double entries = (double)c->n * pow(m->method.width, 3);
    tuning_problem_cells(table, c);
    bench_text(table, enuf_level_name(level));
    bench_number(table, "%.2f", m->method.upsampling);
    bench_number(table, "%.0f", (double)m->method.fine_grid[0]);
    bench_number(table, "%.0f", m->method.width);
    bench_number(table, "%.1e", m->amplitude);
    bench_number(table, "%.2f", 1e3 * t->parts.set);
    bench_number(table, "%.2f", 1e3 * t->parts.type1);
    bench_number(table, "%.2f", 1e3 * t->parts.type2);
    bench_number(table, "%.4f", t->round);
    bench_number(table, "%.3f", t->round / least);
    bench_number(table, "%.3f", 1e9 * t->parts.spread / entries);
    bench_number(table, "%.3f", 1e9 * t->parts.interpolate / entries);
    bench_number(table, "%.2f", rows.mean);
    bench_number(table, "%.2f", rows.deviation);
}

static void sweep_of(bench_table *table, const tuning_request *r, const tuning_case *c)
{
    swept m[N_UPSAMPLINGS];
    for (int k = 0; k < N_UPSAMPLINGS; k++) m[k] = method_of(c, upsamplings[k]);
    for (int level = 0; level < N_LEVELS; level++) {
        timing t[N_UPSAMPLINGS];
        double least = NAN;
        for (int k = 0; k < N_UPSAMPLINGS; k++) {
            bench_progress("level %s, upsampling %g", enuf_level_name(levels[level]),
                           upsamplings[k]);
            if (!is_new(m, k)) continue;
            t[k] = time_level(c, r, &m[k].method, levels[level]);
            least = fmin(least, t[k].round);
        }
        for (int k = 0; k < N_UPSAMPLINGS; k++)
            if (is_new(m, k)) row(table, c, &m[k], levels[level], &t[k], least);
    }
}

static const bench_column columns[] = {
    TUNING_PROBLEM_COLUMNS, {"level", -7},    {"upsampling", 10},   {"grid", 4},
    {"width", 5},           {"amplitude", 9}, {"set ms", 8},        {"type1 ms", 8},
    {"type2 ms", 8},        {"round s", 8},   {"of best", 7},       {"spread ns", 9},
    {"interpolate ns", 14}, {"row mean", 8},  {"row deviation", 13}};

const tuning_table tuning_sweep = {
    columns, sizeof columns / sizeof *columns, sweep_of,
    "spread ns, interpolate ns: of an entry of the matrix, width^3 a point; row: entries of a row "
    "of the matrix that spreads, those of the other matrix have width^3 each; spreading clears "
    "the grid"};
