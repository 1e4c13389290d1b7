/*
 * mode_slopes.h - slopes of the sums over modes, and the modes of the fields that the atoms need.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MODE_SLOPES_H
#define ENUF_EWALD_MODE_SLOPES_H

#include "motion.h"

/** Type 1 transforms, [stored modes] complex in the plan's precision. */
typedef struct enuf_slope_modes {
    const void *charges;    /* S, of q */
    const void *changes;    /* of w; NULL: charges stay */
    const void *dipoles[3]; /* of q v_a; NULL: positions and cell stay */
} enuf_slope_modes;

/** Sums over all modes: energy slope, W and dW. */
typedef struct enuf_mode_slopes {
    double energy, virial[6], virial_slope[6];
} enuf_mode_slopes;

/** Sums the modes, and fills the modes 2 (dw_0 S + w_0 dS) of the potential's slope at places that
 * are strained with the cell. row_sums: [rows of modes] of scratch. */
enuf_mode_slopes enuf_sum_mode_slopes(const enuf_ewald *ewald, const enuf_motion *motion,
                                      const enuf_slope_modes *modes, enuf_mode_slopes *row_sums,
                                      void *potential_slope);

/** Fills the modes 2 w_0 S of the potential (axis -1), or 2 w_0 i k_axis S of its gradient. */
void enuf_fill_field_modes(const enuf_ewald *ewald, const void *charges, int axis, void *field);

#endif
