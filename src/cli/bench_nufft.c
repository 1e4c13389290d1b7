/*
 * bench_nufft.c - transforms in points/s and FFTs in cells/s.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bench_rows.h"

#include "error.h"
#include "memory.h"

#include <math.h>
#include <stdio.h>

/* Seconds for the repetitions of one figure. */
static const double BUDGET = 0.1, QUICK_BUDGET = 0.01;

/* Both windows of Ewald sums: a width of about 4 and 7 in float, 7 and 13 in double. */
static const double tolerances[2][2] = {[ENUF_DOUBLE] = {1e-6, 1e-12}, [ENUF_FLOAT] = {1e-3, 1e-5}};

/* Points per mode, and modes along each axis such that grid and points both take tens of ms. */
static const struct {
    double density;
    int64_t modes, quick_modes;
} densities[] = {{0.1, 64, 32}, {1, 48, 24}, {10, 24, 12}};

static const int64_t grids[] = {64, 128};

enum {
    N_DENSITIES = sizeof densities / sizeof *densities,
    N_GRIDS = sizeof grids / sizeof *grids,
    SEED = 20240229
};

typedef struct transform {
    const cli_bench_nufft *row;
    enuf_nufft *plan;
    void *points;                              /* [3][n], double */
    void *strengths, *modes, *values, *slopes; /* in the row's precision */
    void *wanted_slopes;                       /* slopes, or NULL */
} transform;

static void list_transforms(int quick, cli_bench_rows *rows)
{
    for (int precision = ENUF_DOUBLE; precision <= ENUF_FLOAT; ++precision) {
        for (int strengths = ENUF_COMPLEX_STRENGTHS; strengths <= ENUF_REAL_STRENGTHS;
             ++strengths) {
            for (int t = 0; t < 2; ++t) {
                for (int d = 0; d < N_DENSITIES; ++d) {
                    const int64_t n = quick ? densities[d].quick_modes : densities[d].modes;
                    rows->nufft[rows->n_nufft++] = (cli_bench_nufft){
                        .precision = (enuf_precision)precision,
                        .strengths = (enuf_strengths)strengths,
                        .tolerance = tolerances[precision][t],
                        .density = densities[d].density,
                        .modes = n,
                        .points = (int64_t)rint(densities[d].density * (double)(n * n * n))};
                }
            }
        }
    }
}

void cli_bench_list_nufft(int quick, cli_bench_rows *rows)
{
    list_transforms(quick, rows);
    for (int precision = ENUF_DOUBLE; precision <= ENUF_FLOAT; ++precision) {
        for (int strengths = ENUF_COMPLEX_STRENGTHS; strengths <= ENUF_REAL_STRENGTHS;
             ++strengths) {
            for (int g = 0; g < (quick ? 1 : N_GRIDS); ++g) {
                rows->fft[rows->n_fft++] = (cli_bench_fft){.precision = (enuf_precision)precision,
                                                           .strengths = (enuf_strengths)strengths,
                                                           .grid = grids[g]};
            }
        }
    }
}

static enuf_nufft_options options_of(const cli_settings *settings, enuf_precision precision,
                                     enuf_strengths strengths, int64_t modes)
{
    enuf_nufft_options options;
    enuf_nufft_options_init(&options);
    options.dim = 3;
    for (int d = 0; d < 3; ++d) options.modes[d] = modes;
    options.precision = precision;
    options.strengths = strengths;
    options.threads = settings->ewald.threads;
    return options;
}

static enuf_status fill(void **array, int64_t numbers, enuf_precision precision, const char *what)
{
    const size_t size = precision == ENUF_FLOAT ? sizeof(float) : sizeof(double);
    uint64_t state = SEED;
    ENUF_TRY(enuf_allocate(array, numbers, size, what));
    for (int64_t k = 0; k < numbers; ++k) {
        const double number = 2 * cli_bench_random(&state) - 1;
        if (precision == ENUF_FLOAT)
            ((float *)*array)[k] = (float)number;
        else
            ((double *)*array)[k] = number;
    }
    return ENUF_SUCCESS;
}

