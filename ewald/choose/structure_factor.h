/*
 * structure_factor.h - the charge structure factor s(k) = <|S(k)|^2>/sum q^2, the mean over
 * directions, from positions. Uncorrelated charges have 1; error estimates assume it. Charges that
 * screen each other have s(k) near 0 at small k (Stillinger and Lovett, J. Chem. Phys. 49 (1968)
 * 1991): the modes with the largest weights then make hardly any error. See docs/theory.md, "Charge
 * structure factor". SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_STRUCTURE_FACTOR_H
#define ENUF_STRUCTURE_FACTOR_H

#include "lattice/cell_geometry.h"
#include "splitting.h"

enum { ENUF_STRUCTURE_FACTOR_STEPS = 64 };

/** Plain data: ranks send it to each other. */
typedef struct enuf_structure_factor {
    int n; /* of points; 0: nothing is known, s = 1 */
    double k[ENUF_STRUCTURE_FACTOR_STEPS], s[ENUF_STRUCTURE_FACTOR_STEPS]; /* ascending in k */
    double beyond;                                                         /* s beyond the last k */
} enuf_structure_factor;

/** s(k), linear between points. It is never below a floor, because positions change. */
double enuf_structure_factor_at(const enuf_structure_factor *structure, double k);

/* Factors of the errors of pairs beyond the cutoff and of modes |k| > k_c: the root of the mean of
 * s(k), weighted with the contribution of k to the square of the error. */
double enuf_pair_error_factor(const enuf_structure_factor *structure,
                              const enuf_splitting *splitting);
double enuf_truncation_error_factor(const enuf_structure_factor *structure,
                                    const enuf_splitting *splitting, double k_c);

/** The modes for s(k) up to about k; fewer if that would be too many, or too many for the memory
 * limit (0: none). */
void enuf_structure_factor_modes(const enuf_cell_geometry *cell, double k, int64_t memory_limit,
                                 int64_t modes[3]);

/** S(k) of n charges at x [n][stride], in half-space modes [modes_3][modes_2][(modes_1+1)/2],
 * complex; with many ranks sum them over the ranks. Threads and memory limit of the options. */
enuf_status enuf_charge_density_modes(const enuf_cell_geometry *cell, const int64_t modes[3],
                                      const enuf_ewald_options *options, int64_t n, const double *x,
                                      int64_t stride, const double *q, double *factors);

/** s(k) from S(k) of these modes. */
void enuf_structure_factor_of(const enuf_cell_geometry *cell, const int64_t modes[3], double sum_q2,
                              const double *factors, enuf_structure_factor *structure);

#endif
