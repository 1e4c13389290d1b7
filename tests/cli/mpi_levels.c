/*
 * mpi_levels.c - preloaded into a program (LD_PRELOAD), it checks how the program starts MPI. A
 * program with threads has to ask for MPI_THREAD_FUNNELED or more. If ENUF_TEST_NO_THREADS is set,
 * MPI_Init_thread() provides MPI_THREAD_SINGLE only.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int MPI_Init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    fputs("MPI was started by MPI_Init(), which asks for no threads\n", stderr);
    exit(4);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    const int result = PMPI_Init_thread(argc, argv, required, provided);
    if (required < MPI_THREAD_FUNNELED) exit(5);
    if (getenv("ENUF_TEST_NO_THREADS")) *provided = MPI_THREAD_SINGLE;
    return result;
}
