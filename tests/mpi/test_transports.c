/*
 * test_transports.c - arrays sent between GPUs arrive by every transport: sums over ranks, and
 * items from each rank to each, exact and in the order of the stream. ENUF_TRANSPORT selects the
 * transport; if it is not available, the error says why.
 *
 * An MPI that reads device memory is simulated where there is none: this program answers
 * MPIX_Query_cuda_support() and puts its arrays in managed memory, which both sides read. NCCL is
 * simulated too: it fails on one rank, and the other ranks do not wait for its messages.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "device.h"
#include "mpi/devices/transports/device_ranks.h"
#include "distributed_mesh.h"
#include "mpi_program.h"
#include "mpi/devices/transports/nccl_library.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000, WIDTH = 3 };

static int reads_device_memory; /* the answer of MPIX_Query_cuda_support() */
static int gpus, managed;       /* arrays are in managed memory */
static cudaStream_t stream;

__attribute__((visibility("default"))) int MPIX_Query_cuda_support(void);
int MPIX_Query_cuda_support(void)
{
    return reads_device_memory;
}

/* A new array on the device, filled with NaN. */
static void *new_array(size_t bytes)
{
    void *at = NULL;
    CHECK((managed ? cudaMallocManaged(&at, bytes, cudaMemAttachGlobal) : cudaMalloc(&at, bytes)) ==
          cudaSuccess);
    CHECK(cudaMemset(at, 0xff, bytes) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    return at;
}

static void copy_to_device(void *device, const void *host, size_t bytes)
{
    CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream) == cudaSuccess);
}

