/*
 * spread_fixed.c - deterministic spreading: sums in 64-bit integers, which do not depend on their
 * order.
 *
 * scale is a power of two such that no cell can overflow: bound * scale <= 2^62, bound >= sum
 * |strength| (windows are at most 1). The resolution is bound * 2^-62. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "parallel.h"
#include "point.h"
#include "weigh.h"

#include <float.h>
#include <string.h>

/* Nearest integer; the compiler turns this into vector instructions. */
static inline int64_t nearest(double x)
{
    return (int64_t)(x + (x < 0 ? -0.5 : 0.5));
}

/* Adds n located points. */
static void add_points(const enuf_nufft *plan, const enuf_spread_job *job, const box *b,
                       const located *at, int n, int64_t *tile)
{
    const enuf_kernel_window *window = &((const enuf_cpu *)plan->workspace)->window;
    const real *strengths = job->strengths;
    int per_cell = plan->real ? 1 : 2, dim = plan->options.dim, width = window->width;
    int ny = dim > 1 ? width : 1, nz = dim > 2 ? width : 1;
    real w[3][ROW_MAX] = {{0}, {1}, {1}};
    double row[ROW_MAX];
    for (int i = 0; i < n; i++) {
        real q[2] = {strengths[at->index[i] * per_cell],
                     strengths[(at->index[i] + 1) * per_cell - 1]};
        int64_t *corner = tile + at->corner[i];
        weigh_strength(&job->weighting, at->index[i], per_cell, q);
        for (int d = 0; d < dim; d++) weights(window, at->t[d][i], w[d]);
        for (int x = 0; x < width * per_cell; x++)
            row[x] = (double)w[0][x / per_cell] * (double)q[x % per_cell] * job->scale;
        for (int k = 0; k < nz; k++)
            for (int l = 0; l < ny; l++) {
                int64_t *line = corner + (k * b->n[1] + l) * b->row;
                double c = (double)w[2][k] * (double)w[1][l];
                for (int x = 0; x < width * per_cell; x++) line[x] += nearest(c * row[x]);
            }
    }
}

static void fill_tile(const enuf_nufft *plan, const enuf_spread_job *job, int64_t from, int64_t to,
                      const box *b, int64_t *tile)
{
    located at;
    memset(tile, 0, (size_t)box_numbers(b) * sizeof(int64_t));
    for (int64_t j = from; j < to; j += LOCATED) {
        int n = (int)(to - j < LOCATED ? to - j : LOCATED);
        locate(plan, &job->target, b, enuf_cpu_sorted_at(plan, j), n, &at);
        add_points(plan, job, b, &at, n, tile);
    }
}

static void add_tile(enuf_nufft *plan, const enuf_spread_job *job, const box *b,
                     const int64_t *tile)
{
    int per_cell = plan->real ? 1 : 2;
    const enuf_target *target = &job->target;
    for (int64_t k = 0; k < b->n[2]; k++)
        for (int64_t j = 0; j < b->n[1]; j++) {
            const int64_t *from = tile + (k * b->n[1] + j) * b->row;
            int64_t *to = (int64_t *)job->cells +
                          target_index(target, 2, b->lo[2] + k) * target->stride[2] +
                          target_index(target, 1, b->lo[1] + j) * target->stride[1];
            for (int64_t x = 0; x < b->n[0]; x++) {
                int64_t at = target_index(target, 0, b->lo[0] + x) * per_cell;
                for (int c = 0; c < per_cell; c++)
                    __atomic_fetch_add(to + at + c, from[x * per_cell + c], __ATOMIC_RELAXED);
            }
        }
}

static void spread_run(enuf_nufft *plan, const enuf_spread_job *job, int64_t from, int64_t to,
                       int64_t *tile)
{
    box b = {{0}, {0}, 0};
    bounding_box(plan, &job->target, from, to, plan->real ? 1 : 2, &b);
    if (one_by_one(plan, &b, to - from)) {
        for (int64_t j = from; j < to; j++) spread_run(plan, job, j, j + 1, tile);
        return;
    }
    fill_tile(plan, job, from, to, &b, tile);
    add_tile(plan, job, &b, tile);
}

static int64_t spread_block(enuf_nufft *plan, const void *job, int64_t from, int64_t to, void *tile)
{
    spread_run(plan, job, from, to, tile);
    return -1;
}

enuf_status ENUF_SUFFIXED(enuf_cpu_spread_fixed)(enuf_nufft *plan, const enuf_spread_job *job)
{
    enuf_cpu_each_block(plan, spread_block, job);
    return ENUF_SUCCESS;
}

/* Strengths in slices, the same for any number of threads. */
enum { SLICES = 64 };

typedef struct largest_loop {
    const real *numbers, *factors;
    const enuf_weighting *weighting;
    int64_t n;
    int parts;
    double largest[SLICES], sum[SLICES][2]; /* of real and imaginary parts */
} largest_loop;

