/*
 * finer.h - the object that gives slopes along a strain. Each derivative by the cell multiplies
 * what the modes at the edge of the sphere, and the pairs at the cutoff, lack: by up to c^2/2 of
 * the prolate splitting. So virial and dE/dcell of a strain take a splitting that leaves out less.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_FINER_H
#define ENUF_EWALD_FINER_H

#include "motion.h"
#include "object/slope_room.h"

/** The object for a motion of ewald: one with its system and a finer splitting, which it keeps, or
 * itself. */
enuf_status enuf_finer_find(enuf_ewald *ewald, const enuf_motion *motion, int wanted,
                            enuf_ewald **found);

/** From now on the object serves all motions itself: no parameters reach the finer accuracy. */
void enuf_finer_give_up(enuf_ewald *ewald);

#endif
