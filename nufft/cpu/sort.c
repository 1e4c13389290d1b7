/*
 * sort.c - sorts points by bins of the fine grid: a counting sort that keeps the caller's order
 * inside a bin, so that its result does not depend on the number of threads.
 *
 * Bytes a point: reads 8 dim twice, writes 8 (dim + 1), scattered: they bound it, on one core even
 * in the third cache. A point's bin is found twice, which takes less time than keeping it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

/* Cells of a bin: neighbours in the sorted order share most of their windows' lines in the first
 * cache. Bins of a block: the block's tile stays in the second cache. The larger it is, the less
 * often a cell of the grid is touched: (block + width)^3/block^3 times. Logarithms to the base 2.
 * 1e6 points at 0.1 a mode, width 7, one core of an EPYC (Zen 4), November 2026: a tile for each
 * bin 0.82 s, for a block 0.43; bins of 16 x 8 x 8 are a quarter slower at width 10. */
static const int BIN_LOG2[3][3] = {{10, 0, 0}, {5, 4, 0}, {2, 2, 2}};
static const int BLOCK_LOG2[3][3] = {{0, 0, 0}, {1, 2, 0}, {3, 3, 3}};
static const int64_t LARGEST_TILE = 512 * 1024; /* bytes */
static const int64_t MOST_COUNTS = (int64_t)1
                                   << 22; /* of bins times threads: finer bins are dropped */

enum { CHUNK = ENUF_FOLD_CHUNK };

/* The place of a point is prefetched so many points ahead. */
enum { AHEAD = 32 };

/* Threads want blocks to share, and a wide window's tile must not outgrow the second cache. */
static int block_is_too_large(const enuf_nufft *plan, const enuf_sorted_points *p)
{
    int small = plan->options.precision == ENUF_FLOAT && !plan->options.deterministic;
    int64_t bytes = (small ? 4 : 8) * (plan->real ? 1 : 2), blocks = 1;
    for (int d = 0; d < plan->options.dim; d++) {
        int log2 = p->bin_log2[d] + p->block_log2[d];
        bytes *= ((int64_t)1 << log2) + plan->method.window.width;
        blocks *= (plan->method.grid[d] >> log2) + 1;
    }
    return bytes > LARGEST_TILE || blocks < 4 * plan->threads;
}

/* Halves the longest side of the blocks, the last one of equal sides. Returns 0 if a block is a
 * single bin. */
static int halve_blocks(enuf_sorted_points *p)
{
    int longest = 0;
    for (int d = 1; d < 3; d++)
        if (p->block_log2[d] >= p->block_log2[longest]) longest = d;
    if (p->block_log2[longest] == 0) return 0;
    p->block_log2[longest]--;
    return 1;
}

static void choose_blocks(const enuf_nufft *plan, enuf_sorted_points *p)
{
    int dim = plan->options.dim;
    for (int d = 0; d < 3; d++) {
        p->bin_log2[d] = BIN_LOG2[dim - 1][d];
        p->block_log2[d] = BLOCK_LOG2[dim - 1][d];
    }
    while (block_is_too_large(plan, p) && halve_blocks(p)) continue;
    p->n_blocks = p->bins_per_block = 1;
    for (int d = 0; d < 3; d++) {
        int64_t cells = (int64_t)1 << (p->bin_log2[d] + p->block_log2[d]);
        p->blocks[d] = (plan->method.grid[d] + cells - 1) / cells;
        p->n_blocks *= p->blocks[d];
        p->bins_per_block <<= p->block_log2[d];
    }
    for (int d = 0; d < dim; d++)
        while (p->block_log2[d] > 0 &&
               p->n_blocks * p->bins_per_block * plan->threads > MOST_COUNTS) {
            p->bin_log2[d]++;
            p->block_log2[d]--;
            p->bins_per_block /= 2;
        }
    if (plan->options.level == ENUF_LEVEL_NONE) p->n_blocks = p->bins_per_block = 1;
    p->n_bins = p->n_blocks * p->bins_per_block;
}

enuf_status enuf_cpu_sort_create(enuf_nufft *plan)
{
    enuf_sorted_points *p = &((enuf_cpu *)plan->workspace)->points;
    p->first_bad = -1;
    choose_blocks(plan, p);
    if (p->n_bins >= INT32_MAX)
        return enuf_fail(ENUF_OUT_OF_MEMORY, "a fine grid of %lld bins is too large",
                         (long long)p->n_bins);
    ENUF_TRY(enuf_allocate(&p->start, p->n_blocks + 1, sizeof(int64_t), "blocks"));
    memset(p->start, 0, (size_t)(p->n_blocks + 1) * sizeof(int64_t));
    return enuf_allocate(&p->counts, p->n_bins * plan->threads, sizeof(int64_t),
                         "counts of points in bins");
}

