/*
 * evaluate.c - an evaluation on many ranks: sums one term after another, then delivers results.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "evaluate.h"
#include "method.h"
#include "mpi/object/remote_exclusions.h"
#include "terms.h"

enuf_status enuf_ranks_agree_request(enuf_ranks *ranks, enuf_status mine,
                                     const enuf_evaluation *what, int *ready)
{
    const enum {
        BOTH,
        REAL,
        RECIPROCAL
    } function = !what->real         ? RECIPROCAL
                 : !what->reciprocal ? REAL
                                     : BOTH;
    const enuf_same_number same[2] = {
        {"wanted", what->wanted},
        {"the function called (0: compute, 1: real, 2: reciprocal)", function}};
    return enuf_ranks_agree_same(ranks, mine, 2, same, ready);
}

/* Collective: checks the request, and that every rank makes the same one. *ready: 1 if no rank
 * needs an update. A rank takes part also after a failed check of its own. */
static enuf_status check(enuf_rank_state *m, const enuf_evaluation *what, int *ready)
{
    *ready = enuf_ewald_is_as_before(m->ewald);
    enuf_status status = enuf_ewald_check_evaluation(m->ewald, what);
    /* devices check positions themselves */
    if (status == ENUF_SUCCESS && m->ewald->has_charges && !m->devices)
        status = enuf_ewald_check_positions(m->ewald, what->positions, what->stride);
    return enuf_ranks_agree_request(&m->ranks, status, what, ready);
}

enuf_status enuf_ranks_prepare_for(enuf_rank_state *m, const enuf_evaluation *what)
{
    int ready;
    ENUF_TRY(check(m, what, &ready));
    return ready ? ENUF_SUCCESS : enuf_ranks_update_method(m);
}

static enuf_status sum_exclusions(enuf_rank_state *m, const enuf_evaluation *what,
                                  const enuf_atoms *atoms, enuf_ewald_sums *sums)
{
    enuf_evaluation with_remote = *what;
    if (m->ewald->charges.n_excluded == 0) return ENUF_SUCCESS;
    with_remote.stride = 3;
    ENUF_TRY(enuf_remote_exclusions_positions(m, what, &with_remote.positions));
    enuf_sum_exclusions(m->ewald, &with_remote, atoms, sums);
    return ENUF_SUCCESS;
}

/* reserved: this rank's status after it allocated the sums; the first step agrees on it. */
static enuf_status sum_terms(enuf_rank_state *m, const enuf_evaluation *what, enuf_status reserved,
                             const enuf_atoms *atoms, enuf_ewald_sums *sums)
{
    enuf_ewald *ewald = m->ewald;
    const int migrates = what->real || !enuf_modes_at_home(m);
    if (migrates) ENUF_TRY(enuf_ranks_agree(&m->ranks, reserved));
    const double start = MPI_Wtime();
    if (migrates) ENUF_TRY(enuf_ranks_place_atoms(m, what));
    if (what->real) {
        m->points = m->migration.atoms.n;
        ENUF_TRY(enuf_ranks_sum_pairs(m, what->wanted, sums));
        ENUF_TRY(sum_exclusions(m, what, atoms, sums));
        ewald->seconds_real = MPI_Wtime() - start;
    }
    const double modes = what->real ? MPI_Wtime() : start;
    if (what->reciprocal) {
        ENUF_TRY(enuf_ranks_sum_modes(m, what, reserved, sums));
        enuf_sum_boundary(ewald, atoms, sums);
        ewald->seconds_reciprocal = MPI_Wtime() - modes;
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_ranks_sum(enuf_rank_state *m, const enuf_evaluation *what)
{
    enuf_ewald *ewald = m->ewald;
    const enuf_charge_set *set = &ewald->charges;
    enuf_ewald_sums sums;
    m->ranks.bytes_sent = 0; /* do not count the bytes of the preparation */
    m->points = -1;
    if (m->devices) {
        const enuf_status status = enuf_ranks_backend_cuda.evaluate(m, what);
        m->bytes_sent = m->ranks.bytes_sent;
        return status;
    }
    enuf_status status = enuf_ewald_reserve(ewald, what->wanted, &sums);
    const enuf_atoms atoms = {.n = set->n,
                              .positions = what->positions,
                              .stride = what->stride,
                              .q = set->q,
                              .q_single = set->q_single};
    status = ewald->charges.n_charged > 0 ? sum_terms(m, what, status, &atoms, &sums)
                                          : enuf_ranks_agree(&m->ranks, status);
    ENUF_TRY(status);
    m->bytes_sent = m->ranks.bytes_sent;
    /* fails on all ranks or on none, because the energy has the same bits on all */
    return enuf_ewald_deliver(ewald, what, &atoms, &sums);
}
