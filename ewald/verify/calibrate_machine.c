/*
 * calibrate_machine.c - measures the cost rates of this machine.
 *
 * It times Ewald objects with explicit parameters on random ions, one thread, best of several: the
 * rates then include all work of an evaluation.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "choose/budget.h"
#include "choose/costs.h"
#include "object/calls.h"
#include "memory.h"
#include "choose/mesh_choice.h"
#include "random.h"
#include "wall_clock.h"

#include <math.h>
#include <string.h>

/* Random ions in a cube, one in a unit of volume. */
typedef struct random_ions {
    int64_t n;
    double *positions, *charges, *forces;
} random_ions;

typedef struct cost_bench {
    enuf_ewald_options options;
    enuf_cost_rates *rates;
    int usual;          /* the system of enuf_cost_systems at which rates an ion are measured */
    int64_t plain_grid; /* the grid at which windows are measured */
    int on_gpu;
} cost_bench;

/* Fixed values of width, accuracy and neighbours while another parameter varies. */
enum { PLAIN_WIDTH = 4, USUAL_WIDTH = 8 };
static const double USUAL_ACCURACY = 1e-5, USUAL_NEIGHBOURS = 120;

static void release(random_ions *ions)
{
    enuf_release(&ions->positions);
    enuf_release(&ions->charges);
    enuf_release(&ions->forces);
}

static enuf_status make_ions(int64_t n, random_ions *ions)
{
    memset(ions, 0, sizeof *ions);
    ions->n = n;
    enuf_status status = enuf_allocate(&ions->positions, 3 * n, sizeof(double), "random ions");
    if (!status) status = enuf_allocate(&ions->charges, n, sizeof(double), "random ions");
    if (!status) status = enuf_allocate(&ions->forces, 3 * n, sizeof(double), "random ions");
    if (status) {
        release(ions);
        return status;
    }
    uint64_t state = 1;
    double edge = cbrt((double)n);
    for (int64_t k = 0; k < 3 * n; k++)
        ions->positions[k] = edge * (double)(enuf_random(&state) >> 11) * 0x1p-53;
    for (int64_t i = 0; i < n; i++) ions->charges[i] = i % 2 ? 1 : -1;
    return ENUF_SUCCESS;
}

/* Evaluations at least: a GPU's first one loads kernels, its second one records them. */
static int least_evaluations(const enuf_ewald *ewald)
{
    return ewald->backend->kind == ENUF_BACKEND_CUDA ? 3 : 2;
}

/* Best time of half an evaluation; short ones are repeated more often. The repetitions are limited
 * by wall time, because on a GPU copies take far longer than the evaluation. */
static enuf_status time_half(enuf_ewald *ewald, const random_ions *ions, int real, double *seconds)
{
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = ions->forces};
    const enuf_evaluation what = {
        ions->positions, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, real, !real, &result, ENUF_HOST};
    const int least = least_evaluations(ewald);
    const double start = enuf_seconds();
    *seconds = HUGE_VAL;
    for (int k = 0; k < least || (k < 50 && enuf_seconds() - start < 0.04); k++) {
        ENUF_TRY(enuf_ewald_sum(ewald, &what));
        *seconds = fmin(*seconds, real ? ewald->seconds_real : ewald->seconds_reciprocal);
    }
    return ENUF_SUCCESS;
}

static enuf_status time_options(const enuf_ewald_options *options, const random_ions *ions,
                                int real, double *seconds)
{
    enuf_ewald *ewald;
    double edge = cbrt((double)ions->n), cell[9] = {edge, 0, 0, 0, edge, 0, 0, 0, edge};
    ENUF_TRY(enuf_ewald_make(options, &ewald));
    enuf_status status = enuf_alone_set_cell(ewald, cell);
    if (!status) status = enuf_charges_set(ewald, ions->n, ions->charges, NULL);
    if (!status) status = time_half(ewald, ions, real, seconds);
    enuf_ewald_free(ewald);
    return status;
}

/* Nanoseconds per ion of the pairs. The mesh is not used and as small as possible. */
static enuf_status time_pairs(const cost_bench *bench, const random_ions *ions, enuf_split split,
                              double accuracy, double neighbours, double *rate)
{
    enuf_ewald_options o = bench->options;
    o.split = split;
    o.accuracy = accuracy;
    o.cutoff = enuf_cutoff_for(1, neighbours);
    double eps = accuracy * sqrt(o.cutoff) / 2;
    if (split == ENUF_SPLIT_GAUSSIAN)
        o.alpha = enuf_gaussian_alpha_for(eps, o.cutoff);
    else
        o.c = enuf_prolate_c_for(eps);
    o.kmax = 1;
    o.grid[0] = o.grid[1] = o.grid[2] = 8;
    o.width = PLAIN_WIDTH;
    double seconds;
    ENUF_TRY(time_options(&o, ions, 1, &seconds));
    *rate = 1e9 * seconds / (double)ions->n;
    return ENUF_SUCCESS;
}