void enuf_cpu_sort_free(enuf_sorted_points *p)
{
    enuf_release(&p->sorted);
    enuf_release(&p->folded);
    enuf_cpu_level_free(&p->kept);
    enuf_release(&p->start);
    enuf_release(&p->counts);
}

int64_t enuf_cpu_bytes_per_point(const enuf_nufft *plan)
{
    const int numbers = plan->options.dim + 1 + (plan->options.dim == 1); /* of 1D folded as well */
    return numbers * (int64_t)sizeof(enuf_point_number) + enuf_cpu_level_bytes_per_point(plan);
}

/* The limit is for the memory held afterwards. For a moment old arrays exist beside the new ones;
 * they do not count. */
static enuf_status check_limit(const enuf_nufft *plan, int64_t more_points)
{
    double limit = (double)plan->options.memory_limit;
    double bytes = (double)enuf_nufft_bytes(plan);
    bytes += (double)more_points * (double)enuf_cpu_bytes_per_point(plan);
    if (limit == 0 || bytes <= limit) return ENUF_SUCCESS;
    return enuf_fail(
        ENUF_OUT_OF_MEMORY,
        "with %lld more points the plan takes %.3g GB, memory_limit is %.3g GB; level "
        "%s takes %lld bytes a point, %.0f bytes in all",
        (long long)more_points, bytes / 1e9, limit / 1e9, enuf_level_name(plan->options.level),
        (long long)(enuf_cpu_bytes_per_point(plan) + enuf_coordinates_bytes_per_point(plan)),
        bytes);
}

/* Arrays for more points than there is room for, beside the old ones; none where that is enough. */
static enuf_status make_room(const enuf_nufft *plan, int64_t points, enuf_sorted_points *fresh)
{
    const enuf_sorted_points *p = &((const enuf_cpu *)plan->workspace)->points;
    *fresh = (enuf_sorted_points){0};
    if (points <= p->capacity) return ENUF_SUCCESS;
    ENUF_TRY(check_limit(plan, points - p->capacity));
    const size_t record = (size_t)(plan->options.dim + 1) * sizeof *fresh->sorted;
    enuf_status status = enuf_allocate(&fresh->sorted, points, record, "sorted points");
    if (status == ENUF_SUCCESS && plan->options.dim == 1)
        status = enuf_allocate(&fresh->folded, points, sizeof(double), "folded points");
    if (status == ENUF_SUCCESS) status = enuf_cpu_level_room(plan, points, &fresh->kept);
    if (status != ENUF_SUCCESS) enuf_cpu_sort_free(fresh);
    fresh->capacity = points;
    return status;
}

/* Exchanges the arrays of points for fresh ones, if there are any. */
static void exchange(enuf_sorted_points *p, enuf_sorted_points *fresh)
{
    if (!fresh->sorted) return;
    const enuf_sorted_points old = *p;
    p->sorted = fresh->sorted;
    p->folded = fresh->folded;
    p->kept = fresh->kept;
    p->capacity = fresh->capacity;
    fresh->sorted = old.sorted;
    fresh->folded = old.folded;
    fresh->kept = old.kept;
    fresh->capacity = old.capacity;
}

enuf_status enuf_cpu_sort_reserve(enuf_nufft *plan, int64_t max_points)
{
    enuf_sorted_points *p = &((enuf_cpu *)plan->workspace)->points, fresh;
    if (max_points <= p->capacity) return ENUF_SUCCESS;
    ENUF_TRY(make_room(plan, max_points, &fresh)); /* a failure leaves the plan as it was */
    exchange(p, &fresh);
    enuf_cpu_sort_free(&fresh);
    plan->points_set = 0; /* earlier points went with the old arrays */
    return ENUF_SUCCESS;
}

/* Bins of n points. Their numbers fit 32 bits (enuf_cpu_sort_create()). */
static void find_bins(const enuf_sorted_points *p, int dim, double u[3][CHUNK], int n,
                      uint32_t bin[CHUNK])
{
    if (p->n_bins == 1) {
        memset(bin, 0, (size_t)n * sizeof *bin);
        return;
    }
    uint32_t block = (uint32_t)p->bins_per_block; /* bins to the next block along the axis */
    int inside = 0;                               /* the same inside a block, logarithm */
    for (int d = 0; d < dim; d++) {
        const int log2 = p->block_log2[d];
        const int32_t mask = ((int32_t)1 << log2) - 1;
        const double bins_per_cell = ldexp(1, -p->bin_log2[d]); /* the product is exact */
        for (int i = 0; i < n; i++) {
            const int32_t at = (int32_t)(u[d][i] * bins_per_cell);
            const uint32_t bins = (uint32_t)(at >> log2) * block;
            bin[i] = (d == 0 ? 0 : bin[i]) + bins + ((uint32_t)(at & mask) << inside);
        }
        block *= (uint32_t)p->blocks[d];
        inside += log2;
    }
}

