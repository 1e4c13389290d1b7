/* report.c - the report of an object on many ranks. SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/object/calls.h"
#include "mpi/object/rank_state.h"
#include "report.h"

#include <math.h>
#include <stdio.h>

enuf_status enuf_mpi_report_begin(enuf_ranks *ranks, const enuf_ewald_mpi_report *report)
{
    enuf_status status = ENUF_SUCCESS;
    if (!report || report->struct_size != sizeof *report)
        status = enuf_fail(
            ENUF_BAD_ARGUMENT,
            "report is NULL, or report->struct_size is not sizeof(enuf_ewald_mpi_report)");
    ENUF_TRY(enuf_ranks_agree(ranks, status));
    const int arrays =
        (report->points ? 1 : 0) + (report->grid_cells ? 2 : 0) + (report->bytes_sent ? 4 : 0);
    return enuf_ranks_same(ranks, "the set of arrays of the report", arrays);
}

static void gather(enuf_ranks *ranks, int64_t mine, int64_t *all)
{
    if (all) MPI_Allgather(&mine, 1, MPI_INT64_T, all, 1, MPI_INT64_T, ranks->comm);
}

void enuf_mpi_report_gather(enuf_ranks *ranks, const int64_t own[3], enuf_ewald_mpi_report *report)
{
    report->ranks = ranks->size;
    gather(ranks, own[0], report->points);
    gather(ranks, own[1], report->grid_cells);
    gather(ranks, own[2], report->bytes_sent);
}

static enuf_mesh_part part_of(const enuf_rank_state *m)
{
    const enuf_mesh_part none = {.cells = 0};
    return m->mesh ? m->table->part(m->mesh) : none;
}

enuf_status enuf_ranks_get_report(const enuf_ewald *ewald, enuf_ewald_report *report)
{
    enuf_rank_state *m = ewald->on_ranks;
    double forces2 = ewald->close_forces * ewald->close_forces;
    ENUF_TRY(enuf_ranks_sum_in_order(&m->ranks, 1, &forces2));
    ENUF_TRY(enuf_ranks_agree(&m->ranks, enuf_ewald_make_report(ewald, sqrt(forces2), report)));
    report->bytes += part_of(m).bytes;
    if (m->devices) report->bytes += enuf_ranks_backend_cuda.bytes(m->devices);
    return ENUF_SUCCESS;
}

enuf_status enuf_ranks_get_mpi_report(const enuf_ewald *ewald, enuf_ewald_mpi_report *report)
{
    enuf_rank_state *m = ewald->on_ranks;
    ENUF_TRY(enuf_mpi_report_begin(&m->ranks, report));
    const enuf_mesh_part part = part_of(m);
    report->devices =
        m->gpus.devices > 0 ? m->gpus.devices : ewald->backend->kind == ENUF_BACKEND_CUDA;
    snprintf(report->transport, sizeof report->transport, "%s",
             m->devices ? enuf_ranks_backend_cuda.transport(m->devices) : "none");
    report->decomposition = m->table ? m->table->decomposition : ENUF_DECOMPOSITION_AUTO;
    const int64_t own[3] = {m->points < 0 ? part.points : m->points, part.cells, m->bytes_sent};
    enuf_mpi_report_gather(&m->ranks, own, report);
    return ENUF_SUCCESS;
}

/* The report of one process, which sends nothing. */
static enuf_status report_alone(const enuf_ewald *ewald, enuf_ewald_mpi_report *report)
{
    const enuf_ewald_method *method = &ewald->method;
    const int64_t *grid = method->parameters.grid;
    if (!report || report->struct_size != sizeof *report)
        return enuf_fail(
            ENUF_BAD_ARGUMENT,
            "report is NULL, or report->struct_size is not sizeof(enuf_ewald_mpi_report)");
    report->decomposition =
        method->is_made ? ENUF_DECOMPOSITION_REPLICATED : ENUF_DECOMPOSITION_AUTO;
    report->ranks = 1;
    report->devices = ewald->backend->kind == ENUF_BACKEND_CUDA;
    snprintf(report->transport, sizeof report->transport, "none");
    if (report->points) report->points[0] = ewald->charges.n;
    if (report->grid_cells)
        report->grid_cells[0] = method->is_made ? grid[0] * grid[1] * grid[2] : 0;
    if (report->bytes_sent) report->bytes_sent[0] = 0;
    return ENUF_SUCCESS;
}

enuf_status enuf_mpi_report_of(const enuf_ewald *ewald, enuf_ewald_mpi_report *report)
{
    return (ewald->calls->get_mpi_report ? ewald->calls->get_mpi_report : report_alone)(ewald,
                                                                                        report);
}

static enuf_status check_and_report(const enuf_ewald *ewald, enuf_ewald_mpi_report *report)
{
    ENUF_TRY(enuf_ewald_check_idle(ewald));
    return enuf_mpi_report_of(ewald, report);
}

enuf_status enuf_ewald_get_mpi_report(const enuf_ewald *ewald, enuf_ewald_mpi_report *report)
{
    return enuf_named(check_and_report(ewald, report), __func__);
}
