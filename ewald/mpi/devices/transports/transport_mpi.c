/*
 * transport_mpi.c - MPI messages between devices: from device memory if MPI reads it, or from
 * page-locked copies on the host. Both wait for the stream.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device.h"
#include "memory.h"
#include "transport.h"

#include <dlfcn.h>
#include <string.h>

typedef struct mpi_transport {
    enuf_transport base;
    void *host_copy[2]; /* page-locked: sent, received; sums use the first */
    size_t room[2];
    cudaEvent_t copied; /* recorded after the copy to the device, because streams may differ */
} mpi_transport;

static int always(const char **reason)
{
    *reason = "";
    return 1;
}

/* An extension that some versions of Open MPI and MPICH have. */
static int reads_device_memory(const char **reason)
{
    int (*query)(void) = NULL;
    void *symbol = dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support");
    memcpy(&query, &symbol, sizeof symbol);
    *reason = "this MPI does not read device memory (MPIX_Query_cuda_support)";
    return query && query();
}

static void destroy(enuf_transport **made)
{
    mpi_transport *t = (mpi_transport *)*made;
    for (int k = 0; k < 2; k++)
        if (t->host_copy[k]) cudaFreeHost(t->host_copy[k]);
    if (t->copied) cudaEventDestroy(t->copied);
    cudaGetLastError();
    enuf_release(&t);
    *made = NULL;
}

static enuf_status create(enuf_ranks *ranks, const enuf_transport_table *table,
                          enuf_transport **made)
{
    mpi_transport *t = NULL;
    enuf_status status = enuf_allocate(&t, 1, sizeof *t, "messages between devices");
    if (status == ENUF_SUCCESS) {
        memset(t, 0, sizeof *t);
        t->base = (enuf_transport){table, ranks};
        *made = &t->base;
        const cudaError_t error = cudaEventCreateWithFlags(&t->copied, cudaEventDisableTiming);
        if (error != cudaSuccess) status = enuf_cuda_status(error, "making an event");
    }
    status = enuf_ranks_agree(ranks, status);
    if (status != ENUF_SUCCESS && *made) destroy(made);
    return status;
}

static enuf_status create_direct(enuf_ranks *ranks, enuf_alarm *alarm, enuf_transport **made)
{
    (void)alarm;
    return create(ranks, &enuf_transport_mpi, made);
}

static enuf_status create_by_host(enuf_ranks *ranks, enuf_alarm *alarm, enuf_transport **made)
{
    (void)alarm;
    return create(ranks, &enuf_transport_host, made);
}

/* ---- Page-locked copies ---- */

static enuf_status reserve(mpi_transport *t, int which, size_t bytes)
{
    if (bytes <= t->room[which]) return ENUF_SUCCESS;
    if (t->host_copy[which]) cudaFreeHost(t->host_copy[which]);
    t->host_copy[which] = NULL;
    t->room[which] = 0;
    if (enuf_allocation_fails())
        return enuf_fail(ENUF_OUT_OF_MEMORY, "no page-locked memory for %.3g MB between devices",
                         (double)bytes * 1e-6);
    const size_t room = bytes + bytes / 4 + 4096;
    ENUF_CUDA_TRY(cudaMallocHost(&t->host_copy[which], room), "page-locked memory between devices");
    t->room[which] = room;
    return ENUF_SUCCESS;
}

static enuf_status copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                        cudaStream_t stream)
{
    if (bytes > 0)
        ENUF_CUDA_TRY(cudaMemcpyAsync(to, from, bytes, kind, stream), "copying between devices");
    return ENUF_SUCCESS;
}

static enuf_status wait_for(cudaStream_t stream)
{
    ENUF_CUDA_TRY(cudaStreamSynchronize(stream), "work before a message between devices");
    return ENUF_SUCCESS;
}

/* Waits for the stream, and for the copy to the device. Then host_copy may be overwritten. */
static enuf_status wait_for_both(const mpi_transport *t, cudaStream_t stream)
{
    ENUF_TRY(wait_for(stream));
    ENUF_CUDA_TRY(cudaEventSynchronize(t->copied), "copies before a message between devices");
    return ENUF_SUCCESS;
}

static enuf_status note_copies(const mpi_transport *t, enuf_status status, cudaStream_t stream)
{
    const cudaError_t error = cudaEventRecord(t->copied, stream);
    ENUF_TRY(status);
    return error == cudaSuccess ? ENUF_SUCCESS : enuf_cuda_status(error, "recording an event");
}

/* ---- Sums ---- */

