/*
 * reduce.c - weighted sums of |S|^2 over the spectrum, with second moments of the mode numbers.
 *
 * Rows of modes are summed in blocks of a size that depends on the modes only, the blocks in their
 * order: the result does not depend on the number of threads. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu.h"
#include "parallel.h"
#include "real.h"

#include <string.h>

enum { MOMENTS = ENUF_REDUCE_MOMENTS, ROWS_PER_BLOCK = ENUF_REDUCE_ROWS };

/* Adds one row's sums: total, then xx, yy, zz, xy, xz, yz with y and z constant in a row. */
static void add_row(const enuf_mode_axis *ax, int half, int64_t n, const real *spectrum,
                    const real *weights, int moments, double y, double z, double *sums)
{
    double s0 = 0, s1 = 0, s2 = 0;
    for (int64_t x = 0; x < n; x++) {
        double re = spectrum[2 * x], im = spectrum[2 * x + 1], m = ax->number[x];
        double term = (re * re + im * im) * weights[x] * (half && x > 0 ? 2 : 1);
        s0 += term;
        s1 += term * m;
        s2 += term * m * m;
    }
    sums[0] += s0;
    if (!moments) return;
    sums[1] += s2;
    sums[2] += s0 * y * y;
    sums[3] += s0 * z * z;
    sums[4] += s1 * y;
    sums[5] += s1 * z;
    sums[6] += s0 * y * z;
}

typedef struct reduce_loop {
    const enuf_nufft *plan;
    const real *spectrum, *weight;
    int moments;
    int64_t rows;
} reduce_loop;

static void sum_blocks(void *context, int64_t begin, int64_t end_block, int thread)
{
    const reduce_loop *loop = context;
    const enuf_nufft *plan = loop->plan;
    const enuf_cpu *cpu = plan->workspace;
    const enuf_mode_axis *ax = &plan->axis[0], *ay = &plan->axis[1], *az = &plan->axis[2];
    (void)thread;
    for (int64_t block = begin; block < end_block; block++) {
        double *partial = cpu->partial + block * MOMENTS;
        memset(partial, 0, MOMENTS * sizeof *partial);
        int64_t end = (block + 1) * ROWS_PER_BLOCK;
        if (end > loop->rows) end = loop->rows;
        for (int64_t r = block * ROWS_PER_BLOCK; r < end; r++) {
            /* unpaired modes do not count */
            if (ay->inverse[r % ay->n] == 0 || az->inverse[r / ay->n] == 0) continue;
            add_row(ax, plan->real, ax->n, loop->spectrum + 2 * r * ax->n, loop->weight + r * ax->n,
                    loop->moments, ay->number[r % ay->n], az->number[r / ay->n], partial);
        }
    }
}

void ENUF_SUFFIXED(enuf_cpu_reduce)(enuf_nufft *plan, int n, const void *weights, int moments,
                                    double *sums)
{
    enuf_cpu *cpu = plan->workspace;
    int per = moments ? MOMENTS : 1;
    int64_t rows = plan->axis[1].n * plan->axis[2].n,
            blocks = (rows + ROWS_PER_BLOCK - 1) / ROWS_PER_BLOCK;
    for (int64_t job = 0; job < (int64_t)plan->options.batch * n; job++) {
        reduce_loop loop = {plan, (real *)cpu->spectrum + 2 * (job / n) * plan->n_modes,
                            (const real *)weights + (job % n) * plan->n_modes, moments, rows};
        double *out = sums + job * per;
        memset(out, 0, (size_t)per * sizeof *out);
        enuf_parallel_for(plan->threads, blocks, 0, sum_blocks, &loop);
        for (int64_t block = 0; block < blocks; block++)
            for (int k = 0; k < per; k++) out[k] += cpu->partial[block * MOMENTS + k];
    }
}
