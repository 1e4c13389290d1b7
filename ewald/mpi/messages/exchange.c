/*
 * exchange.c - see exchange.h. Ranks without items for each other exchange no message.
 *
 * Messages of MPI: rank r sends to r + k and receives from r - k, k = 0, 1, ... So a rank waits for
 * two others at a time at most. In shared memory (node.h) a rank writes its items for all others,
 * with their places before them, and reads what it gets where the others have written it. Items for
 * which a ring is too small go as messages of MPI.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "exchange.h"
#include "memory.h"
#include "node.h"

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

/* n numbers from each rank to each. */
static void all_to_all(enuf_ranks *ranks, int n, const int64_t *sent, int64_t *received)
{
    const size_t bytes = (size_t)n * sizeof *sent;
    enuf_node *node = ranks->node;
    const int64_t of_all = ranks->size * (int64_t)bytes;
    ranks->bytes_sent += (ranks->size - 1) * (int64_t)bytes;
    if (!node || of_all > enuf_node_room(node)) {
        MPI_Alltoall(sent, n, MPI_INT64_T, received, n, MPI_INT64_T, ranks->comm);
        return;
    }
    memcpy(enuf_node_begin(node, of_all), sent, (size_t)of_all);
    enuf_node_send(node);
    for (int k = 0; k < ranks->size; k++) {
        const int from = (ranks->rank + k) % ranks->size;
        memcpy(received + n * from, enuf_node_receive(node, from) + (size_t)ranks->rank * bytes,
               bytes);
    }
    enuf_node_end(node);
}

