/*
 * mesh_faults.h - a mesh in parts where one rank fails: every allocation of it in its turn,
 * positions that are not finite or cannot be folded, memory that is limited, what is not done. All
 * ranks return the same status and text, and a mesh that was made stays usable.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_MPI_MESH_FAULTS_H
#define TESTS_MPI_MESH_FAULTS_H

#include "mesh_cases.h"

typedef struct mesh_faults {
    tested_mesh mesh;
    double rounding; /* of the same energy again, relative; 0: the same bits */
    int least[2];    /* allocations of making a mesh, and of its first evaluation, are more */
} mesh_faults;

/** Collective, on all ranks of `ranks`. */
void check_mesh_faults(const mesh_faults *faults, enuf_ranks *ranks);

#endif