static void copy_to_host(void *host, const void *device, size_t bytes)
{
    CHECK(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
}

/* Whole numbers: any order of the terms gives the same sum. */
#define CHECK_SUM(d, type, Number, scale)                                                          \
    do {                                                                                           \
        Number mine[N], sums[N];                                                                   \
        const enuf_ranks *r = (d)->ranks;                                                          \
        const int64_t of_ranks = (int64_t)r->size * (r->size + 1) / 2;                             \
        int wrong = 0;                                                                             \
        void *at = new_array(sizeof mine);                                                         \
        for (int k = 0; k < N; k++) mine[k] = (Number)((r->rank + 1) * (int64_t)(scale)*k);        \
        copy_to_device(at, mine, sizeof mine);                                                     \
        CHECK_STATUS(enuf_device_sum(d, type, N, at, stream), ENUF_SUCCESS);                       \
        copy_to_host(sums, at, sizeof sums);                                                       \
        for (int k = 0; k < N; k++) wrong += sums[k] != (Number)(of_ranks * (scale)*k);            \
        CHECK(wrong == 0);                                                                         \
        CHECK(cudaFree(at) == cudaSuccess);                                                        \
    } while (0)

static int64_t items(int from, int to, int which)
{
    return (from * 3 + to * 5 + which) % 7 * (which == 0 ? 40 : 1); /* 0 between some ranks */
}

static double item(int from, int to, int which, int64_t k, int e)
{
    return from * 1e6 + to * 1e4 + which * 1e3 + (double)k * WIDTH + e;
}

typedef struct swapped {
    enuf_exchange exchange;
    double *sent, *received; /* on the device */
} swapped;

static swapped make_swap(enuf_device_ranks *d, int which)
{
    enuf_ranks *ranks = d->ranks;
    const int me = ranks->rank;
    swapped s = {.sent = NULL};
    CHECK_STATUS(enuf_exchange_create(ranks, &s.exchange), ENUF_SUCCESS);
    for (int r = 0; r < ranks->size; r++) s.exchange.send[r] = items(me, r, which);
    enuf_exchange_count(ranks, &s.exchange);
    const size_t bytes = ((size_t)s.exchange.n_send * WIDTH + 1) * sizeof(double);
    double *host = malloc(bytes), *to = host;
    for (int r = 0; r < ranks->size; r++)
        for (int64_t k = 0; k < s.exchange.send[r]; k++)
            for (int e = 0; e < WIDTH; e++) *to++ = item(me, r, which, k, e);
    s.sent = new_array(bytes);
    s.received = new_array(((size_t)s.exchange.n_receive * WIDTH + 1) * sizeof(double));
    copy_to_device(s.sent, host, bytes - sizeof(double));
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    free(host);
    return s;
}

/* The count of numbers that differ from what rank `from` sent to rank `to`. forth: this rank is
 * `to`. */
static int count_wrong(const enuf_ranks *ranks, const int64_t *counts, int64_t n, int which,
                       int forth, const double *device)
{
    double *host = malloc(((size_t)n * WIDTH + 1) * sizeof *host);
    const double *at = host;
    int wrong = 0;
    copy_to_host(host, device, (size_t)n * WIDTH * sizeof *host);
    for (int r = 0; r < ranks->size; r++)
        for (int64_t k = 0; k < counts[r]; k++)
            for (int e = 0; e < WIDTH; e++)
                wrong += *at++ != (forth ? item(r, ranks->rank, which, k, e)
                                         : item(ranks->rank, r, which, k, e));
    free(host);
    return wrong;
}

/* Two exchanges in one group go forth. Each comes back to an array that was overwritten. */
static void check_exchanges(enuf_device_ranks *d)
{
    const size_t size = WIDTH * sizeof(double);
    swapped s[2];
    for (int k = 0; k < 2; k++) s[k] = make_swap(d, k);
    CHECK_STATUS(enuf_device_group_begin(d), ENUF_SUCCESS);
    for (int k = 0; k < 2; k++)
        CHECK_STATUS(
            enuf_device_exchange_forth(d, &s[k].exchange, size, s[k].sent, s[k].received, stream),
            ENUF_SUCCESS);
    CHECK_STATUS(enuf_device_group_end(d), ENUF_SUCCESS);
    for (int k = 0; k < 2; k++) {
        const enuf_exchange *x = &s[k].exchange;
        CHECK(count_wrong(d->ranks, x->receive, x->n_receive, k, 1, s[k].received) == 0);
        CHECK(cudaMemsetAsync(s[k].sent, 0xff, (size_t)x->n_send * size, stream) == cudaSuccess);
        CHECK_STATUS(enuf_device_exchange_back(d, x, size, s[k].received, s[k].sent, stream),
                     ENUF_SUCCESS);
        CHECK(count_wrong(d->ranks, x->send, x->n_send, k, 0, s[k].sent) == 0);
        CHECK_STATUS(enuf_device_wait_for_stream(d, stream, "an exchange"), ENUF_SUCCESS);
        enuf_exchange_release(&s[k].exchange);
        CHECK(cudaFree(s[k].sent) == cudaSuccess);
        CHECK(cudaFree(s[k].received) == cudaSuccess);
    }
}

/* requested: value of ENUF_TRANSPORT. expected: name of the transport, or NULL if it is refused
 * with this status and text. */
static void check_transport(enuf_ranks *ranks, const char *requested, const char *expected,
                            enuf_status status, const char *text)
{
    enuf_device_ranks d;
    setenv("ENUF_TRANSPORT", requested, 1);
    const enuf_status found =
        enuf_device_ranks_create(ranks, ranks->rank % gpus, ranks->size <= gpus, &d);
    if (ranks->rank == 0)
        printf("%d ranks, %d GPUs, requested %s: %s\n", ranks->size, gpus, requested,
               found == ENUF_SUCCESS ? d.name : enuf_last_error());
    if (!expected) {
        CHECK(found == status);
        CHECK_TEXT(text);
        return;
    }
    CHECK_STATUS(found, ENUF_SUCCESS);
    if (found != ENUF_SUCCESS) return;
    CHECK(strcmp(d.name, expected) == 0);
    managed = strcmp(d.name, "mpi") == 0;
    CHECK_SUM(&d, ENUF_SUM_FLOAT, float, 3);
    CHECK_SUM(&d, ENUF_SUM_DOUBLE, double, INT64_C(1) << 30);
    CHECK_SUM(&d, ENUF_SUM_INT64, int64_t, INT64_C(1) << 40);
    check_exchanges(&d);
    enuf_device_ranks_release(&d);
}

/* ---- One rank's messages fail ---- */

/* Takes the place of NCCL: a sum never ends until it is aborted, like a sum that not all ranks
 * join. */
static struct {
    int fails_now, fails_later; /* on this rank: in the call of a sum; after the sum was enqueued */
    int n_queries, aborts;
    atomic_int aborted;
} stub;

enum { NCCL_SYSTEM_ERROR = 2 };

static void CUDART_CB wait_to_be_aborted(void *unused)
{
    (void)unused;
    while (!atomic_load(&stub.aborted)) {
    }
}

static int join(enuf_nccl_comm *comm, int ranks, enuf_nccl_id id, int rank,
                enuf_nccl_config *config)
{
    (void)config;
    (void)ranks;
    (void)id;
    (void)rank;
    *comm = (enuf_nccl_comm)(void *)&stub;
    return ENUF_NCCL_SUCCESS;
}

static int get_identity(enuf_nccl_id *id)
{
    memset(id, 0, sizeof *id);
    return ENUF_NCCL_SUCCESS;
}

static int sum_for_ever(const void *sent, void *received, size_t count, int type, int operation,
                        enuf_nccl_comm comm, cudaStream_t on)
{
    (void)sent;
    (void)received;
    (void)count;
    (void)type;
    (void)operation;
    (void)comm;
    if (stub.fails_now) return NCCL_SYSTEM_ERROR;
    return cudaLaunchHostFunc(on, wait_to_be_aborted, NULL) == cudaSuccess ? ENUF_NCCL_SUCCESS
                                                                           : NCCL_SYSTEM_ERROR;
}

static int find_error(enuf_nccl_comm comm, int *error)
{
    (void)comm;
    *error = stub.fails_later && ++stub.n_queries > 3 ? NCCL_SYSTEM_ERROR : ENUF_NCCL_SUCCESS;
    return ENUF_NCCL_SUCCESS;
}

static int abort_sum(enuf_nccl_comm comm)
{
    (void)comm;
    stub.aborts++;
    atomic_store(&stub.aborted, 1);
    return ENUF_NCCL_SUCCESS;
}

static void check_failure(enuf_ranks *ranks, int failing, int later)
{
    enuf_device_ranks d;
    memset(&stub, 0, sizeof stub);
    stub.fails_now = !later && ranks->rank == failing;
    stub.fails_later = later && ranks->rank == failing;
    if (!CHECK_STATUS(enuf_device_ranks_create(ranks, ranks->rank % gpus, 1, &d), ENUF_SUCCESS))
        return;
    CHECK(strcmp(d.name, "nccl") == 0);
    void *at = new_array(N * sizeof(double));
    for (int again = 0; again < 2; again++) {
        enuf_status status = enuf_device_sum(&d, ENUF_SUM_DOUBLE, N, at, stream);
        if (status == ENUF_SUCCESS) status = enuf_device_wait_for_stream(&d, stream, "the test");
        status = enuf_ranks_agree(ranks, status);
        CHECK(status == ENUF_INTERNAL);
        CHECK_TEXT(again ? "make a new object" : "NCCL failed");
        char named[64];
        snprintf(named, sizeof named, "(rank %d of %d)", failing, ranks->size);
        if (!again) CHECK_TEXT(named);
        enuf_device_ranks_stop(&d);
        CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
        CHECK(stub.aborts == 1);
    }
    if (ranks->rank == 0)
        printf("%d ranks: rank %d fails %s, all give up\n", ranks->size, failing,
               later ? "later" : "at once");
    CHECK(cudaFree(at) == cudaSuccess);
    enuf_device_ranks_release(&d);
}

/* Ranks may share a GPU here, because nothing is sent. */
static void check_failures(enuf_ranks *ranks)
{
    const enuf_nccl_functions real = enuf_nccl;
    if (ranks->size == 1) return;
    managed = 0;
    setenv("ENUF_TRANSPORT", "nccl", 1);
    enuf_nccl.GetUniqueId = get_identity;
    enuf_nccl.CommInitRankConfig = join;
    enuf_nccl.AllReduce = sum_for_ever;
    enuf_nccl.CommGetAsyncError = find_error;
    enuf_nccl.CommAbort = enuf_nccl.CommDestroy = abort_sum;
    for (int failing = 0; failing < ranks->size; failing += ranks->size - 1)
        for (int later = 0; later < 2; later++) check_failure(ranks, failing, later);
    enuf_nccl = real;
}

static int check_all(enuf_ranks *ranks)
{
    const char *reason = "";
    if (!enuf_cuda_device_usable(&reason) || cudaGetDeviceCount(&gpus) != cudaSuccess)
        return check_skip(reason);
    CHECK(cudaSetDevice(ranks->rank % gpus) == cudaSuccess);
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
    const int one = ranks->size == 1, alone = ranks->size <= gpus;
    int has_nccl = enuf_nccl_load(&reason);
    MPI_Allreduce(MPI_IN_PLACE, &has_nccl, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    const int nccl = alone && has_nccl;
    check_transport(ranks, "host", one ? "none" : "host", ENUF_SUCCESS, "");
    check_transport(ranks, "nccl",
                    one    ? "none"
                    : nccl ? "nccl"
                           : NULL,
                    ENUF_NO_BACKEND, alone ? "NCCL is missing" : "a GPU of its own");
    check_transport(ranks, "mpi", one ? "none" : NULL, ENUF_NO_BACKEND, "MPIX_Query_cuda_support");
    check_transport(ranks, "auto", one ? "none" : nccl ? "nccl" : "host", ENUF_SUCCESS, "");
    check_transport(ranks, "pigeon", one ? "none" : NULL, ENUF_BAD_ARGUMENT,
                    "use auto, nccl, mpi or host");
    reads_device_memory = 1;
    check_transport(ranks, "mpi", one ? "none" : "mpi", ENUF_SUCCESS, "");
    check_transport(ranks, "auto", one ? "none" : nccl ? "nccl" : "mpi", ENUF_SUCCESS, "");
    if (has_nccl) check_failures(ranks);
    cudaStreamDestroy(stream);
    return check_result();
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    enuf_ranks ranks = all_ranks();
    return end_mpi(check_all(&ranks));
}