static enuf_status prepare(const cli_settings *settings, transform *t)
{
    const cli_bench_nufft *row = t->row;
    const enuf_precision precision = row->precision;
    const int64_t n = row->points, parts = row->strengths == ENUF_COMPLEX_STRENGTHS ? 2 : 1;
    enuf_nufft_options options = options_of(settings, precision, row->strengths, row->modes);
    options.tolerance = row->tolerance;
    options.density = row->density;
    ENUF_TRY(enuf_nufft_create(&options, &t->plan));
    ENUF_TRY(fill(&t->points, 3 * n, ENUF_DOUBLE, "points"));
    ENUF_TRY(fill(&t->strengths, parts * n, precision, "strengths"));
    ENUF_TRY(fill(&t->modes, 2 * row->modes * row->modes * row->modes, precision, "modes"));
    ENUF_TRY(fill(&t->values, parts * n, precision, "values"));
    return fill(&t->slopes, 3 * parts * n, precision, "gradients");
}

static void release(transform *t)
{
    enuf_nufft_destroy(&t->plan);
    enuf_release(&t->points);
    enuf_release(&t->strengths);
    enuf_release(&t->modes);
    enuf_release(&t->values);
    enuf_release(&t->slopes);
}

static enuf_status set_points(void *context, double *seconds)
{
    const transform *t = context;
    const int64_t n = t->row->points;
    const double *x = t->points;
    (void)seconds;
    return enuf_nufft_set_points(t->plan, n, x, x + n, x + 2 * n, 1);
}

static enuf_status type1(void *context, double *seconds)
{
    const transform *t = context;
    (void)seconds;
    return enuf_nufft_type1(t->plan, t->strengths, t->modes);
}

static enuf_status type2(void *context, double *seconds)
{
    const transform *t = context;
    (void)seconds;
    return enuf_nufft_type2(t->plan, t->modes, t->values, t->wanted_slopes);
}

static enuf_status measure(transform *t, double budget, cli_bench_nufft *row)
{
    ENUF_TRY(cli_bench_measure(set_points, t, budget, &row->set_points));
    ENUF_TRY(cli_bench_measure(type1, t, budget, &row->type1));
    ENUF_TRY(cli_bench_measure(type2, t, budget, &row->type2));
    t->wanted_slopes = t->slopes;
    ENUF_TRY(cli_bench_measure(type2, t, budget, &row->gradient));
    row->plan.struct_size = sizeof row->plan;
    return enuf_nufft_get_report(t->plan, &row->plan);
}

/* Seconds of the FFT as counted by the plan. A single point makes the grid valid. */
static enuf_status transform_grid(void *context, double *seconds)
{
    const transform *t = context;
    const double strength[2] = {1, 0};
    double stages[ENUF_STAGE_COUNT];
    ENUF_TRY(enuf_nufft_spread(t->plan, strength));
    ENUF_TRY(enuf_nufft_elapsed(t->plan, ENUF_STAGE_COUNT, stages));
    ENUF_TRY(enuf_nufft_transform(t->plan));
    ENUF_TRY(enuf_nufft_elapsed(t->plan, ENUF_STAGE_COUNT, stages));
    *seconds = stages[ENUF_STAGE_FFT];
    return ENUF_SUCCESS;
}

static enuf_status measure_fft(const cli_settings *settings, double budget, cli_bench_fft *row)
{
    const double middle = 0.5;
    transform t = {0};
    enuf_nufft_options options =
        options_of(settings, row->precision, row->strengths, row->grid / 2);
    options.tolerance = 1e-3;
    for (int d = 0; d < 3; ++d) options.fine_grid[d] = row->grid;
    enuf_status status = enuf_nufft_create(&options, &t.plan);
    if (!status) status = enuf_nufft_set_points(t.plan, 1, &middle, &middle, &middle, 1);
    if (!status) status = cli_bench_measure(transform_grid, &t, budget, &row->time);
    release(&t);
    return status;
}

enuf_status cli_bench_run_nufft(const cli_settings *settings, cli_progress *progress,
                                cli_bench_rows *rows)
{
    const double budget = settings->quick ? QUICK_BUDGET : BUDGET;
    char what[32];
    for (int r = 0; r < rows->n_nufft; ++r) {
        cli_bench_nufft *row = &rows->nufft[r];
        transform t = {.row = row};
        snprintf(what, sizeof what, "transforms at %g", row->tolerance);
        cli_progress_step(progress, what);
        enuf_status status = prepare(settings, &t);
        if (!status) status = measure(&t, budget, row);
        release(&t);
        ENUF_TRY(status);
    }
    for (int r = 0; r < rows->n_fft; ++r) {
        cli_progress_step(progress, "FFTs");
        ENUF_TRY(measure_fft(settings, budget, &rows->fft[r]));
    }
    return ENUF_SUCCESS;
}
