/*
 * type3_points.c - the CPU's passes over points and targets of type 3. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "cpu.h"
#include "parallel.h"

#include <math.h>

enum { SLICES = 64 };

/* Packs coordinates in slices, each with an extent of its own. */
typedef struct pack_loop {
    const enuf_coordinates *from;
    int dim;
    double *packed; /* or NULL */
    double low[SLICES][3], high[SLICES][3];
    int64_t bad[SLICES]; /* the first point that is not finite, or n */
} pack_loop;

static void pack_slices(void *context, int64_t slice, int64_t end, int thread)
{
    pack_loop *loop = context;
    const enuf_coordinates *c = loop->from;
    (void)thread;
    for (; slice < end; slice++) {
        const int64_t first = c->n * slice / SLICES, last = c->n * (slice + 1) / SLICES;
        loop->bad[slice] = c->n;
        for (int d = 0; d < loop->dim; d++) {
            const double *f64 = c->axis[d];
            const float *f32 = c->axis[d];
            double low = INFINITY, high = -INFINITY;
            for (int64_t j = first; j < last; j++) {
                const int64_t at = j * c->stride;
                const double x = c->precision == ENUF_FLOAT ? (double)f32[at] : f64[at];
                if (loop->packed) loop->packed[d * c->n + j] = x;
                low = x < low ? x : low;
                high = x > high ? x : high;
                if (!isfinite(x) && j < loop->bad[slice]) loop->bad[slice] = j;
            }
            loop->low[slice][d] = low;
            loop->high[slice][d] = high;
        }
    }
}

static enuf_status pack(enuf_nufft *plan, const enuf_coordinates *from, double *packed,
                        double low[3], double high[3], int64_t *bad)
{
    pack_loop loop = {.from = from, .dim = plan->options.dim, .packed = packed};
    enuf_parallel_for(plan->threads, SLICES, 0, pack_slices, &loop);
    *bad = -1;
    for (int slice = 0; slice < SLICES; slice++) {
        for (int d = 0; d < plan->options.dim; d++) {
            low[d] = slice == 0 ? loop.low[0][d] : fmin(low[d], loop.low[slice][d]);
            high[d] = slice == 0 ? loop.high[0][d] : fmax(high[d], loop.high[slice][d]);
        }
        if (*bad < 0 && loop.bad[slice] < from->n) *bad = loop.bad[slice];
    }
    return ENUF_SUCCESS;
}

static enuf_status allocate(enuf_nufft *plan, void *pointer, int64_t count, size_t size,
                            const char *what)
{
    (void)plan;
    return enuf_allocate(pointer, count, size, what);
}

static void release(enuf_nufft *plan, void *pointer)
{
    (void)plan;
    enuf_release(pointer);
}

static enuf_status make_factors(enuf_nufft *plan, int64_t n, const double *packed,
                                const enuf_type3_factors *spec, void *factors)
{
    if (plan->options.precision == ENUF_FLOAT)
        enuf_cpu_type3_factors_f32(plan, n, packed, spec, factors);
    else
        enuf_cpu_type3_factors_f64(plan, n, packed, spec, factors);
    return ENUF_SUCCESS;
}

static enuf_status multiply(enuf_nufft *plan, const enuf_type3_product *product)
{
    if (plan->options.precision == ENUF_FLOAT)
        enuf_cpu_type3_multiply_f32(plan, product);
    else
        enuf_cpu_type3_multiply_f64(plan, product);
    return ENUF_SUCCESS;
}

static enuf_brick whole(const enuf_nufft *plan)
{
    const int64_t *grid = plan->method.grid;
    enuf_brick brick = {.stride = {1, grid[0], grid[0] * grid[1]}};
    for (int d = 0; d < 3; d++) brick.global[d] = brick.n[d] = grid[d];
    return brick;
}

/* Bytes of the points, and of the cells, of a vector. */
static size_t point_bytes(const enuf_nufft *plan)
{
    return 2 * (size_t)plan->n_points * enuf_number_size(plan);
}

static size_t cell_bytes(const enuf_nufft *plan)
{
    const int64_t *grid = plan->method.grid;
    return 2 * (size_t)(grid[0] * grid[1] * grid[2]) * enuf_number_size(plan);
}

static enuf_status spread(enuf_nufft *spreading, const void *strengths, void *cells)
{
    const enuf_brick brick = whole(spreading);
    for (size_t b = 0; b < (size_t)spreading->options.batch; b++)
        ENUF_TRY(spreading->backend->stage_spread(
            spreading, (const char *)strengths + b * point_bytes(spreading), NULL, &brick,
            (char *)cells + b * cell_bytes(spreading), 0));
    return ENUF_SUCCESS;
}

static enuf_status interpolate(enuf_nufft *spreading, const void *cells, void *values)
{
    const enuf_brick brick = whole(spreading);
    for (size_t b = 0; b < (size_t)spreading->options.batch; b++)
        ENUF_TRY(spreading->backend->stage_interpolate(
            spreading, &brick, (const char *)cells + b * cell_bytes(spreading), NULL,
            (char *)values + b * point_bytes(spreading), NULL, 0));
    return ENUF_SUCCESS;
}

static enuf_status take(enuf_nufft *plan, const char *name, const void *array, int64_t bytes,
                        void *room, const void **taken)
{
    (void)plan, (void)name, (void)bytes, (void)room;
    *taken = array;
    return ENUF_SUCCESS;
}

static enuf_status place(enuf_nufft *plan, const char *name, void *array, void *room, void **placed)
{
    (void)plan, (void)name, (void)room;
    *placed = array;
    return ENUF_SUCCESS;
}

static enuf_status give(enuf_nufft *plan, void *array, int64_t bytes, const void *placed)
{
    (void)plan, (void)array, (void)bytes, (void)placed;
    return ENUF_SUCCESS;
}

static enuf_status sample(enuf_nufft *plan, int64_t n, const double *packed, int64_t step,
                          int64_t count, double *samples)
{
    for (int d = 0; d < plan->options.dim; d++)
        for (int64_t k = 0; k < count; k++) samples[d * count + k] = packed[d * n + k * step];
    return ENUF_SUCCESS;
}

const enuf_type3_passes enuf_cpu_type3 = {
    .allocate = allocate,
    .release = release,
    .pack = pack,
    .sample = sample,
    .make_factors = make_factors,
    .multiply = multiply,
    .spread = spread,
    .interpolate = interpolate,
    .take = take,
    .place = place,
    .give = give,
};
