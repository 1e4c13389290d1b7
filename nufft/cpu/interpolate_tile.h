/*
 * interpolate_tile.h - the common part of interpolation's kernels: a run of points, sums over the
 * rows of a window, the tile of cells, and the way of results to the caller.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_INTERPOLATE_TILE_H
#define ENUF_NUFFT_INTERPOLATE_TILE_H

#include "point.h"
#include "weigh.h"

#include <string.h>

typedef struct interpolation_run {
    const enuf_nufft *plan;
    const enuf_interpolate_job *job;
    int64_t from, to; /* sorted points */
    box box;
    const real *tile;
    double map[3][3]; /* map[d][e] = d u_d/d x_e */
    real *residue;    /* 0; NaN as soon as a factor or a result is not finite */
} interpolation_run;

/* Sums of a point's window over y and z, along x: plain, with slopes in y, with slopes in z. */
typedef struct row_sums {
    vreal plain[MOST_VECTORS], y[MOST_VECTORS], z[MOST_VECTORS];
} row_sums;

/* Weights of y and z. */
typedef struct weights_across {
    real w[2][ROW_MAX], slope[2][ROW_MAX];
} weights_across;

INLINE void sum_rows(int vectors, int slopes, const weights_across *p, int ny, int nz,
                     const real *tile, int64_t step_y, int64_t step_z, row_sums *sums)
{
    vreal plain[MOST_VECTORS], in_y[MOST_VECTORS], in_z[MOST_VECTORS];
    if (ny == 1) { /* 1D */
        for (int v = 0; v < vectors; v++) {
            sums->plain[v] = vload(tile + v * LANES);
            if (slopes) sums->y[v] = sums->z[v] = (vreal){0};
        }
        return;
    }
    for (int v = 0; v < vectors; v++) plain[v] = in_y[v] = in_z[v] = (vreal){0};
    for (int k = 0; k < nz; k++, tile += step_z) {
        vreal row[MOST_VECTORS], row_y[MOST_VECTORS];
        for (int v = 0; v < vectors; v++) row[v] = row_y[v] = (vreal){0};
        const real *line = tile;
        for (int j = 0; j < ny; j++, line += step_y)
            for (int v = 0; v < vectors; v++) {
                vreal cells = vload(line + v * LANES);
                row[v] += cells * p->w[0][j];
                if (slopes) row_y[v] += cells * p->slope[0][j];
            }
        for (int v = 0; v < vectors; v++) {
            plain[v] += row[v] * p->w[1][k];
            if (slopes) in_y[v] += row_y[v] * p->w[1][k];
            if (slopes) in_z[v] += row[v] * p->slope[1][k];
        }
    }
    for (int v = 0; v < vectors; v++) {
        sums->plain[v] = plain[v];
        if (slopes) sums->y[v] = in_y[v];
        if (slopes) sums->z[v] = in_z[v];
    }
}

/* Sum over x of w times the row sums: real, or complex interleaved. */
INLINE void dot(int vectors, int complex, const vreal *w, const vreal *row, real out[2])
{
    vreal sum = w[0] * row[0];
    for (int v = 1; v < vectors; v++) sum += w[v] * row[v];
    real lane[LANES];
    vstore(lane, sum);
    for (int half = LANES / 2; half > complex; half /= 2)
        for (int k = 0; k < half; k++) lane[k] += lane[k + half];
    out[0] = lane[0];
    out[1] = complex ? lane[1] : 0;
}

/* Copies the box from the target, folding where it wraps. */
static void copy_tile(const enuf_interpolate_job *job, const box *b, int per_cell, real *tile)
{
    const enuf_target *target = &job->target;
    for (int64_t k = 0; k < b->n[2]; k++)
        for (int64_t j = 0; j < b->n[1]; j++) {
            const real *from = (const real *)job->cells +
                               target_index(target, 2, b->lo[2] + k) * target->stride[2] +
                               target_index(target, 1, b->lo[1] + j) * target->stride[1];
            real *to = tile + (k * b->n[1] + j) * b->row;
            int64_t done = 0, at = target_index(target, 0, b->lo[0]);
            while (done < b->n[0]) {
                int64_t left = b->n[0] - done, run = target->count[0] - at;
                if (run > left) run = left;
                memcpy(to + done * per_cell, from + at * per_cell,
                       (size_t)(run * per_cell) * sizeof(real));
                done += run;
                at = 0;
            }
            /* the padding of the last window's row must be finite: it meets zero weights */
            memset(to + done * per_cell, 0, (size_t)(b->row - done * per_cell) * sizeof(real));
        }
    memset(tile + b->row * b->n[1] * b->n[2], 0, ROW_PAD * sizeof(real));
}

static inline void put(real *to, int per_cell, const real value[2], real factor, int add)
{
    for (int c = 0; c < per_cell; c++) to[c] = (add ? to[c] : 0) + value[c] * factor;
}

static void gradient_map(const enuf_nufft *plan, double map[3][3])
{
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++)
            map[d][e] = (double)plan->method.grid[d] *
                        (plan->has_frame ? plan->frame[3 * d + e]
                                         : (d == e ? 1 / plan->options.period : 0));
}

/* From slopes per cell g to d/dx. */
INLINE void put_gradient(const interpolation_run *run, int per_cell, real g[3][2], int64_t i,
                         real factor)
{
    int dim = run->plan->options.dim;
    for (int e = 0; e < dim; e++) {
        real value[2] = {0};
        for (int c = 0; c < per_cell; c++) {
            double sum = 0;
            for (int d = 0; d < dim; d++) sum += run->map[d][e] * (double)g[d][c];
            value[c] = (real)sum;
        }
        put((real *)run->job->gradients + (i * dim + e) * per_cell, per_cell, value, factor,
            run->job->add);
    }
}

/* Writes the value of a point; the residue becomes NaN if it is not finite. */
INLINE void put_value(const interpolation_run *run, int per_cell, int64_t to, real factor,
                      real value[2], real *residue)
{
    const enuf_weighting *weighting = &run->job->weighting;
    if (weighting->numbers || weighting->conjugate) weigh_result(weighting, to, per_cell, value);
    put((real *)run->job->values + to * per_cell, per_cell, value, factor, run->job->add);
    for (int c = 0; c < per_cell; c++) *residue += 0 * value[c];
}

INLINE real factor_of(const interpolation_run *run, int64_t point)
{
    return run->job->factors ? ((const real *)run->job->factors)[point] : 1;
}

#endif
