/* backend_cpu.c - the CPU backend's table. SPDX-License-Identifier: BSD-3-Clause */
#include "cpu.h"
#include "encoding_kernels.h"
#include "gram_kernels.h"
#include "kernel_window.h"
#include "parallel.h"
#include "direct/engine.h"
#include "plan/grid_layout.h"

#include <float.h>
#include <math.h>
#include <string.h>

static size_t number_size(const enuf_nufft *plan)
{
    return plan->options.precision == ENUF_FLOAT ? sizeof(float) : sizeof(double);
}

static int usable(const char **reason)
{
    *reason = "threads on this machine's cores";
    return 1;
}

static enuf_status make_tiles(enuf_nufft *plan)
{
    enuf_cpu *cpu = plan->workspace;
    const int per_cell = plan->real ? 1 : 2, line = 64 / (int)number_size(plan);
    int64_t numbers = 1;
    for (int d = 0; d < plan->options.dim; d++) {
        const enuf_sorted_points *p = &cpu->points;
        int64_t cells = ((int64_t)1 << (p->bin_log2[d] + p->block_log2[d]));
        cells += plan->method.window.width;
        numbers *= d == 0 ? cells * per_cell + 2 * line : cells;
    }
    cpu->tile_numbers = (numbers + 2 * line + 7) / 8 * 8;
    /* integers, and short sums, take one tile; a tile of doubles has room for two of floats */
    const int one = plan->options.deterministic || plan->method.additions > ENUF_ENDLESS_ADDITIONS;
    const int tiles = one ? 1 : plan->options.precision == ENUF_FLOAT ? 2 : 3;
    cpu->tile_room = cpu->tile_numbers * tiles;
    return enuf_allocate(&cpu->tiles, cpu->tile_room * plan->threads, sizeof(double),
                         "tiles of cells");
}

static enuf_status make_grid(enuf_nufft *plan)
{
    enuf_cpu *cpu = plan->workspace;
    const enuf_grid_layout layout =
        enuf_grid_layout_of(&plan->options, plan->method.grid, plan->method.window.width);
    cpu->row = layout.row;
    cpu->plane = layout.plane;
    cpu->batch_cells = layout.batch;
    int64_t rows = plan->axis[1].n * plan->axis[2].n;
    if (plan->options.no_grid) return ENUF_SUCCESS;
    int64_t count = cpu->batch_cells * plan->options.batch;
    ENUF_TRY(enuf_allocate(&cpu->grid, count, number_size(plan), "the fine grid"));
    if (plan->options.deterministic && plan->options.precision == ENUF_FLOAT)
        ENUF_TRY(enuf_allocate(&cpu->fixed, count, sizeof(int64_t), "the integer fine grid"));
    ENUF_TRY(enuf_allocate(&cpu->spectrum, 2 * plan->n_modes * plan->options.batch,
                           number_size(plan), "the spectrum"));
    ENUF_TRY(enuf_allocate(&cpu->partial, (rows / ENUF_REDUCE_ROWS + 1) * ENUF_REDUCE_MOMENTS,
                           sizeof(double), "partial sums"));
    return BY_PRECISION(plan, enuf_cpu_fft_create, plan);
}

static enuf_status create(enuf_nufft *plan)
{
    enuf_cpu *cpu;
    ENUF_TRY(enuf_allocate(&cpu, 1, sizeof *cpu, "a workspace"));
    memset(cpu, 0, sizeof *cpu);
    plan->workspace = cpu; /* from here on destroy() cleans up */
    for (int k = 0; k < ENUF_GRID_LOCKS; k++) pthread_mutex_init(&cpu->lock[k], NULL);
    ENUF_TRY(make_grid(plan));
    ENUF_TRY(enuf_kernel_window_make(plan, &cpu->window));
    ENUF_TRY(enuf_cpu_level_create(plan));
    ENUF_TRY(enuf_cpu_sort_create(plan));
    return make_tiles(plan);
}

