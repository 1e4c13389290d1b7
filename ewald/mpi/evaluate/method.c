/*
 * method.c - one method for all ranks: rank 0 chooses, the others apply its parameters. So ranks on
 * machines that round differently compute the same sums.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "method.h"
#include "mpi/choose/device_work.h"
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The choice of rank 0, as it is sent to the others. */
typedef struct choice {
    enuf_parameters parameters;
    enuf_error_scale error_scale;
    double requested;
    int chosen;
    enuf_arithmetic arithmetic;
} choice;

static enuf_decomposition cheaper(const enuf_rank_state *m)
{
    const enuf_rank_run run =
        enuf_rank_run_of(m->ewald, m->ranks.size, enuf_ewald_threads(m->ewald));
    const enuf_ewald_mpi_cost whole = enuf_cost_of_replicated(&run);
    const enuf_ewald_mpi_cost part = enuf_cost_of_distributed(&run);
    return enuf_cheaper_decomposition(&run, &whole, &part, m->ewald->options.memory_limit);
}

/* Collective: the table of the caller's decomposition, or of the cheaper one; the same on all
 * ranks. */
static const enuf_reciprocal_table *choose_table(enuf_rank_state *m)
{
    enuf_decomposition chosen = m->ewald->options.decomposition;
    if (chosen == ENUF_DECOMPOSITION_AUTO) {
        /* numbers of threads may differ between ranks: rank 0 chooses */
        if (m->ranks.rank == 0) chosen = cheaper(m);
        enuf_ranks_from_first(&m->ranks, (int64_t)sizeof chosen, &chosen);
    }
    /* a distributed grid adds floating-point numbers in an order that depends on the ranks */
    const int replicated =
        chosen == ENUF_DECOMPOSITION_REPLICATED || m->ewald->options.deterministic;
    if (m->devices)
        return replicated || !enuf_ranks_backend_cuda.distributed
                   ? enuf_ranks_backend_cuda.replicated
                   : enuf_ranks_backend_cuda.distributed;
    return replicated ? &enuf_reciprocal_replicated : &enuf_reciprocal_distributed;
}

/* within_reach: the inputs of choose_table() have not changed. */
static enuf_status make_mesh_here(enuf_rank_state *m, int within_reach)
{
    const enuf_reciprocal_table *table = m->mesh && within_reach ? m->table : choose_table(m);
    const double bound = enuf_ewald_grid_bound(m->ewald);
    if (m->mesh && table == m->table && bound == m->mesh_bound &&
        table->serves(m->mesh, &m->ewald->method.parameters))
        return table->set_cell(m->mesh);
    if (m->table) m->table->destroy(&m->mesh);
    m->table = table;
    const enuf_mesh_request request = {
        .ranks = &m->ranks,
        .ewald = m->ewald,
        .devices = m->devices ? enuf_ranks_backend_cuda.ranks(m->devices) : NULL,
    };
    m->mesh_bound = bound;
    return table->create(&request, &m->mesh);
}

static enuf_status make_mesh(enuf_rank_state *m, int within_reach)
{
    int callers = 0;
    if (!m->devices) return make_mesh_here(m, within_reach);
    enuf_status status = enuf_ranks_backend_cuda.enter(m->devices, &callers);
    const int entered = status == ENUF_SUCCESS;
    status = enuf_ranks_agree(&m->ranks, status);
    if (status == ENUF_SUCCESS) status = make_mesh_here(m, within_reach);
    if (entered) enuf_ranks_backend_cuda.leave(m->devices, callers);
    return status;
}

/* Applies the choice of rank 0, with its ewald->error_scale, and makes the mesh. */
static enuf_status apply(enuf_rank_state *m, enuf_status choice_status,
                         enuf_choice_request *request, const enuf_parameters *parameters,
                         int chosen)
{
    enuf_ewald *ewald = m->ewald;
    const enuf_ewald_method method =
        ewald->method; /* without a plan, because the ranks have the mesh */
    const int stale = ewald->stale;
    ENUF_TRY(enuf_ranks_agree(&m->ranks, choice_status));
    choice d = {*parameters, ewald->error_scale, request->requested, chosen,
                ewald->options.arithmetic};
    enuf_ranks_from_first(&m->ranks, (int64_t)sizeof d, &d);
    request->requested = d.requested;
    ewald->error_scale = d.error_scale;
    ewald->options.arithmetic = d.arithmetic;
    const int within_reach = !d.chosen && !d.parameters.is_predicted;
    enuf_status status = enuf_ewald_apply_parameters(ewald, request, &d.parameters, d.chosen);
    /* within reach, applying only copies numbers and cannot fail */
    if (!within_reach) status = enuf_ranks_agree(&m->ranks, status);
    /* some ranks may have applied it: all ranks restore the former method */
    if (status != ENUF_SUCCESS) {
        ewald->method = method;
        ewald->stale = stale;
        return status;
    }
    status = make_mesh(m, within_reach);
    if (status != ENUF_SUCCESS) { /* the next evaluation makes them */
        ewald->stale = 1;
        ewald->method.made_for.n_charged = -1;
    }
    return status;
}

/* Small systems are faster on one GPU than on many. The ranks' GPUs are the caller's choice. */
static void log_if_one_is_faster(const enuf_ewald_options *o, const enuf_choice_request *request,
                                 const enuf_parameters *parameters)
{
    const enuf_shared_work *work = request->shared_work;
    char text[256];
    if (!o->log || !work) return;
    const double many = work->seconds(work, request, parameters);
    const double one = enuf_seconds_on_one(parameters);
    if (many <= one) return;
    snprintf(text, sizeof text,
             "%d GPUs take %.2g ms an evaluation by the cost model, one takes %.2g ms: give all "
             "ranks the same one (option device)",
             work->devices, 1e3 * many, 1e3 * one);
    o->log(o->log_context, text);
}

/* Rank 0 chooses as one process does: arithmetic first if the caller left it open. */
static enuf_status choose(enuf_rank_state *m, const enuf_choice_request *request, int anew,
                          enuf_parameters *parameters, int *chosen)
{
    m->ewald->options.arithmetic = enuf_ewald_choose_arithmetic(m->ewald, request->requested, anew);
    ENUF_TRY(enuf_ewald_choose_parameters(m->ewald, request, anew, parameters, chosen));
    if (*chosen) log_if_one_is_faster(&m->ewald->options, request, parameters);
    return ENUF_SUCCESS;
}

static enuf_status update(enuf_rank_state *m, int anew)
{
    enuf_ewald *ewald = m->ewald;
    enuf_choice_request request = {0};
    enuf_parameters parameters;
    memset(&parameters, 0, sizeof parameters);
    int chosen = 0;
    ENUF_TRY(enuf_ranks_agree(&m->ranks, enuf_ewald_request(ewald, &request)));
    if (request.n_charged == 0) return ENUF_SUCCESS;
    const enuf_arithmetic before = ewald->options.arithmetic;
    const enuf_status choice_status =
        m->ranks.rank == 0 ? choose(m, &request, anew, &parameters, &chosen) : ENUF_SUCCESS;
    const enuf_status status = apply(m, choice_status, &request, &parameters, chosen);
    if (status != ENUF_SUCCESS) ewald->options.arithmetic = before;
    return status;
}

enuf_status enuf_ranks_update_method(enuf_rank_state *m)
{
    return update(m, 0);
}

enuf_status enuf_ranks_choose_anew(enuf_rank_state *m)
{
    return update(m, 1);
}
