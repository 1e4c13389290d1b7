/*
 * test_node.c - ranks that meet in shared memory get what messages of MPI give: agreement, sums of
 * few and of many numbers, exchanges of random sizes, with items larger than a ring, and rounds
 * that go many times around it, with meetings in between and without. Sums have the same bits on
 * all ranks. Where shared memory is refused (ENUF_TEST_MESSAGES) the same holds by messages.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mpi/messages/exchange.h"
#include "mpi/messages/node.h"
#include "mpi/messages/node_open.h"
#include "check.h"
#include "memory.h"
#include "mpi_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enuf_ranks ranks;

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15U;
    return x ^ (x >> 29);
}

static void *room(int64_t n, size_t size)
{
    void *at = calloc((size_t)n + 1, size);
    if (!at) abort();
    return at;
}

/* The same bits on all ranks, asked for by MPI itself. */
static int same_on_all(int64_t n, size_t size, const void *values)
{
    uint64_t hash = 1, of_first;
    for (int64_t i = 0; i < n * (int64_t)size; i++)
        hash = mix(hash + ((const unsigned char *)values)[i]);
    of_first = hash;
    MPI_Bcast(&of_first, 1, MPI_UINT64_T, 0, ranks.comm);
    return of_first == hash;
}

/* Integers of moderate size: their sums are exact in every type. */
static double number(int rank, int64_t i)
{
    return (double)(mix((uint64_t)(1000 * rank + 7) * 65537 + (uint64_t)i) % 1000);
}

static void check_sums(int64_t n)
{
    double *wide = room(n, sizeof *wide), *most = room(n, sizeof *most);
    float *narrow = room(n, sizeof *narrow);
    int64_t *integers = room(n, sizeof *integers);
    for (int64_t i = 0; i < n; i++) {
        wide[i] = most[i] = number(ranks.rank, i);
        narrow[i] = (float)wide[i];
        integers[i] = (int64_t)wide[i] - 500;
    }
    enuf_ranks_sum_doubles(&ranks, n, wide);
    enuf_ranks_sum_floats(&ranks, n, narrow);
    enuf_ranks_sum_integers(&ranks, n, integers);
    enuf_ranks_largest(&ranks, n, most);
    int64_t wrong = 0;
    for (int64_t i = 0; i < n; i++) {
        double sum = 0, largest = 0;
        for (int r = 0; r < ranks.size; r++) {
            sum += number(r, i);
            largest = number(r, i) > largest ? number(r, i) : largest;
        }
        wrong += wide[i] != sum || narrow[i] != (float)sum || most[i] != largest ||
                 integers[i] != (int64_t)sum - 500 * ranks.size;
    }
    if (!CHECK(wrong == 0)) printf("%lld of %lld sums\n", (long long)wrong, (long long)n);
    for (int64_t i = 0; i < n; i++) wide[i] = 1 / (1 + number(ranks.rank, i));
    enuf_ranks_sum_doubles(&ranks, n, wide);
    CHECK(same_on_all(n, sizeof *wide, wide));
    free(wide);
    free(most);
    free(narrow);
    free(integers);
}

static void check_agreement(void)
{
    const int last = ranks.size - 1;
    enuf_status mine = ENUF_SUCCESS;
    CHECK_STATUS(enuf_ranks_agree(&ranks, mine), ENUF_SUCCESS);
    if (ranks.rank == last) mine = enuf_fail(ENUF_IO, "only here");
    CHECK_STATUS(enuf_ranks_agree(&ranks, mine), ENUF_IO);
    CHECK(strstr(enuf_last_error(), "only here") != NULL);
    CHECK_STATUS(enuf_ranks_same(&ranks, "a number", 5), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ranks_same(&ranks, "a number", ranks.rank == last),
                 last > 0 ? ENUF_BAD_ARGUMENT : ENUF_SUCCESS);
}

