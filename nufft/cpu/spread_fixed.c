/*
 * spread_fixed.c - deterministic spreading: sums in 64-bit integers, which do not depend on their
 * order.
 *
 * scale is a power of two such that no cell can overflow: bound * scale <= 2^62, bound >= sum
 * |strength| (windows are at most 1). The resolution is bound * 2^-62.
 *
 * Blocks, tiles and locks are those of spread.c. Rows of a tile are updated in aligned vectors of
 * the machine: what a cell gets is a weight of x times a weight of y and z, rounded once, wherever
 * the row begins. Of a vector: a product, a conversion, a load, an addition and a store.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "parallel.h"
#include "point.h"

#include <float.h>
#include <string.h>

#define CELL int64_t
#include "spread_tile.h"

enum { MOST_ROW_VECTORS = ROW_MAX / VD_LANES + 1 };

/* A window in double: rows of x, times the strength and the scale, for each place of y and z. */
typedef struct fixed_window {
    int shift, vectors; /* where the row begins in its first vector; vectors that it touches */
    _Alignas(64) double row[MOST_ROW_VECTORS * VD_LANES]; /* zeros around */
    double plane[ROW_MAX / 2][ROW_MAX / 2];               /* [z][y] */
} fixed_window;

/* tile rows += the window, n vectors each. */
INLINE void add_rows(int n, const fixed_window *w, int ny, int nz, int64_t *tile, int64_t step_y,
                     int64_t step_z)
{
    vd row[MOST_ROW_VECTORS];
    for (int v = 0; v < n; v++) row[v] = vd_load(w->row + v * VD_LANES);
    for (int k = 0; k < nz; k++, tile += step_z) {
        int64_t *line = tile;
        for (int j = 0; j < ny; j++, line += step_y) {
            const vd c = vd_set(w->plane[k][j]);
            for (int v = 0; v < n; v++) {
                int64_t *at = line + v * VD_LANES;
                vl_store(at, vl_load(at) + vd_to_integer(row[v] * c));
            }
        }
    }
}

static void add_window(const fixed_window *w, int ny, int nz, int64_t *tile, int64_t step_y,
                       int64_t step_z)
{
    switch (w->vectors) {
    case 1:
        add_rows(1, w, ny, nz, tile, step_y, step_z);
        break;
    case 2:
        add_rows(2, w, ny, nz, tile, step_y, step_z);
        break;
    case 3:
        add_rows(3, w, ny, nz, tile, step_y, step_z);
        break;
    case 4:
        add_rows(4, w, ny, nz, tile, step_y, step_z);
        break;
    default:
        add_rows(w->vectors, w, ny, nz, tile, step_y, step_z);
    }
}

INLINE void add_points(const spread_run *run, int width, int vectors, int complex, int kept,
                       const located *l, int n, const real *q)
{
    const enuf_kernel_window *window = &((const enuf_cpu *)run->plan->workspace)->window;
    const int dim = run->plan->options.dim, parts = complex ? 2 : 1, numbers = width * parts;
    const int across = vectors_across(vectors, complex);
    const int ny = dim > 1 ? width : 1, nz = dim > 2 ? width : 1;
    const int64_t step_y = run->box.row, step_z = run->box.n[1] * run->box.row;
    const real *strengths = run->job->strengths;
    fixed_window w;
    for (int i = 0; i < n; i++, q += parts) {
        __builtin_prefetch(strengths + l->ahead[i] * parts);
        _Alignas(64) real weights[3][ROW_MAX] = {{0}, {1}, {1}};
        for (int d = 0; d < dim && d < 3; d++) { /* gcc 12 sees more than three */
            vreal y[MOST_VECTORS];
            weights_of(l, kept, dim, d, i, across, window->coefficients, window->n_coefficients, y);
            for (int v = 0; v < across; v++) vstore(weights[d] + v * LANES, y[v]);
        }
        w.shift = (int)(l->corner[i] % VD_LANES);
        w.vectors = (w.shift + numbers + VD_LANES - 1) / VD_LANES;
        memset(w.row, 0, (size_t)w.vectors * VD_LANES * sizeof(double));
        for (int x = 0; x < numbers; x++)
            w.row[w.shift + x] =
                (double)weights[0][x / parts] * (double)q[x % parts] * run->job->scale;
        for (int k = 0; k < nz; k++)
            for (int j = 0; j < ny; j++)
                w.plane[k][j] = (double)weights[2][k] * (double)weights[1][j];
        add_window(&w, ny, nz, run->tile + l->corner[i] - w.shift, step_y, step_z);
    }
}

INLINE void add_located_by(const spread_run *run, int kept, const located *l, int n, const real *q)
{
    add_by_width(run, kept, l, n, q);
}

static int64_t spread_points(enuf_nufft *plan, const void *job, int64_t from, int64_t to,
                             void *tile)
{
    spread_run run = {.plan = plan, .job = job, .from = from, .to = to, .tile = tile};
    bounding_box(plan, &run.job->target, from, to, plan->real ? 1 : 2, &run.box);
    if (one_by_one(plan, &run.box, to - from)) {
        for (int64_t j = from; j < to; j++) spread_points(plan, job, j, j + 1, tile);
        return -1;
    }
    fill_tile(&run);
    add_tile(plan, run.job, &run.box, run.tile);
    return -1;
}

enuf_status ENUF_SUFFIXED(enuf_cpu_spread_fixed)(enuf_nufft *plan, const enuf_spread_job *job)
{
    enuf_cpu_each_block(plan, spread_points, job);
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
