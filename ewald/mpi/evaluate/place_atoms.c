/*
 * place_atoms.c - chooses the domains of ranks on CPUs, and sends the atoms there.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mpi/choose/rank_costs.h"
#include "terms.h"

#include <string.h>

static enuf_status make_domains(enuf_rank_state *m, const int count[3])
{
    if (m->has_migration && memcmp(count, m->migration.domains.count, 3 * sizeof *count) == 0)
        return ENUF_SUCCESS;
    enuf_migration_release(&m->migration);
    m->has_migration = 0;
    ENUF_TRY(enuf_ranks_agree(&m->ranks, enuf_migration_create(&m->ranks, count, &m->migration)));
    m->has_migration = 1;
    return ENUF_SUCCESS;
}

/* Collective, the same status on all. */
static enuf_status choose_domains(enuf_rank_state *m, const enuf_evaluation *what)
{
    const enuf_ewald *ewald = m->ewald;
    const int64_t n = ewald->charges.n;
    const double cutoff = ewald->method.parameters.splitting.cutoff;
    if (enuf_domain_choice_serves(&m->ranks, &m->domain_choice, &ewald->geometry, cutoff))
        return ENUF_SUCCESS;
    const enuf_rank_run run = enuf_rank_run_of(ewald, m->ranks.size, enuf_ewald_threads(ewald));
    const enuf_domain_weights weights = enuf_domain_weights_of(&run);
    const enuf_domain_sample sample = {.n = n,
                                       .n_listed = enuf_domain_sample_size(m->ranks.size, n),
                                       .positions = what->positions,
                                       .stride = what->stride *
                                                 enuf_domain_sample_step(m->ranks.size, n)};
    ENUF_TRY(enuf_domain_choice_make(&m->ranks, ENUF_SUCCESS, &ewald->geometry, cutoff, &weights,
                                     &sample, &m->domain_choice));
    return make_domains(m, m->domain_choice.count);
}

/* Collective: looks at the choice once after each change of the charges, because the atoms of ranks
 * change with them. */
static void watch(enuf_rank_state *m)
{
    const enuf_exchange *e = &m->migration.exchange;
    const int64_t changes = m->ewald->charge_changes;
    if (m->domain_choice.moved >= 0 && m->watched_charges == changes) return;
    double moved = (double)(e->n_send - e->send[m->ranks.rank]);
    enuf_ranks_sum_doubles(&m->ranks, 1, &moved);
    enuf_domain_choice_watch(&m->domain_choice, moved / (double)m->ewald->charges.n_all);
    m->watched_charges = changes;
}

enuf_status enuf_ranks_place_atoms(enuf_rank_state *m, const enuf_evaluation *what)
{
    const enuf_charge_set *set = &m->ewald->charges;
    ENUF_TRY(choose_domains(m, what));
    ENUF_TRY(enuf_migrate(&m->ranks, &m->migration, &m->ewald->geometry, set->n, what->positions,
                          what->stride, set->q, m->first, !m->ewald->options.deterministic));
    watch(m);
    return ENUF_SUCCESS;
}
