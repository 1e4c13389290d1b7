/*
 * begin_finish.c - compute in two halves. A backend that works alone is started by begin(). Of one
 * that does not, the work is done in finish(), or with background threads by a worker, which shares
 * the loops out. SPDX-License-Identifier: BSD-3-Clause
 */
#include "object/ewald_object.h"
#include "object/worker.h"

static enuf_status begin(enuf_ewald *ewald, const enuf_evaluation *what)
{
    ENUF_TRY(enuf_ewald_check_evaluation(ewald, what));
    /* errors of the accuracy are reported here, not by finish() */
    ENUF_TRY(enuf_ewald_update_method(ewald));
    ENUF_TRY(enuf_ewald_verify_first(ewald, what));
    const int needs_worker = ewald->options.background_threads > 0 && !ewald->backend->works_alone;
    if (ewald->worker && enuf_worker_is_of_parent(ewald->worker)) enuf_worker_stop(&ewald->worker);
    if (needs_worker && !ewald->worker) ENUF_TRY(enuf_worker_start(ewald));
    ENUF_TRY(ewald->backend->start(ewald, what));
    ewald->pending = *what;
    ewald->begun = 1;
    if (ewald->worker) enuf_worker_ask(ewald->worker);
    return ENUF_SUCCESS;
}

static enuf_status finish(enuf_ewald *ewald)
{
    if (!ewald) return enuf_fail(ENUF_BAD_ARGUMENT, "ewald is NULL");
    if (!ewald->begun)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "no evaluation has begun: call enuf_ewald_begin() first");
    ewald->begun = 0;
    /* begun before fork(): the child does it all itself */
    if (ewald->worker && enuf_worker_is_of_parent(ewald->worker)) enuf_worker_stop(&ewald->worker);
    return ewald->worker ? enuf_worker_wait(ewald->worker)
                         : ewald->backend->finish(ewald, &ewald->pending);
}

enuf_status enuf_ewald_begin(enuf_ewald *ewald, const double *positions, int64_t stride, int wanted,
                             enuf_ewald_result *result)
{
    const enuf_evaluation what = {
        positions, stride, wanted, 1, 1, result, ewald ? ewald->options.memory : ENUF_HOST};
    return enuf_named(begin(ewald, &what), __func__);
}

enuf_status enuf_ewald_begin_reciprocal(enuf_ewald *ewald, const double *positions, int64_t stride,
                                        int wanted, enuf_ewald_result *result)
{
    const enuf_evaluation what = {
        positions, stride, wanted, 0, 1, result, ewald ? ewald->options.memory : ENUF_HOST};
    return enuf_named(begin(ewald, &what), __func__);
}

enuf_status enuf_ewald_finish(enuf_ewald *ewald)
{
    return enuf_named(finish(ewald), __func__);
}
