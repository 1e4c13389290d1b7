/*
 * truncation_error.h - the force error of the modes left out, for charges with a structure factor.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_TRUNCATION_ERROR_H
#define ENUF_TRUNCATION_ERROR_H

#include "lattice/cell_geometry.h"
#include "structure_factor.h"
#include "splitting.h"

/**
 * eps_F = dF_rms sqrt(N V r_c)/(C sum q^2) of the modes |k| > k_c. If the sphere holds few
 * modes, the modes left out are summed one by one (the first of their shells can make the error
 * twice that of a continuum); else the error is the integral of splitting.h.
 *
 * *scatter: the relative standard deviation of the errors of single configurations, which comes
 * from the small number of independent modes; 0 where there are many.
 */
double enuf_truncation_error(const enuf_cell_geometry *cell, const enuf_structure_factor *charges,
                             const enuf_splitting *splitting, double k_c, double *scatter);

/** 1 where the modes are few enough to be summed one by one. */
int enuf_few_modes(const enuf_cell_geometry *cell, double k_c);

#endif
