/*
 * runs_fill.c - coordinates of runs on the host, in parallel over the points. Bytes: each
 * coordinate once out, which bounds it where the processor has fma. Without it libm's function
 * gives the same bits. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu.h"
#include "parallel.h"
#include "real.h"

#include <math.h>

/* The numbers of these samples, counted from the first, become double in vectors. */
enum { PIECE = 1 << 16 };

typedef struct fill_loop {
    const enuf_runs *runs;
    int dim;
    real *numbers;
} fill_loop;

/* The run of a point: the last one that begins at it or before. Empty runs are passed over. */
static int64_t run_of(const enuf_runs *runs, int64_t point)
{
    int64_t low = 0, high = runs->count; /* first[low] <= point < first[high] */
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (runs->first[middle] <= point)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Samples [i, end) of a run along an axis. The sums i + k are exact. */
static void fill_axis(real *to, int64_t i, int64_t end, double step, double start)
{
    for (; i < end; i += PIECE) {
        const int n = (int)(end - i < PIECE ? end - i : PIECE);
        const double before = (double)i;
        for (int k = 0; k < n; k++) to[k] = (real)fma(before + (double)k, step, start);
        to += n;
    }
}

static void fill_points(void *context, int64_t begin, int64_t end, int thread)
{
    const fill_loop *loop = context;
    const enuf_runs *runs = loop->runs;
    (void)thread;
    for (int64_t r = run_of(runs, begin); begin < end; r++) {
        const int64_t first = runs->first[r], behind = runs->first[r + 1];
        const int64_t last = behind < end ? behind : end;
        for (int d = 0; d < loop->dim; d++)
            fill_axis(loop->numbers + d * runs->n + begin, begin - first, last - first,
                      runs->step[r * loop->dim + d], runs->start[r * loop->dim + d]);
        begin = last;
    }
}

void ENUF_SUFFIXED(enuf_cpu_runs_fill)(const enuf_nufft *plan, const enuf_runs *runs, void *numbers)
{
    fill_loop loop = {runs, plan->options.dim, numbers};
    enuf_parallel_for(plan->threads, runs->n, 0, fill_points, &loop);
}