/* An item names its sender, its receiver and its place. */
static int64_t item(int from, int to, int64_t i, int round)
{
    return (int64_t)mix((uint64_t)(((from * 131 + to) * 17 + round)) + (uint64_t)i * 1000003);
}

static int64_t check_exchange(enuf_exchange *e, int round, int64_t most)
{
    int64_t wrong = 0, at = 0;
    for (int r = 0; r < ranks.size; r++) {
        const uint64_t draw = mix((uint64_t)((ranks.rank * 977 + r) * 31 + round));
        e->send[r] = draw % 3 == 0 ? 0 : (int64_t)(draw / 3 % (uint64_t)most);
    }
    enuf_exchange_count(&ranks, e);
    int64_t *sent = room(e->n_send, 8), *received = room(e->n_receive, 8);
    for (int r = 0; r < ranks.size; r++)
        for (int64_t i = 0; i < e->send[r]; i++) sent[at++] = item(ranks.rank, r, i, round);
    enuf_exchange_forth(&ranks, e, sizeof *sent, sent, received);
    at = 0;
    for (int r = 0; r < ranks.size; r++)
        for (int64_t i = 0; i < e->receive[r]; i++)
            wrong += received[at++] != item(r, ranks.rank, i, round);
    memset(sent, 0, (size_t)e->n_send * sizeof *sent);
    enuf_exchange_back(&ranks, e, sizeof *sent, received, sent);
    at = 0;
    for (int r = 0; r < ranks.size; r++)
        for (int64_t i = 0; i < e->send[r]; i++)
            wrong += sent[at++] != item(ranks.rank, r, i, round);
    free(sent);
    free(received);
    return wrong;
}

static void check_exchanges(int64_t most, int rounds)
{
    enuf_exchange e;
    int64_t wrong = 0;
    CHECK_STATUS(enuf_exchange_create(&ranks, &e), ENUF_SUCCESS);
    for (int round = 0; round < rounds; round++) {
        wrong += check_exchange(&e, round, most);
        if (round % 7 == 3) CHECK_STATUS(enuf_ranks_agree(&ranks, ENUF_SUCCESS), ENUF_SUCCESS);
    }
    if (!CHECK(wrong == 0)) printf("%lld items, at most %lld\n", (long long)wrong, (long long)most);
    enuf_exchange_release(&e);
}

/* One rank at a time is late: the others must not overwrite what it has not read. */
static void check_late_ranks(void)
{
    enuf_exchange e;
    int64_t wrong = 0;
    CHECK_STATUS(enuf_exchange_create(&ranks, &e), ENUF_SUCCESS);
    for (int round = 0; round < 40; round++) {
        if (ranks.rank == round % ranks.size)
            for (volatile int k = 0; k < 1000000; k++) continue;
        wrong += check_exchange(&e, round, 3000);
    }
    CHECK(wrong == 0);
    enuf_exchange_release(&e);
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    CHECK_STATUS(enuf_ranks_start(MPI_COMM_WORLD, &ranks), ENUF_SUCCESS);
    CHECK_STATUS(enuf_node_open(&ranks, ENUF_NODE_OF_EXCHANGES), ENUF_SUCCESS);
    CHECK((ranks.node != NULL) == (ranks.size > 1 && !shared_memory_fails));
    const int64_t ring = ranks.node ? enuf_node_room(ranks.node) : 1 << 20;
    const int64_t sums[] = {1, 2, 16, 17, 1000, ring / 16 + 5};
    for (size_t k = 0; k < sizeof sums / sizeof *sums; k++) check_sums(sums[k]);
    check_agreement();
    check_exchanges(20, 200);
    check_exchanges(ring / 8 / ranks.size / 2, 30);
    check_exchanges(ring / 8, 4); /* most ranks send more than a ring holds */
    check_late_ranks();
    enuf_node_close(&ranks);
    MPI_Comm_free(&ranks.comm);
    return end_mpi(check_result());
}
