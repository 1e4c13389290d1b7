/*
 * tune.c - chooses, verifies and lists parameters on many ranks, at a caller's request.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mpi/object/calls.h"
#include "mpi/evaluate/method.h"
#include "mpi/verify/error_scale_ranks.h"
#include "memory.h"

/* Makes a new choice, without positions. */
static enuf_status choose_without_positions(enuf_rank_state *m)
{
    const enuf_error_scale before = m->ewald->error_scale;
    m->ewald->error_scale = ENUF_NO_ERROR_SCALE;
    const enuf_status status = enuf_ranks_choose_anew(m);
    if (status != ENUF_SUCCESS) m->ewald->error_scale = before;
    return status;
}

enuf_status enuf_ranks_tune(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    enuf_rank_state *m = ewald->on_ranks;
    const int64_t n = ewald->charges.n;
    /* a rank without atoms may have no array */
    int64_t have[2] = {n > 0 && positions, n > 0 && !positions};
    enuf_ranks_sum_integers(&m->ranks, 2, have);
    if (have[0] == 0) return choose_without_positions(m);
    enuf_status status =
        have[1] > 0 ? enuf_fail(ENUF_BAD_ARGUMENT, "positions are given on some ranks and NULL on "
                                                   "others that have atoms")
                    : ENUF_SUCCESS;
    double *copy = NULL;
    ENUF_TRY(enuf_ranks_agree(&m->ranks, status));
    status = enuf_ewald_host_positions(ewald, ewald->options.memory, &positions, stride, &copy);
    if (status == ENUF_SUCCESS) status = enuf_ewald_check_positions(ewald, positions, stride);
    status = enuf_ranks_agree(&m->ranks, status);
    if (status == ENUF_SUCCESS) status = enuf_ranks_find_error_scale(m, positions, stride);
    enuf_release(&copy);
    return status;
}

/* Updates the method if it is not up to date on one of the ranks. */
static enuf_status prepare(enuf_rank_state *m)
{
    int64_t stale = !enuf_ewald_is_ready(m->ewald);
    enuf_ranks_sum_integers(&m->ranks, 1, &stale);
    return stale ? enuf_ranks_update_method(m) : ENUF_SUCCESS;
}

enuf_status enuf_ranks_verify(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    ENUF_TRY(prepare(ewald->on_ranks));
    return enuf_ranks_verify_at(ewald->on_ranks, positions, stride, ewald->options.memory);
}

enuf_status enuf_ranks_measure_tail(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    ENUF_TRY(prepare(ewald->on_ranks));
    return enuf_ranks_measure_tail_at(ewald->on_ranks, positions, stride);
}

enuf_status enuf_ranks_list_candidates(enuf_ewald *ewald, double dearest, int64_t capacity,
                                       enuf_ewald_candidate *candidates, int64_t *n)
{
    enuf_rank_state *m = ewald->on_ranks;
    ENUF_TRY(prepare(m));
    return enuf_ranks_agree(
        &m->ranks, enuf_calls_alone.list_candidates(ewald, dearest, capacity, candidates, n));
}
