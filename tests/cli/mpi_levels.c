/*
 * mpi_levels.c - loaded before a program (LD_PRELOAD), a stand-in for how MPI is started: a program
 * with threads has to ask for MPI_THREAD_FUNNELED or more; with ENUF_TEST_NO_THREADS it does not
 * get it. SPDX-License-Identifier: BSD-3-Clause
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int MPI_Init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    fputs("MPI was started without a word of threads\n", stderr);
    exit(4);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    const int result = PMPI_Init_thread(argc, argv, required, provided);
    if (required < MPI_THREAD_FUNNELED) exit(5);
    if (getenv("ENUF_TEST_NO_THREADS")) *provided = MPI_THREAD_SINGLE;
    return result;
}
