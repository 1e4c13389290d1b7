/*
 * sample.h - charged atoms drawn at random, with reference forces and potentials, to measure the
 * error of an evaluation. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_SAMPLE_H
#define ENUF_SAMPLE_H

#include "private.h"
#include "object/ewald_object.h"

typedef struct enuf_sample {
    int64_t n;
    double *weight;                         /* [n] in means over the sample; their mean is 1 */
    int64_t *atoms;                         /* [n] */
    double *exact_forces, *exact_potential; /* [n][3], [n] */
    double *forces, *potential;             /* of all atoms, by the method in use */
    int has_virial; /* 1: the sample has all charged atoms, and exact_virial */
    double exact_virial[6];
} enuf_sample;

/** The reference: exact sums, O(n) for each of a few atoms, or the other splitting on a finer mesh,
 * with a predicted error that is 20 or 50 times smaller.
 */
typedef enum enuf_reference {
    ENUF_REFERENCE_EXACT,
    ENUF_REFERENCE_FINE,
    ENUF_REFERENCE_FINER
} enuf_reference;

/** Draws `size` charged atoms (0: all) and computes their forces by the reference. Release the
 * sample after an error too. */
enuf_status enuf_sample_make(const enuf_ewald *ewald, const double *positions, int64_t stride,
                             int64_t size, uint64_t seed, enuf_reference reference,
                             enuf_sample *sample);
ENUF_PRIVATE void enuf_sample_release(enuf_sample *sample);

/* The first half: atoms and their weights. The draw depends only on charges and places of atoms,
 * not on their order, nor on the ranks that hold them. */

/** The atoms to draw from: those of this rank; sums of the set are over all ranks. */
typedef struct enuf_sample_source {
    const enuf_charge_set *set;
    const enuf_reduction *reduction; /* over the ranks; NULL: one process */
    const enuf_cell_geometry *cell;
    const double *positions; /* [n][stride] */
    int64_t stride;
} enuf_sample_source;

/** Keys and weights of this rank's atoms, arrays [n] of the caller. Atoms with a key up to the
 * returned one are drawn: `size` on all ranks together (0: all). Collective. */
ENUF_PRIVATE double enuf_sample_find_keys(const enuf_sample_source *source, int64_t size,
                                          uint64_t seed, double *key, double *weight);
/** Scales weights [n] of a whole sample to a mean of 1. */
ENUF_PRIVATE void enuf_sample_scale_weights(int64_t n, double *weight);

/** Evaluates all atoms with the method in use and compares the sample. */
enuf_status enuf_sample_measure(enuf_ewald *ewald, const double *positions, int64_t stride,
                                enuf_sample *sample, enuf_ewald_error *error);
/** The second half: compares the sample's forces and potential, of atoms with charges q, and the
 * virial if the sample has an exact one; errors in units of f_ref. */
ENUF_PRIVATE void enuf_sample_compare(double f_ref, const double *q, const enuf_sample *sample,
                                      const double virial[6], enuf_ewald_error *error);

/** The same in two steps, for samples in several parts: sums over one part (to be added, except the
 * worst), and the errors from the total. */
typedef struct enuf_sample_sums {
    double n, off, of_forces, energy, energy_scale;
    double worst;
} enuf_sample_sums;
ENUF_PRIVATE enuf_sample_sums enuf_sample_sum(double f_ref, const double *q,
                                              const enuf_sample *sample);
ENUF_PRIVATE void enuf_sample_error(double f_ref, const enuf_sample_sums *sums,
                                    enuf_ewald_error *error);

/** Options of the finer mesh for the method in use. */
ENUF_PRIVATE void enuf_finer_options(const enuf_ewald *ewald, enuf_reference reference,
                                     enuf_ewald_options *options);

#endif
