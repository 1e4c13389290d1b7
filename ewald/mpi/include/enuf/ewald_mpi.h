/*
 * enuf/ewald_mpi.h - enuf/ewald.h on many ranks of MPI. Link libenuf_mpi, which holds all of
 * libenuf, instead of it.
 *
 *     enuf_ewald_mpi_options options;
 *     enuf_ewald_mpi_options_init(&options);
 *     options.ewald.accuracy = 1e-6;
 *     enuf_ewald_mpi *ewald;
 *     if (enuf_ewald_mpi_create(MPI_COMM_WORLD, &options, &ewald) != ENUF_SUCCESS)
 *         die(enuf_last_error());
 *     enuf_ewald_mpi_set_cell(ewald, cell);
 *     enuf_ewald_mpi_set_charges(ewald, n_here, charges, NULL);
 *     enuf_ewald_result result = {.struct_size = sizeof result, .forces = forces};
 *     enuf_ewald_mpi_compute(ewald, positions, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, &result);
 *     enuf_ewald_mpi_destroy(&ewald);
 *
 * Every rank gives the atoms that it has, wherever they are in space: an equal share, its domain of
 * another decomposition, all of them on one rank and none elsewhere. Its arrays and per-atom
 * results are those of its atoms; energies, their parts, virial and net force are those of all
 * atoms together, the same bits on every rank. The atoms of all ranks are numbered from rank 0 on,
 * in the order given.
 *
 * All functions are collective: every rank of the communicator calls them, in the same order. They
 * return the same status and text on every rank, those of the rank that failed; only errors of MPI
 * itself go to the communicator's error handler. They are called by the thread that may call MPI.
 *
 * This version computes on CPUs; a single rank serves every backend that enuf/ewald.h has.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_H
#define ENUF_EWALD_MPI_H

#include "enuf/decomposition.h"
#include "enuf/ewald.h"

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Options. Fill with enuf_ewald_mpi_options_init(), then change what differs. Those of rank 0 hold
 * for all ranks, but for threads, background_threads, log and the names of files. */
typedef struct enuf_ewald_mpi_options {
    size_t struct_size;       /* sizeof(enuf_ewald_mpi_options), set by _init */
    enuf_ewald_options ewald; /* threads 0: OpenMP's default, shared among the ranks of a node where
                                 neither their binding nor OMP_NUM_THREADS says more;
                                 memory has to be ENUF_HOST; background_threads are ignored */
    /* of the modes [ENUF_DECOMPOSITION_AUTO]; deterministic sums need them replicated, whatever is
     * asked for: the report tells which is in use */
    enuf_decomposition decomposition;
} enuf_ewald_mpi_options;

ENUF_API void enuf_ewald_mpi_options_init(enuf_ewald_mpi_options *options);

typedef struct enuf_ewald_mpi enuf_ewald_mpi;

/** Makes an object on the ranks of `comm`, which is duplicated. Errors: those of
 * enuf_ewald_create(); ENUF_NO_BACKEND for a GPU on several ranks. */
ENUF_API enuf_status enuf_ewald_mpi_create(MPI_Comm comm, const enuf_ewald_mpi_options *options,
                                           enuf_ewald_mpi **ewald);
/** Collective as well; before MPI_Finalize(). */
ENUF_API void enuf_ewald_mpi_destroy(enuf_ewald_mpi **ewald);

/** As enuf_ewald_set_cell(). The cell of rank 0 counts; others may pass NULL. */
ENUF_API enuf_status enuf_ewald_mpi_set_cell(enuf_ewald_mpi *ewald, const double cell[9]);

/**
 * As enuf_ewald_set_charges(): the n charges of this rank, n >= 0.
 *
 * exclusions  pairs of atoms by their numbers among the atoms of all ranks; each pair once, on any
 *             rank
 */
ENUF_API enuf_status enuf_ewald_mpi_set_charges(enuf_ewald_mpi *ewald, int64_t n,
                                                const double *charges,
                                                const enuf_exclusions *exclusions);

/**
 * As enuf_ewald_tune(), with the same result at any number of ranks. With positions (given on all
 * ranks, or NULL on all) the atoms are gathered on rank 0, which measures alone: it needs the
 * memory, and takes the time, of one process.
 */
ENUF_API enuf_status enuf_ewald_mpi_tune(enuf_ewald_mpi *ewald, const double *positions,
                                         int64_t stride);

/** As enuf_ewald_compute(), enuf_ewald_real(), enuf_ewald_reciprocal(). */
ENUF_API enuf_status enuf_ewald_mpi_compute(enuf_ewald_mpi *ewald, const double *positions,
                                            int64_t stride, int wanted, enuf_ewald_result *result);
ENUF_API enuf_status enuf_ewald_mpi_real(enuf_ewald_mpi *ewald, const double *positions,
                                         int64_t stride, int wanted, enuf_ewald_result *result);
ENUF_API enuf_status enuf_ewald_mpi_reciprocal(enuf_ewald_mpi *ewald, const double *positions,
                                               int64_t stride, int wanted,
                                               enuf_ewald_result *result);

/** As enuf_ewald_measure_error(): the exact sums are made on rank 0, of all atoms gathered there.
 */
ENUF_API enuf_status enuf_ewald_mpi_measure_error(enuf_ewald_mpi *ewald, const double *positions,
                                                  int64_t stride, int64_t sample, uint64_t seed,
                                                  enuf_ewald_error *error);

/** What the ranks do. Arrays [ranks] are the caller's, NULL where not wanted, on all ranks alike.
 */
typedef struct enuf_ewald_mpi_report {
    size_t struct_size;
    enuf_ewald_report ewald;          /* bytes: of this rank */
    enuf_decomposition decomposition; /* in use; AUTO: nothing computed yet */
    int ranks;
    int64_t *points;     /* atoms that each rank works on */
    int64_t *grid_cells; /* cells of fine grid that each holds */
    int64_t *bytes_sent; /* by each, in the last evaluation: payload, without MPI's own; a sum over
                            ranks counts as by the ring algorithm */
} enuf_ewald_mpi_report;

ENUF_API enuf_status enuf_ewald_mpi_get_report(enuf_ewald_mpi *ewald,
                                               enuf_ewald_mpi_report *report);

#ifdef __cplusplus
}
#endif
#endif
