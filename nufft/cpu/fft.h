/*
 * fft.h - the FFT of the fine grid on the CPU, in place, and the order of its frequencies.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CPU_FFT_H
#define ENUF_NUFFT_CPU_FFT_H

#include "fft/fft_lines.h"
#include "plan/plan.h"

/** Columns of a block in 2D, which are transformed at once. The number is fixed, so that bits do
 * not depend on the number of threads. */
enum { ENUF_FFT_COLUMNS = 16 };

/**
 * Transforms of one direction. Columns and lines have one for low and one for high frequencies of
 * x.
 * 1D: rows is the whole transform. 2D: rows is one x row; columns is a block of ENUF_FFT_COLUMNS y
 * columns, rest the columns that remain. 3D: rows is the x rows of a plane; columns is its y
 * columns, lines is the z lines of one y. Folded (fft_line.c): rows is one row; columns and rest
 * are those of low frequencies, in blocks as in 2D.
 */
typedef enum enuf_fft_pass {
    ENUF_PASS_ROWS,
    ENUF_PASS_COLUMNS,
    ENUF_PASS_REST = ENUF_PASS_COLUMNS + 2,
    ENUF_PASS_LINES = ENUF_PASS_REST + 2,
    ENUF_PASSES = ENUF_PASS_LINES + 2
} enuf_fft_pass;

/**
 * A long grid of 1D is folded into a matrix of `rows` x `columns` complex numbers, one row after
 * the other. 0 rows: it is not folded.
 */
typedef struct enuf_fft_fold {
    int64_t rows, columns;
    int64_t period;        /* the roots of unity are exp(2 pi i e/period): period is the grid */
    int fine_log2;         /* e = (e >> fine_log2 << fine_log2) + (e & mask): two tables of roots */
    double *coarse, *fine; /* [..][2] */
} enuf_fft_fold;

typedef struct enuf_grid_fft {
    enuf_fft_lines *passes; /* [2 ENUF_PASSES], forward and backward */
    enuf_fft_fold fold;
} enuf_grid_fft;

/** Place of a frequency of x in its row, in complex numbers. */
static inline int64_t enuf_fft_place(const enuf_fft_fold *fold, int64_t frequency)
{
    const int64_t n = fold->rows * fold->columns;
    /* real: frequency n, the last, stands behind the others */
    if (n == 0 || frequency == n) return frequency;
    return frequency % fold->rows * fold->columns + frequency / fold->rows;
}

#define ENUF_CPU_FFT(SUFFIX)                                                                       \
    enuf_status enuf_cpu_fft_create_##SUFFIX(enuf_nufft *plan);                                    \
    void enuf_cpu_fft_##SUFFIX(enuf_nufft *plan, int backward);                                    \
    void enuf_cpu_fft_destroy_##SUFFIX(enuf_grid_fft *fft);                                        \
    /* fft_line.c */                                                                               \
    /* chooses the fold and makes its roots; does nothing if the grid is not to be folded */       \
    enuf_status enuf_cpu_line_fold_##SUFFIX(const enuf_nufft *plan, enuf_fft_fold *fold);          \
    /* the passes of a folded grid in one direction */                                             \
    void enuf_cpu_line_passes_##SUFFIX(const enuf_nufft *plan, const enuf_fft_fold *fold,          \
                                       int sign, enuf_fft_batch passes[ENUF_PASSES]);              \
    void enuf_cpu_line_transform_##SUFFIX(const enuf_nufft *plan, int backward, void *cells);

ENUF_CPU_FFT(f64)
ENUF_CPU_FFT(f32)

#endif
