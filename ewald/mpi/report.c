/* report.c - what the ranks do. SPDX-License-Identifier: BSD-3-Clause */
#include "context.h"

#include <math.h>
#include <stdio.h>

static enuf_decomposition in_use(const enuf_ewald_mpi *m)
{
    if (m->table) return m->table->decomposition;
    if (enuf_is_alone(m) && m->ewald->method.is_made) return ENUF_DECOMPOSITION_REPLICATED;
    return ENUF_DECOMPOSITION_AUTO;
}

static void tell(enuf_ranks *ranks, int64_t mine, int64_t *all)
{
    if (all) MPI_Allgather(&mine, 1, MPI_INT64_T, all, 1, MPI_INT64_T, ranks->comm);
}

enuf_status enuf_ranks_report(enuf_ewald_mpi *m, enuf_ewald_mpi_report *report)
{
    const int arrays =
        (report->points ? 1 : 0) + (report->grid_cells ? 2 : 0) + (report->bytes_sent ? 4 : 0);
    ENUF_TRY(enuf_ranks_same(&m->ranks, "the set of arrays of the report", arrays));
    report->ewald.struct_size = sizeof report->ewald;
    double forces2 = m->ewald->close_forces * m->ewald->close_forces;
    ENUF_TRY(enuf_ranks_sum_in_order(&m->ranks, 1, &forces2));
    ENUF_TRY(enuf_ranks_agree(&m->ranks,
                              enuf_ewald_make_report(m->ewald, sqrt(forces2), &report->ewald)));
    enuf_mesh_part part = {.cells = 0};
    if (m->mesh) part = m->table->part(m->mesh);
    if (enuf_is_alone(m) && m->ewald->method.is_made)
        part.cells = report->ewald.grid[0] * report->ewald.grid[1] * report->ewald.grid[2];
    report->ewald.bytes += part.bytes;
    if (m->devices) report->ewald.bytes += enuf_devices_cuda.bytes(m->devices);
    report->devices =
        m->n_devices > 0 ? m->n_devices : m->ewald->backend->kind == ENUF_BACKEND_CUDA;
    snprintf(report->transport, sizeof report->transport, "%s",
             m->devices ? enuf_devices_cuda.transport(m->devices) : "none");
    report->decomposition = in_use(m);
    report->ranks = m->ranks.size;
    tell(&m->ranks, m->points < 0 ? part.points : m->points, report->points);
    tell(&m->ranks, part.cells, report->grid_cells);
    tell(&m->ranks, m->bytes_sent, report->bytes_sent);
    return ENUF_SUCCESS;
}

static enuf_status check_and_report(enuf_ewald_mpi *m, enuf_ewald_mpi_report *report)
{
    enuf_status status = ENUF_SUCCESS;
    if (!report || report->struct_size != sizeof *report)
        status = enuf_fail(
            ENUF_BAD_ARGUMENT,
            "report is NULL, or report->struct_size is not sizeof(enuf_ewald_mpi_report)");
    ENUF_TRY(enuf_ranks_agree(&m->ranks, status));
    return (m->sharing ? enuf_sharing_report : enuf_ranks_report)(m, report);
}

enuf_status enuf_ewald_mpi_get_report(enuf_ewald_mpi *ewald, enuf_ewald_mpi_report *report)
{
    if (!ewald) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: ewald is NULL", __func__);
    return enuf_named(check_and_report(ewald, report), __func__);
}