/* Sizes of numbers in 16 sums at a time: the compiler makes vectors of them, which stay in
 * registers. */
enum { SUMS = 16 };

static void add_sizes(const real *q, int64_t n, double largest[SUMS], double sum[SUMS])
{
    const int64_t whole = n / SUMS * SUMS;
    double most[SUMS], total[SUMS];
    memcpy(most, largest, sizeof most);
    memcpy(total, sum, sizeof total);
    for (int64_t j = 0; j < whole; j += SUMS) {
        double size[SUMS];
        for (int k = 0; k < SUMS; k++) size[k] = fabs((double)q[j + k]);
        for (int k = 0; k < SUMS; k++) total[k] += size[k];
        for (int k = 0; k < SUMS; k++) most[k] = size[k] > most[k] ? size[k] : most[k];
    }
    for (int k = 0; k < n - whole; k++) {
        const double size = fabs((double)q[whole + k]);
        total[k] += size;
        most[k] = size > most[k] ? size : most[k];
    }
    memcpy(largest, most, sizeof most);
    memcpy(sum, total, sizeof total);
}

/* The same of strengths from ... to - 1 times their weights and factors. */
static void add_sizes_of_products(const largest_loop *loop, int64_t from, int64_t to,
                                  double largest[SUMS], double sum[SUMS])
{
    const int parts = loop->parts;
    for (int64_t j = from; j < to; j++) {
        real strength[2] = {loop->numbers[j * parts], loop->numbers[(j + 1) * parts - 1]};
        if (loop->weighting->numbers) weigh(loop->weighting, j, parts, strength);
        for (int c = 0; c < parts && loop->factors; c++) strength[c] *= loop->factors[j];
        add_sizes(strength, parts, largest, sum);
    }
}

static void look_at_slices(void *context, int64_t slice, int64_t end, int thread)
{
    largest_loop *loop = context;
    const int parts = loop->parts;
    (void)thread;
    for (; slice < end; slice++) {
        const int64_t from = loop->n * slice / SLICES, to = loop->n * (slice + 1) / SLICES;
        double largest[SUMS] = {0}, sum[SUMS] = {0};
        int finite = 1;
        if (loop->factors || loop->weighting->numbers)
            add_sizes_of_products(loop, from, to, largest, sum);
        else
            add_sizes(loop->numbers + from * parts, (to - from) * parts, largest, sum);
        loop->largest[slice] = loop->sum[slice][0] = loop->sum[slice][1] = 0;
        for (int k = 0; k < SUMS; k++) {
            loop->sum[slice][k % parts] += sum[k];
            /* a NaN is in the sum only */
            if (isnan(sum[k]) || isinf(largest[k])) finite = 0;
            loop->largest[slice] = fmax(loop->largest[slice], largest[k]);
        }
        if (!finite) loop->largest[slice] = (double)NAN;
    }
}

/* Largest |part of a strength * weight * factor| of the plan's points, and the larger *sum of the
 * real and the imaginary parts; NaN if one is not finite. factors may be NULL. */
double ENUF_SUFFIXED(enuf_cpu_largest)(const enuf_nufft *plan, const void *strengths,
                                       const void *factors, const enuf_weighting *weighting,
                                       double *sum)
{
    const int parts = plan->real ? 1 : 2;
    largest_loop loop = {.numbers = strengths,
                         .factors = factors,
                         .weighting = weighting,
                         .n = plan->n_points,
                         .parts = parts};
    enuf_parallel_for(plan->threads, SLICES, 0, look_at_slices, &loop);
    double largest = 0, sums[2] = {0, 0};
    for (int k = 0; k < SLICES; k++) {
        for (int c = 0; c < parts; c++) sums[c] += loop.sum[k][c];
        if (!(loop.largest[k] <= largest)) largest = loop.largest[k]; /* a NaN stays */
        if (isnan(largest)) break;
    }
    *sum = fmax(sums[0], sums[1]);
    return largest;
}

typedef struct from_fixed_loop {
    const int64_t *fixed;
    real *to;
    double unit;
} from_fixed_loop;

static void convert_cells(void *context, int64_t begin, int64_t end, int thread)
{
    const from_fixed_loop *loop = context;
    const int64_t *fixed = loop->fixed;
    const double unit = loop->unit;
    real *to = loop->to;
    (void)thread;
    for (int64_t i = begin; i < end; i++) to[i] = (real)((double)fixed[i] * unit);
}

void ENUF_SUFFIXED(enuf_cpu_from_fixed)(enuf_nufft *plan, void *cells, const int64_t *fixed)
{
    const enuf_cpu *cpu = plan->workspace;
    from_fixed_loop loop = {fixed, cells, 1 / cpu->fixed_scale};
    enuf_parallel_for(plan->threads, cpu->batch_cells * plan->options.batch, 0, convert_cells,
                      &loop);
}
