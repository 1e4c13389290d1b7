/*
 * compute.c - the evaluations of callers on many ranks, and their two halves, begin and finish.
 * Only the calling thread may use MPI, and on CPUs the caller uses the cores between the halves. So
 * finish computes all sums.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mpi/object/calls.h"
#include "mpi/evaluate/evaluate.h"
#include "mpi/verify/error_scale_ranks.h"

static enuf_status make_ready(enuf_rank_state *m, const enuf_evaluation *what)
{
    ENUF_TRY(enuf_ranks_prepare_for(m, what));
    return enuf_ranks_verify_first(m, what);
}

enuf_status enuf_ranks_compute(enuf_ewald *ewald, const enuf_evaluation *what)
{
    ENUF_TRY(make_ready(ewald->on_ranks, what));
    return enuf_ranks_sum(ewald->on_ranks, what);
}

enuf_status enuf_ranks_begin(enuf_ewald *ewald)
{
    return make_ready(ewald->on_ranks, &ewald->pending);
}

enuf_status enuf_ranks_finish(enuf_ewald *ewald)
{
    return enuf_ranks_sum(ewald->on_ranks, &ewald->pending);
}
