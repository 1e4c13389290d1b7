/*
 * test_window_table.c - options.window_table: the window's values from a table.
 *
 *   - Both types meet the tolerance and keep their predicted error, against direct sums: 1D to 3D,
 *     both precisions, real and complex strengths, batches, points in a cluster, windows across the
 *     ends of the cell. Results are not those of polynomials: the table was read.
 *   - The levels that keep values or the matrix agree with the table to rounding. Gradients have
 *     the bits of polynomials. Deterministic results have the same bits for any number of threads.
 *   - Each way of a GPU that reads a table gives the CPU's results to rounding, far closer than
 *     polynomials: 1D and 2D, narrow and wide windows, one vector and two.
 *   - The report counts the table, as memory_limit does.
 *   - A tolerance that no table serves is refused; the one that the text names is served. Type 3
 *     refuses tables, and so do the ways of a GPU that evaluate polynomials in 3D.
 *   - Wisdom of a plan with a table does not serve one without.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "enuf/nufft_tuning.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t bytes_of(const enuf_nufft *plan)
{
    enuf_nufft_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
    return report.bytes;
}

static double predicted_error(const enuf_nufft *plan)
{
    enuf_nufft_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_nufft_get_report(plan, &report), ENUF_SUCCESS);
    return report.error;
}

/* Modes, values and gradients of a plan with these options. */
typedef struct outputs {
    void *modes, *values, *gradients;
} outputs;

