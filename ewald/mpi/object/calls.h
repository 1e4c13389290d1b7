/*
 * calls.h - the calls of ranks that compute themselves, and what ranks that share a GPU take from
 * them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_CALLS_H
#define ENUF_EWALD_MPI_CALLS_H

#include "enuf/ewald_mpi.h"
#include "object/calls.h"
#include "mpi/messages/ranks.h"

/* cell.c, charges.c; calls/compute.c, calls/report.c, calls/tune.c; verify/measure.c */
ENUF_CALLS(ENUF_CALL_FUNCTION, ranks)
enuf_status enuf_ranks_get_mpi_report(const enuf_ewald *ewald, enuf_ewald_mpi_report *report);

/* charges.c: Local */
enuf_status enuf_ranks_check_charges(int64_t n, const double *charges,
                                     const enuf_exclusions *exclusions);

/* cell.c: collective */
/** The cell of rank 0, on all. */
enuf_status enuf_ranks_cell_of_first(enuf_ranks *ranks, const double cell[9], double shared[9]);

#endif
