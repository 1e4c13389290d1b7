/*
 * close_ions.h - finds ions at nearly the same position. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLOSE_IONS_H
#define ENUF_CLOSE_IONS_H

#include "structure.h"

/**
 * Looks for two ions nearer than `distance`, periodic images included, in a time of O(n log n).
 *
 * ions   periodic along a, b and c; no two opposite faces of the cell nearer than 2 distance
 * pair   their indices, and -1, -1 if there are none
 *
 * An ion and its own image do not count. Errors: ENUF_OUT_OF_MEMORY.
 */
enuf_status enuf_close_ions(const enuf_structure *ions, double distance, int64_t pair[2]);

/** Heights of the cell (rows a, b, c): distances of opposite faces, along a, b and c. */
void enuf_cell_heights(const double cell[9], double heights[3]);

#endif
