/*
 * rank_costs.h - predicts the cost of an evaluation on many ranks, from cost rates for work and
 * messages and from the traffic of the decompositions. It needs no MPI.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_RANK_COSTS_H
#define ENUF_EWALD_MPI_RANK_COSTS_H

#include "enuf/ewald_mpi.h"
#include "mpi/domains/domain_choice.h"
#include "object/ewald_object.h"

/** Input of a prediction; pointers belong to the caller. */
typedef struct enuf_rank_run {
    const enuf_parameters *parameters; /* with their costs on one core or one GPU */
    const enuf_cell_geometry *cell;
    const enuf_costs *costs;
    enuf_arithmetic arithmetic;
    int64_t n_charged;
    int ranks, threads; /* threads of each rank */
} enuf_rank_run;

/** The present method of the object, with the charges of all ranks. */
enuf_rank_run enuf_rank_run_of(const enuf_ewald *ewald, int ranks, int threads);

/** Cost of the pairs, on domains with ghosts; cost of the modes, in either decomposition. */
enuf_ewald_mpi_cost enuf_cost_of_domains(const enuf_rank_run *run);
enuf_ewald_mpi_cost enuf_cost_of_replicated(const enuf_rank_run *run);
enuf_ewald_mpi_cost enuf_cost_of_distributed(const enuf_rank_run *run);

/** What atoms cost that move to their domain, and ghosts. */
enuf_domain_weights enuf_domain_weights_of(const enuf_rank_run *run);

#endif
