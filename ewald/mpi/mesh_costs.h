/*
 * mesh_costs.h - what the sum over modes costs on many ranks, predicted: the rates of costs.h for
 * the work, those of network.h for messages. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_MESH_COSTS_H
#define ENUF_EWALD_MPI_MESH_COSTS_H

#include "ewald_object.h"

/** Seconds of energy and forces, and bytes of the mesh on one rank. */
typedef struct enuf_mesh_cost {
    double seconds, bytes;
} enuf_mesh_cost;

/** For the method that the object has now and the charges of all ranks; `threads` of each rank. */
enuf_mesh_cost enuf_cost_of_replicated(const enuf_ewald *ewald, int ranks, int threads);
enuf_mesh_cost enuf_cost_of_distributed(const enuf_ewald *ewald, int ranks, int threads);

#endif
