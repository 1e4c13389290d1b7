/*
 * ranks.h - the program on many ranks, started by mpirun: rank 0 reads, writes and speaks, all of
 * them compute. ranks_mpi.c, or ranks_missing.c where no MPI was found when this was built.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_RANKS_H
#define ENUF_CLI_RANKS_H

#include "evaluation.h"
#include "forecast.h"
#include "rank.h"

/** Starts MPI where mpirun has started the program, and only there. Error: ENUF_UNSUPPORTED on
 * several ranks without MPI built in, each of which would do the same, and with an MPI that allows
 * no threads beside it. */
enuf_status cli_ranks_begin(void);
/** Ends it; waits for all ranks. */
void cli_ranks_end(void);

/** 1 where MPI runs. */
int cli_on_ranks(void);

/** A number of rank 0, on all ranks. */
int cli_ranks_of_first(int value);

/** The status of rank 0, on all ranks. Its text is known to rank 0 only, which prints it. */
enuf_status cli_ranks_share(enuf_status status);

/** cli_evaluator_next() on all ranks; the structure is that of rank 0, those of others are empty.
 */
enuf_status cli_ranks_evaluate(cli_evaluator *evaluator, const cli_request *request,
                               cli_progress *progress, cli_evaluation *evaluation);

/** On all ranks of mpirun: the threads of each; 0 without mpirun. */
enuf_status cli_ranks_threads(const enuf_ewald_options *options, int *threads);
/** Local: what the ranks asked for, or those of mpirun, would take; nothing where there is one. The
 * object has cell and charges; forecast->threads is that of mpirun's ranks or 0. ENUF_UNSUPPORTED
 * without MPI built in. */
enuf_status cli_ranks_predict(const cli_settings *settings, enuf_ewald *ewald,
                              cli_forecast *forecast);
/** On all ranks of mpirun, where the forecast of rank 0 is theirs: times both decompositions, with
 * the structure of rank 0. */
enuf_status cli_ranks_time(const enuf_ewald_options *options, const enuf_structure *structure,
                           cli_forecast *forecast);
/** Rates of this machine, and of messages between the ranks of mpirun. */
enuf_status cli_ranks_calibrate(const enuf_ewald_options *options, const char *file);

/** What `enuf info` says of MPI: its version, or why there is none. */
const char *cli_ranks_library(void);

#endif
