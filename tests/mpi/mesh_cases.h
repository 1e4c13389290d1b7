/*
 * mesh_cases.h - a mesh on many ranks gives the sums over modes of one process, to rounding: 1e-14,
 * in float 1e-6. The cases have both splittings, both precisions, any cell, clustered charges,
 * points shared in several ways, ranks without charges, ranks without cells, and a cell that
 * changes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_MPI_MESH_CASES_H
#define TESTS_MPI_MESH_CASES_H

#include "mpi/mesh/reciprocal.h"

/** The tested decomposition. Its arrays are on the host. */
typedef struct tested_mesh {
    const enuf_reciprocal_table *table;
    struct enuf_device_ranks *devices; /* for the request of a mesh; NULL on CPUs */
} tested_mesh;

/** Collective: every case, on all ranks of `ranks`. */
void check_mesh_cases(const tested_mesh *tested, enuf_ranks *ranks);

#endif
