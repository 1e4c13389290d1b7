/*
 * exchange.h - items of one size between all ranks; one pattern of counts serves both directions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_EXCHANGE_H
#define ENUF_EWALD_MPI_EXCHANGE_H

#include "ranks.h"

/** Numbers of items. Both arrays are sorted by rank: sent items by the rank that receives them,
 * received items by the rank that sends them. */
typedef struct enuf_exchange {
    int64_t *send, *receive; /* [ranks] items */
    int64_t n_send, n_receive;
} enuf_exchange;

/** Local: makes room, all counts 0. */
enuf_status enuf_exchange_create(const enuf_ranks *ranks, enuf_exchange *exchange);
void enuf_exchange_release(enuf_exchange *exchange);

/** Collective: fills receive[] from send[] of all ranks. */
void enuf_exchange_count(enuf_ranks *ranks, enuf_exchange *exchange);
/** enuf_exchange_count() for two exchanges at once; scratch [4 ranks]. */
void enuf_exchange_count_two(enuf_ranks *ranks, int64_t *scratch, enuf_exchange *first,
                             enuf_exchange *second);

/** Collective: sent [n_send] items of `size` bytes to received [n_receive]. Arrays do not overlap.
 * A rank copies the items for itself; they do not count as sent. */
void enuf_exchange_forth(enuf_ranks *ranks, const enuf_exchange *exchange, size_t size,
                         const void *sent, void *received);
/** Collective, the reverse: received [n_receive], item by item, to sent [n_send]. */
void enuf_exchange_back(enuf_ranks *ranks, const enuf_exchange *exchange, size_t size,
                        const void *received, void *sent);
/** As enuf_exchange_forth(), but without the items of a rank for itself. The arrays may be in
 * device memory, if MPI reads it. */
void enuf_exchange_others(enuf_ranks *ranks, const enuf_exchange *exchange, size_t size,
                          const void *sent, void *received);

/* A round of messages that are written and read in place: open, write to each rank, send, read from
 * each rank, close. In shared memory nothing is copied. A rank's items for itself are left out. */

/** A direction of an exchange. */
typedef struct enuf_open_exchange {
    enuf_ranks *ranks;
    const int64_t *send, *receive; /* [ranks] items */
    size_t size;
    char *room; /* NULL: in `sent` and `received`, as messages of MPI */
    char *sent, *received;
} enuf_open_exchange;

/** Collective. back: the direction of enuf_exchange_back(). sent, received: room for all items,
 * used where shared memory is not. */
enuf_open_exchange enuf_exchange_open(enuf_ranks *ranks, const enuf_exchange *exchange, int back,
                                      size_t size, void *sent, void *received);
/** Where items for another rank belong, and where those from another rank are. */
char *enuf_exchange_to(const enuf_open_exchange *open, int rank);
void enuf_exchange_send(const enuf_open_exchange *open);
const char *enuf_exchange_from(const enuf_open_exchange *open, int rank);
void enuf_exchange_close(const enuf_open_exchange *open);

#endif
