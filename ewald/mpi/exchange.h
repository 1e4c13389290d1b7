/*
 * exchange.h - items of one size between all ranks; one pattern of counts serves both directions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_EXCHANGE_H
#define ENUF_EWALD_MPI_EXCHANGE_H

#include "ranks.h"

/** Numbers of items. The sent array has the items for rank 0, then for rank 1, ...; the received
 * array has the items of rank 0, then of rank 1, ... */
typedef struct enuf_exchange {
    int64_t *send, *receive; /* [ranks] items */
    int64_t n_send, n_receive;
} enuf_exchange;

/** Local: makes room, all counts 0. */
enuf_status enuf_exchange_create(const enuf_ranks *ranks, enuf_exchange *exchange);
void enuf_exchange_release(enuf_exchange *exchange);

/** Collective: fills receive[] from send[] of all ranks. */
void enuf_exchange_count(enuf_ranks *ranks, enuf_exchange *exchange);
/** The same of two at once; scratch [4 ranks]. */
void enuf_exchange_count_two(enuf_ranks *ranks, int64_t *scratch, enuf_exchange *first,
                             enuf_exchange *second);

/** Collective: sent [n_send] items of `size` bytes to received [n_receive]. Arrays do not overlap;
 * items of a rank for itself are copied, and not counted as sent. */
void enuf_exchange_forth(enuf_ranks *ranks, const enuf_exchange *exchange, size_t size,
                         const void *sent, void *received);
/** The way back: received [n_receive], item by item, to sent [n_send]. */
void enuf_exchange_back(enuf_ranks *ranks, const enuf_exchange *exchange, size_t size,
                        const void *received, void *sent);
/** As enuf_exchange_forth(), but without the items of a rank for itself. The arrays may be in
 * device memory, if MPI reads it. */
void enuf_exchange_others(enuf_ranks *ranks, const enuf_exchange *exchange, size_t size,
                          const void *sent, void *received);

#endif
