/* hold.h - what is made of held positions. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_EWALD_HOLD_H
#define ENUF_EWALD_HOLD_H

#include "object/held.h"

/** Makes all that is missing for the present cell, parameters and exclusions. hold.c */
enuf_status enuf_held_update(enuf_ewald *ewald);

/** Makes a plan with the held points, in order of the backend's, for 1, 2, 4 or 8 vectors.
 * held_mesh.c */
enuf_status enuf_held_make_plan(const enuf_ewald *ewald, int vectors, const double *positions,
                                int64_t n, enuf_nufft **made);

/** Adds the potentials of the modes: of vectors `from` and, with two, from + 1 of `lanes`, to
 * held->potentials. held_mesh.c */
enuf_status enuf_held_add_modes(enuf_ewald *ewald, int lanes, int from, int two);

#endif
