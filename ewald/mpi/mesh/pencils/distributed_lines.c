/*
 * distributed_lines.c - the transform of z: blocks of lines are transformed, summed, multiplied and
 * transformed back while they are in the cache. Compiled once for each precision.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "distributed_grid.h"
#include "distributed_real.h"
#include "parallel.h"

#include <string.h>

enum { MOST_LINES = 32 };

/* A block of lines [z][LINES], and the modes m_1, m_2 of each. */
typedef struct line_block {
    int64_t first;
    int lines;     /* number of lines in use */
    pair *numbers; /* [z][enuf_line_block] */
    double m_1[MOST_LINES], m_2[MOST_LINES];
} line_block;

static line_block block_at(const enuf_distributed *d, int64_t block, pair *numbers)
{
    const int most = enuf_line_block(IS_SINGLE);
    line_block b = {.first = block * most, .numbers = numbers};
    b.lines = (int)(d->columns - b.first < most ? d->columns - b.first : most);
    for (int i = 0; i < b.lines; i++) {
        int64_t column = b.first + i;
        b.m_1[i] = (double)(d->share.x_lo + column % d->share.n_x);
        b.m_2[i] = (double)enuf_layout_mode_y(&d->layout, d->share.y_lo + column / d->share.n_x);
    }
    return b;
}

static void fetch(const enuf_distributed *d, const line_block *b, const pair *lines)
{
    const int most = enuf_line_block(IS_SINGLE);
    for (int64_t z = 0; z < d->layout.grid[2]; z++) {
        pair *row = b->numbers + z * most;
        memcpy(row, lines + z * d->columns + b->first, (size_t)b->lines * sizeof *row);
        memset(row + b->lines, 0, (size_t)(most - b->lines) * sizeof *row);
    }
}

static void put(const enuf_distributed *d, const line_block *b, pair *lines)
{
    const int most = enuf_line_block(IS_SINGLE);
    for (int64_t z = 0; z < d->layout.grid[2]; z++)
        memcpy(lines + z * d->columns + b->first, b->numbers + z * most,
               (size_t)b->lines * sizeof *lines);
}

/* Numbers of the k-th z mode. */
static pair *row_of_mode(const enuf_distributed *d, const line_block *b, int64_t k)
{
    return b->numbers +
           enuf_frequency_of(k, d->layout.modes[2], d->layout.grid[2]) * enuf_line_block(IS_SINGLE);
}

/* Number of the k-th mode of an axis, counted 0, 1, ..., -2, -1. */
static double mode_z(const enuf_distributed *d, int64_t k)
{
    const int64_t n = d->layout.modes[2];
    return (double)(k <= n / 2 ? k : k - n);
}

static const real *weights_of(const enuf_distributed *d, const line_block *b, int which, int64_t k)
{
    return (const real *)d->weights + (which * d->layout.modes[2] + k) * d->columns + b->first;
}

/* Energy, and moments of weight 1. A mode with m_1 != 0 counts twice, for its opposite mode. */
static void sum_lines(const enuf_distributed *d, const line_block *b, int moments, double *sums)
{
    double energy[MOST_LINES] = {0}, u_0[MOST_LINES] = {0}, u_1[MOST_LINES] = {0};
    double u_2[MOST_LINES] = {0};
    for (int64_t k = 0; k < d->layout.modes[2]; k++) {
        const pair *row = row_of_mode(d, b, k);
        const real *w_0 = weights_of(d, b, 0, k), *w_1 = weights_of(d, b, 1, k);
        const double m_3 = mode_z(d, k);
        for (int i = 0; i < b->lines; i++) {
            double square = (double)row[i].re * row[i].re + (double)row[i].im * row[i].im;
            energy[i] += square * (double)w_0[i];
            if (!moments) continue;
            double u = square * (double)w_1[i];
            u_0[i] += u;
            u_1[i] += u * m_3;
            u_2[i] += u * m_3 * m_3;
        }
    }
    memset(sums, 0, ENUF_LINE_SUMS * sizeof *sums);
    for (int i = 0; i < b->lines; i++) {
        const double twice = b->m_1[i] > 0 ? 2 : 1, x = b->m_1[i], y = b->m_2[i];
        sums[0] += twice * energy[i];
        sums[1] += twice * u_0[i] * x * x;
        sums[2] += twice * u_0[i] * y * y;
        sums[3] += twice * u_2[i];
        sums[4] += twice * u_0[i] * x * y;
        sums[5] += twice * u_1[i] * x;
        sums[6] += twice * u_1[i] * y;
    }
}

/* Multipliers of one z mode: weight 0, or the weights of a component of the virial. */
static void multipliers(const enuf_distributed *d, const line_block *b, int64_t k, int component,
                        real *factor)
{
    const real *w_0 = weights_of(d, b, 0, k), *w_1 = weights_of(d, b, 1, k);
    if (component < 0) {
        memcpy(factor, w_0, (size_t)b->lines * sizeof *factor);
        return;
    }
    const int row = enuf_tensor_row[component], column = enuf_tensor_column[component];
    for (int i = 0; i < b->lines; i++) {
        double m[3] = {b->m_1[i], b->m_2[i], mode_z(d, k)}, wave[3];
        enuf_cell_wavevector(&d->request.ewald->geometry, m, wave);
        factor[i] = (real)((row == column ? (double)w_0[i] : 0) +
                           (double)w_1[i] * wave[row] * wave[column]);
    }
}

static void multiply(const enuf_distributed *d, const line_block *b, int component)
{
    const int most = enuf_line_block(IS_SINGLE);
    const int64_t half = d->layout.modes[2] / 2, beyond = d->layout.grid[2] - 2 * half - 1;
    for (int64_t k = 0; k < d->layout.modes[2]; k++) {
        real factor[MOST_LINES];
        pair *row = row_of_mode(d, b, k);
        multipliers(d, b, k, component, factor);
        for (int i = 0; i < b->lines; i++) {
            row[i].re *= factor[i];
            row[i].im *= factor[i];
        }
    }
    memset(b->numbers + (half + 1) * most, 0, (size_t)(beyond * most) * sizeof(pair));
}

typedef struct line_loop {
    const enuf_distributed *d;
    void *lines;
    const enuf_line_job *job;
} line_loop;

static void work_on_lines(void *context, int64_t k, int64_t end, int thread)
{
    const line_loop *loop = context;
    const enuf_distributed *d = loop->d;
    const enuf_line_job *job = loop->job;
    void *lines = loop->lines;
    char *scratch = (char *)d->fft.scratch + thread * d->fft.scratch_bytes;
    for (; k < end; k++) {
        line_block block = block_at(d, k, (pair *)(void *)scratch);
        fetch(d, &block, job->from_kept ? d->kept : lines);
        if (job->forward)
            enuf_fft_execute(d->fft.passes, ENUF_Z_FORWARD, block.numbers, block.numbers, thread);
        if (job->sums) sum_lines(d, &block, job->sums > 1, d->partial + k * ENUF_LINE_SUMS);
        if (job->keep) put(d, &block, d->kept);
        if (!job->backward) continue;
        multiply(d, &block, job->component);
        enuf_fft_execute(d->fft.passes, ENUF_Z_BACKWARD, block.numbers, block.numbers, thread);
        put(d, &block, lines);
    }
}

void ENUF_SUFFIXED(enuf_distributed_lines)(enuf_distributed *d, void *lines,
                                           const enuf_line_job *job)
{
    const int most = enuf_line_block(IS_SINGLE);
    line_loop loop = {d, lines, job};
    enuf_parallel_for(d->threads, (d->columns + most - 1) / most, 0, work_on_lines, &loop);
}
