/* ranks.c - see ranks.h. SPDX-License-Identifier: BSD-3-Clause */
#include "ranks.h"
#include "memory.h"
#include "node_sum.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 1024 };

/* MPI counts in int: longer arrays go in pieces. */
static const int64_t piece = INT64_C(1) << 27;

static enuf_status check_mpi(MPI_Comm comm)
{
    int initialized = 0, finalized = 0, level = MPI_THREAD_SINGLE, is_main = 1;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (!initialized || finalized)
        return enuf_fail(
            ENUF_BAD_ARGUMENT,
            "MPI is not running: call MPI_Init_thread() with MPI_THREAD_FUNNELED first");
    MPI_Query_thread(&level);
    if (level == MPI_THREAD_FUNNELED) MPI_Is_thread_main(&is_main);
    if (!is_main)
        return enuf_fail(
            ENUF_BAD_ARGUMENT,
            "MPI runs with MPI_THREAD_FUNNELED, and another thread has started it: call "
            "from that one, or ask MPI_Init_thread() for MPI_THREAD_SERIALIZED");
    if (comm == MPI_COMM_NULL) return enuf_fail(ENUF_BAD_ARGUMENT, "comm is MPI_COMM_NULL");
    return ENUF_SUCCESS;
}

enuf_status enuf_ranks_start(MPI_Comm comm, enuf_ranks *ranks)
{
    *ranks = (enuf_ranks){.comm = MPI_COMM_NULL};
    ENUF_TRY(check_mpi(comm));
    MPI_Comm_dup(comm, &ranks->comm);
    MPI_Comm_rank(ranks->comm, &ranks->rank);
    MPI_Comm_size(ranks->comm, &ranks->size);
    return ENUF_SUCCESS;
}

/* A rank's failure, as it is sent to the others. */
typedef struct failure {
    int status, rank, of;
    char text[TEXT];
} failure;

/* Sends the failure of `first`, the lowest rank that failed, to all ranks. */
static enuf_status say(enuf_ranks *ranks, enuf_status mine, int first, int all_failed,
                       int name_rank)
{
    failure said = {.status = (int)mine, .rank = ranks->rank, .of = ranks->size};
    if (ranks->rank == first) snprintf(said.text, TEXT, "%s", enuf_last_error());
    if (ranks->of > 0) {
        said.rank = ranks->named;
        said.of = ranks->of;
    }
    MPI_Bcast(&said, (int)sizeof said, MPI_BYTE, first, ranks->comm);
    if (all_failed || !name_rank) return enuf_fail((enuf_status)said.status, "%s", said.text);
    return enuf_fail((enuf_status)said.status, "%s (rank %d of %d)", said.text, said.rank, said.of);
}

/* The rank with the lowest priority reports. Order: ranks with failures of their own, ranks that
 * follow others, ranks without failure. */
static int priority_of(const enuf_ranks *ranks, int failed)
{
    if (!failed) return 2 * ranks->size;
    return ranks->follows ? ranks->size + ranks->rank : ranks->rank;
}

/* The common status for the least of all priorities. */
static enuf_status agreed_status(enuf_ranks *ranks, enuf_status mine, int least, int all_failed,
                                 int name_rank)
{
    ranks->follows = 0; /* a rank that follows does not count in all_failed */
    if (least == 2 * ranks->size) return ENUF_SUCCESS;
    return say(ranks, mine, least % ranks->size, all_failed, name_rank);
}

static void find_least(enuf_ranks *ranks, int n, int64_t *numbers)
{
    if (ranks->node)
        enuf_node_reduce(ranks->node, ENUF_NODE_LEAST, n, numbers);
    else
        MPI_Allreduce(MPI_IN_PLACE, numbers, n, MPI_INT64_T, MPI_MIN, ranks->comm);
}

