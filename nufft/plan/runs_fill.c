/*
 * runs_fill.c - coordinates of runs on the host, in parallel over the points. Bytes: each
 * coordinate once out, which bounds it. SPDX-License-Identifier: BSD-3-Clause
 */
#include "plan.h"
#include "parallel.h"

#include <math.h>

typedef struct fill_loop {
    const enuf_runs *runs;
    int dim, single;
    void *numbers;
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

/* Points [begin, end) of run r. */
static void fill_run(const fill_loop *loop, int64_t r, int64_t begin, int64_t end)
{
    const int64_t first = loop->runs->first[r], n = loop->runs->first[loop->runs->count];
    for (int d = 0; d < loop->dim; d++) {
        const double start = loop->runs->start[r * loop->dim + d];
        const double step = loop->runs->step[r * loop->dim + d];
        float *f32 = (float *)loop->numbers + d * n;
        double *f64 = (double *)loop->numbers + d * n;
        if (loop->single)
            for (int64_t j = begin; j < end; j++)
                f32[j] = (float)fma((double)(j - first), step, start);
        else
            for (int64_t j = begin; j < end; j++) f64[j] = fma((double)(j - first), step, start);
    }
}

static void fill_points(void *context, int64_t begin, int64_t end, int thread)
{
    const fill_loop *loop = context;
    (void)thread;
    for (int64_t r = run_of(loop->runs, begin); begin < end; r++) {
        const int64_t behind = loop->runs->first[r + 1], last = behind < end ? behind : end;
        fill_run(loop, r, begin, last);
        begin = last;
    }
}

void enuf_runs_fill(const enuf_nufft *plan, const enuf_runs *runs, void *numbers)
{
    fill_loop loop = {runs, plan->options.dim, plan->options.precision == ENUF_FLOAT, numbers};
    enuf_parallel_for(plan->threads, runs->first[runs->count], 0, fill_points, &loop);
}