static void destroy(enuf_nufft *plan)
{
    enuf_cpu *cpu = plan->workspace;
    if (!cpu) return;
    BY_PRECISION(plan, enuf_cpu_fft_destroy, &cpu->fft);
    for (int k = 0; k < ENUF_GRID_LOCKS; k++) pthread_mutex_destroy(&cpu->lock[k]);
    enuf_cpu_sort_free(&cpu->points);
    enuf_kernel_window_free(&cpu->window);
    enuf_release(&cpu->cell_start);
    enuf_release(&cpu->tiles);
    enuf_release(&cpu->grid);
    enuf_release(&cpu->fixed);
    enuf_release(&cpu->spectrum);
    enuf_release(&cpu->partial);
    enuf_release(&plan->point_weights.numbers);
    enuf_release(&plan->mode_weights.numbers);
    enuf_release(&plan->workspace);
}

static int64_t weight_bytes(const enuf_nufft *plan, const enuf_weights *weights)
{
    const int64_t parts = weights->kind == ENUF_COMPLEX ? 2 : 1;
    return weights->numbers ? weights->n * weights->sets * parts * (int64_t)number_size(plan) : 0;
}

static int64_t bytes(const enuf_nufft *plan)
{
    const enuf_cpu *cpu = plan->workspace;
    const enuf_sorted_points *p = &cpu->points;
    int64_t number = (int64_t)number_size(plan), batch = plan->options.batch;
    int64_t total = (int64_t)sizeof *cpu + enuf_kernel_window_numbers(plan) * number;
    total += p->capacity * enuf_cpu_bytes_per_point(plan);
    total += (p->n_bins * plan->threads + p->n_blocks + 1) * 8;
    total += cpu->tile_room * plan->threads * 8;
    if (cpu->grid) total += (cpu->batch_cells + 2 * plan->n_modes) * number * batch;
    total += enuf_fft_scratch_bytes(cpu->fft.passes);
    if (cpu->fixed) total += cpu->batch_cells * batch * 8;
    if (cpu->cell_start) total += (enuf_cpu_matrix_rows(plan) + 1) * 8;
    total += weight_bytes(plan, &plan->point_weights) + weight_bytes(plan, &plan->mode_weights);
    return total;
}

/* ---- Weights ---- */

static enuf_status keep_weights(enuf_nufft *plan, const void *from, int64_t count, void **numbers)
{
    char *fresh = NULL;
    const double bytes = (double)count * (double)number_size(plan);
    const double limit = (double)plan->options.memory_limit;
    if (count > 0 && limit > 0 && (double)enuf_nufft_bytes(plan) + bytes > limit)
        return enuf_fail(
            ENUF_OUT_OF_MEMORY, "with %lld weights the plan takes %.3g GB, memory_limit is %.3g GB",
            (long long)count, ((double)enuf_nufft_bytes(plan) + bytes) / 1e9, limit / 1e9);
    if (count > 0) {
        ENUF_TRY(enuf_allocate(&fresh, count, number_size(plan), "weights"));
        memcpy(fresh, from, (size_t)count * number_size(plan));
    }
    enuf_release(numbers);
    *numbers = fresh;
    return ENUF_SUCCESS;
}

/* Properties of strengths: the largest over real and imaginary parts and over batches. */
typedef struct strength_size {
    double largest, sum;
} strength_size;

/* Checks that strengths and their sums are finite: for a brick one vector, times factors if given,
 * else the whole batch times the plan's weights. */
static enuf_status look_at_strengths(enuf_nufft *plan, const void *strengths, const void *factors,
                                     int brick, strength_size *size)
{
    const size_t step = number_size(plan) * (size_t)plan->n_points * (plan->real ? 1 : 2);
    const int batch = brick ? 1 : plan->options.batch;
    double largest = 0, sum = 0;
    for (int b = 0; b < batch; b++) {
        const char *numbers = (const char *)strengths + (plan->terms ? 0 : step * (size_t)b);
        const enuf_weighting none = {0}, weighting = brick ? none : enuf_cpu_weighting_of(plan, b);
        double batch_sum, of_batch = BY_PRECISION(plan, enuf_cpu_largest, plan, numbers, factors,
                                                  &weighting, &batch_sum);
        if (!(of_batch >= 0))
            return enuf_fail(ENUF_NOT_FINITE, "a strength%s is NaN or infinite",
                             factors             ? " or its product with its factor"
                             : weighting.numbers ? " or its product with its weight"
                                                 : "");
        largest = fmax(largest, of_batch);
        sum = fmax(sum, batch_sum);
    }
    const double range = plan->options.precision == ENUF_FLOAT ? FLT_MAX : DBL_MAX;
    if (!(sum <= enuf_most_strength(plan, range)))
        return enuf_fail(ENUF_NOT_FINITE,
                         "the absolute strengths sum to %g: their sums on the grid would leave the "
                         "range of %s precision",
                         sum, plan->options.precision == ENUF_FLOAT ? "float" : "double");
    *size = (strength_size){largest, sum};
    return ENUF_SUCCESS;
}

