/*
 * predict.c - predicts the cost of a run on many ranks with the cost model.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "choose/candidates.h"
#include "device_work.h"

/* The formulas hold for numbers of charges and grid cells below this. */
static const double MOST_CHARGES = 1e15;

static enuf_status check(const enuf_ewald *ewald, const enuf_ewald_mpi_run *run,
                         const enuf_ewald_mpi_prediction *prediction)
{
    ENUF_TRY(enuf_ewald_check_idle(ewald));
    if (ewald->on_ranks)
        return enuf_fail(ENUF_BAD_ARGUMENT, "ewald is on ranks: enuf_ewald_create() makes an "
                                            "object of one process, which predicts");
    if (!run || run->struct_size != sizeof *run)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "run is NULL, or run->struct_size is not sizeof(enuf_ewald_mpi_run)");
    if (!prediction || prediction->struct_size != sizeof *prediction)
        return enuf_fail(ENUF_BAD_ARGUMENT, "prediction is NULL, or prediction->struct_size is not "
                                            "sizeof(enuf_ewald_mpi_prediction)");
    if (run->ranks < 1 || run->threads < 1 || run->cells < 1)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "ranks is %d, threads %d, cells %lld: each has to be at least 1",
                         run->ranks, run->threads, (long long)run->cells);
    if (!(run->latency >= 0 && run->latency < 1) || !(run->bandwidth >= 0 && run->bandwidth < 1e15))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "latency is %g s, bandwidth %g bytes a second: give 0 for what is "
                         "calibrated, or less than 1 s and less than 1e15",
                         run->latency, run->bandwidth);
    if (run->cells > 1 && ewald->options.slab > 0)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "cells is %lld: a slab is not repeated along its open direction; use 1",
                         (long long)run->cells);
    return ENUF_SUCCESS;
}

/* A request for a choice, with the arrays that it points to. */
typedef struct repeated_system {
    enuf_choice_request request;
    enuf_ewald_options options;
    enuf_cell_geometry cell;
} repeated_system;

static enuf_status repeat(const enuf_ewald *ewald, int64_t cells, repeated_system *s)
{
    double rows[9];
    const double copies = (double)cells * (double)cells * (double)cells;
    if ((double)s->request.n_charged * copies > MOST_CHARGES)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "cells is %lld: %.3g charges, more than the %.0e that are predicted",
                         (long long)cells, (double)s->request.n_charged * copies, MOST_CHARGES);
    for (int k = 0; k < 9; k++) rows[k] = (double)cells * ewald->geometry.cell[k];
    ENUF_TRY(enuf_cell_geometry_make(rows, &s->cell));
    s->request.n_charged *= cells * cells * cells;
    s->request.volume *= copies;
    s->request.sum_q2 *= copies;
    s->request.grid_bound *= copies;
    s->request.concentration /= copies;
    return ENUF_SUCCESS;
}

static enuf_arithmetic choose_arithmetic(const enuf_ewald *ewald, const enuf_ewald_mpi_run *run,
                                         enuf_backend backend, double requested)
{
    if (run->arithmetic == ENUF_ARITHMETIC_BY_ACCURACY) return enuf_arithmetic_for(requested);
    if (run->arithmetic != ENUF_ARITHMETIC_AUTO) return run->arithmetic;
    if (backend == ewald->backend->kind) return ewald->options.arithmetic;
    return backend == ENUF_BACKEND_CUDA ? enuf_arithmetic_for(requested) : ENUF_ARITHMETIC_DOUBLE;
}

static enuf_status predict(enuf_ewald *ewald, const enuf_ewald_mpi_run *run,
                           enuf_ewald_mpi_prediction *prediction)
{
    repeated_system s;
    int chosen;
    ENUF_TRY(check(ewald, run, prediction));
    ENUF_TRY(enuf_ewald_update_method(ewald));
    ENUF_TRY(enuf_ewald_request(ewald, &s.request));
    if (s.request.n_charged == 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "no charges: there is nothing to predict");
    const enuf_backend own = ewald->backend->kind;
    const enuf_backend backend = run->backend == ENUF_BACKEND_AUTO ? own : run->backend;
    s.options = ewald->options;
    s.options.backend = backend;
    s.options.arithmetic = choose_arithmetic(ewald, run, backend, s.request.requested);
    s.request.options = &s.options;
    s.cell = ewald->geometry;
    s.request.cell = &s.cell;
    enuf_costs costs = backend != own ? *enuf_costs_shipped_for(backend) : *s.request.costs;
    if (run->latency > 0) costs.messages.message = 1e9 * run->latency;
    if (run->bandwidth > 0) costs.messages.byte = 1e9 / run->bandwidth;
    s.request.costs = &costs;
    const enuf_shared_work work = enuf_work_on_devices(run->ranks);
    const int shares = backend == ENUF_BACKEND_CUDA && run->ranks > 1 && !s.options.deterministic;
    s.request.shared_work = shares ? &work : NULL;
    ENUF_TRY(repeat(ewald, run->cells, &s));
    enuf_parameters parameters;
    ENUF_TRY(enuf_ewald_predicted(ewald, &parameters));
    if (backend != own || run->cells > 1 || s.options.arithmetic != ewald->options.arithmetic ||
        shares)
        ENUF_TRY(enuf_ewald_choose_parameters(ewald, &s.request, 1, &parameters, &chosen));
    const enuf_rank_run of = {.parameters = &parameters,
                              .cell = &s.cell,
                              .costs = &costs,
                              .arithmetic = s.options.arithmetic,
                              .n_charged = s.request.n_charged,
                              .ranks = run->ranks,
                              .threads = run->threads};
    *prediction = (enuf_ewald_mpi_prediction){.struct_size = sizeof *prediction,
                                              .charges = s.request.n_charged,
                                              .arithmetic = s.options.arithmetic,
                                              .pairs = enuf_cost_of_domains(&of),
                                              .replicated = enuf_cost_of_replicated(&of),
                                              .distributed = enuf_cost_of_distributed(&of)};
    enuf_report_candidate(&parameters, 1, &prediction->parameters);
    prediction->chosen =
        s.options.deterministic
            ? ENUF_DECOMPOSITION_REPLICATED
            : enuf_cheaper_decomposition(&of, &prediction->replicated, &prediction->distributed,
                                         s.options.memory_limit);
    return ENUF_SUCCESS;
}

enuf_status enuf_ewald_mpi_predict(enuf_ewald *ewald, const enuf_ewald_mpi_run *run,
                                   enuf_ewald_mpi_prediction *prediction)
{
    return enuf_named(predict(ewald, run, prediction), __func__);
}
