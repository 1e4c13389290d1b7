/* choice.c - which decomposition of the mesh. SPDX-License-Identifier: BSD-3-Clause */
#include "context.h"
#include "mesh_costs.h"

/* The cheaper of those that the memory allows. */
static enuf_decomposition cheaper(const enuf_ewald_mpi *m)
{
    const int threads = enuf_ewald_threads(m->ewald);
    const double limit = (double)m->ewald->options.memory_limit;
    const enuf_mesh_cost whole = enuf_cost_of_replicated(m->ewald, m->ranks.size, threads);
    const enuf_mesh_cost part = enuf_cost_of_distributed(m->ewald, m->ranks.size, threads);
    if (limit > 0 && whole.bytes > limit) return ENUF_DECOMPOSITION_DISTRIBUTED;
    return part.seconds < whole.seconds ? ENUF_DECOMPOSITION_DISTRIBUTED
                                        : ENUF_DECOMPOSITION_REPLICATED;
}

const enuf_reciprocal_table *enuf_ranks_choose_table(enuf_ewald_mpi *m)
{
    enuf_decomposition chosen = m->asked;
    if (chosen == ENUF_DECOMPOSITION_AUTO) {
        /* ranks may have calibration files and threads of their own: rank 0 decides */
        if (m->ranks.rank == 0) chosen = cheaper(m);
        enuf_ranks_from_first(&m->ranks, (int64_t)sizeof chosen, &chosen);
    }
    /* parts of a grid are summed in floating point, in an order that depends on the ranks */
    if (chosen == ENUF_DECOMPOSITION_REPLICATED || m->ewald->options.deterministic)
        return &enuf_reciprocal_replicated;
    return &enuf_reciprocal_distributed;
}