static enuf_status agree(enuf_ranks *ranks, enuf_status mine, int name_rank)
{
    const int failed = mine != ENUF_SUCCESS;
    int64_t least[2] = {priority_of(ranks, failed), failed && !ranks->follows};
    if (ranks->size == 1) return mine;
    find_least(ranks, 2, least);
    return agreed_status(ranks, mine, (int)least[0], (int)least[1], name_rank);
}

enuf_status enuf_ranks_agree(enuf_ranks *ranks, enuf_status mine)
{
    return agree(ranks, mine, 1);
}

enuf_status enuf_ranks_pass_on(enuf_ranks *ranks, enuf_status mine)
{
    return agree(ranks, mine, 0);
}

static enuf_status check_same(const char *name, int64_t least, int64_t largest)
{
    if (least == largest) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "%s is %lld on one rank and %lld on another: it has to be the same on all",
                     name, (long long)least, (long long)largest);
}

enuf_status enuf_ranks_same(enuf_ranks *ranks, const char *name, int64_t value)
{
    int64_t ends[2] = {value, -value};
    if (ranks->size == 1) return ENUF_SUCCESS;
    find_least(ranks, 2, ends);
    return check_same(name, ends[0], -ends[1]);
}

enuf_status enuf_ranks_agree_same(enuf_ranks *ranks, enuf_status mine, int n,
                                  const enuf_same_number *same, int *all)
{
    enum { FIRST, FAILED, ALL, ENDS, MOST = 4 };
    const int failed = mine != ENUF_SUCCESS;
    int64_t least[ENDS + 2 * MOST] = {priority_of(ranks, failed), failed && !ranks->follows, *all};
    assert(n <= MOST);
    if (ranks->size == 1) return mine;
    for (int k = 0; k < n; k++) {
        least[ENDS + 2 * k] = same[k].value;
        least[ENDS + 2 * k + 1] = -same[k].value;
    }
    find_least(ranks, ENDS + 2 * n, least);
    *all = (int)least[ALL];
    ENUF_TRY(agreed_status(ranks, mine, (int)least[FIRST], (int)least[FAILED], 1));
    for (int k = 0; k < n; k++)
        ENUF_TRY(check_same(same[k].name, least[ENDS + 2 * k], -least[ENDS + 2 * k + 1]));
    return ENUF_SUCCESS;
}

static void reduce_by_messages(enuf_ranks *ranks, int64_t n, size_t size, MPI_Datatype type,
                               MPI_Op op, void *values)
{
    for (int64_t done = 0; done < n; done += piece) {
        const int64_t here = n - done < piece ? n - done : piece;
        MPI_Allreduce(MPI_IN_PLACE, (char *)values + (size_t)done * size, (int)here, type, op,
                      ranks->comm);
    }
}

/* Few numbers of 8 bytes, in shared memory. Returns 0 if that cannot be. */
static int reduce_few(enuf_ranks *ranks, int64_t n, enuf_node_operation operation, void *numbers)
{
    if (!ranks->node || n > ENUF_NODE_MOST_NUMBERS) return 0;
    enuf_node_reduce(ranks->node, operation, (int)n, numbers);
    return 1;
}

/* 0: nothing is sent. */
static int count_bytes(enuf_ranks *ranks, int64_t n, size_t size)
{
    ranks->bytes_sent += 2 * (ranks->size - 1) * n * (int64_t)size / ranks->size;
    return ranks->size > 1;
}

void enuf_ranks_sum_doubles(enuf_ranks *ranks, int64_t n, double *sums)
{
    if (!count_bytes(ranks, n, sizeof *sums)) return;
    if (reduce_few(ranks, n, ENUF_NODE_SUM_DOUBLES, sums)) return;
    if (ranks->node)
        enuf_node_sum_doubles(ranks->node, n, sums);
    else
        reduce_by_messages(ranks, n, sizeof *sums, MPI_DOUBLE, MPI_SUM, sums);
}

