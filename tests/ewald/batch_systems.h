/*
 * batch_systems.h - batches of test systems, and their results by enuf_ewald_batch and by exact
 * sums of one system after the other. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_EWALD_BATCH_SYSTEMS_H
#define TESTS_EWALD_BATCH_SYSTEMS_H

#include "systems.h"
#include "enuf/ewald_batch.h"

typedef struct system_batch {
    int64_t n, atoms;
    int64_t *offsets; /* [n + 1] */
    double *cells;    /* [n][9] */
    double *x;        /* [atoms][3] */
    double *q;        /* [atoms] */
} system_batch;

/** The systems one after the other; frees them. */
system_batch join_systems(int64_t n, charge_system *systems);

/** System s as one of its own, to be freed. */
charge_system system_of(const system_batch *batch, int64_t s);

void free_batch(system_batch *batch);

typedef struct batch_results {
    double *energies, *forces, *potentials, *virials;
} batch_results;

batch_results make_batch_results(const system_batch *batch);
void free_batch_results(batch_results *results);

/** Default options, for the backend under test. */
enuf_ewald_batch_options batch_options(void);

/** Makes an object, sets the systems, computes, destroys it; arrays of floats on the way if the
 * options say so. A failure is a failed check. */
batch_results compute_batch(const enuf_ewald_batch_options *options, const system_batch *batch);

/** Exact sums of each system. */
batch_results exact_batch(const enuf_ewald_batch_options *options, const system_batch *batch);

/**
 * Largest differences over all systems: forces in F_ref or in the largest force of the system if
 * that is more, potentials in the largest of the system, energies and virials in 1/2 sum |q phi|;
 * those of charges at their mean distance if these are more, since the potentials of few ions may
 * cancel.
 */
typedef struct batch_differences {
    double forces, potentials, energies, virials;
} batch_differences;

batch_differences compare_batch(double coulomb, const system_batch *batch,
                                const batch_results *found, const batch_results *right);

/** Each difference is below the bound. */
void check_batch(const char *name, const batch_differences *differences, double bound);

/** Systems of 1 to 70 ions in cells of every shape, some with a net charge. */
system_batch mixed_batch(uint64_t seed, int64_t n);

#endif
