/*
 * gpu_share.c - chooses the GPU and the leader of each rank; see gpu_share.h.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "gpu_share.h"
#include "mpi/object/devices.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

void enuf_gpu_share_release(enuf_gpu_share *share)
{
    if (share->group.size > 0) MPI_Comm_free(&share->group.comm);
    if (share->leaders.size > 0) MPI_Comm_free(&share->leaders.comm);
    *share = (enuf_gpu_share){.devices = 0};
}

static enuf_status leaders_of_device(int *leaders)
{
    const char *text = getenv("ENUF_LEADERS_PER_DEVICE");
    char *end = NULL;
    *leaders = 1;
    if (!text) return ENUF_SUCCESS;
    const long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > 1 << 20)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "ENUF_LEADERS_PER_DEVICE is \"%s\": it has to be a number of ranks, 1 or "
                         "more",
                         text);
    *leaders = (int)value;
    return ENUF_SUCCESS;
}

/* Chooses the GPU of this rank, the `here`-th of its machine; returns its name. */
static enuf_status choose_device(int here, int requested, int *device, char name[ENUF_DEVICE_NAME])
{
    const char *reason = "";
    const int n = enuf_ranks_backend_cuda.count(&reason);
    if (n == 0) return enuf_fail(ENUF_NO_BACKEND, "backend cuda: %s", reason);
    if (requested >= n)
        return enuf_fail(ENUF_BAD_ARGUMENT, "device is %d: there are %d GPUs here, from 0 on",
                         requested, n);
    *device = requested >= 0 ? requested : here % n;
    return enuf_ranks_backend_cuda.name_of(*device, name);
}

/* The first rank of the machine with the same GPU. */
static enuf_status find_first(enuf_ranks *node, const char name[ENUF_DEVICE_NAME], int *first)
{
    char *names = NULL;
    enuf_status status = enuf_ranks_agree(
        node, enuf_allocate(&names, node->size, ENUF_DEVICE_NAME, "names of GPUs"));
    if (status == ENUF_SUCCESS) {
        MPI_Allgather(name, ENUF_DEVICE_NAME, MPI_CHAR, names, ENUF_DEVICE_NAME, MPI_CHAR,
                      node->comm);
        for (*first = 0;
             memcmp(names + (size_t)*first * ENUF_DEVICE_NAME, name, ENUF_DEVICE_NAME) != 0;)
            ++*first;
    }
    enuf_release(&names);
    return status;
}

static enuf_ranks ranks_of(MPI_Comm comm)
{
    enuf_ranks ranks = {.comm = comm};
    MPI_Comm_rank(comm, &ranks.rank);
    MPI_Comm_size(comm, &ranks.size);
    return ranks;
}

/* Deals the ranks of one GPU out among `most` leaders at most, in the order of ranks. */
static void split(enuf_ranks *ranks, const enuf_ranks *node, int first, int most,
                  enuf_gpu_share *share)
{
    MPI_Comm of_device, comm;
    MPI_Comm_split(node->comm, first, node->rank, &of_device);
    const enuf_ranks same = ranks_of(of_device);
    const int leaders = most < same.size ? most : same.size;
    MPI_Comm_split(of_device, same.rank % leaders, same.rank, &comm);
    share->group = ranks_of(comm);
    share->leads = share->group.rank == 0;
    MPI_Comm_split(ranks->comm, share->leads ? 0 : MPI_UNDEFINED, ranks->rank, &comm);
    if (share->leads)
        share->leaders = ranks_of(comm);
    else
        share->leaders = (enuf_ranks){.comm = MPI_COMM_NULL};
    int64_t sums[2] = {same.rank == 0, leaders > 1}; /* GPUs; ranks on GPUs with several leaders */
    enuf_ranks_sum_integers(ranks, 2, sums);
    share->devices = (int)sums[0];
    share->alone = sums[1] == 0;
    MPI_Comm_free(&of_device);
}

enuf_status enuf_gpu_share_find(enuf_ranks *ranks, int device, enuf_gpu_share *share)
{
    MPI_Comm comm;
    char name[ENUF_DEVICE_NAME];
    int first = 0, most = 1;
    *share = (enuf_gpu_share){.device = 0};
    ENUF_TRY(enuf_ranks_agree(ranks, ranks->rank == 0 ? leaders_of_device(&most) : ENUF_SUCCESS));
    enuf_ranks_from_first(ranks, (int64_t)sizeof most, &most);
    MPI_Comm_split_type(ranks->comm, MPI_COMM_TYPE_SHARED, ranks->rank, MPI_INFO_NULL, &comm);
    enuf_ranks node = ranks_of(comm);
    enuf_status status =
        enuf_ranks_agree(ranks, choose_device(node.rank, device, &share->device, name));
    if (status == ENUF_SUCCESS) status = enuf_ranks_agree(ranks, find_first(&node, name, &first));
    if (status == ENUF_SUCCESS) split(ranks, &node, first, most, share);
    MPI_Comm_free(&comm);
    return status;
}
