/*
 * exact_pairs.cu - pairs of exact sums. A warp has one target, or a part of its columns of bins.
 *
 * Lanes test the atoms of a run of bins; of these a third lies within the cutoff. Those go into a
 * queue, so that all lanes work when 32 of them are evaluated. Targets that follow each other in a
 * block are neighbours, so that their atoms are in the L1 cache.
 *
 * Instructions in double of a pair: 3 candidates x 7, 6 for the low digits, about 105 to evaluate
 * it (rsqrt 12, exp 20, erfcx 40, the rest products and sums). Bytes: 3 x 24 + 32, mostly from L1.
 * The units of double bound it: 16.9e12 instructions/s of an H100 are 8 ps a pair; 1e5 ions, all of
 * them targets, have 7e8 pairs: 6 ms at best.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "exact_pairs.h"

namespace
{

enum { WARPS = 4, LANES = 32, QUEUE = 2 * LANES };
enum { POTENTIAL, FIELD, VIRIAL = 4, TERMS = ENUF_EXACT_SUMS_OF_TARGET };

/* Candidates are tested without their low digits; the pair itself is tested again. */
constexpr double BEYOND = 1 + 1e-9;

/* Candidates within the cutoff: distance vectors from source to target. */
struct pair_queue {
    double x[3][QUEUE];
    int atom[QUEUE];
};

/* A point as high + low. */
struct exact_point {
    double high[3], low[3];
};

struct target_sums {
    double sum[TERMS];
    int clash;
};

/* A run of bins, which are neighbours along axis 0 in one image of the cell. */
struct bin_run {
    int from, to;  /* atoms */
    int own;       /* the target itself, if it may be among them; else -1 */
    exact_point x; /* the target, moved to the image */
};

/* at -= cells * row, exactly but for the last digits of low (Knuth's and Dekker's error-free sums
 * and products) */
__device__ void step_back(int cells, const double *row, const double *row_low, exact_point *at)
{
    for (int a = 0; a < 3; a++) {
        const double step = __dmul_rn(cells, row[a]),
                     step_low = fma((double)cells, row[a], -step) + cells * row_low[a];
        const double moved = at->high[a] - step, part = moved - at->high[a];
        const double lost = (at->high[a] - (moved - part)) - (step + part);
        at->high[a] = moved;
        at->low[a] += lost - step_low;
    }
}

/* Folds a bin index; returns the whole cells it was off. */
__device__ int fold(int b, int count, int *inside)
{
    const int cells = b >= 0 ? b / count : -((count - 1 - b) / count);
    *inside = b - cells * count;
    return cells;
}

__device__ void add_pair(const enuf_exact_pair_arguments &a, const double x[3], int atom,
                         target_sums *sums)
{
    const double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    if (r2 == 0) sums->clash = min(sums->clash, atom);
    if (r2 == 0 || r2 > a.cutoff2) return;
    const double q = a.charges[atom];
    const double over_r = rsqrt(r2), u = a.alpha * r2 * over_r;
    const double decay = exp(-u * u), outside = erfcx(u) * decay;
    const double f = outside + 1.12837916709551257390 * u * decay;
    const double over_r3 = q * f * (over_r * over_r) * over_r;
    sums->sum[POTENTIAL] += q * outside * over_r;
    for (int d = 0; d < 3; d++) {
        const double field = over_r3 * x[d];
        sums->sum[FIELD + d] += field;
        sums->sum[VIRIAL + d] += field * x[d];
    }
    sums->sum[VIRIAL + 3] += over_r3 * x[0] * x[1];
    sums->sum[VIRIAL + 4] += over_r3 * x[0] * x[2];
    sums->sum[VIRIAL + 5] += over_r3 * x[1] * x[2];
}

/* Evaluates the last n <= 32 pairs of the queue. */
__device__ void take(const enuf_exact_pair_arguments &a, const pair_queue &queue, int length, int n,
                     target_sums *sums)
{
    const int lane = threadIdx.x % LANES, k = length - n + lane;
    __syncwarp();
    if (lane < n) {
        const double x[3] = {queue.x[0][k], queue.x[1][k], queue.x[2][k]};
        add_pair(a, x, queue.atom[k], sums);
    }
    __syncwarp();
}

