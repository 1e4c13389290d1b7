/* slope_sums.c - totals of the slopes: added up, checked, and handed to the caller.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "slope_sums.h"

#include <math.h>

void enuf_slope_sums_add(const enuf_motion *motion, const double virial[6], const double stretch[9],
                         const double virial_slope[6], enuf_slope_sums *sums)
{
    double w[9], slope[9];
    for (int c = 0; c < 6; c++) {
        const int a = enuf_tensor_row[c], b = enuf_tensor_column[c];
        w[3 * a + b] = w[3 * b + a] = virial[c];
        slope[3 * a + b] = slope[3 * b + a] = virial_slope[c];
        sums->virial[c] += virial_slope[c];
    }
    for (int a = 0; a < 3; a++) {
        double strained[3];
        enuf_motion_strain(motion, &w[3 * a], strained);
        for (int b = 0; b < 3; b++)
            sums->product[3 * a + b] += slope[3 * a + b] - strained[b] - stretch[3 * a + b];
    }
}

void enuf_slope_sums_add_pairs(const double totals[SLOPE_TOTALS], enuf_slope_sums *sums)
{
    sums->energy += totals[SLOPE_ENERGY];
    for (int k = 0; k < 9; k++) sums->product[k] += totals[SLOPE_PRODUCT + k];
    for (int c = 0; c < 6; c++) sums->virial[c] += totals[SLOPE_VIRIAL + c];
}

enuf_status enuf_slope_sums_check(const enuf_slope_sums *sums)
{
    if (isfinite(sums->energy)) return ENUF_SUCCESS;
    return enuf_fail(ENUF_NOT_FINITE,
                     "the slope of the energy is %g: numbers are beyond the range of double",
                     sums->energy);
}

/* ((dforces^T x - U) h^-1)^T */
static void deliver_cell(const enuf_ewald *ewald, const double product[9], const double forces_x[9],
                         double slope[9])
{
    long double cell[9], inverse[9] = {0};
    for (int k = 0; k < 9; k++) cell[k] = ewald->cell[k];
    enuf_invert_3x3(cell, inverse);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            slope[3 * r + c] = 0;
            for (int b = 0; b < 3; b++)
                slope[3 * r + c] += ewald->options.coulomb *
                                    (forces_x[3 * c + b] - product[3 * c + b]) *
                                    (double)inverse[3 * b + r];
        }
}

void enuf_slope_sums_deliver(const enuf_ewald *ewald, int wanted, const enuf_slope_sums *sums,
                             const double forces_x[9], enuf_ewald_slopes *slopes)
{
    const double coulomb = ewald->options.coulomb;
    if (wanted & ENUF_WANT_ENERGY) slopes->energy = coulomb * sums->energy;
    if (!(wanted & ENUF_WANT_VIRIAL)) return;
    for (int c = 0; c < 6; c++) slopes->virial[c] = coulomb * sums->virial[c];
    deliver_cell(ewald, sums->product, forces_x, slopes->cell);
}