static void sum_over_ranks(enuf_ranks *ranks, enuf_sum_type type, int64_t n, void *sums)
{
    const int64_t counted = ranks->bytes_sent; /* device_ranks.c counts the bytes */
    if (type == ENUF_SUM_FLOAT)
        enuf_ranks_sum_floats(ranks, n, sums);
    else if (type == ENUF_SUM_DOUBLE)
        enuf_ranks_sum_doubles(ranks, n, sums);
    else
        enuf_ranks_sum_integers(ranks, n, sums);
    ranks->bytes_sent = counted;
}

static enuf_status sum_direct(enuf_transport *t, enuf_sum_type type, int64_t n, void *sums,
                              cudaStream_t stream)
{
    ENUF_TRY(enuf_ranks_agree(t->ranks, wait_for(stream)));
    sum_over_ranks(t->ranks, type, n, sums);
    return ENUF_SUCCESS;
}

static enuf_status sum_by_host(enuf_transport *base, enuf_sum_type type, int64_t n, void *sums,
                               cudaStream_t stream)
{
    mpi_transport *t = (mpi_transport *)base;
    const size_t bytes = (size_t)n * enuf_sum_size(type);
    enuf_status status = wait_for_both(t, stream);
    if (status == ENUF_SUCCESS) status = reserve(t, 0, bytes);
    if (status == ENUF_SUCCESS)
        status = copy(t->host_copy[0], sums, bytes, cudaMemcpyDeviceToHost, stream);
    if (status == ENUF_SUCCESS) status = wait_for(stream);
    ENUF_TRY(enuf_ranks_agree(base->ranks, status));
    sum_over_ranks(base->ranks, type, n, t->host_copy[0]);
    status = copy(sums, t->host_copy[0], bytes, cudaMemcpyHostToDevice, stream);
    return note_copies(t, status, stream);
}

/* ---- Items from each to each ---- */

static void send_and_receive(enuf_ranks *ranks, const enuf_exchange *exchange, size_t size,
                             const void *sent, void *received)
{
    const int64_t counted = ranks->bytes_sent;
    enuf_exchange_others(ranks, exchange, size, sent, received);
    ranks->bytes_sent = counted;
}

static enuf_status swap_direct(enuf_transport *t, const enuf_exchange *exchange, size_t size,
                               const void *sent, void *received, cudaStream_t stream)
{
    ENUF_TRY(enuf_ranks_agree(t->ranks, wait_for(stream)));
    send_and_receive(t->ranks, exchange, size, sent, received);
    return ENUF_SUCCESS;
}

/* All items but those between `before` and `before + own`. */
static enuf_status copy_others(void *to, const void *from, int64_t before, int64_t own, int64_t n,
                               size_t size, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const size_t behind = (size_t)(before + own) * size;
    ENUF_TRY(copy(to, from, (size_t)before * size, kind, stream));
    return copy((char *)to + behind, (const char *)from + behind, (size_t)n * size - behind, kind,
                stream);
}

static enuf_status swap_by_host(enuf_transport *base, const enuf_exchange *exchange, size_t size,
                                const void *sent, void *received, cudaStream_t stream)
{
    mpi_transport *t = (mpi_transport *)base;
    const enuf_parts_before before = enuf_parts_before_own(base->ranks, exchange);
    const int64_t own = exchange->send[base->ranks->rank];
    enuf_status status = wait_for_both(t, stream);
    if (status == ENUF_SUCCESS) status = reserve(t, 0, (size_t)exchange->n_send * size);
    if (status == ENUF_SUCCESS) status = reserve(t, 1, (size_t)exchange->n_receive * size);
    if (status == ENUF_SUCCESS)
        status = copy_others(t->host_copy[0], sent, before.send, own, exchange->n_send, size,
                             cudaMemcpyDeviceToHost, stream);
    if (status == ENUF_SUCCESS) status = wait_for(stream);
    ENUF_TRY(enuf_ranks_agree(base->ranks, status));
    send_and_receive(base->ranks, exchange, size, t->host_copy[0], t->host_copy[1]);
    status =
        copy_others(received, t->host_copy[1], before.receive, exchange->receive[base->ranks->rank],
                    exchange->n_receive, size, cudaMemcpyHostToDevice, stream);
    return note_copies(t, status, stream);
}

const enuf_transport_table enuf_transport_mpi = {
    .name = "mpi",
    .usable = reads_device_memory,
    .create = create_direct,
    .destroy = destroy,
    .sum = sum_direct,
    .swap = swap_direct,
};

const enuf_transport_table enuf_transport_host = {
    .name = "host",
    .usable = always,
    .create = create_by_host,
    .destroy = destroy,
    .sum = sum_by_host,
    .swap = swap_by_host,
};
