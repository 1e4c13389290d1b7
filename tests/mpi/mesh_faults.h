/*
 * mesh_faults.h - one rank fails while ranks make or use a mesh: at each of its allocations, or
 * because a position is not finite or cannot be folded. Or all ranks ask for more memory than the
 * limit, or for deterministic sums of a distributed grid. All ranks return the same status and
 * text, and a mesh that was made still works.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_MPI_MESH_FAULTS_H
#define TESTS_MPI_MESH_FAULTS_H

#include "mesh_cases.h"

typedef struct mesh_faults {
    tested_mesh mesh;
    /* relative difference of the energy when it is computed again; 0: equal bits */
    double rounding;
    int least[2]; /* create, and the first compute, must make at least so many allocations */
} mesh_faults;

/** Collective, on all ranks of `ranks`. */
void check_mesh_faults(const mesh_faults *faults, enuf_ranks *ranks);

#endif
