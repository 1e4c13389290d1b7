/*
 * exchange.c - see exchange.h. Rank r sends to r + k and receives from r - k, k = 0, 1, ... So a
 * rank waits for two others at a time at most. Ranks without items for each other exchange no
 * message.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "exchange.h"
#include "memory.h"

#include <string.h>

enum { TAG = 1 };

/* MPI counts bytes in int: longer messages go in pieces. */
static const int64_t most_bytes = INT64_C(1) << 30;

enuf_status enuf_exchange_create(const enuf_ranks *ranks, enuf_exchange *exchange)
{
    const int64_t size = ranks->size;
    *exchange = (enuf_exchange){0};
    ENUF_TRY(enuf_allocate(&exchange->send, 2 * size, sizeof(int64_t), "counts of an exchange"));
    exchange->receive = exchange->send + size;
    memset(exchange->send, 0, 2 * (size_t)size * sizeof(int64_t));
    return ENUF_SUCCESS;
}

void enuf_exchange_release(enuf_exchange *exchange)
{
    enuf_release(&exchange->send);
    *exchange = (enuf_exchange){0};
}

static void count_all(const enuf_ranks *ranks, enuf_exchange *exchange)
{
    exchange->n_send = exchange->n_receive = 0;
    for (int r = 0; r < ranks->size; r++) {
        exchange->n_send += exchange->send[r];
        exchange->n_receive += exchange->receive[r];
    }
}

void enuf_exchange_count(enuf_ranks *ranks, enuf_exchange *exchange)
{
    MPI_Alltoall(exchange->send, 1, MPI_INT64_T, exchange->receive, 1, MPI_INT64_T, ranks->comm);
    ranks->bytes_sent += (ranks->size - 1) * (int64_t)sizeof(int64_t);
    count_all(ranks, exchange);
}

void enuf_exchange_count_two(enuf_ranks *ranks, int64_t *scratch, enuf_exchange *first,
                             enuf_exchange *second)
{
    int64_t *received = scratch + 2 * (int64_t)ranks->size;
    for (int r = 0; r < ranks->size; r++) {
        scratch[2 * r] = first->send[r];
        scratch[2 * r + 1] = second->send[r];
    }
    MPI_Alltoall(scratch, 2, MPI_INT64_T, received, 2, MPI_INT64_T, ranks->comm);
    ranks->bytes_sent += 2 * (ranks->size - 1) * (int64_t)sizeof(int64_t);
    for (int r = 0; r < ranks->size; r++) {
        first->receive[r] = received[2 * r];
        second->receive[r] = received[2 * r + 1];
    }
    count_all(ranks, first);
    count_all(ranks, second);
}

static int64_t items_before(const int64_t *counts, int rank)
{
    int64_t sum = 0;
    for (int r = 0; r < rank; r++) sum += counts[r];
    return sum;
}

/* One step of the ring. Sender and receiver cut a message into the same pieces. */
static void swap(const enuf_ranks *ranks, int to, const char *sent, int64_t send_bytes, int from,
                 char *received, int64_t receive_bytes)
{
    while (send_bytes > 0 || receive_bytes > 0) {
        const int64_t out = send_bytes < most_bytes ? send_bytes : most_bytes;
        const int64_t in = receive_bytes < most_bytes ? receive_bytes : most_bytes;
        MPI_Sendrecv(sent, (int)out, MPI_BYTE, out > 0 ? to : MPI_PROC_NULL, TAG, received, (int)in,
                     MPI_BYTE, in > 0 ? from : MPI_PROC_NULL, TAG, ranks->comm, MPI_STATUS_IGNORE);
        sent += out;
        received += in;
        send_bytes -= out;
        receive_bytes -= in;
    }
}

static void transfer(enuf_ranks *ranks, const int64_t *send, const int64_t *receive, size_t size,
                     const void *sent, void *received, int with_own)
{
    const int me = ranks->rank, last = ranks->size - 1;
    /* first items for `to` and from `from`; `to` goes up through the ranks, `from` goes down */
    int64_t out = items_before(send, me), in = items_before(receive, me);
    for (int k = 0; k < ranks->size; k++) {
        const int to = (me + k) % ranks->size, from = (me - k + ranks->size) % ranks->size;
        const char *first = (const char *)sent + (size_t)out * size;
        char *place = (char *)received + (size_t)in * size;
        const int64_t send_bytes = send[to] * (int64_t)size;
        const int64_t receive_bytes = receive[from] * (int64_t)size;
        if (k > 0) {
            swap(ranks, to, first, send_bytes, from, place, receive_bytes);
            ranks->bytes_sent += send_bytes;
        } else if (with_own && send_bytes > 0) {
            memcpy(place, first, (size_t)send_bytes);
        }
        out = to == last ? 0 : out + send[to];
        in = from == 0 ? items_before(receive, last) : in - receive[from - 1];
    }
}

void enuf_exchange_forth(enuf_ranks *ranks, const enuf_exchange *exchange, size_t size,
                         const void *sent, void *received)
{
    transfer(ranks, exchange->send, exchange->receive, size, sent, received, 1);
}

void enuf_exchange_back(enuf_ranks *ranks, const enuf_exchange *exchange, size_t size,
                        const void *received, void *sent)
{
    transfer(ranks, exchange->receive, exchange->send, size, received, sent, 1);
}

void enuf_exchange_others(enuf_ranks *ranks, const enuf_exchange *exchange, size_t size,
                          const void *sent, void *received)
{
    transfer(ranks, exchange->send, exchange->receive, size, sent, received, 0);
}