void enuf_exchange_count(enuf_ranks *ranks, enuf_exchange *exchange)
{
    all_to_all(ranks, 1, exchange->send, exchange->receive);
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
    all_to_all(ranks, 2, scratch, received);
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

/* The items of an exchange in one direction. */
typedef struct transfer {
    const int64_t *send, *receive; /* [ranks] items */
    size_t size;
    const char *sent;
    char *received;
} transfer;

/* Starts a round in shared memory: places of the items for each rank, and room for them. NULL: the
 * ring is too small. */
static char *open_room(const enuf_ranks *ranks, const transfer *t)
{
    const int me = ranks->rank;
    const int64_t size = (int64_t)t->size;
    int64_t place = ranks->size * (int64_t)sizeof place;
    const int64_t items = items_before(t->send, ranks->size) - t->send[me];
    char *room = enuf_node_begin(ranks->node, place + items * size);
    for (int r = 0; room && r < ranks->size; r++) {
        memcpy(room + (size_t)r * sizeof place, &place, sizeof place);
        if (r != me) place += t->send[r] * size;
    }
    return room;
}

/* Writes all items and sends. Returns 1, or 0 if the ring is too small: these items go as messages.
 */
static int write_items(const enuf_ranks *ranks, const transfer *t)
{
    const size_t before = (size_t)items_before(t->send, ranks->rank) * t->size;
    const size_t own = (size_t)t->send[ranks->rank] * t->size;
    const size_t all = (size_t)items_before(t->send, ranks->size) * t->size;
    char *room = open_room(ranks, t);
    if (room) {
        char *items = room + (size_t)ranks->size * sizeof(int64_t);
        if (before > 0) memcpy(items, t->sent, before);
        if (all > before + own) memcpy(items + before, t->sent + before + own, all - before - own);
    }
    enuf_node_send(ranks->node);
    return room != NULL;
}

/* Where the items for this rank are; NULL: they come as a message. */
static const char *items_from(const enuf_ranks *ranks, int from)
{
    int64_t place;
    const char *room = enuf_node_receive(ranks->node, from);
    if (!room) return NULL;
    memcpy(&place, room + (size_t)ranks->rank * sizeof place, sizeof place);
    return room + place;
}

static void copy_own(const enuf_ranks *ranks, const transfer *t)
{
    const int me = ranks->rank;
    if (t->send[me] == 0) return;
    memcpy(t->received + (size_t)items_before(t->receive, me) * t->size,
           t->sent + (size_t)items_before(t->send, me) * t->size, (size_t)t->send[me] * t->size);
}

/* All items but those of a rank for itself. written: mine are in shared memory. copies: what the
 * others have written there is copied to t->received. */
static void pass(enuf_ranks *ranks, const transfer *t, int written, int copies)
{
    const int me = ranks->rank, last = ranks->size - 1;
    /* first items for `to` and from `from`; `to` goes up through the ranks, `from` goes down */
    int64_t out = items_before(t->send, me), in = items_before(t->receive, me);
    for (int k = 0; k < ranks->size; k++) {
        const int to = (me + k) % ranks->size, from = (me - k + ranks->size) % ranks->size;
        char *place = t->received + (size_t)in * t->size;
        const int64_t send_bytes = t->send[to] * (int64_t)t->size;
        const int64_t receive_bytes = t->receive[from] * (int64_t)t->size;
        if (k > 0) {
            const int asks = ranks->node && receive_bytes > 0;
            const char *items = asks ? items_from(ranks, from) : NULL;
            if (items && copies) memcpy(place, items, (size_t)receive_bytes);
            swap(ranks, to, t->sent + (size_t)out * t->size, written ? 0 : send_bytes, from, place,
                 items ? 0 : receive_bytes);
            ranks->bytes_sent += send_bytes;
        }
        out = to == last ? 0 : out + t->send[to];
        in = from == 0 ? items_before(t->receive, last) : in - t->receive[from - 1];
    }
}

static void exchange_items(enuf_ranks *ranks, const transfer *t)
{
    const int written = ranks->node && write_items(ranks, t);
    copy_own(ranks, t);
    pass(ranks, t, written, 1);
    if (ranks->node) enuf_node_end(ranks->node);
}

void enuf_exchange_forth(enuf_ranks *ranks, const enuf_exchange *exchange, size_t size,
                         const void *sent, void *received)
{
    const transfer t = {exchange->send, exchange->receive, size, sent, received};
    exchange_items(ranks, &t);
}

void enuf_exchange_back(enuf_ranks *ranks, const enuf_exchange *exchange, size_t size,
                        const void *received, void *sent)
{
    const transfer t = {exchange->receive, exchange->send, size, received, sent};
    exchange_items(ranks, &t);
}

void enuf_exchange_others(enuf_ranks *ranks, const enuf_exchange *exchange, size_t size,
                          const void *sent, void *received)
{
    const transfer t = {exchange->send, exchange->receive, size, sent, received};
    enuf_node *node = ranks->node;
    ranks->node = NULL; /* arrays of a device are not copied here */
    pass(ranks, &t, 0, 1);
    ranks->node = node;
}

enuf_open_exchange enuf_exchange_open(enuf_ranks *ranks, const enuf_exchange *exchange, int back,
                                      size_t size, void *sent, void *received)
{
    enuf_open_exchange open = {.ranks = ranks,
                               .send = back ? exchange->receive : exchange->send,
                               .receive = back ? exchange->send : exchange->receive,
                               .size = size,
                               .sent = sent,
                               .received = received};
    const transfer t = {open.send, open.receive, size, sent, received};
    if (ranks->node) open.room = open_room(ranks, &t);
    return open;
}

char *enuf_exchange_to(const enuf_open_exchange *open, int rank)
{
    int64_t place;
    if (!open->room) return open->sent + (size_t)items_before(open->send, rank) * open->size;
    memcpy(&place, open->room + (size_t)rank * sizeof place, sizeof place);
    return open->room + place;
}

void enuf_exchange_send(const enuf_open_exchange *open)
{
    const transfer t = {open->send, open->receive, open->size, open->sent, open->received};
    if (open->ranks->node) enuf_node_send(open->ranks->node);
    pass(open->ranks, &t, open->room != NULL, 0);
}

const char *enuf_exchange_from(const enuf_open_exchange *open, int rank)
{
    const char *items =
        open->ranks->node && open->receive[rank] > 0 ? items_from(open->ranks, rank) : NULL;
    return items ? items : open->received + (size_t)items_before(open->receive, rank) * open->size;
}

void enuf_exchange_close(const enuf_open_exchange *open)
{
    if (open->ranks->node) enuf_node_end(open->ranks->node);
}
