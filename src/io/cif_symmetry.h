/*
 * cif_symmetry.h - the symmetry operations of a CIF.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CIF_SYMMETRY_H
#define ENUF_CIF_SYMMETRY_H

#include "cif_syntax.h"

/**
 * The operations that the file lists, else those of its space group's name. They are held against
 * each other, the cell, and the laws of a group, because a list cut short would go unnoticed.
 *
 * cell, angles  rows a, b, c; alpha, beta, gamma
 * operations    [ENUF_MOST_OPERATIONS]
 */
enuf_status enuf_cif_symmetry_read(const enuf_text *text, const enuf_cif *cif, const double cell[9],
                                   const double angles[3], enuf_symmetry_operation *operations,
                                   int *n);

#endif
