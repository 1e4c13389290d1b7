/* device_ranks.c - see device_ranks.h. SPDX-License-Identifier: BSD-3-Clause */
#include "device_ranks.h"
#include "device.h"

#include <stdlib.h>
#include <string.h>

static const enuf_transport_table *const tables[] = {&enuf_transport_nccl, &enuf_transport_mpi,
                                                     &enuf_transport_host};
enum { TABLES = (int)(sizeof tables / sizeof *tables), AUTO = -1 };

/* Reads ENUF_TRANSPORT. */
static enuf_status requested_transport(int *which)
{
    const char *name = getenv("ENUF_TRANSPORT");
    *which = AUTO;
    if (!name || strcmp(name, "auto") == 0) return ENUF_SUCCESS;
    for (int k = 0; k < TABLES; k++)
        if (strcmp(name, tables[k]->name) == 0) *which = k;
    if (*which != AUTO) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "ENUF_TRANSPORT is \"%s\": use auto, nccl, mpi or host, or unset it", name);
}

/* Collective: checks that all ranks can use a transport; the error text is that of the first rank
 * that cannot. */
static enuf_status usable(enuf_ranks *ranks, const enuf_transport_table *table, int alone)
{
    const char *reason = "";
    enuf_status status = ENUF_SUCCESS;
    if (table == &enuf_transport_nccl && !alone)
        status = enuf_fail(ENUF_NO_BACKEND, "NCCL wants a GPU of its own for each rank");
    else if (!table->usable(&reason))
        status = enuf_fail(ENUF_NO_BACKEND, "transport %s: %s", table->name, reason);
    return enuf_ranks_agree(ranks, status);
}

static enuf_status attempt(enuf_ranks *ranks, const enuf_transport_table *table, int alone,
                           enuf_device_ranks *made)
{
    ENUF_TRY(usable(ranks, table, alone));
    if (table->enqueues) ENUF_TRY(enuf_alarm_create(ranks, &made->alarm));
    const enuf_status status = table->create(ranks, &made->alarm, &made->transport);
    if (status == ENUF_SUCCESS) {
        made->name = table->name;
    } else if (table->enqueues) {
        enuf_alarm_clear(&made->alarm);
        enuf_alarm_release(&made->alarm);
    }
    return status;
}

enuf_status enuf_device_ranks_create(enuf_ranks *ranks, int device, int alone,
                                     enuf_device_ranks *made)
{
    int which = AUTO;
    *made = (enuf_device_ranks){.ranks = ranks, .device = device, .name = "none"};
    if (ranks->size == 1) return ENUF_SUCCESS;
    ENUF_TRY(
        enuf_ranks_agree(ranks, ranks->rank == 0 ? requested_transport(&which) : ENUF_SUCCESS));
    enuf_ranks_from_first(ranks, (int64_t)sizeof which, &which);
    enuf_status status = ENUF_NO_BACKEND;
    for (int k = 0; k < TABLES; k++) {
        if (which != AUTO && which != k) continue;
        /* try the next transport if this one is missing or does not work */
        if (status != ENUF_NO_BACKEND && status != ENUF_INTERNAL) break;
        status = attempt(ranks, tables[k], alone, made);
    }
    return status;
}

void enuf_device_ranks_release(enuf_device_ranks *devices)
{
    enuf_alarm_release(&devices->alarm);
    if (devices->transport) devices->transport->table->destroy(&devices->transport);
}

/* Raises the alarm after a failure, because other ranks may wait for this rank's messages. */
static enuf_status warn(enuf_device_ranks *devices, enuf_status status)
{
    enuf_transport *t = devices->transport;
    if (status != ENUF_SUCCESS && !devices->stopped && t->table->has_failed &&
        t->table->has_failed(t))
        enuf_alarm_raise(&devices->alarm);
    return status;
}

enuf_status enuf_device_sum(enuf_device_ranks *devices, enuf_sum_type type, int64_t n, void *sums,
                            cudaStream_t stream)
{
    enuf_transport *t = devices->transport;
    const int size = devices->ranks->size;
    if (size == 1 || n == 0) return ENUF_SUCCESS;
    devices->ranks->bytes_sent += 2 * (size - 1) * n * (int64_t)enuf_sum_size(type) / size;
    return warn(devices, t->table->sum(t, type, n, sums, stream));
}

