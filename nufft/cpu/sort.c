/*
 * sort.c - folds points into the fine grid and sorts them by bins: a counting sort that keeps the
 * caller's order inside a bin, so that its result does not depend on the number of threads.
 *
 * Bytes a point: reads 24 twice, writes 4 + 32; bound by memory.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu.h"

#include <math.h>
#include <string.h>

/* Cells of a bin: bin and window stay in the first cache. Bins of a block: its tile stays in the
 * second, and the larger it is the less often a cell of the grid is touched, (block +
 * width)^3/block^3 times. Logarithms to the base 2; docs/decisions.md. */
static const int BIN_LOG2[3][3] = {{10, 0, 0}, {5, 5, 0}, {4, 3, 3}};
static const int BLOCK_LOG2[3][3] = {{0, 0, 0}, {1, 1, 0}, {1, 1, 1}};
static const int64_t LARGEST_TILE = 65536; /* numbers */

/* Threads want blocks to share, and a wide window's tile must not outgrow the second cache. */
static int block_is_too_large(const enuf_nufft *plan, const enuf_sorted_points *p)
{
    int64_t numbers = plan->real ? 1 : 2, blocks = 1;
    for (int d = 0; d < plan->options.dim; d++) {
        int log2 = p->bin_log2[d] + p->block_log2[d];
        numbers *= ((int64_t)1 << log2) + plan->method.window.width;
        blocks *= (plan->method.grid[d] >> log2) + 1;
    }
    return numbers > LARGEST_TILE || blocks < 4 * plan->threads;
}

static void choose_blocks(const enuf_nufft *plan, enuf_sorted_points *p)
{
    int dim = plan->options.dim;
    for (int d = 0; d < 3; d++) {
        p->bin_log2[d] = BIN_LOG2[dim - 1][d];
        p->block_log2[d] = BLOCK_LOG2[dim - 1][d];
    }
    for (int d = 2; d >= 0 && block_is_too_large(plan, p); d--) p->block_log2[d] = 0;
    p->n_blocks = p->bins_per_block = 1;
    for (int d = 0; d < 3; d++) {
        int64_t cells = (int64_t)1 << (p->bin_log2[d] + p->block_log2[d]);
        p->blocks[d] = (plan->method.grid[d] + cells - 1) / cells;
        p->n_blocks *= p->blocks[d];
        p->bins_per_block <<= p->block_log2[d];
    }
    p->n_bins = p->n_blocks * p->bins_per_block;
}

enuf_status enuf_cpu_sort_create(enuf_nufft *plan)
{
    enuf_sorted_points *p = &((enuf_cpu *)plan->workspace)->points;
    p->first_bad = -1;
    choose_blocks(plan, p);
    if (p->n_bins >= UINT32_MAX)
        return enuf_fail(ENUF_OUT_OF_MEMORY, "a fine grid of %lld bins is too large",
                         (long long)p->n_bins);
    ENUF_TRY(enuf_allocate(&p->start, p->n_bins + 1, sizeof(int64_t), "bins"));
    memset(p->start, 0, (size_t)(p->n_bins + 1) * sizeof(int64_t));
    return enuf_allocate(&p->counts, p->n_bins * plan->threads, sizeof(int64_t),
                         "counts of points in bins");
}

void enuf_cpu_sort_free(enuf_sorted_points *p)
{
    for (int d = 0; d < 3; d++) enuf_release(&p->u[d]);
    enuf_release(&p->order);
    enuf_release(&p->bin);
    enuf_release(&p->start);
    enuf_release(&p->counts);
}

int64_t enuf_cpu_bytes_per_point(const enuf_nufft *plan)
{
    return 8 * plan->options.dim + 8 + 4; /* coordinates, order, bin */
}

/* The limit is for what is held afterwards, not for the moment in which old arrays stand by. */
static enuf_status check_limit(const enuf_nufft *plan, int64_t more_points)
{
    double limit = (double)plan->options.memory_limit;
    double bytes = (double)enuf_nufft_bytes(plan);
    bytes += (double)more_points * (double)enuf_cpu_bytes_per_point(plan);
    if (limit == 0 || bytes <= limit) return ENUF_SUCCESS;
    return enuf_fail(ENUF_OUT_OF_MEMORY,
                     "with %lld more points the plan takes %.3g GB, memory_limit is %.3g GB",
                     (long long)more_points, bytes / 1e9, limit / 1e9);
}