/* Puts the pairs of a run into the queue; returns its length, less than 32. */
__device__ int add_run(const enuf_exact_pair_arguments &a, const bin_run &run, pair_queue *queue,
                       int length, target_sums *sums)
{
    const unsigned lane = threadIdx.x % LANES, below = (1u << lane) - 1;
    const double limit = a.cutoff2 * BEYOND;
    for (int first = run.from; first < run.to; first += LANES) {
        const int atom = first + (int)lane;
        double x[3] = {0, 0, 0};
        bool close = false;
        if (atom < run.to && atom != run.own) {
            for (int d = 0; d < 3; d++) x[d] = run.x.high[d] - a.at[d][atom];
            close = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] <= limit;
        }
        const unsigned found = __ballot_sync(~0u, close);
        if (close) {
            const int k = length + __popc(found & below);
            for (int d = 0; d < 3; d++) queue->x[d][k] = x[d] + (run.x.low[d] - a.at_low[d][atom]);
            queue->atom[k] = atom;
        }
        length += __popc(found);
        if (length < LANES) continue;
        take(a, *queue, length, LANES, sums);
        length -= LANES;
    }
    return length;
}

/* Adds the bins of a column, (2 reach + 1) of them, run by run. */
__device__ int add_column(const enuf_exact_pair_arguments &a, const int home[3], int64_t column,
                          int own, const exact_point &target, pair_queue *queue, int length,
                          target_sums *sums)
{
    const int across = 2 * a.reach[1] + 1, last = home[0] + a.reach[0];
    int inside[3], cells[3];
    exact_point at = target;
    cells[1] = fold(home[1] - a.reach[1] + (int)(column % across), a.count[1], &inside[1]);
    cells[2] = fold(home[2] - a.reach[2] + (int)(column / across), a.count[2], &inside[2]);
    step_back(cells[1], a.cell + 3, a.cell_low + 3, &at);
    step_back(cells[2], a.cell + 6, a.cell_low + 6, &at);
    const int64_t row = ((int64_t)inside[2] * a.count[1] + inside[1]) * a.count[0];
    for (int b = home[0] - a.reach[0]; b <= last;) {
        cells[0] = fold(b, a.count[0], &inside[0]);
        const int bins = min(a.count[0] - inside[0], last - b + 1);
        bin_run run = {a.start[row + inside[0]], a.start[row + inside[0] + bins], -1, at};
        b += bins;
        if (run.from == run.to) continue; /* most, of a flat cell */
        if (cells[0] == 0 && cells[1] == 0 && cells[2] == 0) run.own = own;
        step_back(cells[0], a.cell, a.cell_low, &run.x);
        length = add_run(a, run, queue, length, sums);
    }
    return length;
}

/* Sums over the lanes, always in the same order. */
__device__ void deliver(const enuf_exact_pair_arguments &a, int64_t warp, int target,
                        target_sums *sums)
{
    for (int step = LANES / 2; step > 0; step /= 2) {
        for (int k = 0; k < TERMS; k++) sums->sum[k] += __shfl_xor_sync(~0u, sums->sum[k], step);
        sums->clash = min(sums->clash, __shfl_xor_sync(~0u, sums->clash, step));
    }
    if (threadIdx.x % LANES > 0) return;
    for (int k = 0; k < TERMS; k++) a.found[TERMS * warp + k] = sums->sum[k];
    if (sums->clash < ENUF_EXACT_NO_CLASH) atomicMin(a.clash + target, sums->clash);
}

__global__ void __launch_bounds__(WARPS *LANES) sum_pairs(const enuf_exact_pair_arguments a)
{
    __shared__ pair_queue queues[WARPS];
    const int64_t warp = (int64_t)blockIdx.x * WARPS + threadIdx.x / LANES;
    if (warp >= (int64_t)a.n_targets * a.parts) return;
    pair_queue *queue = &queues[threadIdx.x / LANES];
    const int part = (int)(warp / a.n_targets), target = (int)(warp % a.n_targets);
    const int home[3] = {a.home[3 * target], a.home[3 * target + 1], a.home[3 * target + 2]};
    const int64_t columns = (2 * (int64_t)a.reach[1] + 1) * (2 * a.reach[2] + 1);
    exact_point at;
    for (int d = 0; d < 3; d++) {
        at.high[d] = a.target[3 * target + d];
        at.low[d] = a.target_low[3 * target + d];
    }
    target_sums sums = {};
    sums.clash = ENUF_EXACT_NO_CLASH;
    int length = 0;
    for (int64_t column = part; column < columns; column += a.parts)
        length = add_column(a, home, column, a.own[target], at, queue, length, &sums);
    take(a, *queue, length, length, &sums);
    deliver(a, warp, target, &sums);
}

} // namespace

extern "C" enuf_status enuf_exact_pairs_launch(const enuf_exact_pair_arguments *a,
                                               cudaStream_t stream)
{
    const int64_t warps = (int64_t)a->n_targets * a->parts;
    sum_pairs<<<(unsigned)((warps + WARPS - 1) / WARPS), WARPS * LANES, 0, stream>>>(*a);
    return enuf_cuda_launched("exact pairs");
}