/* The scale of the integers that strengths become. */
static enuf_status set_fixed_scale(enuf_nufft *plan, const strength_size *size)
{
    enuf_cpu *cpu = plan->workspace;
    double bound = plan->options.strength_bound;
    if (bound == 0) bound = size->largest * (double)plan->n_points;
    /* the sum's own rounding depends on the threads and must not decide */
    if (!isfinite(bound) || size->sum > bound * (1 + 1e-6))
        return enuf_fail(ENUF_OVERFLOWED,
                         "strength_bound %g: the absolute strengths of the call sum to %g", bound,
                         size->sum);
    int exponent;
    frexp(bound > 0 ? bound : 1, &exponent); /* bound < 2^exponent */
    cpu->fixed_scale = ldexp(1, 62 - exponent < 1023 ? 62 - exponent : 1023);
    return ENUF_SUCCESS;
}

static int64_t *fixed_cells(const enuf_cpu *cpu)
{
    return cpu->fixed ? cpu->fixed : (int64_t *)cpu->grid;
}

typedef struct zero_loop {
    char *bytes;
    size_t item;
} zero_loop;

static void zero_items(void *context, int64_t begin, int64_t end, int thread)
{
    const zero_loop *loop = context;
    (void)thread;
    memset(loop->bytes + (size_t)begin * loop->item, 0, (size_t)(end - begin) * loop->item);
}

static enuf_status spread(enuf_nufft *plan, const void *strengths)
{
    enuf_cpu *cpu = plan->workspace;
    int fixed = plan->options.deterministic;
    size_t cell = fixed ? sizeof(int64_t) : number_size(plan);
    char *cells = fixed ? (char *)fixed_cells(cpu) : cpu->grid;
    strength_size size = {0, 0};
    ENUF_TRY(look_at_strengths(plan, strengths, NULL, 0, &size));
    if (fixed) ENUF_TRY(set_fixed_scale(plan, &size));
    if (plan->options.level == ENUF_LEVEL_MATRIX) {
        BY_PRECISION(plan, enuf_cpu_matrix_spread, plan, strengths, cells);
        return ENUF_SUCCESS;
    }
    int64_t count = cpu->batch_cells * plan->options.batch, outside;
    zero_loop zero = {cells, 16 * cell};
    enuf_parallel_for(plan->threads, count / 16, 0, zero_items, &zero);
    size_t step = number_size(plan) * (size_t)plan->n_points * (plan->real ? 1 : 2);
    for (int64_t b = 0; b < plan->options.batch; b++) {
        const size_t first = plan->terms ? 0 : step * (size_t)b;
        enuf_spread_job job = {.strengths = (const char *)strengths + first,
                               .target = enuf_target_whole(plan, cpu->row, cpu->plane),
                               .cells = cells + cell * (size_t)(b * cpu->batch_cells),
                               .scale = cpu->fixed_scale,
                               .weighting = enuf_cpu_weighting_of(plan, b)};
        if (fixed)
            ENUF_TRY(BY_PRECISION(plan, enuf_cpu_spread_fixed, plan, &job));
        else
            ENUF_TRY(BY_PRECISION(plan, enuf_cpu_spread, plan, &job, &outside));
    }
    return ENUF_SUCCESS;
}

static enuf_status grid(enuf_nufft *plan, void **cells, int64_t *count, enuf_cell_type *type)
{
    const enuf_cpu *cpu = plan->workspace;
    int fixed = plan->options.deterministic;
    *cells = fixed ? (void *)fixed_cells(cpu) : cpu->grid;
    *count = cpu->batch_cells * plan->options.batch;
    *type = fixed ? ENUF_CELL_INT64
                  : (plan->options.precision == ENUF_FLOAT ? ENUF_CELL_FLOAT : ENUF_CELL_DOUBLE);
    return ENUF_SUCCESS;
}

