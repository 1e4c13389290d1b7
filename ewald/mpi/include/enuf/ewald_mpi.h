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
 * The functions are those of enuf/ewald.h. On ranks they differ as follows.
 *
 * Calls: all functions are collective. Every rank of the communicator calls them in the same order;
 * call enuf_ewald_destroy() before MPI_Finalize(). Only enuf_ewald_lock_pages() and
 * enuf_ewald_unlock_pages() are local. After an error all ranks return the status and text of the
 * rank that failed. Errors of MPI itself go to the communicator's error handler. It has to end the
 * program, as MPI's default does: under MPI_ERRORS_RETURN a call may wait for ever.
 *
 * Atoms: every rank gives the atoms that it has, at any place in space: an equal share, its domain
 * of another decomposition, or all on one rank and none elsewhere. Arrays and per-atom results
 * belong to these atoms. Energies, their parts, virial and net force are sums over all atoms, with
 * the same bits on every rank. Atoms are numbered from rank 0 on, in the order given.
 *
 * - set_cell: the cell of rank 0 counts; other ranks may pass NULL.
 * - set_charges: the n >= 0 charges of this rank. Exclusions name atoms by their numbers among all
 *   ranks; list each pair once, on any rank.
 *
 * - tune, verify: all ranks that have atoms give positions, or (tune) none does. All ranks measure,
 *   each with its own atoms. Cutoff and predictions are those of one process, to rounding.
 *   Several GPUs have those that suit them, unless deterministic.
 *
 * - begin, finish: if ranks share one GPU, begin starts the work. Else begin checks the request and
 *   chooses parameters, and finish computes all sums, because they need other ranks from the first
 *   step on and only the calling thread may call MPI.
 *
 * - measure_error: the sample of one process, to rounding. Sample and seed of rank 0 count.
 *
 * - get_report: as in one process; `bytes` is that of this rank.
 *
 * Options: those of rank 0 count on all ranks, with its calibration file; except threads, log,
 * device, stream and the name of the wisdom file. With threads = 0 the ranks of a node share
 * OpenMP's default, unless their binding or OMP_NUM_THREADS sets it. On CPUs memory is ENUF_HOST.
 *
 * Threads: a rank computes with options.threads threads. Only the thread that calls these functions
 * calls MPI. Start MPI with MPI_Init_thread() and MPI_THREAD_FUNNELED or more; with FUNNELED call
 * from the thread that started MPI. After MPI_Init(), or with MPI_THREAD_SINGLE, MPI does not
 * guarantee that other threads may exist. Known MPIs work, so the functions accept it; use
 * options.threads = 1 to keep to the standard.
 *
 * GPUs (backend cuda): the ranks of a machine take its GPUs round robin, or the GPU of
 * options.device. The first of the ranks that share a GPU is the leader; the others give their
 * atoms to it through shared memory. Data between leaders stays in device memory, by NCCL or by an
 * MPI that reads device memory; else it goes through the host; the report says so. Arrays may be in
 * device memory (options.memory) if each rank has its own GPU. ENUF_TRANSPORT (auto, nccl, mpi,
 * host) in rank 0's environment selects the transport. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_H
#define ENUF_EWALD_MPI_H

#include "enuf/ewald.h"

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Makes an object on the ranks of `comm`; `comm` may be freed afterwards. Errors: those of
 * enuf_ewald_create(), on all ranks; ENUF_BAD_MEMORY for arrays in device memory if ranks share a
 * GPU; ENUF_BAD_ARGUMENT if MPI does not run, or if this thread must not call MPI (on this rank
 * alone, because it cannot inform the others). */
ENUF_API enuf_status enuf_ewald_create_mpi(MPI_Comm comm, const enuf_ewald_options *options,
                                           enuf_ewald **ewald);

/** Work and memory of the ranks; one process is one rank. Arrays [ranks] belong to the caller;
 * NULL, on all ranks, if not wanted. */
