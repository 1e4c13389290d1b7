/* tune.c - parameters chosen for given positions, or without any; the modes left out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "object/calls.h"
#include "memory.h"
#include "verify/error_scale.h"
#include "verify/tail_at_positions.h"

/* Calls `look` with the positions on the host, after they are checked. */
static enuf_status look_at(enuf_ewald *ewald, const double *positions, int64_t stride,
                           enuf_status (*look)(enuf_ewald *, const double *, int64_t))
{
    double *copy = NULL;
    enuf_status status =
        enuf_ewald_host_positions(ewald, ewald->options.memory, &positions, stride, &copy);
    if (status == ENUF_SUCCESS) status = enuf_ewald_check_positions(ewald, positions, stride);
    if (status == ENUF_SUCCESS) status = enuf_ewald_host_charges(ewald);
    if (status == ENUF_SUCCESS) status = look(ewald, positions, stride);
    enuf_release(&copy);
    return status;
}

enuf_status enuf_alone_tune(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    ENUF_TRY(enuf_ewald_judge_enqueued(ewald));
    if (positions) return look_at(ewald, positions, stride, enuf_ewald_find_error_scale);
    const enuf_error_scale before = ewald->error_scale;
    ewald->error_scale = ENUF_NO_ERROR_SCALE;
    enuf_status status = enuf_ewald_choose_anew(ewald);
    if (status != ENUF_SUCCESS) ewald->error_scale = before;
    return status;
}

enuf_status enuf_ewald_tune(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    ENUF_CALL(ewald, tune, (ewald, positions, stride));
}

static enuf_status measure_tail(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    const enuf_tail_source from = {.positions = positions, .stride = stride};
    return enuf_error_scale_may_choose(ewald) ? enuf_tail_measure(ewald, &from) : ENUF_SUCCESS;
}

enuf_status enuf_alone_measure_tail(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    ENUF_TRY(enuf_ewald_update_method(ewald));
    return look_at(ewald, positions, stride, measure_tail);
}

enuf_status enuf_ewald_measure_tail(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    ENUF_CALL(ewald, measure_tail, (ewald, positions, stride));
}