/* A cell that is not finite, from strengths or a change by the caller, makes the sum of all cells
 * not finite. */
static enuf_status check_zeroth(const enuf_nufft *plan, const void *transform, int batch)
{
    const enuf_cpu *cpu = plan->workspace;
    for (int64_t k = 0; k < 2 * (int64_t)batch; k++) {
        const int64_t at = k / 2 * cpu->batch_cells + k % 2;
        const double part = plan->options.precision == ENUF_FLOAT ? ((const float *)transform)[at]
                                                                  : ((const double *)transform)[at];
        if (!isfinite(part))
            return enuf_fail(ENUF_NOT_FINITE, "a cell of the fine grid is NaN or infinite");
    }
    return ENUF_SUCCESS;
}

static enuf_status forward_fft(enuf_nufft *plan)
{
    enuf_cpu *cpu = plan->workspace;
    if (plan->options.deterministic)
        BY_PRECISION(plan, enuf_cpu_from_fixed, plan, cpu->grid, fixed_cells(cpu));
    BY_PRECISION(plan, enuf_cpu_fft, plan, 0);
    ENUF_TRY(enuf_fft_check(cpu->fft.passes));
    return check_zeroth(plan, cpu->grid, plan->options.batch);
}

static enuf_status backward_fft(enuf_nufft *plan)
{
    const enuf_cpu *cpu = plan->workspace;
    BY_PRECISION(plan, enuf_cpu_fft, plan, 1);
    return enuf_fft_check(cpu->fft.passes);
}

static enuf_status deconvolve(enuf_nufft *plan, void *modes)
{
    BY_PRECISION(plan, enuf_cpu_deconvolve, plan, modes);
    return ENUF_SUCCESS;
}

static enuf_status get_spectrum(enuf_nufft *plan, int64_t n, const int64_t *index, void *packed)
{
    BY_PRECISION(plan, enuf_cpu_get_spectrum, plan, n, index, packed);
    return ENUF_SUCCESS;
}

static enuf_status put_spectrum(enuf_nufft *plan, int64_t n, const int64_t *index,
                                const void *packed)
{
    BY_PRECISION(plan, enuf_cpu_put_spectrum, plan, n, index, packed);
    return ENUF_SUCCESS;
}

static enuf_status reduce(enuf_nufft *plan, int n, const void *weights, int moments, double *sums)
{
    BY_PRECISION(plan, enuf_cpu_reduce, plan, n, weights, moments, sums);
    return ENUF_SUCCESS;
}

static enuf_status amplify(enuf_nufft *plan, const void *modes, enuf_multiplier kind,
                           const void *multiplier)
{
    BY_PRECISION(plan, enuf_cpu_amplify, plan, modes, kind, multiplier);
    return ENUF_SUCCESS;
}

static enuf_status fill_runs(enuf_nufft *plan, const enuf_runs *runs, void *numbers)
{
    BY_PRECISION(plan, enuf_cpu_runs_fill, plan, runs, numbers);
    return ENUF_SUCCESS;
}

static enuf_status interpolate(enuf_nufft *plan, void *values, void *gradients)
{
    const enuf_cpu *cpu = plan->workspace;
    size_t step = number_size(plan) * (size_t)plan->n_points * (plan->real ? 1 : 2), dim;
    dim = (size_t)plan->options.dim;
    if (plan->options.level == ENUF_LEVEL_MATRIX && values) {
        ENUF_TRY(BY_PRECISION(plan, enuf_cpu_matrix_interpolate, plan, values));
        if (!gradients) return ENUF_SUCCESS;
        values = NULL;
    }
    for (size_t b = 0; b < (size_t)plan->options.batch; b++) {
        enuf_interpolate_job job = {
            .target = enuf_target_whole(plan, cpu->row, cpu->plane),
            .cells = (char *)cpu->grid + number_size(plan) * b * (size_t)cpu->batch_cells,
            .values = values ? (char *)values + (plan->terms ? 0 : step * b) : NULL,
            .gradients = gradients ? (char *)gradients + step * dim * b : NULL,
            .add = plan->terms,
            .weighting = enuf_cpu_weighting_of(plan, (int64_t)b)};
        ENUF_TRY(BY_PRECISION(plan, enuf_cpu_interpolate, plan, &job));
    }
    return ENUF_SUCCESS;
}