enuf_status enuf_cpu_sort_reserve(enuf_nufft *plan, int64_t max_points)
{
    enuf_sorted_points *p = &((enuf_cpu *)plan->workspace)->points;
    if (max_points <= p->capacity) return ENUF_SUCCESS;
    ENUF_TRY(check_limit(plan, max_points - p->capacity));
    /* new arrays first: a failure leaves the plan as it was */
    enuf_sorted_points fresh = {0};
    enuf_status status = ENUF_SUCCESS;
    for (int d = 0; d < plan->options.dim && status == ENUF_SUCCESS; d++)
        status = enuf_allocate(&fresh.u[d], max_points, sizeof(double), "sorted coordinates");
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&fresh.order, max_points, sizeof(int64_t), "order of points");
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&fresh.bin, max_points, sizeof(uint32_t), "bins of points");
    if (status != ENUF_SUCCESS) {
        enuf_cpu_sort_free(&fresh);
        return status;
    }
    for (int d = 0; d < 3; d++) {
        enuf_release(&p->u[d]);
        p->u[d] = fresh.u[d];
    }
    enuf_release(&p->order);
    enuf_release(&p->bin);
    p->order = fresh.order;
    p->bin = fresh.bin;
    p->capacity = max_points;
    plan->points_set = 0; /* earlier points went with the old arrays */
    return ENUF_SUCCESS;
}

/* Position of point j in cells, 0 <= u < grid; 0 if a coordinate is not finite. */
static inline int fold(const enuf_nufft *plan, const enuf_coordinates *c, int64_t j, double u[3])
{
    double x[3] = {0}, s[3];
    int dim = plan->options.dim;
    for (int d = 0; d < dim; d++)
        x[d] = c->precision == ENUF_DOUBLE ? ((const double *)c->axis[d])[j * c->stride]
                                           : (double)((const float *)c->axis[d])[j * c->stride];
    for (int d = 0; d < dim; d++) {
        const double *T = plan->frame + 3 * d, *o = plan->origin;
        s[d] = plan->has_frame
                   ? fma(T[0], x[0] - o[0], fma(T[1], x[1] - o[1], T[2] * (x[2] - o[2])))
                   : x[d] / plan->options.period;
    }
    int finite = 1;
    for (int d = 0; d < dim; d++) {
        double grid = (double)plan->method.grid[d];
        u[d] = (s[d] - floor(s[d])) * grid;
        finite &= u[d] >= 0; /* false for NaN, and for the NaN that infinity minus itself gives */
        if (u[d] >= grid) u[d] = 0; /* s just below an integer rounds up to it */
    }
    return finite;
}

static inline uint32_t bin_of(const enuf_sorted_points *p, int dim, const double u[3])
{
    int64_t block = 0, inside = 0;
    for (int d = dim - 1; d >= 0; d--) {
        int64_t bin = (int64_t)u[d] >> p->bin_log2[d];
        block = block * p->blocks[d] + (bin >> p->block_log2[d]);
        inside = (inside << p->block_log2[d]) + (bin & ((1 << p->block_log2[d]) - 1));
    }
    return (uint32_t)(block * p->bins_per_block + inside);
}

/* counts[thread][bin] -> first place of each; start[bin]. */
static void prefix_sums(enuf_sorted_points *p, int threads)
{
    int64_t place = 0;
    for (int64_t bin = 0; bin < p->n_bins; bin++) {
        p->start[bin] = place;
        for (int t = 0; t < threads; t++) {
            int64_t *count = &p->counts[t * p->n_bins + bin];
            int64_t n = *count;
            *count = place;
            place += n;
        }
    }
    p->start[p->n_bins] = place;
}

enuf_status enuf_cpu_sort(enuf_nufft *plan, const enuf_coordinates *c)
{
    enuf_sorted_points *p = &((enuf_cpu *)plan->workspace)->points;
    int dim = plan->options.dim, threads = plan->threads;
    int64_t bad = INT64_MAX;
    if (c->n < 1000) threads = 1;
#pragma omp parallel for num_threads(threads) schedule(static, 1) reduction(min : bad)
    for (int t = 0; t < threads; t++) {
        int64_t *count = p->counts + t * p->n_bins;
        memset(count, 0, (size_t)p->n_bins * sizeof *count);
        for (int64_t j = c->n * t / threads; j < c->n * (t + 1) / threads; j++) {
            double u[3];
            if (!fold(plan, c, j, u)) {
                if (j < bad) bad = j;
                continue;
            }
            p->bin[j] = bin_of(p, dim, u);
            count[p->bin[j]]++;
        }
    }
    p->first_bad = bad == INT64_MAX ? -1 : bad;
    if (p->first_bad >= 0)
        return enuf_fail(ENUF_NOT_FINITE,
                         "point %lld has a coordinate that is NaN, infinite or too large",
                         (long long)p->first_bad);
    prefix_sums(p, threads);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; t++) {
        int64_t *place = p->counts + t * p->n_bins;
        for (int64_t j = c->n * t / threads; j < c->n * (t + 1) / threads; j++) {
            double u[3];
            fold(plan, c, j, u);
            int64_t to = place[p->bin[j]]++;
            for (int d = 0; d < dim; d++) p->u[d][to] = u[d];
            p->order[to] = j;
        }
    }
    return ENUF_SUCCESS;
}
