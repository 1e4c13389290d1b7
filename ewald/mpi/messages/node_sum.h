/*
 * node_sum.h - sums of arrays of all ranks in shared memory (node.h): every rank adds up one part,
 * in the order of ranks, and reads the parts of the others.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_NODE_SUM_H
#define ENUF_EWALD_MPI_NODE_SUM_H

#include "node.h"

/* Collective: any n, the same on all ranks, which get the same bits. */
void enuf_node_sum_doubles(enuf_node *node, int64_t n, double *sums);
void enuf_node_sum_floats(enuf_node *node, int64_t n, float *sums);
void enuf_node_sum_integers(enuf_node *node, int64_t n, int64_t *sums);

#endif
