/*
 * node_open.h - makes the shared memory in which the ranks of one machine meet (node.h).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_NODE_OPEN_H
#define ENUF_EWALD_MPI_NODE_OPEN_H

#include "ranks.h"

/** Bytes of all rings together: for cells and points; for agreements and small sums. */
enum { ENUF_NODE_OF_EXCHANGES = 1 << 25, ENUF_NODE_OF_SUMS = 1 << 20 };

/** Collective: from now on these ranks meet in shared memory. They go on with messages of MPI if
 * they run on several machines, if there is one rank, or if the system gives no shared memory for
 * rings of so many bytes or of a quarter.
 * Error: ENUF_OUT_OF_MEMORY, on all ranks. */
enuf_status enuf_node_open(enuf_ranks *ranks, int64_t rings);
/** Local, after the last communication. */
void enuf_node_close(enuf_ranks *ranks);

#endif
