/*
 * order.h - the atoms in the order in which an evaluation goes through them.
 *
 * Callers have atoms in any order. In a large system with random order every access to a neighbour
 * misses the caches, in each pass of an evaluation. So the atoms are put into spatial order first,
 * and their sums back into the caller's order at the end. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_ORDER_H
#define ENUF_EWALD_ORDER_H

#include "error.h"

/** Atom a of an evaluation is atom original[a] of the caller. */
typedef struct enuf_atoms {
    int64_t n;
    const double *positions; /* [n][stride] */
    int64_t stride;
    const double *q;         /* [n] */
    const float *q_single;   /* [n], only for a mesh in float */
    const int64_t *original; /* [n]; NULL: in the caller's order */
} enuf_atoms;

/** The caller's index of atom a. */
static inline int64_t enuf_callers_atom(const int64_t *original, int64_t a)
{
    return original ? original[a] : a;
}

#endif
