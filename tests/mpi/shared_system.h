/*
 * shared_system.h - a system whose atoms are distributed over the ranks; every rank has a copy of
 * the whole. Compares the sums of the ranks with those of one process. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef TESTS_MPI_SHARED_SYSTEM_H
#define TESTS_MPI_SHARED_SYSTEM_H

#include "enuf/ewald_mpi.h"
#include "mpi_program.h"
#include "systems.h"

/* X(NAME, description) */
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

/** begin_mpi(), and the backend that the program's argument names: `cuda` for GPUs, which
 * shared_options() then asks for. 0: there are none, finish_ranks() skips. */
int begin_ranks(int *argc, char ***argv);
/** 1 where the argument said cuda. */
int on_gpus(void);

/** The atoms of this rank. */
typedef struct dealt_system {
    int64_t n;
    int64_t *atom;   /* [n] which of the whole system */
    double *x, *q;   /* [n][3], [n] */
    int64_t *number; /* [whole n] the number of each atom among those of all ranks */
} dealt_system;

dealt_system deal_out(const charge_system *whole, deal how, MPI_Comm comm);
void free_dealt(dealt_system *dealt);

/** An object with the cell set, or NULL after a check that failed. Collective, as the rest. */
enuf_ewald *make_shared(const enuf_ewald_options *options, const charge_system *whole);

/** Sets charges and exclusions (pairs of atoms of the whole system; the ranks take turns to pass
 * them). Returns 1 on success. */
int set_shared(enuf_ewald *ewald, const dealt_system *dealt, const enuf_exclusions *exclusions);

/** That of rank 0, with all arrays [n], on all ranks, which have room for them. */
void tell_result(enuf_ewald_result *result, int64_t n);

/** The object of one process, which holds the whole grid whatever the options say. Local. */
enuf_ewald *make_alone(const enuf_ewald_options *options, const charge_system *whole,
                       const enuf_exclusions *exclusions);

/** The sums of one process with all arrays, computed on rank 0 and sent to all ranks. */
enuf_ewald_result evaluate_alone(const enuf_ewald_options *options, const charge_system *whole,
                                 const enuf_exclusions *exclusions);

/** Options that ask for `accuracy`. */
enuf_ewald_options shared_options(double accuracy, enuf_split split);

/** Largest differences of this rank's atoms to those of one process: energy and virial over the
 * energy, arrays over their largest element. */
typedef struct shared_difference {
    double energy, parts, virial, forces, atom_energy, atom_virial, potential, field;
} shared_difference;

shared_difference compare_shared(const enuf_ewald_result *whole, int64_t n_whole,
                                 const enuf_ewald_result *here, const dealt_system *dealt);

/** How many numbers of this rank have other bits. */
int64_t other_bits(const enuf_ewald_result *whole, const enuf_ewald_result *here,
                   const dealt_system *dealt);

/** Checks all of them against one bound; the largest over the ranks is printed by rank 0. */
void check_difference(const shared_difference *d, double bound);

/** check_result(), or check_skip(), and end_mpi(). */
int finish_ranks(void);

#endif