static outputs run(const transform *t, const enuf_nufft_options *o)
{
    const enuf_precision p = o->precision;
    outputs r = {numbers_make(p, t->n_modes), numbers_make(p, t->n_values),
                 numbers_make(p, t->n_gradients)};
    enuf_nufft *plan = transform_plan(t, o);
    if (!CHECK(plan != NULL)) return r;
    CHECK_STATUS(enuf_nufft_type1(plan, t->strengths, r.modes), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, t->spectrum, r.values, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type2(plan, t->spectrum, NULL, r.gradients), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    return r;
}

static void release(outputs *r)
{
    free(r->modes);
    free(r->values);
    free(r->gradients);
}

static void against_levels(const transform *t, const outputs *table)
{
    static const enuf_level levels[] = {ENUF_LEVEL_NONE, ENUF_LEVEL_WEIGHTS, ENUF_LEVEL_MATRIX};
    const enuf_precision p = t->options.precision;
    const double epsilon = p == ENUF_FLOAT ? FLT_EPSILON : DBL_EPSILON;
    const double bound = 3 * 0.22 * sqrt((double)t->n) * epsilon; /* as in test_levels.c */
    const int first = t->options.backend == ENUF_BACKEND_CUDA;    /* which always sorts */
    for (int k = first; k < 3; k++) {
        enuf_nufft_options o = t->options;
        o.level = levels[k];
        outputs other = run(t, &o);
        CHECK_BELOW(relative_error(p, t->n_modes, other.modes, table->modes), bound,
                    "modes of a level");
        CHECK_BELOW(relative_error(p, t->n_values, other.values, table->values), bound,
                    "values of a level");
        release(&other);
    }
}

static void against_sums(int dim, enuf_precision precision, enuf_strengths strengths,
                         double tolerance, int cluster)
{
    static const int64_t n[3] = {22, 15, 12};
    enuf_nufft_options o = conformance_options_of(dim, n);
    o.precision = precision;
    o.strengths = strengths;
    o.tolerance = tolerance;
    o.batch = 2;
    o.upsampling = 2; /* a coarser grid makes rounding larger */
    o.window_table = 1;
    transform t = transform_make(&o, 700, 31);
    for (int64_t j = 0; j < 3 * t.n && cluster; j++) t.points[j] = 0.48 + 0.04 * t.points[j];
    transform_sum(&t);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (CHECK(plan != NULL)) {
        CHECK_BELOW(predicted_error(plan), 1.01 * tolerance, "predicted error");
        CHECK_BELOW(type1_error(&t, plan), 2 * predicted_error(plan), "type 1");
        CHECK_BELOW(type2_error(&t, plan), 2 * predicted_error(plan), "type 2");
    }
    enuf_nufft_destroy(&plan);
    outputs table = run(&t, &o);
    o.window_table = 0;
    outputs polynomials = run(&t, &o);
    CHECK(!numbers_equal(precision, t.n_modes, table.modes, polynomials.modes));
    CHECK(!numbers_equal(precision, t.n_values, table.values, polynomials.values));
    CHECK(numbers_equal(precision, t.n_gradients, table.gradients, polynomials.gradients));
    CHECK_BELOW(relative_error(precision, t.n_modes, table.modes, polynomials.modes),
                0.2 * tolerance, "difference from polynomials");
    CHECK_BELOW(relative_error(precision, t.n_values, table.values, polynomials.values),
                0.2 * tolerance, "difference from polynomials");
    release(&polynomials);
    if (!cluster) against_levels(&t, &table); /* sums of a cluster are long */
    release(&table);
    transform_free(&t);
}

/* Results of the table on the CPU, and by all ways of the GPU. */
static void ways_agree(int dim, enuf_precision p, enuf_strengths strengths, int width, int batch)
{
    static const int64_t n[3] = {40, 27, 0};
    static const enuf_strategy ways[] = {ENUF_STRATEGY_AUTO, ENUF_STRATEGY_WINDOWS,
                                         ENUF_STRATEGY_TILES, ENUF_STRATEGY_GATHER};
    const double bound = p == ENUF_FLOAT ? 5e-6 : 1e-12; /* rounding, as in test_two_backends.c */
    enuf_nufft_options o = conformance_options_of(dim, n);
    o.precision = p;
    o.strengths = strengths;
    o.tolerance = 1e-1; /* a coarse table */
    o.width = width;
    o.upsampling = 2;
    o.batch = batch;
    o.window_table = 1;
    transform t = transform_make(&o, 3000, 17);
    o.backend = ENUF_BACKEND_CPU;
    outputs cpu = run(&t, &o);
    o.window_table = 0;
    outputs polynomials = run(&t, &o);
    CHECK(relative_error(p, t.n_modes, polynomials.modes, cpu.modes) > 10 * bound);
    CHECK(relative_error(p, t.n_values, polynomials.values, cpu.values) > 10 * bound);
    for (int k = 0; k < 4; k++) {
        const enuf_strategy way = ways[k];
        enuf_nufft_options gpu = t.options;
        gpu.spreading = way == ENUF_STRATEGY_GATHER ? ENUF_STRATEGY_AUTO : way;
        gpu.interpolation = way;
        outputs found = run(&t, &gpu);
        printf("  %dD, width %d, %s\n", dim, width, enuf_strategy_name(way));
        CHECK_BELOW(relative_error(p, t.n_modes, found.modes, cpu.modes), bound, "type 1");
        CHECK_BELOW(relative_error(p, t.n_values, found.values, cpu.values), bound, "type 2");
        release(&found);
    }
    release(&polynomials);
    release(&cpu);
    transform_free(&t);
}

static void all_ways_agree(void)
{
    static const int widths[] = {4, 7, 14};
    for (int dim = 1; dim <= 2; dim++)
        for (int single = 0; single < 2; single++)
            for (int real = 0; real < 2; real++)
                for (int k = 0; k < 3; k++)
                    for (int batch = 1; batch <= 2; batch++)
                        ways_agree(dim, single ? ENUF_FLOAT : ENUF_DOUBLE,
                                   real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS, widths[k],
                                   batch);
}

static void bits_for_any_threads(enuf_precision precision)
{
    enuf_nufft_options o = conformance_options(3, 22, 15, 12);
    o.precision = precision;
    o.tolerance = 1e-4;
    o.deterministic = 1;
    o.window_table = 1;
    o.threads = 1;
    transform t = transform_make(&o, 3000, 7);
    outputs one = run(&t, &o);
    o.threads = 3;
    outputs three = run(&t, &o);
    CHECK(numbers_equal(precision, t.n_modes, one.modes, three.modes));
    CHECK(numbers_equal(precision, t.n_values, one.values, three.values));
    release(&one);
    release(&three);
    transform_free(&t);
}

/* Bytes with and without; then a limit without room for the table. */
static void bytes_are_counted(void)
{
    enuf_nufft_options o = conformance_options(1, 64, 0, 0);
    enuf_nufft *plan = NULL;
    o.tolerance = 1e-6;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    const int64_t polynomials = bytes_of(plan);
    enuf_nufft_destroy(&plan);
    o.window_table = 1;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    const int64_t table = bytes_of(plan);
    enuf_nufft_destroy(&plan);
    CHECK(table - polynomials >= 2 * 1024 * 7 * 8); /* rows of 7 doubles for 1024 places at least */
    o.memory_limit = table;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    o.memory_limit = o.backend == ENUF_BACKEND_CPU ? table - 1 : (table + polynomials) / 2;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_OUT_OF_MEMORY);
}

