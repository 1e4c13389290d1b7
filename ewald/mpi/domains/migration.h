/*
 * migration.h - sends atoms to the ranks of their domains, and their results back to the caller's
 * ranks. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_MIGRATION_H
#define ENUF_EWALD_MPI_MIGRATION_H

#include "domains.h"
#include "mpi/messages/exchange.h"
#include "array.h"

/** An atom in a message, at the caller's position. */
typedef struct enuf_migrant {
    double x[3], q;
    int64_t number; /* among the atoms of all ranks; may contain a tag that says how to move x */
} enuf_migrant;

/** Atoms in arrays of their own. */
typedef struct enuf_atom_arrays {
    int64_t n;
    double *positions; /* [n][3] moved by lattice vectors, and rounded */
    double *given;     /* [n][3] the caller's */
    double *q;         /* [n] */
    int64_t *number;   /* [n] */
    enuf_array room[4];
} enuf_atom_arrays;

/** Makes room for n atoms; keeps the present ones. */
enuf_status enuf_atom_arrays_extend(enuf_atom_arrays *atoms, int64_t n);
/** Writes an atom to place `at`: the caller's position plus `vectors` cell vectors; NULL: plus
 * none. */
void enuf_atom_arrays_put(enuf_atom_arrays *atoms, int64_t at, const enuf_migrant *migrant,
                          int64_t number, const enuf_cell_geometry *cell, const double *vectors);

/** Finds the bins of a position along the cell vectors; returns flags. A position that is not
 * finite gets bin 0. */
enum { ENUF_OUTSIDE = 1, ENUF_TOO_FAR = 2 };
char enuf_bin_of(const enuf_cell_geometry *cell, const double *x, int16_t bin[3]);

/** Numbers of cell vectors that move an atom into the cell along the directions that are cut. All
 * ranks compute the same numbers. */
void enuf_vectors_home(const enuf_cell_geometry *cell, const int count[3], const double *x,
                       double vectors[3]);

typedef struct enuf_migration {
    enuf_domains domains;
    enuf_exchange exchange;
    int64_t n_home;
    enuf_atom_arrays atoms; /* atoms of this rank's domain, by their home ranks, then in the order
                               of these ranks */
    enuf_array bin;         /* [n_home][3] int16_t */
    enuf_array slot;        /* [n_home] int64_t place of an atom in `sent` */
    enuf_array outside;     /* [n_home] char: 1 for an atom outside the cell */
    enuf_array sent, received; /* migrants, or their results */
} enuf_migration;

enuf_status enuf_migration_create(const enuf_ranks *ranks, const int count[3],
                                  enuf_migration *migration);
void enuf_migration_release(enuf_migration *migration);

/** Collective. positions [n][stride], finite; q [n]; first: number of this rank's first atom. fold:
 * 1 moves atoms into the cell along the directions that are cut, which may round their positions; 0
 * leaves positions unchanged. */
enuf_status enuf_migrate(enuf_ranks *ranks, enuf_migration *migration,
                         const enuf_cell_geometry *cell, int64_t n, const double *positions,
                         int64_t stride, const double *q, int64_t first, int fold);

/** Collective: sends elements of `size` bytes of the domain's atoms, found [atoms.n], back to home
 * [n_home]. */
enuf_status enuf_migrate_back(enuf_ranks *ranks, enuf_migration *migration, size_t size,
                              const void *found, void *home);

#endif
