/*
 * make.c - creates the data of a rank: its own Ewald object, and the state beside it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "rank_state.h"
#include "remote_exclusions.h"
#include "memory.h"
#include "mpi/choose/device_work.h"
#include "mpi/messages/node_open.h"

#include <string.h>

static void largest(void *context, int64_t n, double *values)
{
    enuf_ranks_largest(context, n, values);
}

static void add(void *context, int64_t n, int64_t *sums)
{
    enuf_ranks_sum_integers(context, n, sums);
}

static void add_doubles(void *context, int64_t n, double *sums)
{
    enuf_ranks_sum_doubles(context, n, sums);
}

/* A message in shared memory, in place of the shipped one between machines. Two ranks of an EPYC
 * (Zen 5, November 2026) measure 655 ns and 0.04 ns a byte; more ranks share the memory's rate, for
 * which 0.15 is a guess. */
static const enuf_message_costs COSTS_IN_NODE = {600, 0.15};

/* Collective, on CPUs. On GPUs MPI may read device memory, which a rank itself does not. */
static enuf_status open_node(enuf_rank_state *m)
{
    enuf_message_costs *costs = &m->ewald->costs.messages;
    ENUF_TRY(enuf_node_open(&m->ranks, ENUF_NODE_OF_EXCHANGES));
    if (m->ranks.node && costs->message == enuf_costs_shipped.messages.message &&
        costs->byte == enuf_costs_shipped.messages.byte)
        *costs = COSTS_IN_NODE;
    return ENUF_SUCCESS;
}

static enuf_status make(enuf_rank_state *m, const enuf_ewald_options *options)
{
    m->reduction = (enuf_reduction){
        .largest = largest, .add = add, .add_doubles = add_doubles, .context = &m->ranks};
    enuf_status status = enuf_ewald_make(options, &m->ewald);
    if (status == ENUF_SUCCESS) status = enuf_ghosts_create(&m->ranks, &m->ghosts);
    ENUF_TRY(enuf_ranks_agree(&m->ranks, status));
    /* all ranks take the cost rates of rank 0, because layouts depend on the cost of messages */
    enuf_ranks_from_first(&m->ranks, (int64_t)sizeof m->ewald->costs, &m->ewald->costs);
    m->ewald->on_ranks = m;
    m->ewald->reduction = &m->reduction;
    m->ewald->without_mesh = 1;
    if (m->ewald->backend->kind != ENUF_BACKEND_CUDA) return open_node(m);
    /* deterministic sums have the parameters, and the bits, of one GPU */
    if (!options->deterministic) m->ewald->shared_work = enuf_work_on_devices(m->gpus.devices);
    return enuf_ranks_backend_cuda.create(m, m->gpus.alone, &m->devices);
}

enuf_status enuf_rank_state_make(const enuf_ranks *ranks, const enuf_ewald_options *options,
                                 enuf_led_gpus gpus, enuf_rank_state **made)
{
    enuf_rank_state *m = NULL;
    enuf_ranks own = *ranks;
    *made = NULL;
    MPI_Comm_dup(ranks->comm, &own.comm);
    enuf_status status = enuf_allocate(&m, 1, sizeof *m, "an Ewald object");
    status = enuf_ranks_agree(&own, status);
    if (status != ENUF_SUCCESS) {
        enuf_release(&m);
        MPI_Comm_free(&own.comm);
        return status;
    }
    memset(m, 0, sizeof *m);
    m->ranks = own;
    m->gpus = gpus;
    status = make(m, options);
    if (status == ENUF_SUCCESS)
        *made = m;
    else
        enuf_rank_state_free(m);
    return status;
}

static void destroy_mesh(enuf_rank_state *m)
{
    int callers = 0;
    if (!m->table) return;
    const int entered =
        m->devices && enuf_ranks_backend_cuda.enter(m->devices, &callers) == ENUF_SUCCESS;
    m->table->destroy(&m->mesh);
    if (entered) enuf_ranks_backend_cuda.leave(m->devices, callers);
}

void enuf_rank_state_free(enuf_rank_state *m)
{
    if (!m) return;
    destroy_mesh(m);
    if (m->devices) enuf_ranks_backend_cuda.destroy(&m->devices);
    enuf_ewald_free(m->ewald);
    enuf_migration_release(&m->migration);
    enuf_ghosts_release(&m->ghosts);
    enuf_remote_exclusions_release(&m->remote_exclusions);
    enuf_release(&m->excluded_pairs);
    enuf_release(&m->excluded_weights);
    enuf_array *scratch[] = {
        &m->forces,         &m->atom_energy,   &m->atom_virial,   &m->potential, &m->field,
        &m->mesh_potential, &m->mesh_gradient, &m->mesh_virial,   &m->q_single,  &m->home,
        &m->home_gradient,  &m->home_virial,   &m->home_positions};
    for (size_t k = 0; k < sizeof scratch / sizeof *scratch; k++) enuf_array_release(scratch[k]);
    enuf_node_close(&m->ranks);
    MPI_Comm_free(&m->ranks.comm);
    enuf_release(&m);
}
