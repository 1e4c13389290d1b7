/*
 * device_ranks.h - communication between ranks that lead a GPU each, from device memory to device
 * memory: sums over all ranks, and items of one size from each rank to each.
 *
 * There are three transports; the first that works is used: NCCL, which is loaded at run time; MPI
 * that reads device memory itself (MPIX_Query_cuda_support); copies through the host, which the
 * report and the log then mention. ENUF_TRANSPORT=nccl, mpi or host in rank 0's environment selects
 * one.
 *
 * Functions are collective unless marked local. They take part in the communication also after a
 * failure on this rank. The caller must agree on their status (enuf_ranks_agree) before the next
 * communication. They enqueue work on the given stream; the device must be current.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_DEVICES_DEVICE_RANKS_H
#define ENUF_EWALD_MPI_DEVICES_DEVICE_RANKS_H

#include "transport.h"

typedef struct enuf_device_ranks {
    enuf_ranks *ranks; /* the leaders; outlives this object */
    int device;
    const char *name; /* of the transport: "nccl", "mpi" or "host" */
    enuf_transport *transport;
    enuf_alarm alarm; /* for a transport that enqueues messages: ranks then wait on their GPUs */
    int stopped;      /* 1: messages have failed; no more are sent */
} enuf_device_ranks;

/** alone: 1 if every rank has a device of its own. Errors: ENUF_NO_BACKEND if the selected
 * transport is not available. The same status on all ranks. */
enuf_status enuf_device_ranks_create(enuf_ranks *ranks, int device, int alone,
                                     enuf_device_ranks *made);
void enuf_device_ranks_release(enuf_device_ranks *devices);

/** Sums [n] over the ranks, in place; the same bits on all. Counts bytes as in ranks.h. */
enuf_status enuf_device_sum(enuf_device_ranks *devices, enuf_sum_type type, int64_t n, void *sums,
                            cudaStream_t stream);

/** As exchange.h, with arrays in device memory and counts on the host. */
enuf_status enuf_device_exchange_forth(enuf_device_ranks *devices, const enuf_exchange *exchange,
                                       size_t size, const void *sent, void *received,
                                       cudaStream_t stream);
enuf_status enuf_device_exchange_back(enuf_device_ranks *devices, const enuf_exchange *exchange,
                                      size_t size, const void *received, void *sent,
                                      cudaStream_t stream);

/** Exchanges between begin and end go together if the transport can do this: ranks wait once
 * instead of several times. The caller may use their data only after the end. */
enuf_status enuf_device_group_begin(enuf_device_ranks *devices);
enuf_status enuf_device_group_end(enuf_device_ranks *devices);

/** Collective. Call it after an error that all ranks have agreed on, before any other wait for a
 * stream. If messages of one rank have failed, other ranks may wait for them on their devices; then
 * all ranks give up. */
void enuf_device_ranks_stop(enuf_device_ranks *devices);

/**
 * Local: waits for enqueued work and messages. It fails if messages of this rank have failed, or if
 * another rank has raised the alarm; that rank reports the reason in the next agreement. what:
 * names the work in error texts.
 */
enuf_status enuf_device_wait_for_stream(enuf_device_ranks *devices, cudaStream_t stream,
                                        const char *what);
enuf_status enuf_device_wait_for_event(enuf_device_ranks *devices, cudaEvent_t event,
                                       const char *what);

#endif
