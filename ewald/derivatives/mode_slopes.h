/*
 * mode_slopes.h - slopes of the sums over modes, and the modes of the fields that the atoms need.
 * With kappa = k.e.k, dk = -e k and the weights of influence.c,
 *
 *     dS   = sum_j (w_j - i k.v_j q_j) e^(-i k.x_j)
 *     dw_0 = -(w_0 tr e + w_1 kappa)      dw_1 = -(w_1 tr e + w_2 kappa)
 *     w_2  = Ghat (D_2 - 6 D + 8) / 2V k^4,   chi_hat D_2 = (k d/dk)^2 chi_hat
 *
 * Formulas of one mode are read by C and by CUDA files. Source: docs/theory.md, section 1, "Second
 * derivatives". SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MODE_SLOPES_H
#define ENUF_EWALD_MODE_SLOPES_H

#include "lattice/tensor.h"
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

/** w_2 times V/2 pi of chi_hat, chi_hat D and chi_hat D_2. */
ENUF_SLOPE_INLINE double enuf_bend_weight(double chi, double chi_d, double bend, double k2)
{
    return (bend - 6 * chi_d + 8 * chi) / (k2 * k2 * k2);
}

/** Adds the part of the dipoles' modes [3] to dS. */
ENUF_SLOPE_INLINE void enuf_add_dipole_slope(const double k[3], double dipole[3][2],
                                             double slope[2])
{
    for (int a = 0; a < 3; a++) {
        slope[0] += k[a] * dipole[a][1];
        slope[1] -= k[a] * dipole[a][0];
    }
}

/** Adds a mode inside the sphere with weights w_0, w_1, w_2 (without strain: any w_2), which stands
 * for `copies`; s: S, and dS. Sets the mode 2 (dw_0 S + w_0 dS) of the potential's slope. */
ENUF_SLOPE_INLINE void enuf_add_mode_slope(const enuf_motion *m, const double k[3], double copies,
                                           const double w[3], const double s[2],
                                           const double s_slope[2], enuf_mode_slopes *sums,
                                           double potential_slope[2])
{
    const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
    double w0_slope = 0, w1_slope = 0, k_slope[3] = {0, 0, 0};
    if (m->strains) {
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) k_slope[a] -= m->strain[3 * a + b] * k[b];
        const double kappa = -(k[0] * k_slope[0] + k[1] * k_slope[1] + k[2] * k_slope[2]);
        w0_slope = -(w[0] * m->trace + w[1] * kappa);
        w1_slope = -(w[1] * m->trace + w[2] * kappa);
    }
    for (int c = 0; c < 2; c++) potential_slope[c] = 2 * (w0_slope * s[c] + w[0] * s_slope[c]);
    const double square = copies * (s[0] * s[0] + s[1] * s[1]);
    const double square_slope = 2 * copies * (s[0] * s_slope[0] + s[1] * s_slope[1]);
    const double energy_slope = w[0] * square_slope + w0_slope * square;
    const double tensor = w[1] * square, tensor_slope = w[1] * square_slope + w1_slope * square;
    sums->energy += energy_slope;
    for (int c = 0; c < 6; c++) {
        const int a = row[c], b = column[c];
        sums->virial[c] += (c < 3 ? w[0] * square : 0) + tensor * k[a] * k[b];
        sums->virial_slope[c] += (c < 3 ? energy_slope : 0) + tensor_slope * k[a] * k[b] +
                                 tensor * (k_slope[a] * k[b] + k[a] * k_slope[b]);
    }
}

/** Sums the modes, and fills the modes 2 (dw_0 S + w_0 dS) of the potential's slope at places that
 * are strained with the cell. row_sums: [rows of modes] of scratch. */
enuf_mode_slopes enuf_sum_mode_slopes(const enuf_ewald *ewald, const enuf_motion *motion,
                                      const enuf_slope_modes *modes, enuf_mode_slopes *row_sums,
                                      void *potential_slope);

/** Fills the modes 2 w_0 S of the potential (axis -1), or 2 w_0 i k_axis S of its gradient. */
void enuf_fill_field_modes(const enuf_ewald *ewald, const void *charges, int axis, void *field);

#endif
