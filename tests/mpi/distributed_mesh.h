/*
 * distributed_mesh.h - compares the sums over modes of a mesh on many ranks with those of one
 * process.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_MPI_DISTRIBUTED_MESH_H
#define TESTS_MPI_DISTRIBUTED_MESH_H

#include "mpi/mesh/reciprocal.h"

/** How points are shared among the ranks. */
typedef enum point_shares {
    IN_TURN,
    ALL_ON_LAST,
    HALVES_OF_SPACE,
    LAYERS_ACROSS_X, /* of space, one for each rank; the first wraps around */
    LAYERS_ACROSS_Y,
    POINT_SHARES
} point_shares;

/** The whole system; every rank holds the same copy. */
typedef struct whole_system {
    int64_t n;
    const double *x, *q; /* [n][3], [n] */
    enuf_ewald *ewald;   /* its method is up to date */
    double energy, virial[6];
    void *half_potential, *half_gradient, *atom_virial; /* see enuf_mesh_sums */
} whole_system;

/** Computes the sums over modes on this rank alone, with the plan of the object. */
whole_system sum_whole(enuf_ewald *ewald, int64_t n, const double *x, const double *q);
void free_whole(whole_system *whole);

/** Largest differences to the whole at this rank's points, over the largest number of any point.
 * Energy and virial: over the energy. */
typedef struct mesh_difference {
    double energy, virial, potential, gradient, atom_virial;
} mesh_difference;

/** Collective: computes with `mesh` and compares with one process. A failed call ends the
 * program. */
mesh_difference compare_with_whole(const enuf_reciprocal_table *table, enuf_reciprocal *mesh,
                                   const whole_system *whole, const enuf_ranks *ranks,
                                   point_shares shares);

/** Lists this rank's points in index [n]; returns their number. */
int64_t share_points(const whole_system *whole, const enuf_ranks *ranks, point_shares shares,
                     int64_t *index);

/** MPI_COMM_WORLD. */
enuf_ranks all_ranks(void);

/** Collective: 1 if status and error text on this rank are those of rank 0. */
int all_agree(const enuf_ranks *ranks, enuf_status status);

#endif