static enuf_status check(enuf_nufft *plan, int64_t *first_bad)
{
    enuf_sorted_points *p = &((enuf_cpu *)plan->workspace)->points;
    int64_t bad = p->first_bad;
    p->first_bad = -1;
    if (first_bad) *first_bad = bad;
    if (bad < 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_NOT_FINITE, "point %lld has a coordinate that is NaN or infinite",
                     (long long)bad);
}

static enuf_status stage_spread(enuf_nufft *plan, const void *strengths, const void *factors,
                                const enuf_brick *brick, void *cells, int add)
{
    enuf_spread_job job = {.strengths = strengths,
                           .factors = factors,
                           .target = enuf_target_brick(plan, brick),
                           .cells = cells};
    int per_cell = plan->real ? 1 : 2;
    strength_size unused;
    ENUF_TRY(look_at_strengths(plan, strengths, factors, 1, &unused));
    if (!add)
        for (int64_t z = 0; z < job.target.count[2]; z++)
            for (int64_t y = 0; y < job.target.count[1]; y++)
                memset((char *)cells +
                           (size_t)(z * job.target.stride[2] + y * job.target.stride[1]) *
                               number_size(plan),
                       0, number_size(plan) * (size_t)(job.target.count[0] * per_cell));
    int64_t outside;
    ENUF_TRY(BY_PRECISION(plan, enuf_cpu_spread, plan, &job, &outside));
    return enuf_outside_brick(outside);
}

static enuf_status stage_interpolate(enuf_nufft *plan, const enuf_brick *brick, const void *cells,
                                     const void *factors, void *values, void *gradients, int add)
{
    enuf_interpolate_job job = {.target = enuf_target_brick(plan, brick),
                                .cells = cells,
                                .factors = factors,
                                .values = values,
                                .gradients = gradients,
                                .add = add};
    return BY_PRECISION(plan, enuf_cpu_interpolate, plan, &job);
}

static enuf_status stage_deconvolve(enuf_nufft *plan, const enuf_spectral_box *box, void *spectrum)
{
    if (enuf_box_begins_at_zero(plan, box)) ENUF_TRY(check_zeroth(plan, spectrum, 1));
    BY_PRECISION(plan, enuf_cpu_stage_deconvolve, plan, box, spectrum);
    return ENUF_SUCCESS;
}

static enuf_status stage_multiply(enuf_nufft *plan, const enuf_spectral_box *box,
                                  enuf_multiplier kind, const void *multiplier, void *spectrum)
{
    BY_PRECISION(plan, enuf_cpu_stage_multiply, plan, box, kind, multiplier, spectrum);
    return ENUF_SUCCESS;
}

static enuf_status stage_reduce(enuf_nufft *plan, const enuf_spectral_box *box, int n,
                                const void *weights, int moments, const void *spectrum,
                                double *sums)
{
    return BY_PRECISION(plan, enuf_cpu_stage_reduce, plan, box, n, weights, moments, spectrum,
                        sums);
}

const enuf_nufft_backend ENUF_OF_SET(enuf_nufft_backend_cpu) = {
    .name = "cpu",
    .kind = ENUF_BACKEND_CPU,
    .usable = usable,
    .create = create,
    .destroy = destroy,
    .bytes = bytes,
    .reserve = enuf_cpu_sort_reserve,
    .keep_weights = keep_weights,
    .set_points = enuf_cpu_set_points,
    .fill_runs = fill_runs,
    .spread = spread,
    .grid = grid,
    .forward_fft = forward_fft,
    .deconvolve = deconvolve,
    .get_spectrum = get_spectrum,
    .put_spectrum = put_spectrum,
    .reduce = reduce,
    .amplify = amplify,
    .backward_fft = backward_fft,
    .interpolate = interpolate,
    .check = check,
    .type3 = &enuf_cpu_type3,
    .direct = &enuf_direct_engine_cpu,
    .encoding = &enuf_cpu_encoding,
    .gram = &enuf_cpu_gram,
    .stage_spread = stage_spread,
    .stage_interpolate = stage_interpolate,
    .stage_deconvolve = stage_deconvolve,
    .stage_multiply = stage_multiply,
    .stage_reduce = stage_reduce,
};
