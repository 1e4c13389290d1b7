/*
 * enuf/ewald_mpi.h - enuf/ewald.h on many ranks of MPI. Link libenuf_mpi and libenuf.
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
 * itself go to the communicator's error handler, which has to end the program (MPI's default does):
 * under MPI_ERRORS_RETURN a call may wait for ever.
 *
 * Threads: a rank computes with several (options.ewald.threads); none of them but the one that
 * calls these functions calls MPI. Start MPI with MPI_Init_thread() and MPI_THREAD_FUNNELED or
 * more, and with FUNNELED call from the thread that did. After MPI_Init(), or with
 * MPI_THREAD_SINGLE, MPI promises nothing about threads beside it: known MPIs work all the same,
 * and so the functions do not refuse it; options.ewald.threads = 1 is what keeps to the letter of
 * the standard.
 *
 * GPUs (backend cuda): the ranks of a machine take its GPUs round robin, or the one that
 * options.device names. Of the ranks that share a GPU the first leads it, and the others hand their
 * atoms to it, through memory that all of them see. What goes between leaders stays in device
 * memory, by NCCL or by an MPI that reads it; where there is neither it goes through the host, and
 * the report says so. Arrays may be in device memory (options.memory) where each rank has a GPU of
 * its own. In the environment of rank 0 ENUF_TRANSPORT (auto, nccl, mpi, host) asks for a way, and
 * ENUF_LEADERS_PER_DEVICE lets several ranks lead a GPU, which is of use for tests only.
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
 * for all ranks, its calibration file included, but for threads, background_threads, log and the
 * name of the wisdom file. */
typedef struct enuf_ewald_mpi_options {
    size_t struct_size;       /* sizeof(enuf_ewald_mpi_options), set by _init */
    enuf_ewald_options ewald; /* threads 0: OpenMP's default, shared among the ranks of a node where
                                 neither their binding nor OMP_NUM_THREADS says more;
                                 memory is ENUF_HOST on CPUs; background_threads are ignored */
    /* of the modes [ENUF_DECOMPOSITION_AUTO]; deterministic sums need them replicated, whatever is
     * asked for: the report tells which is in use. On GPUs a distributed grid is dealt out by whole
     * planes: GPUs beyond their number hold no cells of it, and work on pairs alone */
    enuf_decomposition decomposition;
} enuf_ewald_mpi_options;

ENUF_API void enuf_ewald_mpi_options_init(enuf_ewald_mpi_options *options);

typedef struct enuf_ewald_mpi enuf_ewald_mpi;

/** Makes an object on the ranks of `comm`, which is duplicated. Errors: those of
 * enuf_ewald_create(), on all ranks where one has no GPU, say; ENUF_BAD_MEMORY for arrays in device
 * memory of ranks that share a GPU; ENUF_BAD_ARGUMENT where MPI does not run, or (on that rank
 * alone, which may not tell the others) for a thread that may not call it. */
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
 * As enuf_ewald_tune(), with positions given on all ranks that have atoms, or on none. All ranks
 * measure, each with its own atoms, so that cutoff and predictions are those of one process to
 * rounding.
 */
ENUF_API enuf_status enuf_ewald_mpi_tune(enuf_ewald_mpi *ewald, const double *positions,
                                         int64_t stride);

/** As enuf_ewald_verify(): all ranks compare, each its own atoms, and choose what one would. */
ENUF_API enuf_status enuf_ewald_mpi_verify(enuf_ewald_mpi *ewald, const double *positions,
                                           int64_t stride);

/** As enuf_ewald_compute(), enuf_ewald_real(), enuf_ewald_reciprocal(). */
ENUF_API enuf_status enuf_ewald_mpi_compute(enuf_ewald_mpi *ewald, const double *positions,
                                            int64_t stride, int wanted, enuf_ewald_result *result);
ENUF_API enuf_status enuf_ewald_mpi_real(enuf_ewald_mpi *ewald, const double *positions,
                                         int64_t stride, int wanted, enuf_ewald_result *result);
ENUF_API enuf_status enuf_ewald_mpi_reciprocal(enuf_ewald_mpi *ewald, const double *positions,
                                               int64_t stride, int wanted,
                                               enuf_ewald_result *result);

/**
 * As enuf_ewald_begin(), enuf_ewald_begin_reciprocal() and enuf_ewald_finish(): finish returns the
 * results, with the bits of compute(). Until then positions, charges, cell and result must not
 * change, and no other function of the object may be called.
 *
 * Ranks that share one GPU: begin starts the work, and the GPU computes while the ranks do
 * something else. Errors of the GPU are told by finish. Many ranks otherwise: begin checks the
 * request and chooses parameters where there are none; finish does the work, because every step of
 * it needs messages between the ranks.
 */
