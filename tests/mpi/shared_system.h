/*
 * shared_system.h - a system whose atoms are distributed over the ranks. Every rank has a copy of
 * the whole system. Compares the results on the ranks with those of one process.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_MPI_SHARED_SYSTEM_H
#define TESTS_MPI_SHARED_SYSTEM_H

#include "enuf/ewald_mpi.h"
#include "mpi_program.h"
#include "systems.h"

/* How atoms are distributed over the ranks: X(NAME, description) */
#define DEALS(X)                                                                                   \
    X(ALL_ON_FIRST, "all on rank 0")                                                               \
    X(ALL_ON_LAST, "all on the last rank")                                                         \
    X(IN_BLOCKS, "equal blocks")                                                                   \
    X(IN_TURN, "in turn, every other rank left out")

typedef enum deal {
#define ENUF_X(NAME, description) DEAL_##NAME,
    DEALS(ENUF_X)
#undef ENUF_X
        DEAL_COUNT
} deal;

const char *deal_name(deal how);

/** begin_mpi(). If the first argument of the program is `cuda`, shared_options() asks for GPUs.
 * Returns 0 if there are none; finish_ranks() then skips the test. */
int begin_ranks(int *argc, char ***argv);
/** 1 if the first argument of the program was cuda. */
int on_gpus(void);

/** The atoms of this rank. */
typedef struct dealt_system {
    int64_t n;
    int64_t *atom; /* their indices in the whole system */
    double *x, *q; /* [n][3], [n] */
    /* [n of the whole] number of each atom of the system, counted through the ranks */
    int64_t *number;
} dealt_system;

dealt_system deal_out(const charge_system *whole, deal how, MPI_Comm comm);
void free_dealt(dealt_system *dealt);

/** Collective: an object with its cell set, or NULL after a failed check. On many GPUs it takes the
 * parameters of one. */
enuf_ewald *make_shared(const enuf_ewald_options *options, const charge_system *whole);

/** Collective: sets charges and exclusions. Exclusions are pairs of atoms of the whole system; each
 * rank passes some of them. Returns 1 on success. */
int set_shared(enuf_ewald *ewald, const dealt_system *dealt, const enuf_exclusions *exclusions);

/** Sends the result of rank 0 with all its arrays [n] to the other ranks. They must have arrays of
 * this size. */
void broadcast_result(enuf_ewald_result *result, int64_t n);

/** Local: an object of one process, with the whole grid whatever decomposition the options ask
 * for. */
enuf_ewald *make_alone(const enuf_ewald_options *options, const charge_system *whole,
                       const enuf_exclusions *exclusions);

/** Collective: all results of one process, computed on rank 0 and sent to all ranks. */
enuf_ewald_result evaluate_alone(const enuf_ewald_options *options, const charge_system *whole,
                                 const enuf_exclusions *exclusions);

/** Options that ask for `accuracy`. */
enuf_ewald_options shared_options(double accuracy, enuf_split split);

/** Largest differences of this rank's atoms to one process. Energy, its parts and the virial: over
 * the sum of the sizes of the parts. Arrays: over their largest element. */
typedef struct shared_difference {
    double energy, parts, virial, forces, atom_energy, atom_virial, potential, field;
} shared_difference;

shared_difference compare_shared(const enuf_ewald_result *whole, int64_t n_whole,
                                 const enuf_ewald_result *here, const dealt_system *dealt);

/** The number of results on this rank whose bits differ from those of one process. The vector of an
 * atom counts once. */
int64_t count_different_bits(const enuf_ewald_result *whole, const enuf_ewald_result *here,
                             const dealt_system *dealt);

/** Collective: checks the largest differences of all ranks against one bound. */
void check_difference(const shared_difference *d, double bound);

/** check_result(), or check_skip(), and end_mpi(). */
int finish_ranks(void);

#endif