typedef struct enuf_ewald_mpi_report {
    size_t struct_size;
    enuf_decomposition decomposition; /* in use; AUTO: nothing computed yet */
    int ranks;
    int devices;         /* GPUs in use on all ranks; 0: CPUs */
    char transport[16];  /* of arrays between GPUs: "nccl", "mpi" (reads device memory), "host"
                            (through the host); "none" with one GPU or none */
    int64_t *points;     /* atoms of each rank in the last evaluation: of its domain, or, for modes
                            alone, of its part of the grid */
    int64_t *grid_cells; /* fine grid cells of each rank */
    int64_t *bytes_sent; /* by each rank in the last evaluation: payload, without MPI's headers; a
                            sum over ranks counts as in the ring algorithm */
} enuf_ewald_mpi_report;

/** Collective. */
ENUF_API enuf_status enuf_ewald_get_mpi_report(const enuf_ewald *ewald,
                                               enuf_ewald_mpi_report *report);

/** A run on many ranks, for a prediction. */
typedef struct enuf_ewald_mpi_run {
    size_t struct_size;
    int ranks;
    int threads;                /* of each rank, 1 and more; a GPU counts as one */
    enuf_backend backend;       /* ENUF_BACKEND_AUTO: the object's. Of another one the shipped rates
                                   count; it need not be usable here */
    enuf_arithmetic arithmetic; /* ENUF_ARITHMETIC_AUTO: chosen as the backend does */
    int64_t cells;              /* >= 1: repetitions of the system along each of a, b and c; 1 for a
                                   slab */
    double latency, bandwidth;  /* seconds a message, bytes a second; 0: of the cost rates */
} enuf_ewald_mpi_run;

/** Energy and forces on the busiest rank. */
typedef struct enuf_ewald_mpi_cost {
    double seconds; /* work and messages, without overlap */
    double work;    /* the part that is computing */
    double bytes_sent, messages;
    double memory; /* bytes: of the mesh, or of atoms and ghosts */
} enuf_ewald_mpi_cost;

typedef struct enuf_ewald_mpi_prediction {
    size_t struct_size;
    int64_t charges;                 /* that are not 0 */
    enuf_arithmetic arithmetic;      /* of the run; never AUTO */
    enuf_ewald_candidate parameters; /* of the run; seconds of one core or GPU */
    enuf_ewald_mpi_cost pairs;
    enuf_ewald_mpi_cost replicated, distributed; /* modes, in either decomposition */
    enuf_decomposition chosen;                   /* by ENUF_DECOMPOSITION_AUTO */
} enuf_ewald_mpi_prediction;

/**
 * Predicts the cost of a run by the cost model (docs/theory.md, sections 6 and 8), with the cost
 * rates of the object. Local: it needs one process, and MPI need not run.
 *
 * ewald  of enuf_ewald_create(), with cell and charges. The prediction uses its parameters. If
 *        backend, arithmetic or cells differ, or if the run has several GPUs, it chooses parameters
 *        for the run, with the object's error scale.
 *
 * Errors: ENUF_BAD_ARGUMENT, ENUF_NO_POINTS_SET, ENUF_UNREACHABLE_ACCURACY.
 */
ENUF_API enuf_status enuf_ewald_mpi_predict(enuf_ewald *ewald, const enuf_ewald_mpi_run *run,
                                            enuf_ewald_mpi_prediction *prediction);

/**
 * As enuf_ewald_calibrate_machine(): rank 0 measures and writes, while the others sleep. Before
 * that all ranks exchange messages; the file gets their latency and rate too. Start ranks on
 * several nodes to measure messages between nodes. The log receives one more line.
 */
ENUF_API enuf_status enuf_ewald_mpi_calibrate_machine(MPI_Comm comm,
                                                      const enuf_ewald_options *options,
                                                      const char *file);

#ifdef __cplusplus
}
#endif
#endif