/* Seconds of the mesh. */
static enuf_status time_mesh(const cost_bench *bench, const random_ions *ions, int64_t grid,
                             double factor, int width, double *seconds)
{
    enuf_ewald_options o = bench->options;
    o.split = ENUF_SPLIT_GAUSSIAN;
    o.accuracy = USUAL_ACCURACY;
    o.cutoff = 1;
    o.alpha = 3;
    o.kmax = fmax(floor(((double)grid / factor - 1) / 2), 1);
    o.grid[0] = o.grid[1] = o.grid[2] = grid;
    o.width = width;
    return time_options(&o, ions, 0, seconds);
}

static enuf_status measure_pairs(const cost_bench *bench, const random_ions *ions)
{
    static const enuf_split splits[ENUF_COST_SPLITS] = {ENUF_SPLIT_GAUSSIAN, ENUF_SPLIT_PROLATE};
    for (int s = 0; s < ENUF_COST_SPLITS; s++)
        for (int a = 0; a < ENUF_COST_ACCURACIES; a++)
            for (int k = 0; k < ENUF_COST_NEIGHBOURS; k++)
                ENUF_TRY(time_pairs(bench, ions, splits[s], enuf_cost_accuracies[a],
                                    enuf_cost_neighbours[k], &bench->rates->pairs[s][a][k]));
    return ENUF_SUCCESS;
}

/* Cost of ions: the time with ions less that of the grid alone. */
static enuf_status measure_density(const cost_bench *bench, double grid_alone, int density)
{
    const double edge = (double)bench->plain_grid, cells = edge * edge * edge;
    random_ions ions;
    ENUF_TRY(make_ions((int64_t)(cells * enuf_cost_densities[density]), &ions));
    enuf_status status = ENUF_SUCCESS;
    for (int w = 0; w < ENUF_COST_WIDTHS && !status; w++) {
        double seconds = 0;
        status = time_mesh(bench, &ions, bench->plain_grid, 2, enuf_cost_widths[w], &seconds);
        bench->rates->ion[density][w] =
            1e9 * fmax(seconds - grid_alone, 0.05 * seconds) / (double)ions.n;
    }
    release(&ions);
    return status;
}

/* The rate of a measured density and width. */
static double ion_rate(const cost_bench *bench, int density, int width)
{
    int w = 0;
    while (enuf_cost_widths[w] != width) w++;
    return bench->rates->ion[density][w];
}

/* Few ions, but some in every tile: on large grids tiles wait for memory, and this belongs to the
 * cost of the grid. */
static enuf_status measure_transform(const cost_bench *bench, int g)
{
    const double edge = (double)enuf_cost_grids[g], cells = edge * edge * edge;
    random_ions ions;
    ENUF_TRY(make_ions((int64_t)fmax(cells * enuf_cost_densities[0], 2), &ions));
    enuf_status status = ENUF_SUCCESS;
    for (int f = 0; f < ENUF_COST_FILLS && !status; f++) {
        double seconds = 0;
        status =
            time_mesh(bench, &ions, enuf_cost_grids[g], enuf_cost_fills[f], USUAL_WIDTH, &seconds);
        double rest = 1e9 * seconds - (double)ions.n * ion_rate(bench, 0, USUAL_WIDTH);
        bench->rates->transform[f][g] = fmax(rest, 2e8 * seconds) / cells;
    }
    release(&ions);
    return status;
}