static void too_fine(void)
{
    enuf_nufft_options o = conformance_options(2, 20, 20, 0);
    enuf_nufft *plan = NULL;
    o.window_table = 1;
    o.tolerance = 1e-12;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_UNREACHABLE_ACCURACY);
    CHECK_TEXT("window_table");
    CHECK_TEXT("1e-12");
    const char *serves = strstr(enuf_last_error(), "serves ");
    if (!CHECK(serves != NULL)) return;
    o.tolerance = strtod(serves + strlen("serves "), NULL);
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
}

static void wisdom_is_its_own(void)
{
    enuf_nufft_options o = conformance_options(2, 20, 20, 0);
    enuf_wisdom *wisdom = NULL;
    o.tolerance = 1e-3;
    o.window_table = 1;
    CHECK_STATUS(enuf_wisdom_create(&wisdom), ENUF_SUCCESS);
    enuf_tuning_request request;
    enuf_tuning_request_init(&request);
    request.effort = ENUF_TUNE_MEASURE;
    request.wisdom = wisdom;
    enuf_nufft_options tuned = o;
    CHECK_STATUS(enuf_nufft_tune(&tuned, &request, 500, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    CHECK(tuned.window_table == 1 && tuned.width > 0);
    request.effort = ENUF_TUNE_WISDOM_ONLY;
    tuned = o;
    CHECK_STATUS(enuf_nufft_tune(&tuned, &request, 500, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    o.window_table = 0;
    CHECK_STATUS(enuf_nufft_tune(&o, &request, 500, NULL, NULL, NULL, 1, NULL), ENUF_UNSUPPORTED);
    enuf_wisdom_destroy(&wisdom);
}

static void type3_refuses(void)
{
    enuf_nufft_options o = conformance_options(2, 20, 20, 0);
    enuf_nufft *plan = NULL;
    o.type3 = 1;
    o.window_table = 1;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_UNSUPPORTED);
    CHECK_TEXT("type3 with window_table");
}

/* Ways of a GPU with a table in 3D: windows alone. */
static void ways_refuse(void)
{
    enuf_nufft_options o = conformance_options(3, 22, 15, 12);
    enuf_nufft *plan = NULL;
    o.tolerance = 1e-4;
    o.window_table = 1;
    o.spreading = ENUF_STRATEGY_TILES;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_UNSUPPORTED);
    CHECK_TEXT("spreading tiles with window_table");
    o.spreading = ENUF_STRATEGY_WINDOWS;
    o.interpolation = ENUF_STRATEGY_GATHER;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_UNSUPPORTED);
    CHECK_TEXT("interpolation gather with window_table");
    o.interpolation = ENUF_STRATEGY_WINDOWS;
    CHECK_STATUS(enuf_nufft_create(&o, &plan), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
}

static void law(void)
{
    type3_refuses();
    if (conformance_options(1, 16, 0, 0).backend == ENUF_BACKEND_CUDA) {
        ways_refuse();
        all_ways_agree();
    }
    for (int dim = 1; dim <= 3; dim++)
        for (int real = 0; real < 2; real++)
            for (int cluster = 0; cluster < 2; cluster++) {
                const enuf_strengths s = real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
                against_sums(dim, ENUF_FLOAT, s, 1e-2, cluster);
                against_sums(dim, ENUF_FLOAT, s, 1e-4, cluster);
                against_sums(dim, ENUF_DOUBLE, s, 1e-3, cluster);
                against_sums(dim, ENUF_DOUBLE, s, 1e-7, cluster);
            }
    bits_for_any_threads(ENUF_FLOAT);
    bits_for_any_threads(ENUF_DOUBLE);
    bytes_are_counted();
    too_fine();
    wisdom_is_its_own();
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
