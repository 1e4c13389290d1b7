/*
 * ranks.h - the program on many ranks, started by mpirun: rank 0 reads, writes and prints; all
 * ranks compute. Builds with MPI use ranks_mpi.c, others ranks_missing.c. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_CLI_RANKS_H
#define ENUF_CLI_RANKS_H

#include "evaluation.h"
#include "forecast.h"
#include "rank.h"

/** Starts MPI if mpirun has started the program. Errors: ENUF_UNSUPPORTED on several ranks of a
 * build without MPI, because all would do the same; and if MPI does not support threads. */
enuf_status cli_ranks_begin(void);
/** Ends it; waits for all ranks. */
void cli_ranks_end(void);

/** 1 if MPI runs. */
int cli_on_ranks(void);

/** Returns the number of rank 0 on all ranks. */
int cli_ranks_of_first(int value);

/** Returns the status of rank 0 on all ranks. Only rank 0 has the error text, and prints it. */
enuf_status cli_ranks_share(enuf_status status);

/** cli_evaluator_next() on all ranks. Rank 0 has the structure; the structures of other ranks are
 * empty.
 */
enuf_status cli_ranks_evaluate(cli_evaluator *evaluator, const cli_request *request,
                               cli_progress *progress, cli_evaluation *evaluation);

/** On all ranks of mpirun: the threads of each; 0 without mpirun. */
enuf_status cli_ranks_threads(const enuf_ewald_options *options, int *threads);
/** On one rank: predicts times for the requested ranks, or for the ranks of mpirun; does nothing
 * for one rank. The object has cell and charges. forecast->threads is the number of threads of
 * mpirun's ranks, or 0. ENUF_UNSUPPORTED in a build without MPI. */
enuf_status cli_ranks_predict(const cli_settings *settings, enuf_ewald *ewald,
                              cli_forecast *forecast);
/** On all ranks of mpirun, if rank 0's forecast is for them: times both decompositions, with the
 * structure of rank 0. */
enuf_status cli_ranks_time(const enuf_ewald_options *options, const enuf_structure *structure,
                           cli_forecast *forecast);
/** Rates of this machine, and of messages between the ranks of mpirun. */
enuf_status cli_ranks_calibrate(const enuf_ewald_options *options, const char *file);

/** MPI's version for `enuf info`, or why there is none. */
const char *cli_ranks_library(void);

#endif
