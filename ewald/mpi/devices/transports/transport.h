/*
 * transport.h - transports of arrays in device memory between ranks; see device_ranks.h.
 * transport_nccl.c and transport_mpi.c fill the tables.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_DEVICES_TRANSPORT_H
#define ENUF_EWALD_MPI_DEVICES_TRANSPORT_H

#include "mpi/messages/alarm.h"
#include "mpi/messages/exchange.h"

#include <cuda_runtime_api.h>

typedef enum enuf_sum_type { ENUF_SUM_FLOAT, ENUF_SUM_DOUBLE, ENUF_SUM_INT64 } enuf_sum_type;

typedef struct enuf_transport enuf_transport;

typedef struct enuf_transport_table {
    const char *name;
    /* Local: 1 if this rank can use it; if not, *reason says what is missing */
    int (*usable)(const char **reason);
    /* Collective, with the status agreed on; *made is NULL after an error. The alarm outlives it;
     * only transports that enqueue use it */
    enuf_status (*create)(enuf_ranks *ranks, enuf_alarm *alarm, enuf_transport **made);
    void (*destroy)(enuf_transport **made);
    enuf_status (*sum)(enuf_transport *t, enuf_sum_type type, int64_t n, void *sums,
                       cudaStream_t stream);
    /* all parts but this rank's own, as in enuf_exchange_forth() */
    enuf_status (*swap)(enuf_transport *t, const enuf_exchange *exchange, size_t size,
                        const void *sent, void *received, cudaStream_t stream);
    /* Local: exchanges between begin and end go together; NULL: not available */
    enuf_status (*begin_group)(enuf_transport *t);
    enuf_status (*end_group)(enuf_transport *t);
    /* 1: messages are enqueued, and ranks wait for others on their devices. Only such a transport
     * has the next three functions */
    int enqueues;
    /* Local: reports errors of enqueued messages */
    enuf_status (*check)(enuf_transport *t);
    /* Local. has_failed: 1 if others may wait on their devices for messages of this rank. give_up:
     * ends these waits; later messages are errors */
    int (*has_failed)(const enuf_transport *t);
    void (*give_up)(enuf_transport *t);
} enuf_transport_table;

/** First member of every transport. */
struct enuf_transport {
    const enuf_transport_table *table;
    enuf_ranks *ranks;
};

extern const enuf_transport_table enuf_transport_nccl;
extern const enuf_transport_table enuf_transport_mpi; /* MPI reads device memory itself */
extern const enuf_transport_table enuf_transport_host;

/** Numbers of items for and from the ranks before this one. */
typedef struct enuf_parts_before {
    int64_t send, receive;
} enuf_parts_before;

static inline enuf_parts_before enuf_parts_before_own(const enuf_ranks *ranks,
                                                      const enuf_exchange *exchange)
{
    enuf_parts_before before = {0, 0};
    for (int r = 0; r < ranks->rank; r++) {
        before.send += exchange->send[r];
        before.receive += exchange->receive[r];
    }
    return before;
}

static inline size_t enuf_sum_size(enuf_sum_type type)
{
    return type == ENUF_SUM_FLOAT ? sizeof(float) : sizeof(double);
}

#endif
