/*
 * domain_choice.h - the numbers of domains along each cell vector, by all that travels.
 *
 * An evaluation sends each atom from the rank where it arrives to the rank of its domain, its
 * results back, and copies of the atoms near faces (ghosts). Cubes have the fewest ghosts. Slabs
 * have more, but atoms that arrive in layers stay where they are. The choice weighs both by the
 * cost model, on a sample of the positions. It knows no slabs: they are one of the numbers tried.
 *
 * Points of the mesh go from where they arrive to their cells, whatever the domains are. So where
 * atoms arrive in layers along z, domains and slabs of the mesh hold the same atoms.
 *
 * Rank 0 chooses for all ranks. Source: docs/theory.md, "Parallel decompositions", pairs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_DOMAIN_CHOICE_H
#define ENUF_EWALD_MPI_DOMAIN_CHOICE_H

#include "lattice/cell_geometry.h"
#include "mpi/messages/ranks.h"

/** Seconds of an atom that another rank's domain holds: the atom there, its results back. Seconds
 * of an atom within the cutoff around a domain: its copy there, its pairs. */
typedef struct enuf_domain_weights {
    double moved, ghost;
} enuf_domain_weights;

/** A choice that is in use, the same on all ranks. Zeros: none yet. */
typedef struct enuf_domain_choice {
    int count[3]; /* domains along each cell vector */
    int exists;
    double ratio[3];        /* cutoff over the distance of opposite faces, when it was made */
    double cell[9], cutoff; /* that it serves */
    double moved;           /* part of the atoms that moved first; below 0: nothing has moved yet */
    int outdated;           /* 1: many more atoms move than at first */
} enuf_domain_choice;

/** The atoms of a rank, or every so many of them. */
typedef struct enuf_domain_sample {
    int64_t n;               /* atoms of the rank */
    int64_t n_listed;        /* enuf_domain_sample_size() of them */
    const double *positions; /* [n_listed][stride] on the host */
    int64_t stride;
} enuf_domain_sample;

/**
 * The numbers of pieces with the fewest ghosts at this cutoff, for any number of ranks >= 1. Their
 * product is the number of ranks. If a prime factor of it exceeds ENUF_MOST_PIECES, the product is
 * the next smaller number without such a factor, and the other ranks get no atoms.
 */
void enuf_domains_choose(int ranks, const enuf_cell_geometry *cell, double cutoff, int count[3]);

/** Ghosts over the atoms of a domain of equal domains: Π (1 + 2 cutoff count/height) - 1 over the
 * directions that are cut. */
double enuf_domain_ghosts(const enuf_cell_geometry *cell, double cutoff, const int count[3]);

/** Number of atoms that a rank with n atoms lists. */
int64_t enuf_domain_sample_size(int ranks, int64_t n);
/** From one listed atom to the next. */
int64_t enuf_domain_sample_step(int ranks, int64_t n);

/** Collective, the same status on all: chooses among all numbers of pieces with the product of
 * enuf_domains_choose(). mine: this rank's status after it made the sample. The bytes of the sample
 * do not count as sent. */
enuf_status enuf_domain_choice_make(enuf_ranks *ranks, enuf_status mine,
                                    const enuf_cell_geometry *cell, double cutoff,
                                    const enuf_domain_weights *weights,
                                    const enuf_domain_sample *sample, enuf_domain_choice *choice);

/** Collective, the same on all ranks: 1 if the choice serves this cell and cutoff. Rank 0 decides
 * where these have changed; else nothing is sent. */
int enuf_domain_choice_serves(enuf_ranks *ranks, enuf_domain_choice *choice,
                              const enuf_cell_geometry *cell, double cutoff);

/** Local: remembers which part of all atoms has moved, or finds that the choice is outdated. The
 * same number on all ranks. */
void enuf_domain_choice_watch(enuf_domain_choice *choice, double moved);

#endif
