/*
 * rank_costs.h - what an evaluation costs on many ranks, predicted: the rates of costs.h for work
 * and messages, the traffic of the decompositions counted. Nothing has to exist of what is
 * predicted, and no MPI runs. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_RANK_COSTS_H
#define ENUF_EWALD_MPI_RANK_COSTS_H

#include "enuf/ewald_mpi.h"
#include "object/ewald_object.h"

/** What is predicted; pointers are the caller's. */
typedef struct enuf_rank_run {
    const enuf_parameters *parameters; /* whose costs are those of one core or one GPU */
    const enuf_cell_geometry *cell;
    const enuf_costs *costs;
    enuf_arithmetic arithmetic;
    int64_t n_charged;
    int ranks, threads; /* threads of each rank */
} enuf_rank_run;

/** The method that the object has now, with the charges of all ranks. */
enuf_rank_run enuf_rank_run_of(const enuf_ewald *ewald, int ranks, int threads);

/** The pairs, on domains with ghosts; the modes in either decomposition. */
enuf_ewald_mpi_cost enuf_cost_of_domains(const enuf_rank_run *run);
enuf_ewald_mpi_cost enuf_cost_of_replicated(const enuf_rank_run *run);
enuf_ewald_mpi_cost enuf_cost_of_distributed(const enuf_rank_run *run);

/** The cheaper of the two that a limit of memory (0: none) allows. */
enuf_decomposition enuf_cheaper_decomposition(const enuf_ewald_mpi_cost *replicated,
                                              const enuf_ewald_mpi_cost *distributed,
                                              int64_t memory_limit);

/** What a message costs in numbers of 8 bytes that pass in the same time: what the layout of a
 * distributed grid weighs messages by. */
static inline double enuf_message_in_numbers(const enuf_costs *costs)
{
    return costs->messages.message / (8 * costs->messages.byte);
}

#endif
