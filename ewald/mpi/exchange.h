/*
 * exchange.h - items of one size from every rank to every other, along a pattern that is made once
 * and serves both ways. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_EXCHANGE_H
#define ENUF_EWALD_MPI_EXCHANGE_H

#include "ranks.h"

/** Who sends how many items to whom. Items for rank 0 come first in the array that is sent, then
 * those for rank 1, ...; in the one received those of rank 0, then those of rank 1, ... */
typedef struct enuf_exchange {
    int64_t *send, *receive; /* [ranks] items */
    int64_t n_send, n_receive;
} enuf_exchange;

/** Local: makes room, all counts 0. */
enuf_status enuf_exchange_create(const enuf_ranks *ranks, enuf_exchange *exchange);
void enuf_exchange_release(enuf_exchange *exchange);

/** Collective: tells the others what they receive, once send[] is set. */
void enuf_exchange_count(enuf_ranks *ranks, enuf_exchange *exchange);
/** The same of two at once; scratch [4 ranks]. */
void enuf_exchange_count_two(enuf_ranks *ranks, int64_t *scratch, enuf_exchange *first,
                             enuf_exchange *second);

/** Collective: sent [n_send] items of `size` bytes to received [n_receive]. Arrays do not overlap;
 * what a rank sends to itself is copied, and not counted. */
void enuf_exchange_forth(enuf_ranks *ranks, const enuf_exchange *exchange, size_t size,
                         const void *sent, void *received);
/** The way back: received [n_receive], item by item, to sent [n_send]. */
void enuf_exchange_back(enuf_ranks *ranks, const enuf_exchange *exchange, size_t size,
                        const void *received, void *sent);
/** As enuf_exchange_forth(), but what a rank sends to itself stays where it is: the arrays may be
 * such as MPI reads and the processor does not. */
void enuf_exchange_others(enuf_ranks *ranks, const enuf_exchange *exchange, size_t size,
                          const void *sent, void *received);

#endif
