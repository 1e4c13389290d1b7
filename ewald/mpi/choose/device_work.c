/* device_work.c - see device_work.h. SPDX-License-Identifier: BSD-3-Clause */
#include "device_work.h"

/*
 * On a GPU pairs and modes run beside each other: together they take this part of the sum of their
 * costs, which are measured alone. ewald_gpus_{2,4,8}_h200_2026-11-22.csv: one GPU takes 0.67 to
 * 0.95 of the sum, and with 0.82 the times of many differ from the cost model by 13 % (root mean
 * square, 42 % at most; tests/mpi/test_gpu_figures.c).
 */
static const double BESIDE = 0.82;

double enuf_seconds_beside(const enuf_rank_run *run, const enuf_ewald_mpi_cost *cost)
{
    const double part = run->costs->backend == ENUF_BACKEND_CUDA ? BESIDE : 1;
    return cost->seconds - (1 - part) * cost->work;
}

enuf_decomposition enuf_cheaper_decomposition(const enuf_rank_run *run,
                                              const enuf_ewald_mpi_cost *replicated,
                                              const enuf_ewald_mpi_cost *distributed,
                                              int64_t memory_limit)
{
    if (memory_limit > 0 && replicated->memory > (double)memory_limit)
        return ENUF_DECOMPOSITION_DISTRIBUTED;
    return enuf_seconds_beside(run, distributed) < enuf_seconds_beside(run, replicated)
               ? ENUF_DECOMPOSITION_DISTRIBUTED
               : ENUF_DECOMPOSITION_REPLICATED;
}

static double seconds_of_modes(const enuf_rank_run *run, const enuf_ewald_options *options)
{
    const enuf_ewald_mpi_cost whole = enuf_cost_of_replicated(run);
    const enuf_ewald_mpi_cost part = enuf_cost_of_distributed(run);
    enuf_decomposition decomposition = options->decomposition;
    if (decomposition == ENUF_DECOMPOSITION_AUTO)
        decomposition = enuf_cheaper_decomposition(run, &whole, &part, options->memory_limit);
    return enuf_seconds_beside(run,
                               decomposition == ENUF_DECOMPOSITION_REPLICATED ? &whole : &part);
}

static double seconds(const enuf_shared_work *work, const enuf_choice_request *request,
                      const enuf_parameters *parameters)
{
    const enuf_rank_run run = {.parameters = parameters,
                               .cell = request->cell,
                               .costs = request->costs,
                               .arithmetic = request->options->arithmetic,
                               .n_charged = request->n_charged,
                               .ranks = work->devices,
                               .threads = 1};
    const enuf_ewald_mpi_cost pairs = enuf_cost_of_domains(&run);
    return enuf_seconds_beside(&run, &pairs) + seconds_of_modes(&run, request->options);
}

enuf_shared_work enuf_work_on_devices(int devices)
{
    return (enuf_shared_work){.devices = devices, .seconds = seconds};
}

double enuf_seconds_on_one(const enuf_parameters *parameters)
{
    return BESIDE * (parameters->cost_pairs + parameters->cost_mesh);
}
