/* ranks_mpi.c - see ranks.h. SPDX-License-Identifier: BSD-3-Clause */
#include "ranks.h"

#include "enuf/ewald_mpi.h"
#include "error.h"
#include "memory.h"
#include "mpirun.h"
#include "wall_clock.h"

#include <stdio.h>
#include <string.h>

static int n_ranks; /* n_ranks 0: MPI does not run */

enuf_status cli_ranks_begin(void)
{
    if (cli_mpirun_ranks() == 0) return ENUF_SUCCESS;
    int level = MPI_THREAD_SINGLE;
    /* errors of MPI itself end all ranks, with MPI's own message. Threads that compute, and the one
     * that shows progress, never call MPI. Hosts that call MPI_Init() are not refused: threads
     * without MPI work there. */
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cli_set_rank(rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    if (level >= MPI_THREAD_FUNNELED) return ENUF_SUCCESS;
    return enuf_fail(
        ENUF_UNSUPPORTED,
        "this MPI (%s) allows no threads beside it (MPI_THREAD_FUNNELED): use one built "
        "with support for threads",
        cli_ranks_library());
}

void cli_ranks_end(void)
{
    if (n_ranks > 0) MPI_Finalize();
    n_ranks = 0;
}

int cli_on_ranks(void)
{
    return n_ranks > 0;
}

int cli_ranks_of_first(int value)
{
    if (n_ranks > 1) MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return value;
}

enuf_status cli_ranks_share(enuf_status status)
{
    return (enuf_status)cli_ranks_of_first((int)status);
}

static enuf_status allocate_report(cli_rank_report *ranks)
{
    ENUF_TRY(enuf_allocate(&ranks->points, n_ranks, sizeof *ranks->points, "the ranks' report"));
    ENUF_TRY(enuf_allocate(&ranks->cells, n_ranks, sizeof *ranks->cells, "the ranks' report"));
    ENUF_TRY(enuf_allocate(&ranks->bytes, n_ranks, sizeof *ranks->bytes, "the ranks' report"));
    memset(ranks->bytes, 0, (size_t)n_ranks * sizeof *ranks->bytes);
    return ENUF_SUCCESS;
}

/* Gathers the report's arrays on all ranks, and the bytes of a half. The next calls make the ranks
 * agree on the status. */
static enuf_status get_report(enuf_ewald *ewald, cli_evaluation *evaluation)
{
    cli_rank_report *ranks = &evaluation->ranks;
    int64_t *bytes = NULL;
    enuf_ewald_mpi_report report = {.struct_size = sizeof report};
    enuf_status status = enuf_allocate(&bytes, n_ranks, sizeof *bytes, "the ranks' report");
    int all_well = status == ENUF_SUCCESS && ranks->bytes;
    MPI_Allreduce(MPI_IN_PLACE, &all_well, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (all_well) {
        report.points = ranks->points;
        report.grid_cells = ranks->cells;
        report.bytes_sent = bytes;
        status = enuf_ewald_get_mpi_report(ewald, &report);
        if (!status) status = enuf_ewald_get_report(ewald, &evaluation->report);
        for (int r = 0; r < n_ranks; ++r) ranks->bytes[r] += bytes[r];
    } else if (status == ENUF_SUCCESS) {
        status = enuf_fail(ENUF_OUT_OF_MEMORY, "another rank has no memory for the report");
    }
    enuf_release(&bytes);
    ranks->n = n_ranks;
    ranks->decomposition = report.decomposition;
    ranks->devices = report.devices;
    snprintf(ranks->transport, sizeof ranks->transport, "%s", report.transport);
    return status;
}

static enuf_status create(const cli_request *request, enuf_ewald **ewald)
{
    enuf_ewald_options options = *request->options;
    options.decomposition = request->decomposition;
    return enuf_ewald_create_mpi(MPI_COMM_WORLD, &options, ewald);
}

enuf_status cli_ranks_evaluate(cli_evaluator *evaluator, const cli_request *request,
                               cli_progress *progress, cli_evaluation *evaluation)
{
    if (n_ranks == 0) return cli_evaluator_next(evaluator, request, progress, evaluation);
    if (!cli_ranks_of_first(cli_evaluator_serves(evaluator, request))) cli_evaluator_end(evaluator);
    const int is_first = !evaluator->ewald;
    enuf_status status = cli_evaluation_begin(request, evaluation);
    if (!status) status = allocate_report(&evaluation->ranks);
    /* too little memory on one rank is an error on all: otherwise the others would wait for it */
    int worst = (int)status;
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (!status && worst)
        status = enuf_fail((enuf_status)worst, "another rank has no memory for the results");
    if (!status && is_first) status = create(request, &evaluator->ewald);
    if (is_first) evaluator->system = cli_request_system(request);
    if (!status)
        status = cli_evaluation_compute(request, is_first, evaluator->ewald, get_report, progress,
                                        evaluation);
    if (!status && request->sample) evaluation->report.measured = evaluation->error.accuracy;
    if (!status && cli_rank() == 0) cli_evaluation_judge(request, evaluation);
    if (!status) return ENUF_SUCCESS;
    cli_evaluation_free(evaluation);
    cli_evaluator_end(evaluator);
    return status;
}

const char *cli_ranks_library(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(text, &length);
    text[strcspn(text, ",\n")] = '\0';
    return text;
}
