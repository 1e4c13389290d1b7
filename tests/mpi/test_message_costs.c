/*
 * test_message_costs.c - the cost of messages is measured between the ranks. It is equal on all
 * ranks, grows with the bytes, and has the order of this machine's times. A calibration file that
 * cannot be written is refused on every rank before anything is measured.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mpi/messages/message_rates.h"
#include "enuf/ewald_mpi.h"
#include "shared_system.h"

#include <math.h>
#include <stdio.h>

static void check_messages(void)
{
    enuf_ranks ranks = {.comm = MPI_COMM_WORLD};
    enuf_message_costs costs = {0, 0};
    MPI_Comm_rank(ranks.comm, &ranks.rank);
    MPI_Comm_size(ranks.comm, &ranks.size);
    CHECK_STATUS(enuf_measure_messages(&ranks, &costs), ENUF_SUCCESS);
    enuf_message_costs first = costs;
    MPI_Bcast(&first, 2, MPI_DOUBLE, 0, ranks.comm);
    CHECK(first.message == costs.message && first.byte == costs.byte);
    if (ranks.rank == 0)
        printf("%d ranks: %.0f ns a message, %.3g ns a byte (%.3g GB/s)\n", ranks.size,
               costs.message, costs.byte, 1 / costs.byte);
    /* copying in memory reaches 10 MB/s to 100 GB/s; a message takes some instructions, and at most
     * a second if processes take turns on a core */
    CHECK(costs.byte > 0.01 && costs.byte < 100);
    CHECK(costs.message > 10 && costs.message < 1e9);
    /* the time of a megabyte is not only its latency */
    CHECK(costs.byte * 1e6 > 0.01 * costs.message);
}

static void check_refusals(void)
{
    const double begin = MPI_Wtime();
    CHECK_STATUS(enuf_ewald_mpi_calibrate_machine(MPI_COMM_WORLD, NULL, "nowhere/rates"), ENUF_IO);
    CHECK_TEXT("nowhere/rates");
    CHECK_STATUS(enuf_ewald_mpi_calibrate_machine(MPI_COMM_WORLD, NULL, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("file is NULL");
    CHECK_STATUS(enuf_ewald_mpi_calibrate_machine(MPI_COMM_NULL, NULL, "rates"), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("MPI_COMM_NULL");
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.threads = -1;
    CHECK_STATUS(enuf_ewald_mpi_calibrate_machine(MPI_COMM_WORLD, &options, "rates"),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("threads");
    CHECK(MPI_Wtime() - begin < 10); /* measuring the rates would take longer */
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    check_messages();
    check_refusals();
    return finish_ranks();
}
