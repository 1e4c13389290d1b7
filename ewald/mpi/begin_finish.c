/*
 * begin_finish.c - compute in two halves on many ranks. MPI belongs to the calling thread, and on
 * CPUs a rank's cores to its own work: everything but what can go wrong with the request is done in
 * finish. One rank alone is served by enuf/ewald.h's own. SPDX-License-Identifier: BSD-3-Clause
 */
#include "context.h"

static enuf_status begin(enuf_ewald_mpi *m, enuf_evaluation *what)
{
    if (m->sharing) return enuf_sharing_begin(m, what);
    what->memory = m->ewald->options.memory;
    if (enuf_is_alone(m)) {
        m->points = m->ewald->charges.n;
        return (what->real ? enuf_ewald_begin : enuf_ewald_begin_reciprocal)(
            m->ewald, what->positions, what->stride, what->wanted, what->result);
    }
    ENUF_TRY(enuf_ranks_make_ready(m, what));
    m->ewald->pending = *what;
    m->ewald->begun = 1;
    return ENUF_SUCCESS;
}

static enuf_status finish(enuf_ewald_mpi *m)
{
    if (m->sharing) return enuf_sharing_finish(m);
    if (enuf_is_alone(m)) return enuf_ewald_finish(m->ewald);
    if (!m->ewald->begun) /* on no rank, as begin fails on all or none */
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "nothing has begun: enuf_ewald_mpi_begin() has to come first");
    m->ewald->begun = 0;
    return enuf_ranks_evaluate(m, &m->ewald->pending);
}

enuf_status enuf_ewald_mpi_begin(enuf_ewald_mpi *ewald, const double *positions, int64_t stride,
                                 int wanted, enuf_ewald_result *result)
{
    enuf_evaluation what = {positions, stride, wanted, 1, 1, result, ENUF_HOST};
    if (!ewald) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: ewald is NULL", __func__);
    return enuf_named(begin(ewald, &what), __func__);
}

enuf_status enuf_ewald_mpi_begin_reciprocal(enuf_ewald_mpi *ewald, const double *positions,
                                            int64_t stride, int wanted, enuf_ewald_result *result)
{
    enuf_evaluation what = {positions, stride, wanted, 0, 1, result, ENUF_HOST};
    if (!ewald) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: ewald is NULL", __func__);
    return enuf_named(begin(ewald, &what), __func__);
}

enuf_status enuf_ewald_mpi_finish(enuf_ewald_mpi *ewald)
{
    if (!ewald) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: ewald is NULL", __func__);
    return enuf_named(finish(ewald), __func__);
}
