/*
 * message_rates.c - see message_rates.h. Messages of two lengths give latency and rate: a kilobyte,
 * and a length at which the rate no longer changes. The time is that of the slowest rank, because
 * the others wait for it. The result is the best repetition, which other processes disturbed least.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "message_rates.h"
#include "enuf/ewald_mpi.h"
#include "exchange.h"
#include "memory.h"
#include "node_open.h"

#include <math.h>
#include <string.h>
#include <time.h>

static const int64_t SHORT_BYTES = 1024, LONG_BYTES = INT64_C(1) << 20;

/* Repetitions of a measurement, exchanges in each, and most seconds of all repetitions. */
enum { REPEATS = 200, SHORT_EXCHANGES = 20 };
static const double MOST_SECONDS = 2;

/* Largest number of ranks that one rank sends to in a round: more would need much memory. */
enum { MOST_PARTNERS = 64 };

typedef struct message_bench {
    enuf_ranks *ranks;
    enuf_exchange exchange;
    char *sent, *received;
    int partners;
} message_bench;

static void release(message_bench *b)
{
    enuf_exchange_release(&b->exchange);
    enuf_release(&b->sent);
    enuf_release(&b->received);
}

static enuf_status make(enuf_ranks *ranks, message_bench *b)
{
    *b = (message_bench){.ranks = ranks};
    b->partners = ranks->size - 1 < MOST_PARTNERS ? ranks->size - 1 : MOST_PARTNERS;
    const int64_t bytes = b->partners * LONG_BYTES;
    ENUF_TRY(enuf_exchange_create(ranks, &b->exchange));
    ENUF_TRY(enuf_allocate(&b->sent, bytes, 1, "messages"));
    ENUF_TRY(enuf_allocate(&b->received, bytes, 1, "messages"));
    memset(b->sent, 1, (size_t)bytes);
    memset(b->received, 0, (size_t)bytes);
    return ENUF_SUCCESS;
}

/* Seconds of the slowest rank for one message to one other rank. */
static double time_messages(message_bench *b, int64_t bytes, int exchanges)
{
    const int me = b->ranks->rank, size = b->ranks->size;
    const double begin = MPI_Wtime();
    double best = HUGE_VAL, total = 0;
    for (int k = 1; k <= b->partners; k++) {
        b->exchange.send[(me + k) % size] = bytes;
        b->exchange.receive[(me - k + size) % size] = bytes;
    }
    for (int r = 0; r < REPEATS && total < MOST_SECONDS; r++) {
        MPI_Barrier(b->ranks->comm);
        const double start = MPI_Wtime();
        for (int e = 0; e < exchanges; e++)
            enuf_exchange_forth(b->ranks, &b->exchange, 1, b->sent, b->received);
        double seconds[2] = {MPI_Wtime() - start, MPI_Wtime() - begin};
        enuf_ranks_largest(b->ranks, 2, seconds);
        best = fmin(best, seconds[0] / exchanges / b->partners);
        total = seconds[1];
    }
    return best;
}

enuf_status enuf_measure_messages(enuf_ranks *ranks, enuf_message_costs *costs)
{
    message_bench b;
    const enuf_status status = enuf_ranks_agree(ranks, make(ranks, &b));
    if (status == ENUF_SUCCESS) {
        const double brief = time_messages(&b, SHORT_BYTES, SHORT_EXCHANGES);
        const double lengthy = time_messages(&b, LONG_BYTES, 1);
        /* caches and coarse clocks may measure no time for long messages: a byte costs a minimum */
        const double byte =
            fmax(lengthy - brief, 0.01 * lengthy) / (double)(LONG_BYTES - SHORT_BYTES);
        costs->byte = 1e9 * byte;
        costs->message = 1e9 * fmax(brief - byte * (double)SHORT_BYTES, 0.01 * brief);
    }
    release(&b);
    return status;
}

/* Waiting ranks sleep, so that the core is free for the rank that measures. */
static void sleep_until_all_are_here(enuf_ranks *ranks)
{
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(ranks->comm, &request);
    for (;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done) return;
        nanosleep(&pause, NULL);
    }
}

static enuf_status measure(enuf_ranks *ranks, const enuf_ewald_options *options, const char *file)
{
    enuf_costs costs;
    enuf_message_costs messages = {0, 0};
    const int first = ranks->rank == 0;
    enuf_status status = ENUF_SUCCESS;
    if (first && options) status = enuf_ewald_check_options(options);
    if (first && status == ENUF_SUCCESS) status = enuf_costs_check_file(file);
    ENUF_TRY(enuf_ranks_agree(ranks, status));
    if (ranks->size > 1) {
        if (first && options && options->log) options->log(options->log_context, "messages");
        ENUF_TRY(enuf_measure_messages(ranks, &messages));
    }
    if (first) status = enuf_costs_measure(options, &costs);
    if (first && status == ENUF_SUCCESS) {
        costs.messages = messages;
        status = enuf_costs_write(file, &costs);
    }
    sleep_until_all_are_here(ranks);
    return enuf_ranks_agree(ranks, status);
}

enuf_status enuf_ewald_mpi_calibrate_machine(MPI_Comm comm, const enuf_ewald_options *options,
                                             const char *file)
{
    enuf_ranks ranks;
    const enuf_status started = enuf_ranks_start(comm, &ranks);
    if (started != ENUF_SUCCESS) return enuf_named(started, __func__);
    enuf_status status = enuf_node_open(&ranks, ENUF_NODE_OF_EXCHANGES);
    if (status == ENUF_SUCCESS) status = measure(&ranks, options, file);
    enuf_node_close(&ranks);
    MPI_Comm_free(&ranks.comm);
    return enuf_named(status, __func__);
}