enuf_status enuf_device_exchange_forth(enuf_device_ranks *devices, const enuf_exchange *exchange,
                                       size_t size, const void *sent, void *received,
                                       cudaStream_t stream)
{
    enuf_ranks *ranks = devices->ranks;
    const int64_t own = exchange->send[ranks->rank];
    const enuf_parts_before before = enuf_parts_before_own(ranks, exchange);
    cudaError_t error = cudaSuccess;
    if (own > 0)
        error = cudaMemcpyAsync((char *)received + (size_t)before.receive * size,
                                (const char *)sent + (size_t)before.send * size, (size_t)own * size,
                                cudaMemcpyDeviceToDevice, stream);
    enuf_status status = ENUF_SUCCESS;
    if (ranks->size > 1) {
        ranks->bytes_sent += (exchange->n_send - own) * (int64_t)size;
        status = warn(devices, devices->transport->table->swap(devices->transport, exchange, size,
                                                               sent, received, stream));
    }
    ENUF_TRY(status);
    return error == cudaSuccess ? ENUF_SUCCESS : enuf_cuda_status(error, "copying items");
}

enuf_status enuf_device_exchange_back(enuf_device_ranks *devices, const enuf_exchange *exchange,
                                      size_t size, const void *received, void *sent,
                                      cudaStream_t stream)
{
    const enuf_exchange turned = {.send = exchange->receive,
                                  .receive = exchange->send,
                                  .n_send = exchange->n_receive,
                                  .n_receive = exchange->n_send};
    return enuf_device_exchange_forth(devices, &turned, size, received, sent, stream);
}

enuf_status enuf_device_group_begin(enuf_device_ranks *devices)
{
    enuf_transport *t = devices->transport;
    return t && t->table->begin_group ? warn(devices, t->table->begin_group(t)) : ENUF_SUCCESS;
}

enuf_status enuf_device_group_end(enuf_device_ranks *devices)
{
    enuf_transport *t = devices->transport;
    return t && t->table->end_group ? warn(devices, t->table->end_group(t)) : ENUF_SUCCESS;
}

/* ---- Waiting ---- */

/* A stream; or an event, if it is not NULL. */
typedef struct awaited {
    cudaStream_t stream;
    cudaEvent_t event;
} awaited;

/* Asks whether the work is done. Clears the error "not ready", but keeps an earlier error. */
static cudaError_t look_at(const awaited *a)
{
    const cudaError_t before = cudaPeekAtLastError();
    const cudaError_t error = a->event ? cudaEventQuery(a->event) : cudaStreamQuery(a->stream);
    if (error == cudaErrorNotReady && before == cudaSuccess) (void)cudaGetLastError();
    return error;
}

static cudaError_t block(const awaited *a)
{
    return a->event ? cudaEventSynchronize(a->event) : cudaStreamSynchronize(a->stream);
}

/* Polls the device until it is done. Every LOOKS polls it checks for failed messages and for an
 * alarm. */
static enuf_status look_until_done(enuf_device_ranks *devices, const awaited *a, const char *what)
{
    enum { LOOKS = 32 };
    enuf_transport *t = devices->transport;
    cudaError_t error = look_at(a);
    for (int k = 1; error == cudaErrorNotReady; k = (k + 1) % LOOKS) {
        if (k == 0) {
            ENUF_TRY(warn(devices, t->table->check(t)));
            if (enuf_alarm_is_heard(&devices->alarm)) {
                devices->ranks->follows = 1;
                return enuf_fail(ENUF_INTERNAL, "%s: messages between GPUs failed on another rank",
                                 what);
            }
        }
        error = look_at(a);
    }
    if (error != cudaSuccess) return enuf_cuda_status(error, what);
    return warn(devices, t->table->check(t));
}

static enuf_status wait_for(enuf_device_ranks *devices, const awaited *a, const char *what)
{
    if (devices->transport && devices->transport->table->enqueues)
        return look_until_done(devices, a, what);
    const cudaError_t error = block(a);
    return error == cudaSuccess ? ENUF_SUCCESS : enuf_cuda_status(error, what);
}

enuf_status enuf_device_wait_for_stream(enuf_device_ranks *devices, cudaStream_t stream,
                                        const char *what)
{
    const awaited a = {.stream = stream};
    return wait_for(devices, &a, what);
}

enuf_status enuf_device_wait_for_event(enuf_device_ranks *devices, cudaEvent_t event,
                                       const char *what)
{
    const awaited a = {.event = event};
    return wait_for(devices, &a, what);
}

void enuf_device_ranks_stop(enuf_device_ranks *devices)
{
    enuf_transport *t = devices->transport;
    if (!t || !t->table->enqueues || devices->stopped) return;
    if (!enuf_alarm_clear(&devices->alarm)) return;
    t->table->give_up(t);
    devices->stopped = 1;
}