/* Positions in cells of n points from the j-th on. coordinates NULL: they are folded already. */
static int positions(const enuf_nufft *plan, const enuf_coordinates *coordinates, int64_t j, int n,
                     double u[3][CHUNK])
{
    if (coordinates) return enuf_cpu_fold(plan, coordinates, j, n, u);
    memcpy(u[0], ((const enuf_cpu *)plan->workspace)->points.folded + j,
           (size_t)n * sizeof(double));
    return n;
}

/* Bins of points [from, to) and their numbers; the first point that is not finite, or INT64_MAX. */
static int64_t count_points(enuf_nufft *plan, const enuf_coordinates *c, int64_t from, int64_t to,
                            int64_t *count)
{
    enuf_sorted_points *p = &((enuf_cpu *)plan->workspace)->points;
    double u[3][CHUNK];
    uint32_t bin[CHUNK];
    memset(count, 0, (size_t)p->n_bins * sizeof *count);
    for (int64_t j = from; j < to; j += CHUNK) {
        int n = (int)(to - j < CHUNK ? to - j : CHUNK), bad = positions(plan, c, j, n, u);
        if (bad < n) return j + bad;
        find_bins(p, plan->options.dim, u, n, bin);
        for (int i = 0; i < n; i++) count[bin[i]]++;
    }
    return INT64_MAX;
}

/* Writes the records of n points from the j-th on to their places. The line of a record's end is
 * fetched ahead: the record before it has touched the other one. The caller passes `dim` as a
 * constant. */
static inline __attribute__((always_inline)) void
write_records(int dim, enuf_point_number *sorted, int64_t j, int n, double u[3][CHUNK],
              const uint32_t bin[CHUNK], int64_t *place)
{
    for (int i = 0; i < n; i++) {
        const int64_t ahead = place[bin[i + AHEAD < n ? i + AHEAD : i]];
        __builtin_prefetch(sorted + ahead * (dim + 1) + dim, 1);
        enuf_point_number *record = sorted + place[bin[i]]++ * (dim + 1);
        record[0].index = j + i;
        for (int d = 0; d < dim; d++) record[1 + d].u = u[d][i];
    }
}

static void write_points(enuf_nufft *plan, const enuf_coordinates *c, int64_t from, int64_t to,
                         int64_t *place)
{
    const enuf_sorted_points *p = &((enuf_cpu *)plan->workspace)->points;
    double u[3][CHUNK];
    uint32_t bin[CHUNK];
    for (int64_t j = from; j < to; j += CHUNK) {
        int n = (int)(to - j < CHUNK ? to - j : CHUNK);
        positions(plan, c, j, n, u);
        find_bins(p, plan->options.dim, u, n, bin);
        switch (plan->options.dim) {
        case 1:
            write_records(1, p->sorted, j, n, u, bin, place);
            break;
        case 2:
            write_records(2, p->sorted, j, n, u, bin, place);
            break;
        default:
            write_records(3, p->sorted, j, n, u, bin, place);
        }
    }
}

/* The points in as many runs as threads, each with counts of its own. */
typedef struct sort_loop {
    enuf_nufft *plan;
    const enuf_coordinates *coordinates; /* NULL: folded already */
    int64_t n, *counts, n_bins;
    int runs;
    _Atomic int64_t bad;
} sort_loop;

static void count_run(void *context, int64_t run, int64_t end, int thread)
{
    sort_loop *loop = context;
    (void)thread;
    for (; run < end; run++)
        enuf_lower(&loop->bad,
                   count_points(loop->plan, loop->coordinates, loop->n * run / loop->runs,
                                loop->n * (run + 1) / loop->runs,
                                loop->counts + run * loop->n_bins));
}

static void write_run(void *context, int64_t run, int64_t end, int thread)
{
    sort_loop *loop = context;
    (void)thread;
    for (; run < end; run++)
        write_points(loop->plan, loop->coordinates, loop->n * run / loop->runs,
                     loop->n * (run + 1) / loop->runs, loop->counts + run * loop->n_bins);
}

/* Sums over ranges of bins, one range for each run. */
typedef struct prefix_loop {
    enuf_sorted_points *points;
    int runs;      /* of points: counts [runs][n_bins] */
    int64_t *sums; /* [ranges]: points of a range, then its first place */
    int ranges;
} prefix_loop;

static int64_t first_bin(const prefix_loop *loop, int64_t range)
{
    return loop->points->n_bins * range / loop->ranges;
}

static void sum_ranges(void *context, int64_t range, int64_t end, int thread)
{
    const prefix_loop *loop = context;
    const enuf_sorted_points *p = loop->points;
    (void)thread;
    for (; range < end; range++) {
        int64_t sum = 0;
        for (int run = 0; run < loop->runs; run++)
            for (int64_t bin = first_bin(loop, range); bin < first_bin(loop, range + 1); bin++)
                sum += p->counts[run * p->n_bins + bin];
        loop->sums[range] = sum;
    }
}

