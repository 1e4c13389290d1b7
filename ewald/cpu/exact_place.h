/*
 * exact_place.h - places of atoms whose differences have no rounding, for deterministic sums.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CPU_EXACT_PLACE_H
#define ENUF_EWALD_CPU_EXACT_PLACE_H

#include "cell_grid.h"

#define ENUF_PLACE_STEP 0x1p-48 /* in cutoffs */
#define ENUF_REST_UNIT  0x1p-40 /* in steps */

/** A vector in whole steps, modulo 2^64, and a rest of at most half a step in whole units. In
 * double differences below 2^51 steps are exact, those of the rests too. */
typedef struct enuf_exact_place {
    int64_t steps[3];
    double rest[3];
} enuf_exact_place;

/** A lattice for enuf_exact_place_of(), in the caller's units of length. Cell vectors are cut in
 * two: the high part is a whole number of steps of a fold (lattice/fold_step.h). */
typedef struct enuf_exact_fold {
    const enuf_cell_grid *grid;
    double reach, to_steps, inverse[9], vector_high[9], vector_low[9];
    double cutoff, scale, scale_rest; /* scale: steps to a unit of length, in two parts */
} enuf_exact_fold;

void enuf_exact_fold_make(const enuf_cell_grid *grid, enuf_exact_fold *fold);

/**
 * The place of an atom in the periodic cell: a function of position, lattice and cutoff alone, not
 * of the small cells. `local` is what enuf_fold_atom() gave, `corner` the fractions at which the
 * atom's small cell begins: they tell which image of the atom is in the cell. Right to 2^-80 cell
 * vectors where the position is within 1000 of them.
 */
enuf_exact_place enuf_exact_place_of(const enuf_exact_fold *fold, const double *position,
                                     const double local[3], const double corner[3]);

/** Cell vector d. */
enuf_exact_place enuf_exact_vector(const enuf_cell_grid *grid, int d);

#endif
