/*
 * device_ranks.h - ranks that lead a GPU each, and what goes between them from device memory to
 * device memory: sums over all, and items of one size from each to each.
 *
 * Three ways, the first that serves: NCCL, which is loaded when it is wanted; an MPI that reads
 * device memory itself (MPIX_Query_cuda_support); through the host, which is what the report and
 * the log then say. ENUF_TRANSPORT=nccl, mpi or host in rank 0's environment asks for one of them.
 *
 * All functions but those marked local are collective, and take part in the communication whatever
 * has failed here: what they return is agreed on by the caller (enuf_ranks_agree) before the next
 * one. Work is enqueued on the stream given; the device is current. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_CUDA_DEVICE_RANKS_H
#define ENUF_EWALD_MPI_CUDA_DEVICE_RANKS_H

#include "alarm.h"
#include "exchange.h"

#include <cuda_runtime_api.h>

typedef enum enuf_sum_type { ENUF_SUM_FLOAT, ENUF_SUM_DOUBLE, ENUF_SUM_INT64 } enuf_sum_type;

typedef struct enuf_transport enuf_transport; /* transport.h */

typedef struct enuf_device_ranks {
    enuf_ranks *ranks; /* those that lead; outlives this */
    int device;
    const char *name; /* of the transport: "nccl", "mpi" or "host" */
    enuf_transport *transport;
    enuf_alarm alarm; /* where messages are enqueued, so that ranks wait for others on their GPUs */
    int stopped;      /* messages failed before: there will be none */
} enuf_device_ranks;

/** alone: each rank has a device that no other rank of these works on. Errors: ENUF_NO_BACKEND
 * where the transport asked for cannot be had. The same on all ranks. */
enuf_status enuf_device_ranks_create(enuf_ranks *ranks, int device, int alone,
                                     enuf_device_ranks *made);
void enuf_device_ranks_release(enuf_device_ranks *devices);

/** Sums [n] over the ranks, in place; the same bits on all. Bytes are counted as in ranks.h. */
enuf_status enuf_device_sum(enuf_device_ranks *devices, enuf_sum_type type, int64_t n, void *sums,
                            cudaStream_t stream);

/** As exchange.h, with arrays in device memory and counts on the host. */
enuf_status enuf_device_exchange_forth(enuf_device_ranks *devices, const enuf_exchange *exchange,
                                       size_t size, const void *sent, void *received,
                                       cudaStream_t stream);
enuf_status enuf_device_exchange_back(enuf_device_ranks *devices, const enuf_exchange *exchange,
                                      size_t size, const void *received, void *sent,
                                      cudaStream_t stream);

/** Exchanges between the two go together, where the transport can: one wait for the others instead
 * of several. Nothing of them may be used before the end. */
enuf_status enuf_device_group_begin(enuf_device_ranks *devices);
enuf_status enuf_device_group_end(enuf_device_ranks *devices);

/** After an error that all have agreed on, before a stream is waited for in any other way: where
 * messages of one rank have failed, others may wait for them on their devices, and all give up. */
void enuf_device_ranks_stop(enuf_device_ranks *devices);

/**
 * Local: wait for what has been enqueued, messages among it. They fail where messages have failed
 * here since they were enqueued, or where another rank says that its own have: it brings the reason
 * to the next agreement. `what` is waited for, in the text of an error.
 */
enuf_status enuf_device_wait_for_stream(enuf_device_ranks *devices, cudaStream_t stream,
                                        const char *what);
enuf_status enuf_device_wait_for_event(enuf_device_ranks *devices, cudaEvent_t event,
                                       const char *what);

#endif
