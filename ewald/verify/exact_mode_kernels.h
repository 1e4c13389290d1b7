/*
 * exact_mode_kernels.h - the inner loops of exact sums over modes: one row of modes and a block of
 * atoms. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EXACT_MODE_KERNELS_H
#define ENUF_EXACT_MODE_KERNELS_H

#include "exact_sums.h"
#include "isa.h"

enum { ENUF_EXACT_BLOCK = 256 };

/** Phases of a block: along axis d entry [m + largest[d]][j]. */
typedef struct enuf_exact_phases {
    double *cosine[3], *sine[3];
} enuf_exact_phases;

/** Sums of one block of targets: the potential and its derivatives by s, [4][ENUF_EXACT_BLOCK]. */
typedef struct enuf_exact_block {
    double sum[4][ENUF_EXACT_BLOCK], lost[4][ENUF_EXACT_BLOCK]; /* lost: Kahan's compensation */
} enuf_exact_block;

/** The loops in one instruction set. */
typedef struct enuf_exact_kernels {
    /* adds a block's sum q exp(-2 pi i m.s) to each mode of a row: structure [modes][2] */
    void (*add_row)(const enuf_mode_rows *modes, const enuf_mode_row *row, int count,
                    const enuf_exact_phases *table, const double *charge, double *structure);
    /* adds a row's sums at a block of targets */
    void (*gather_row)(const enuf_mode_rows *modes, const enuf_mode_row *row, int count,
                       const enuf_exact_phases *table, const double *one, const double *structure,
                       enuf_exact_block *sums);
} enuf_exact_kernels;

ENUF_DECLARE_TABLES(enuf_exact_kernels, enuf_exact_kernels)

#endif
