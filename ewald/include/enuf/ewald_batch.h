/*
 * enuf/ewald_batch.h - Ewald sums of many small systems at once, to rounding, by single modes: no
 * FFT, no mesh. For those who train force fields: each system has a cell of its own.
 *
 *     E = 1/2 sum_i q_i phi_i,   times the Coulomb constant of the caller's units.
 *
 *     enuf_ewald_batch_options options;
 *     enuf_ewald_batch_options_init(&options);
 *     enuf_ewald_batch *batch;
 *     if (enuf_ewald_batch_create(&options, &batch) != ENUF_SUCCESS) die(enuf_last_error());
 *     enuf_ewald_batch_set_systems(batch, 2, (int64_t[]){0, 8, 24}, cells);
 *     enuf_ewald_batch_compute(batch, x, 3, q, energies, forces, potentials, virials);
 *     enuf_ewald_batch_destroy(&batch);
 *
 * The results are the derivatives that training needs: dE/dcharge is the potential, dE/dposition
 * minus the force, and -dE/dstrain of cell and positions together the virial.
 *
 * The work of a system of n atoms grows as n^1.5. On a GPU one kernel sums all systems. At 1e-6 an
 * object of enuf/ewald.h takes less time on a CPU from 64 atoms on or so.
 *
 * Formulas and their sources: docs/theory.md, section 1 (Gaussian splitting). Signs, units, virial
 * order, cells: docs/conventions.md. An object may be used by one thread at a time; different
 * objects by different threads.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_BATCH_H
#define ENUF_EWALD_BATCH_H

#include "enuf/ewald.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Options. Fill with enuf_ewald_batch_options_init(), then change what differs. */
typedef struct enuf_ewald_batch_options {
    size_t struct_size; /* sizeof(enuf_ewald_batch_options), set by _init */

    /* the sums */
    enuf_precision precision; /* of positions, charges and results [ENUF_DOUBLE] */
    /* ENUF_ARITHMETIC_MIXED sums pairs and modes in float, coordinates and totals in double. AUTO:
     * mixed for arrays of float, else double [ENUF_ARITHMETIC_AUTO] */
    enuf_arithmetic arithmetic;
    /* error of forces that may be left by pairs and modes left out, as accuracy A (enuf/ewald.h):
     * at most 1e-2. 0: rounding, of double 1e-14 or so, of mixed 1e-6 [0] */
    double tolerance;
    double coulomb;      /* C of the caller's units: E = C q_i q_j / r [1] */
    double surroundings; /* dielectric constant around the sphere of cells; 0: tinfoil; 1: vacuum */

    /* where and how */
    enuf_backend backend; /* [ENUF_BACKEND_AUTO] */
    enuf_isa isa;         /* instruction set of the cpu backend's kernels [ENUF_ISA_AUTO] */
    enuf_memory memory;   /* where arrays of compute() live; offsets and cells live on the host
                             [ENUF_HOST] */
    int device;           /* GPU ordinal; -1: the stream's, or the current one [-1] */
    void *stream;         /* cudaStream_t [NULL] */
    int threads;          /* as in enuf_nufft_options [0] */
} enuf_ewald_batch_options;

/** Fills `options` with the defaults in brackets above. */
ENUF_API void enuf_ewald_batch_options_init(enuf_ewald_batch_options *options);

typedef struct enuf_ewald_batch enuf_ewald_batch;

/**
 * Makes an object.
 *
 * Errors: ENUF_BAD_ARGUMENT; ENUF_NOT_FINITE; ENUF_BAD_MEMORY for device memory with the cpu
 * backend; ENUF_NO_BACKEND; ENUF_OUT_OF_MEMORY. *batch is NULL after an error.
 */
ENUF_API enuf_status enuf_ewald_batch_create(const enuf_ewald_batch_options *options,
                                             enuf_ewald_batch **batch);

/** Frees the object and sets *batch to NULL; a NULL object is legal. */
ENUF_API void enuf_ewald_batch_destroy(enuf_ewald_batch **batch);

/**
 * Sets the systems. Chooses the splitting parameter of each, so that its pairs and modes take the
 * least time, and makes room for compute(); where a GPU's arrays have to grow, it waits for the
 * GPU. Both arrays are copied.
 *
 * n_systems  0 or more
 * offsets    [n_systems + 1] system s has the atoms offsets[s] ... offsets[s + 1] - 1, at least
 *            one; offsets[0] is 0. On the host
 * cells      [n_systems][9] rows a, b, c in double in both precisions, any orientation, right- or
 *            left-handed, any tilt. On the host
 *
 * Errors: ENUF_BAD_ARGUMENT names the system whose offsets do not increase, whose cell is flat or
 * has vectors that are not 1e-40 to 1e40 long, or is so thin or long for its atoms that the sums
 * would be too long; ENUF_NOT_FINITE; ENUF_OUT_OF_MEMORY. After an error the object keeps the
 * earlier systems.
 */
ENUF_API enuf_status enuf_ewald_batch_set_systems(enuf_ewald_batch *batch, int64_t n_systems,
                                                  const int64_t *offsets, const double *cells);

/**
 * Sets other cells of the same systems. On a GPU this does not wait for earlier calls of compute().
 *
 * cells  [n_systems][9] as in set_systems. On the host
 *
 * Errors: ENUF_NO_POINTS_SET without systems; else those of set_systems.
 */
ENUF_API enuf_status enuf_ewald_batch_set_cells(enuf_ewald_batch *batch, const double *cells);

/**
 * Computes all systems. A net charge is neutralised by a uniform background. Each pointer to
 * results may be NULL.
 *
 * positions   Cartesian, in the frame of the cell: x, y, z of atom i at [i * stride] ...; anywhere
 * stride      at least 3
 * charges     [atoms]
 * energies    [n_systems]
 * forces      [atoms][3] -dE/dposition
 * potentials  [atoms] dE/dcharge
 * virials     [n_systems][6] -dE/dstrain: xx, yy, zz, xy, xz, yz
 *
 * Accuracy, with tolerance 0: in double 1e-13 of F_ref for forces and of 1/2 sum |q phi| for
 * energies and virials, or of C sum q^2 (n/V)^(1/3) where that is more, since the potentials of few
 * atoms may cancel; in mixed 2e-6. The same input gives the same bits in every run, on the CPU for
 * any number of threads.
 *
 * Host memory: the call returns when the results are there. Device memory: the call is
 * asynchronous on the stream and allocates nothing. With new systems or cells it waits until the
 * GPU has read those of the call before the last one. enuf_ewald_batch_check() reports errors of
 * the data; the results of a system with bad data are then not finite.
 *
 * Errors: ENUF_NO_POINTS_SET without systems; ENUF_BAD_ARGUMENT; ENUF_BAD_MEMORY; of the data
 * ENUF_NOT_FINITE, which names system and atom, and ENUF_BAD_ARGUMENT for two atoms at one place,
 * one of them charged, and for a net charge with `surroundings`. After an error results in host
 * memory do not change.
 */
ENUF_API enuf_status enuf_ewald_batch_compute(enuf_ewald_batch *batch, const void *positions,
                                              int64_t stride, const void *charges, void *energies,
                                              void *forces, void *potentials, void *virials);

/**
 * Waits for all earlier calls, returns the first error of their data and clears it. Where other
 * systems have been set since, the error does not name its system.
 *
 * system  the system of the error; -1: none, or not known. May be NULL.
 */
ENUF_API enuf_status enuf_ewald_batch_check(enuf_ewald_batch *batch, int64_t *system);

#ifdef __cplusplus
}
#endif
#endif
