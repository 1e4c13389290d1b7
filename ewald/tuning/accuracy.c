/* accuracy.c - the error of a candidate at the positions. SPDX-License-Identifier: BSD-3-Clause */
#include "tuned.h"
#include "verify/tail_at_positions.h"

/* Largest error found, over the request: the reference has an error too. As in verify.c. */
static const double MOST = 0.95;

/* The modes left out are other ones with each splitting. */
static enuf_status measure_tail(enuf_tuning_work *w)
{
    const enuf_tail_source from = {.positions = w->alone.positions, .stride = w->stride};
    w->ewald->error_scale.shells = (enuf_mode_shells){0};
    enuf_ewald_update_tail(w->ewald);
    return enuf_tail_measure(w->ewald, &from);
}

enuf_status enuf_tuning_try(enuf_tuning_work *w, enuf_tuned *c, int *fits)
{
    enuf_ewald *ewald = w->ewald;
    const enuf_error_scale_steps steps = enuf_error_scale_steps_alone(&w->alone);
    enuf_measurement m;
    *fits = 1;
    ENUF_TRY(enuf_tuning_apply(w, &c->parameters));
    /* compute() verifies such parameters at its first positions */
    if (enuf_tuning_is_uncorrelated(w) || !enuf_error_scale_may_choose(ewald)) return ENUF_SUCCESS;
    ENUF_TRY(measure_tail(w));
    if (!w->has_reference) ENUF_TRY(enuf_error_scale_refer(ewald, &steps));
    w->has_reference = 1;
    ENUF_TRY(enuf_error_scale_measure(ewald, &steps, &m));
    c->timed.measured_error = m.error;
    ewald->method.is_verified = 1;
    ewald->method.found = m.error;
    *fits = m.error <= MOST * ewald->method.requested;
    return ENUF_SUCCESS;
}
