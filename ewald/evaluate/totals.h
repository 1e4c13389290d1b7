/*
 * totals.h - energy and virial from sums over all atoms and modes. Read by C and by CUDA files.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_TOTALS_H
#define ENUF_EWALD_TOTALS_H

#include "closed_forms.h"
#include "lattice/tensor.h"

/** Adds an atom's share of the virial, without the modes left out: of the background and surface
 * energies and, for the sphere, of the dipole q x, which changes with the cell. */
ENUF_CLOSED_INLINE void enuf_add_closed_virial(const enuf_closed_forms *f, double background,
                                               double surface, const double dipole[3],
                                               const double x[3], double q, double virial[6])
{
    const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
    virial[0] += background + surface;
    virial[1] += background + surface;
    virial[2] += background + (f->slab != 0 ? -surface : surface);
    for (int c = 0; c < 6; c++)
        virial[c] -=
            f->sphere * q * (x[row[c]] * dipole[column[c]] + x[column[c]] * dipole[row[c]]);
}

/** Adds the energies and the virial of all charges; of a slab only dipole[2] counts. */
ENUF_CLOSED_INLINE void enuf_add_closed_forms(const enuf_closed_forms *f, double sum_q2,
                                              const double dipole[3], double second,
                                              enuf_ewald_parts *parts, double virial[6])
{
    const double m2 = dipole[0] * dipole[0] + dipole[1] * dipole[1] + dipole[2] * dipole[2];
    parts->self = f->self_energy * sum_q2;
    parts->background = 0.5 * f->background * f->charge;
    parts->surface = f->sphere * m2 +
                     f->slab * (dipole[2] * dipole[2] - f->charge * second - f->charge * f->level);
    parts->reciprocal += f->tail_energy * sum_q2;
    for (int c = 0; c < 6; c++) virial[c] += f->tail[c] * sum_q2;
    /* the sum over atoms of their shares: sum q x is the dipole */
    enuf_add_closed_virial(f, parts->background, parts->surface, dipole, dipole, 1, virial);
}

/** virial_ab += delta_ab E + sum (weight 1) |S|^2 k_a k_b, with k = 2 pi inverse m and the moments
 * of m that enuf_nufft_reduce() gives of weight 1. */
ENUF_CLOSED_INLINE void enuf_add_mode_virial(const double inverse[9], double energy,
                                             const double moments[6], double virial[6])
{
    const double two_pi = 6.283185307179586476925;
    const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
    double m[3][3];
    for (int c = 0; c < 6; c++) m[row[c]][column[c]] = m[column[c]][row[c]] = moments[c];
    for (int c = 0; c < 6; c++) {
        double sum = 0;
        for (int d = 0; d < 3; d++)
            for (int e = 0; e < 3; e++)
                sum += inverse[3 * row[c] + d] * inverse[3 * column[c] + e] * m[d][e];
        virial[c] += two_pi * two_pi * sum + (c < 3 ? energy : 0);
    }
}

/** The energy: the sum of the parts. */
ENUF_CLOSED_INLINE double enuf_sum_of_parts(const enuf_ewald_parts *p)
{
    return p->real + p->reciprocal + p->self + p->background + p->surface + p->excluded;
}

#endif