/* Times depend on the size of a system: small ones stay in the caches. */
static enuf_status measure_systems(const cost_bench *bench)
{
    enuf_cost_rates *rates = bench->rates;
    double pairs[ENUF_COST_SYSTEMS], mesh[ENUF_COST_SYSTEMS];
    for (int k = 0; k < ENUF_COST_SYSTEMS; k++) {
        random_ions ions;
        ENUF_TRY(make_ions((int64_t)enuf_cost_systems[k], &ions));
        double seconds = 0;
        const int64_t cells = (int64_t)cbrt(2 * enuf_cost_systems[k]);
        /* as the choice of parameters does it */
        const int64_t least = bench->on_gpu ? ENUF_LEAST_GRID_ON_GPU : 1;
        const int64_t edge = enuf_fft_size(cells < least ? least : cells);
        const int64_t grid[3] = {edge, edge, edge}, kept = (edge / 2 - 1) / 2 * 2 + 1;
        const int64_t modes[3] = {kept, kept, kept};
        enuf_status status = time_pairs(bench, &ions, ENUF_SPLIT_PROLATE, USUAL_ACCURACY,
                                        USUAL_NEIGHBOURS, &pairs[k]);
        /* about two cells per ion; subtract the cost of the cells, which is known */
        if (!status) status = time_mesh(bench, &ions, edge, 2, USUAL_WIDTH, &seconds);
        const double all = (double)edge * (double)edge * (double)edge;
        mesh[k] = (1e9 * seconds - all * enuf_cost_of_cell(rates, modes, grid)) / (double)ions.n;
        release(&ions);
        ENUF_TRY(status);
    }
    for (int k = 0; k < ENUF_COST_SYSTEMS; k++) {
        rates->pairs_apart[k] = pairs[k] - pairs[bench->usual];
        rates->ion_apart[k] = mesh[k] - mesh[bench->usual];
    }
    return ENUF_SUCCESS;
}

static void log_progress(const enuf_ewald_options *options, const char *text)
{
    if (options->log) options->log(options->log_context, text);
}

static enuf_status measure_rates(const cost_bench *bench)
{
    random_ions usual = {0}, pair = {0};
    double grid_alone = 0;
    log_progress(&bench->options, "pairs");
    enuf_status status = make_ions((int64_t)enuf_cost_systems[bench->usual], &usual);
    if (!status) status = measure_pairs(bench, &usual);
    log_progress(&bench->options, "windows");
    if (!status) status = make_ions(2, &pair);
    if (!status) status = time_mesh(bench, &pair, bench->plain_grid, 2, PLAIN_WIDTH, &grid_alone);
    for (int k = 0; k < ENUF_COST_DENSITIES && !status; k++)
        status = measure_density(bench, grid_alone, k);
    release(&usual);
    release(&pair);
    log_progress(&bench->options, "grids");
    for (int g = 0; g < ENUF_COST_GRIDS && !status; g++) status = measure_transform(bench, g);
    ENUF_TRY(status);
    log_progress(&bench->options, "sizes");
    return measure_systems(bench);
}

/* A GPU reaches its rates on large systems only; small ones would measure kernel launches. */
static void choose_sizes(enuf_backend backend, cost_bench *bench)
{
    const int gpu = backend == ENUF_BACKEND_CUDA;
    bench->on_gpu = gpu;
    bench->usual = gpu ? ENUF_COST_SYSTEMS - 1 : ENUF_COST_USUAL;
    bench->plain_grid = gpu ? 128 : 32;
}

enuf_status enuf_costs_measure(const enuf_ewald_options *options, enuf_costs *measured)
{
    static const enuf_arithmetic arithmetics[2] = {ENUF_ARITHMETIC_DOUBLE, ENUF_ARITHMETIC_MIXED};
    enuf_costs costs = {.backend = options && options->backend == ENUF_BACKEND_CUDA
                                       ? ENUF_BACKEND_CUDA
                                       : ENUF_BACKEND_CPU};
    for (int a = 0; a < 2; a++) {
        cost_bench bench = {.rates = &costs.rates[a]};
        enuf_ewald_options_init(&bench.options);
        bench.options.arithmetic = arithmetics[a];
        bench.options.threads = 1;
        if (options) {
            bench.options.backend = options->backend;
            bench.options.device = options->device;
            bench.options.fft = options->fft;
            bench.options.fft_effort = options->fft_effort;
            bench.options.fft_wisdom = options->fft_wisdom;
            bench.options.log = options->log;
            bench.options.log_context = options->log_context;
        }
        choose_sizes(costs.backend, &bench);
        ENUF_TRY(measure_rates(&bench));
    }
    *measured = costs;
    return ENUF_SUCCESS;
}

static enuf_status calibrate(const enuf_ewald_options *options, const char *file)
{
    enuf_costs costs;
    ENUF_TRY(enuf_costs_check_file(file)); /* before the long measurement */
    ENUF_TRY(enuf_costs_measure(options, &costs));
    return enuf_costs_write(file, &costs);
}

enuf_status enuf_ewald_calibrate_machine(const enuf_ewald_options *options, const char *file)
{
    enuf_status status = options ? enuf_ewald_check_options(options) : ENUF_SUCCESS;
    if (status == ENUF_SUCCESS) status = calibrate(options, file);
    return enuf_named(status, __func__);
}