/* counts[run][bin] -> first place of each; start[block]. */
static void place_ranges(void *context, int64_t range, int64_t end, int thread)
{
    const prefix_loop *loop = context;
    enuf_sorted_points *p = loop->points;
    (void)thread;
    for (; range < end; range++) {
        int64_t place = loop->sums[range];
        for (int64_t bin = first_bin(loop, range); bin < first_bin(loop, range + 1); bin++) {
            if (bin % p->bins_per_block == 0) p->start[bin / p->bins_per_block] = place;
            for (int run = 0; run < loop->runs; run++) {
                int64_t *count = &p->counts[run * p->n_bins + bin];
                const int64_t n = *count;
                *count = place;
                place += n;
            }
        }
    }
}

static void prefix_sums(enuf_sorted_points *p, int runs, int64_t points)
{
    enum { MOST_RANGES = 64, BINS_OF_RANGE = 1024 };
    int64_t sums[MOST_RANGES], place = 0;
    prefix_loop loop = {.points = p, .runs = runs, .sums = sums, .ranges = runs};
    if (loop.ranges > MOST_RANGES) loop.ranges = MOST_RANGES;
    if (loop.ranges > p->n_bins / BINS_OF_RANGE + 1)
        loop.ranges = (int)(p->n_bins / BINS_OF_RANGE + 1);
    if (loop.ranges > 1) enuf_parallel_for(runs, loop.ranges, 1, sum_ranges, &loop);
    for (int range = 0; range < loop.ranges; range++) {
        const int64_t n = loop.ranges > 1 ? sums[range] : 0;
        sums[range] = place;
        place += n;
    }
    enuf_parallel_for(runs, loop.ranges, 1, place_ranges, &loop);
    p->start[p->n_blocks] = points;
}

/* The points in as many runs as there are threads; few points in one. */
static sort_loop make_loop(enuf_nufft *plan, const enuf_coordinates *coordinates, int64_t n)
{
    const enuf_sorted_points *p = &((const enuf_cpu *)plan->workspace)->points;
    return (sort_loop){.plan = plan,
                       .coordinates = coordinates,
                       .n = n,
                       .counts = p->counts,
                       .n_bins = p->n_bins,
                       .runs = n < 1000 ? 1 : plan->threads,
                       .bad = INT64_MAX};
}

static void count(sort_loop *loop)
{
    enuf_parallel_for(loop->runs, loop->runs, 1, count_run, loop);
}

/* After count(). */
static void place_and_write(sort_loop *loop)
{
    enuf_sorted_points *p = &((enuf_cpu *)loop->plan->workspace)->points;
    prefix_sums(p, loop->runs, loop->n);
    enuf_parallel_for(loop->runs, loop->runs, 1, write_run, loop);
    p->is_sorted = 1;
}

static void sort_folded(enuf_nufft *plan, int64_t n)
{
    sort_loop loop = make_loop(plan, NULL, n);
    count(&loop);
    place_and_write(&loop);
}

void enuf_cpu_sort(enuf_nufft *plan)
{
    if (!((const enuf_cpu *)plan->workspace)->points.is_sorted) sort_folded(plan, plan->n_points);
}

enuf_status enuf_cpu_set_points(enuf_nufft *plan, const enuf_coordinates *c)
{
    enuf_sorted_points *p = &((enuf_cpu *)plan->workspace)->points, fresh;
    const int line = plan->options.dim == 1;
    ENUF_TRY(make_room(plan, c->n, &fresh));
    sort_loop loop = make_loop(plan, c, c->n);
    const int is_fresh = fresh.sorted != NULL; /* the points before stay in the old arrays */
    exchange(p, &fresh);
    if (line)
        loop.bad = enuf_cpu_fold_line(plan, c, is_fresh ? p->folded : NULL);
    else
        count(&loop);
    p->first_bad = loop.bad == INT64_MAX ? -1 : loop.bad;
    if (p->first_bad >= 0) exchange(p, &fresh); /* the points set before are still there */
    enuf_cpu_sort_free(&fresh);
    if (p->first_bad >= 0)
        return enuf_fail(ENUF_NOT_FINITE,
                         "point %lld has a coordinate that is NaN, infinite or too large",
                         (long long)p->first_bad);
    if (line) {
        if (!is_fresh) enuf_cpu_fold_line(plan, c, p->folded);
        p->is_sorted = 0;
        if (plan->options.level == ENUF_LEVEL_MATRIX) sort_folded(plan, c->n);
    } else
        place_and_write(&loop);
    enuf_cpu_level_fill(plan, c->n);
    return ENUF_SUCCESS;
}
