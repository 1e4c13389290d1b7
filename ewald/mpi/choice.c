/* choice.c - chooses the decomposition of the mesh. SPDX-License-Identifier: BSD-3-Clause */
#include "context.h"
#include "rank_costs.h"

static enuf_decomposition cheaper(const enuf_rank_state *m)
{
    const enuf_rank_run run =
        enuf_rank_run_of(m->ewald, m->ranks.size, enuf_ewald_threads(m->ewald));
    const enuf_ewald_mpi_cost whole = enuf_cost_of_replicated(&run);
    const enuf_ewald_mpi_cost part = enuf_cost_of_distributed(&run);
    return enuf_cheaper_decomposition(&whole, &part, m->ewald->options.memory_limit);
}

const enuf_reciprocal_table *enuf_ranks_choose_table(enuf_rank_state *m)
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
