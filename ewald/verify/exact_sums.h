/*
 * exact_sums.h - the problem of exact sums and the parts of the sum. It shares no code with the
 * other Ewald sums of the library, so that each can check the other. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_EXACT_SUMS_H
#define ENUF_EXACT_SUMS_H

#include "enuf/ewald.h"
#include "error.h"
#include "private.h"

struct enuf_exact_backend; /* exact_backend.h */

/** The problem, every choice made. Unit Coulomb constant. */
typedef struct enuf_exact_system {
    const struct enuf_exact_backend *backend;
    int device;             /* GPU ordinal; -1: the caller's current one */
    long double cell[9];    /* rows, short ones of the lattice; extended along c for a slab */
    long double inverse[9]; /* s = x inverse, x a row */
    double volume;
    double height[3]; /* of the cell along each axis, between opposite faces */
    int64_t n;
    const double *positions; /* [n][stride] */
    int64_t stride;
    const double *charges;  /* [n] */
    long double *fractions; /* [n][3], s folded to [0, 1) */
    long double *folded;    /* [n][3], the image there; digits of far positions are kept */
    int64_t n_targets;
    int64_t *targets; /* [n_targets] */
    /* [n_targets] their charges, if other processes hold some of the targets; NULL: see `charges`
     */
    const double *target_charges;
    const int64_t *numbers; /* [n] the atoms' numbers in error texts; NULL: indices */
    double alpha, cutoff, k_c;
    int threads;
    enuf_isa isa;
} enuf_exact_system;

/** Sets cell, targets (NULL: all) and folded positions. The caller has set all that stands before
 * `fractions`, but the cell, and threads and isa. */
ENUF_PRIVATE enuf_status enuf_exact_system_make(const double cell[9], double slab,
                                                int64_t n_targets, const int64_t *targets,
                                                enuf_exact_system *system);
ENUF_PRIVATE void enuf_exact_system_release(enuf_exact_system *system);

/** Takes alpha, cutoff, k_c from the options, or chooses those that are 0 by cost. */
ENUF_PRIVATE enuf_status enuf_exact_choose(const enuf_exact_options *options,
                                           enuf_exact_system *system);

/** Output of a part of the sum; each part adds to the arrays of the targets. */
typedef struct enuf_exact_sums {
    double *potential; /* [n_targets] */
    double *field;     /* [n_targets][3] */
    double *virial;    /* [6], overwritten; right only where all charged atoms are targets */
} enuf_exact_sums;

/** All pairs with r <= cutoff: of every image, also of an atom with its own images. */
ENUF_PRIVATE enuf_status enuf_exact_pairs(const enuf_exact_system *system, enuf_exact_sums *sums);

/** Modes with 0 < |k| <= k_c. */
enuf_status enuf_exact_modes(const enuf_exact_system *system, enuf_exact_sums *sums);

/** The same in two steps, for processes that each have some of the atoms: structure factors of the
 * own atoms, [modes][2], to be summed over the processes; then the sums at the targets first ...
 * last - 1. Release it after an error of begin too. */
typedef struct enuf_exact_structure enuf_exact_structure;
ENUF_PRIVATE enuf_status enuf_exact_modes_begin(const enuf_exact_system *system,
                                                enuf_exact_structure **structure);
ENUF_PRIVATE double *enuf_exact_structure_factors(const enuf_exact_structure *structure,
                                                  int64_t *n_numbers);
ENUF_PRIVATE enuf_status enuf_exact_modes_finish(const enuf_exact_system *system,
                                                 enuf_exact_structure *structure, int64_t first,
                                                 int64_t last, enuf_exact_sums *sums);
ENUF_PRIVATE void enuf_exact_structure_release(enuf_exact_structure **structure);

/** Subtracts (1 - w) q_i q_j/r at the nearest images of excluded pairs; NULL: none. */
enuf_status enuf_exact_exclusions(const enuf_exact_system *system,
                                  const enuf_exclusions *exclusions, enuf_exact_sums *sums);
/** Subtracts `removed` times the term of atom j at atom i, target t. */
ENUF_PRIVATE void enuf_exact_remove(const enuf_exact_system *system, int64_t i, int64_t t,
                                    int64_t j, double removed, enuf_exact_sums *sums);

/** Sums over all charges, for the closed forms. */
typedef struct enuf_exact_moments {
    double charge, magnitude; /* sum q, sum |q| */
    double dipole[3];         /* of the positions as given, not folded */
    double second;            /* sum q z^2 */
} enuf_exact_moments;

ENUF_PRIVATE enuf_exact_moments enuf_exact_find_moments(const enuf_exact_system *system);
ENUF_PRIVATE void enuf_exact_self(const enuf_exact_system *system, enuf_exact_sums *sums);
ENUF_PRIVATE void enuf_exact_background(const enuf_exact_system *system,
                                        const enuf_exact_moments *of, enuf_exact_sums *sums);
ENUF_PRIVATE void enuf_exact_sphere(const enuf_exact_system *system, double dielectric,
                                    const enuf_exact_moments *of, enuf_exact_sums *sums);
ENUF_PRIVATE void enuf_exact_slab(const enuf_exact_system *system, const enuf_exact_moments *of,
                                  enuf_exact_sums *sums);

/** Modes of the half space with |k| <= k_c come in rows of consecutive m1. */
typedef struct enuf_mode_row {
    int64_t m1, count; /* first m1, how many */
    int64_t m2, m3;
    int64_t offset; /* of the row's first mode among all */
} enuf_mode_row;

typedef struct enuf_mode_rows {
    int64_t largest[3]; /* |m_d| */
    int64_t n_rows, n_modes;
    enuf_mode_row *rows;
} enuf_mode_rows;

/**
 * The half space: m3 > 0, or m3 = 0 and m2 > 0, or m3 = m2 = 0 and m1 > 0. A mode on the sphere
 * belongs to it, rounding of k^2 by 1e-12 allowed for.
 */
enuf_status enuf_mode_rows_make(const enuf_exact_system *system, enuf_mode_rows *modes);
void enuf_mode_rows_release(enuf_mode_rows *modes);

/** k = 2 pi inverse m. */
void enuf_exact_wave_vector(const enuf_exact_system *system, int64_t m1, int64_t m2, int64_t m3,
                            double k[3]);

#endif
