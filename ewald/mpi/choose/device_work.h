/*
 * device_work.h - the cheaper decomposition, and the cost of an evaluation that several GPUs share,
 * for the choice of parameters. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_DEVICE_WORK_H
#define ENUF_EWALD_MPI_DEVICE_WORK_H

#include "rank_costs.h"

/** cost->seconds, less what the work hides: on a GPU pairs and modes run beside each other. */
double enuf_seconds_beside(const enuf_rank_run *run, const enuf_ewald_mpi_cost *cost);

/** The cheaper decomposition within the memory limit (0: no limit). */
enuf_decomposition enuf_cheaper_decomposition(const enuf_rank_run *run,
                                              const enuf_ewald_mpi_cost *replicated,
                                              const enuf_ewald_mpi_cost *distributed,
                                              int64_t memory_limit);

/** The work on 2 or more GPUs, for a choice of parameters: the decomposition of the options, or the
 * cheaper one for each candidate. */
enuf_shared_work enuf_work_on_devices(int devices);

/** Seconds of an evaluation on one GPU. */
double enuf_seconds_on_one(const enuf_parameters *parameters);

#endif
