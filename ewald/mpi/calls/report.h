/* report.h - the steps of the ranks' report. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_EWALD_MPI_REPORT_H
#define ENUF_EWALD_MPI_REPORT_H

#include "enuf/ewald_mpi.h"
#include "mpi/messages/ranks.h"

/** Collective, the same status on all: checks that all ranks make the same request. */
enuf_status enuf_mpi_report_begin(enuf_ranks *ranks, const enuf_ewald_mpi_report *report);
/** Collective: gathers points, grid cells and bytes sent (`own`) of all ranks on all ranks. */
void enuf_mpi_report_gather(enuf_ranks *ranks, const int64_t own[3], enuf_ewald_mpi_report *report);

/** enuf_ewald_get_mpi_report() that does not check whether the object is idle. */
enuf_status enuf_mpi_report_of(const enuf_ewald *ewald, enuf_ewald_mpi_report *report);

#endif
