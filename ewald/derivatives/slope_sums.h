/*
 * slope_sums.h - the slopes of an evaluation, and the terms that add to them, each in the file
 * named. All without the Coulomb constant. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_SLOPE_SUMS_H
#define ENUF_EWALD_SLOPE_SUMS_H

#include "evaluate/closed_forms.h"
#include "motion.h"
#include "object/slope_room.h"

/**
 * With f_a the force of each interaction and d_b its distance vector, both of the strained system,
 * the virial is W = sum f_a d_b. Its slope has two parts, U = sum df_a d_b and sum f_a dd_b. dE/dh
 * needs only U: h^T dE/dh = (forces^T x - W)^T, whose slope at fixed x is (dforces^T x - U)^T.
 */
typedef struct enuf_slope_sums {
    double energy;
    double product[9]; /* U, rows a */
    double virial[6];
    double *forces, *potential; /* [n][3], [n] in the order of the atoms */
} enuf_slope_sums;

/* slope_sums.c */
/** T = sum F_a v_b, W and dW of one term give its U = dW - W e - T: adds U and dW. */
void enuf_slope_sums_add(const enuf_motion *motion, const double virial[6], const double stretch[9],
                         const double virial_slope[6], enuf_slope_sums *sums);

/** Adds totals of pairs. */
void enuf_slope_sums_add_pairs(const double totals[SLOPE_TOTALS], enuf_slope_sums *sums);

/** Checks the totals. Errors: ENUF_NOT_FINITE. */
enuf_status enuf_slope_sums_check(const enuf_slope_sums *sums);

/** Writes the wanted totals to the caller; forces_x: dforces^T x. */
void enuf_slope_sums_deliver(const enuf_ewald *ewald, int wanted, const enuf_slope_sums *sums,
                             const double forces_x[9], enuf_ewald_slopes *slopes);

/* room.c */
enuf_status enuf_slope_room_find(enuf_ewald *ewald, enuf_slope_room **room);
/** Fills `moved` and `changes`. */
enuf_status enuf_slope_room_sort(enuf_ewald *ewald, const enuf_motion *motion,
                                 const enuf_atoms *atoms);

/* pair_slopes.c: pairs inside the cutoff, by the backend */
enuf_status enuf_add_pair_slopes(enuf_ewald *ewald, const enuf_motion *motion,
                                 const enuf_atoms *atoms, int wanted, enuf_slope_sums *sums);
/* exclusion_slopes.c */
void enuf_add_exclusion_slopes(const enuf_ewald *ewald, const enuf_motion *motion,
                               const enuf_atoms *atoms, enuf_slope_sums *sums);
/* mesh_slopes.c */
enuf_status enuf_add_mesh_slopes(enuf_ewald *ewald, const enuf_motion *motion,
                                 const enuf_atoms *atoms, enuf_slope_sums *sums);
/* closed_slopes.c: self term, background, surface term */
void enuf_add_closed_slopes(const enuf_ewald *ewald, const enuf_motion *motion,
                            const enuf_atoms *atoms, enuf_slope_sums *sums);
/** Adds the totals of all atoms from the moments of closed_slopes.h. */
void enuf_add_closed_totals(const enuf_closed_forms *forms, const enuf_motion *motion,
                            const double *moment, enuf_slope_sums *sums);

#endif