ENUF_API enuf_status enuf_ewald_mpi_begin(enuf_ewald_mpi *ewald, const double *positions,
                                          int64_t stride, int wanted, enuf_ewald_result *result);
ENUF_API enuf_status enuf_ewald_mpi_begin_reciprocal(enuf_ewald_mpi *ewald, const double *positions,
                                                     int64_t stride, int wanted,
                                                     enuf_ewald_result *result);
ENUF_API enuf_status enuf_ewald_mpi_finish(enuf_ewald_mpi *ewald);

/** As enuf_ewald_measure_error(), of the same sample, to rounding. Every rank sums what its own
 * atoms do to the sample. Sample and seed of rank 0 hold for all. */
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
    int devices;         /* GPUs that all ranks work on; 0: CPUs */
    char transport[16];  /* how arrays go between GPUs: "nccl", "mpi" (which reads device memory),
                            "host" (through it); "none" where there is one GPU, or none */
    int64_t *points;     /* atoms that each rank worked on in the last evaluation: those of its
                            domain, or, of modes alone, those that it put onto its grid */
    int64_t *grid_cells; /* cells of fine grid that each holds */
    int64_t *bytes_sent; /* by each, in the last evaluation: payload, without MPI's own; a sum over
                            ranks counts as by the ring algorithm */
} enuf_ewald_mpi_report;

ENUF_API enuf_status enuf_ewald_mpi_get_report(enuf_ewald_mpi *ewald,
                                               enuf_ewald_mpi_report *report);

/** A run on many ranks that is predicted, not made. */
typedef struct enuf_ewald_mpi_run {
    size_t struct_size;
    int ranks;
    int threads;          /* of each rank, 1 and more; a GPU counts as one */
    enuf_backend backend; /* ENUF_BACKEND_AUTO: the object's; another's: its shipped rates, whether
                             or not it can be used here */
    enuf_arithmetic arithmetic; /* ENUF_ARITHMETIC_AUTO: as the backend settles it */
    int64_t cells; /* >= 1: the system repeated so often along each of a, b and c; 1 for a slab */
    double latency,
        bandwidth; /* seconds of a message, bytes a second; 0: as calibrated or shipped */
} enuf_ewald_mpi_run;

/** Energy and forces: what the busiest rank does. */
typedef struct enuf_ewald_mpi_cost {
    double seconds; /* work and messages, nothing overlapping */
    double work;    /* of it, seconds of computing */
    double bytes_sent, messages;
    double memory; /* bytes: of the mesh, or of atoms and ghosts */
} enuf_ewald_mpi_cost;

typedef struct enuf_ewald_mpi_prediction {
    size_t struct_size;
    int64_t charges;                 /* that are not 0 */
    enuf_arithmetic arithmetic;      /* settled */
    enuf_ewald_candidate parameters; /* what would be chosen; seconds of one core or GPU */
    enuf_ewald_mpi_cost pairs;
    enuf_ewald_mpi_cost replicated, distributed; /* modes, in either decomposition */
    enuf_decomposition chosen;                   /* what ENUF_DECOMPOSITION_AUTO comes to */
} enuf_ewald_mpi_prediction;

/**
 * Predicts what a run would cost by the cost model (docs/theory.md, sections 6 and 8): rates of the
 * object's calibration file, or those shipped. Local, and of one process: MPI need not run.
 *
 * ewald  with cell and charges. The parameters are those in use, or, where backend, arithmetic or
 *        cells differ, those that would be chosen for it, with the object's calibration.
 *
 * Errors: ENUF_BAD_ARGUMENT, ENUF_NO_POINTS_SET, ENUF_UNREACHABLE_ACCURACY.
 */
ENUF_API enuf_status enuf_ewald_mpi_predict(enuf_ewald *ewald, const enuf_ewald_mpi_run *run,
                                            enuf_ewald_mpi_prediction *prediction);

/**
 * As enuf_ewald_calibrate_machine(): rank 0 measures and writes, while the others sleep; before
 * that all of them exchange messages, whose latency and rate go into the file too. For messages
 * between nodes the ranks have to be on several. The log is told of one step more.
 */
ENUF_API enuf_status enuf_ewald_mpi_calibrate_machine(MPI_Comm comm,
                                                      const enuf_ewald_options *options,
                                                      const char *file);

#ifdef __cplusplus
}
#endif
#endif
