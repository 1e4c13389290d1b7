/*
 * mpi_program.h - begins and ends a test program on many ranks. With AddressSanitizer, memory
 * leaked in between is a failure. Leaks of MPI_Init_thread() are ignored. The check comes before
 * MPI_Finalize(): after it MPI's modules are unloaded, and their leaks look like ours.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_MPI_MPI_PROGRAM_H
#define TESTS_MPI_MPI_PROGRAM_H

/** MPI_Init_thread(). Other threads may run, but do not call MPI. */
void begin_mpi(int *argc, char ***argv);

/** Ranks of one machine share memory through memfd_create(). The linker (--wrap) puts a function of
 * this file in its place, which counts the calls and lets them fail on request: then ranks send
 * messages, as between machines. begin_mpi() requests it if ENUF_TEST_MESSAGES is set. */
extern int shared_memory_fails, shared_memory_calls;

/** The worst of all ranks' results (of check_result() or check_skip()), to return from main, after
 * MPI_Finalize(). */
int end_mpi(int result);

#endif
