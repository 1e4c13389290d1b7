/*
 * mesh_cases.h - a mesh in parts gives the sums of the whole one: both splittings and precisions,
 * any cell, clustered charges, shares of any kind, ranks without charges and ranks without cells,
 * other cells later on. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_MPI_MESH_CASES_H
#define TESTS_MPI_MESH_CASES_H

#include "mpi/mesh/reciprocal.h"

/** A decomposition, whose arrays are on the host. */
typedef struct tested_mesh {
    const enuf_reciprocal_table *table;
    struct enuf_device_ranks *devices; /* of its request; NULL on CPUs */
} tested_mesh;

/** Collective: every case, on all ranks of `ranks`. */
void check_mesh_cases(const tested_mesh *tested, enuf_ranks *ranks);

#endif
