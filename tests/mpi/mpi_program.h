/*
 * mpi_program.h - how a test program on many ranks begins and ends. With AddressSanitizer memory
 * that was lost in between is a failure: what MPI loses when it begins is not looked at, and the
 * look comes before it ends, as it unloads its modules then, and what those have lost cannot be
 * told from ours any more. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_MPI_MPI_PROGRAM_H
#define TESTS_MPI_MPI_PROGRAM_H

/** MPI_Init_thread(), with threads beside it that do not call MPI. */
void begin_mpi(int *argc, char ***argv);

/** The worst of all ranks' results (of check_result() or check_skip()), to return from main, after
 * MPI_Finalize(). */
int end_mpi(int result);

#endif
