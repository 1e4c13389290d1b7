/*
 * held.h - positions that are held for many sets of charges, and what follows from them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_HELD_H
#define ENUF_EWALD_HELD_H

#include "object/ewald_object.h"

/* Plans of one vector, of two, of four, of eight. */
enum { ENUF_HELD_PLANS = 4 };

/** A plan with the held points: real strengths for the modes of one vector, complex ones for those
 * of two, or a batch of these. NULL: not needed yet. */
typedef struct enuf_held_plan {
    enuf_nufft *plan;
    void *weights; /* [modes] 2 w_0; of two vectors; NULL: the backend holds them */
} enuf_held_plan;

typedef struct enuf_held {
    int64_t n;        /* -1: no positions are held */
    enuf_array given; /* [n][3] positions of the caller, unless they are on a device */
    const double *x;  /* [n][3] the same, where options.memory says */
    /* what follows is made for these numbers of changes of the object; -1: not made */
    int64_t method_changes, charge_changes;
    enuf_pair_matrix matrix;
    enuf_array row;       /* int64_t [n] of the caller's atoms; made for exclusions */
    enuf_array positions; /* [n][3] in the order of the matrix */
    enuf_held_plan plans[ENUF_HELD_PLANS];
    /* of the CPU: of the mesh; [n][lanes] in the order of the matrix */
    enuf_array strengths, values;
    enuf_array charges, potentials;
} enuf_held;

/** Frees the plans of the mesh. */
void enuf_held_release_plans(enuf_held *held);

#endif
