/* ranks_missing.c - see ranks.h: one process. SPDX-License-Identifier: BSD-3-Clause */
#include "ranks.h"

#include "error.h"
#include "mpirun.h"

enuf_status cli_ranks_begin(void)
{
    const int ranks = cli_mpirun_ranks();
    if (ranks <= 1) return ENUF_SUCCESS;
    return enuf_fail(ENUF_UNSUPPORTED,
                     "started on %d ranks, but this enuf was built without MPI (install one, then "
                     "configure with -DENUF_MPI=ON): every rank would do the same",
                     ranks);
}

void cli_ranks_end(void)
{
}

int cli_on_ranks(void)
{
    return 0;
}

int cli_ranks_of_first(int value)
{
    return value;
}

enuf_status cli_ranks_share(enuf_status status)
{
    return status;
}

enuf_status cli_ranks_evaluate(cli_evaluator *evaluator, const cli_request *request,
                               cli_progress *progress, cli_evaluation *evaluation)
{
    return cli_evaluator_next(evaluator, request, progress, evaluation);
}

enuf_status cli_ranks_threads(const enuf_ewald_options *options, int *threads)
{
    (void)options;
    *threads = 0;
    return ENUF_SUCCESS;
}

enuf_status cli_ranks_predict(const cli_settings *settings, enuf_ewald *ewald,
                              cli_forecast *forecast)
{
    (void)ewald;
    (void)forecast;
    if (settings->ranks == 0 && settings->cells == 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_UNSUPPORTED,
                     "--%s predicts what ranks of MPI take, but this enuf was built without it "
                     "(install one, then configure with -DENUF_MPI=ON)",
                     settings->ranks ? "ranks" : "cells");
}

enuf_status cli_ranks_time(const enuf_ewald_options *options, const enuf_structure *structure,
                           cli_forecast *forecast)
{
    (void)options;
    (void)structure;
    (void)forecast;
    return ENUF_SUCCESS;
}

enuf_status cli_ranks_calibrate(const enuf_ewald_options *options, const char *file)
{
    return enuf_ewald_calibrate_machine(options, file);
}

const char *cli_ranks_library(void)
{
    return "not built in";
}
