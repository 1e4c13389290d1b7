/*
 * enuf/ewald_mpi.h - the object of enuf/ewald.h on the ranks of MPI. Link libenuf_mpi and libenuf.
 *
 *     enuf_ewald_options options;
 *     enuf_ewald_options_init(&options);
 *     options.accuracy = 1e-6;
 *     enuf_ewald *ewald;
 *     if (enuf_ewald_create_mpi(MPI_COMM_WORLD, &options, &ewald) != ENUF_SUCCESS)
 *         die(enuf_last_error());
 *     enuf_ewald_set_cell(ewald, cell);
 *     enuf_ewald_set_charges(ewald, n_here, charges, NULL);
 *     enuf_ewald_result result = {.struct_size = sizeof result, .forces = forces};
 *     enuf_ewald_compute(ewald, positions, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, &result);
 *     enuf_ewald_destroy(&ewald);
 *
 * The functions are those of enuf/ewald.h. What they do on ranks:
 *
 * All are collective: every rank of the communicator calls them, in the same order;
 * enuf_ewald_destroy() too, before MPI_Finalize(). Only enuf_ewald_lock_pages() and
 * enuf_ewald_unlock_pages() are local. They return the same status and text on every rank, those of
 * the rank that failed; only errors of MPI itself go to the communicator's error handler, which has
 * to end the program (MPI's default does): under MPI_ERRORS_RETURN a call may wait for ever.
 *
 * Every rank gives the atoms that it has, wherever they are in space: an equal share, its domain of
 * another decomposition, all of them on one rank and none elsewhere. Its arrays and per-atom
 * results are those of its atoms; energies, their parts, virial and net force are those of all
 * atoms together, the same bits on every rank. The atoms of all ranks are numbered from rank 0 on,
 * in the order given.
 *
 * set_cell       The cell of rank 0 counts; others may pass NULL.
 * set_charges    The n >= 0 charges of this rank. Exclusions name atoms by their numbers among
 * those of all ranks; each pair once, on any rank. tune, verify   Positions are given on all ranks
 * that have atoms, or (tune) on none. All ranks measure, each with its own atoms: cutoff and
 * predictions are those of one process, to rounding. begin, finish  Ranks that share one GPU: begin
 * starts the work. Others: begin finds what is wrong with the request and chooses parameters where
 * there are none; all sums are made in finish, as they need the other ranks from their first step
 * on, and only the calling thread may call MPI. measure_error  The sample of one process, to
 * rounding. Sample and seed of rank 0 hold for all. get_report     As of one process; `bytes` is of
 * this rank.
 *
 * Options: those of rank 0 hold for all ranks, its calibration file included, but for threads, log,
 * device, stream and the name of the wisdom file. threads 0: OpenMP's default, shared among the
 * ranks of a node where neither their binding nor OMP_NUM_THREADS says more. memory is ENUF_HOST on
 * CPUs.
 *
 * Threads: a rank computes with several (options.threads); none of them but the one that
 * calls these functions calls MPI. Start MPI with MPI_Init_thread() and MPI_THREAD_FUNNELED or
 * more, and with FUNNELED call from the thread that did. After MPI_Init(), or with
 * MPI_THREAD_SINGLE, MPI promises nothing about threads beside it: known MPIs work all the same,
 * and so the functions do not refuse it; options.threads = 1 is what keeps to the letter of
 * the standard.
 *
 * GPUs (backend cuda): the ranks of a machine take its GPUs round robin, or the one that
 * options.device names. Of the ranks that share a GPU the first leads it, and the others hand their
 * atoms to it, through memory that all of them see. What goes between leaders stays in device
 * memory, by NCCL or by an MPI that reads it; where there is neither it goes through the host, and
 * the report says so. Arrays may be in device memory (options.memory) where each rank has a GPU of
 * its own. In the environment of rank 0 ENUF_TRANSPORT (auto, nccl, mpi, host) asks for a way.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_H
#define ENUF_EWALD_MPI_H

#include "enuf/ewald.h"

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Makes an object on the ranks of `comm`, which may be freed afterwards. Errors: those of
 * enuf_ewald_create(), on all ranks where one has no GPU, say; ENUF_BAD_MEMORY for arrays in device
 * memory of ranks that share a GPU; ENUF_BAD_ARGUMENT where MPI does not run, or (on that rank
 * alone, which may not tell the others) for a thread that may not call it. */
ENUF_API enuf_status enuf_ewald_create_mpi(MPI_Comm comm, const enuf_ewald_options *options,
                                           enuf_ewald **ewald);

/** What the ranks do; one process is a rank. Arrays [ranks] are the caller's, NULL where not
 * wanted, on all ranks alike. */
typedef struct enuf_ewald_mpi_report {
    size_t struct_size;
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

/** Collective. */
ENUF_API enuf_status enuf_ewald_get_mpi_report(const enuf_ewald *ewald,
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
 * ewald  of enuf_ewald_create(), with cell and charges. The parameters are those in use, or, where
 * backend, arithmetic or cells differ, those that would be chosen for it, with the object's
 * calibration.
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
