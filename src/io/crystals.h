/* crystals.h - finding and building crystals of the list. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_CRYSTALS_H
#define ENUF_CRYSTALS_H

#include "crystal_list.h"
#include "structure.h"

/** The crystal of a name, or NULL. */
const enuf_crystal *enuf_crystal_find(const char *name);

/**
 * cells x cells x cells copies of the conventional cell, periodic, in natural units (lengths in d,
 * Coulomb constant 1). Each coordinate is computed from cell index and fraction, so errors do not
 * accumulate. Errors: ENUF_BAD_ARGUMENT, ENUF_OUT_OF_MEMORY.
 */
enuf_status enuf_crystal_build(const enuf_crystal *crystal, int64_t cells, enuf_structure *out);

/** The constant that follows from the energy of cells^3 cells. */
double enuf_crystal_constant(const enuf_crystal *crystal, int64_t cells, double energy);

#endif