void enuf_ranks_sum_floats(enuf_ranks *ranks, int64_t n, float *sums)
{
    if (!count_bytes(ranks, n, sizeof *sums)) return;
    if (ranks->node)
        enuf_node_sum_floats(ranks->node, n, sums);
    else
        reduce_by_messages(ranks, n, sizeof *sums, MPI_FLOAT, MPI_SUM, sums);
}

void enuf_ranks_sum_integers(enuf_ranks *ranks, int64_t n, int64_t *sums)
{
    if (!count_bytes(ranks, n, sizeof *sums)) return;
    if (reduce_few(ranks, n, ENUF_NODE_SUM, sums)) return;
    if (ranks->node)
        enuf_node_sum_integers(ranks->node, n, sums);
    else
        reduce_by_messages(ranks, n, sizeof *sums, MPI_INT64_T, MPI_SUM, sums);
}

void enuf_ranks_largest(enuf_ranks *ranks, int64_t n, double *values)
{
    if (!count_bytes(ranks, n, sizeof *values)) return;
    if (reduce_few(ranks, n, ENUF_NODE_LARGEST, values)) return;
    reduce_by_messages(ranks, n, sizeof *values, MPI_DOUBLE, MPI_MAX, values);
}

enuf_status enuf_ranks_sum_in_order(enuf_ranks *ranks, int n, double *sums)
{
    if (ranks->size == 1) return ENUF_SUCCESS;
    double *all = NULL;
    const enuf_status status = enuf_ranks_agree(
        ranks, enuf_allocate(&all, (int64_t)n * ranks->size, sizeof *all, "sums of ranks"));
    if (status != ENUF_SUCCESS) {
        enuf_release(&all);
        return status;
    }
    MPI_Allgather(sums, n, MPI_DOUBLE, all, n, MPI_DOUBLE, ranks->comm);
    ranks->bytes_sent += (int64_t)(ranks->size - 1) * n * (int64_t)sizeof *sums;
    memset(sums, 0, (size_t)n * sizeof *sums);
    for (int r = 0; r < ranks->size; r++)
        for (int k = 0; k < n; k++) sums[k] += all[(int64_t)r * n + k];
    enuf_release(&all);
    return ENUF_SUCCESS;
}

enum { MOST_SUMS = 15 };

enuf_status enuf_ranks_agree_sum(enuf_ranks *ranks, enuf_status mine, int n, double *sums)
{
    double all[MOST_SUMS + 1] = {mine != ENUF_SUCCESS};
    assert(n <= MOST_SUMS);
    if (ranks->size == 1) return mine;
    memcpy(all + 1, sums, (size_t)n * sizeof *sums);
    enuf_ranks_sum_doubles(ranks, n + 1, all);
    if (all[0] > 0) return agree(ranks, mine, 1);
    memcpy(sums, all + 1, (size_t)n * sizeof *sums);
    return ENUF_SUCCESS;
}

enuf_status enuf_ranks_agree_from_first(enuf_ranks *ranks, enuf_status mine, int n, double *sums)
{
    /* adding the zeros of other ranks changes no bit of rank 0's sums */
    double of_first[MOST_SUMS] = {0};
    assert(n <= MOST_SUMS);
    if (ranks->rank == 0) memcpy(of_first, sums, (size_t)n * sizeof *sums);
    ENUF_TRY(enuf_ranks_agree_sum(ranks, mine, n, of_first));
    memcpy(sums, of_first, (size_t)n * sizeof *sums);
    return ENUF_SUCCESS;
}

void enuf_ranks_from_first(enuf_ranks *ranks, int64_t n, void *bytes)
{
    if (ranks->size == 1) return;
    for (int64_t done = 0; done < n; done += piece) {
        const int64_t here = n - done < piece ? n - done : piece;
        MPI_Bcast((char *)bytes + done, (int)here, MPI_BYTE, 0, ranks->comm);
    }
    if (ranks->rank == 0) ranks->bytes_sent += n * (ranks->size - 1);
}
