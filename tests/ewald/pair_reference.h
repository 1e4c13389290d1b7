/*
 * pair_reference.h - systems for tests of the pair loop, and reference sums over their pairs, image
 * by image, in long double. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PAIR_REFERENCE_H
#define PAIR_REFERENCE_H

#include "object/backend.h"

/** Charges in a cell, the splitting and its table of pair functions. */
typedef struct pair_system {
    const char *name;
    double cell[9];
    int periodic[3];
    int64_t n;
    double *positions; /* [n][3] */
    double *charges;
    enuf_splitting splitting;
    enuf_pair_table table;
} pair_system;

/** Random ions with a minimum distance, charges +1, -1, ...; periodic in all directions, with the
 * Gaussian splitting. */
pair_system *pair_system_make(const char *name, const double cell[9], double cutoff, int64_t n,
                              double min_distance);
void pair_system_free(pair_system *system);

/** Sets this splitting, with the same cutoff r_c: the Gaussian with erfc(alpha r_c) = 5e-10, or the
 * prolate with c = 20. */
void pair_system_split(pair_system *system, enuf_split split);

/** Options of pair_system_sum(). */
typedef struct pair_mode {
    enuf_arithmetic arithmetic;
    int deterministic, threads, wanted;
} pair_mode;

enum {
    PAIR_ALL = ENUF_WANT_ENERGY | ENUF_WANT_FORCES | ENUF_WANT_VIRIAL | ENUF_WANT_ATOM_ENERGY |
               ENUF_WANT_ATOM_VIRIAL | ENUF_WANT_POTENTIAL | ENUF_WANT_FIELD,
};

typedef struct pair_reference {
    int64_t n;
    double energy, virial[6];
    double *forces, *atom_energy, *atom_virial, *potential, *field;
    /* largest |q_i q_j|/r^2 and |q_i q_j|/r: units for the rounding of 1/r^2 - R */
    double largest_force, largest_energy;
    int64_t most_neighbours; /* largest number of neighbours of an atom */
    int64_t pairs;
} pair_reference;

/** Sums over all images within the cutoff. Pair functions: erfc of libm (Gaussian), or
 * enuf_splitting_q() and enuf_splitting_r() (prolate). */
pair_reference *pair_reference_make(const pair_system *system);

/** Sums with all arrays, filled with zeros, for pair_system_sum(). */
pair_reference *pair_reference_empty(int64_t n);
void pair_reference_free(pair_reference *reference);

/** Runs the pair loop of the CPU backend with a fresh enuf_pairs. */
enuf_status pair_system_sum(const pair_system *system, pair_mode mode, pair_reference *sums);

/** max |a_k - b_k|; NaN counts as infinite. */
double largest_difference(const double *a, const double *b, int64_t n);

#endif
