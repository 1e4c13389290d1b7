/* check.c - evaluations that were only enqueued: waits for them, and reports their errors.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "object/calls.h"

#include <stdio.h>

void enuf_ewald_keep_errors(enuf_ewald *ewald)
{
    if (ewald->enqueued == 0 || !ewald->method.plan) return;
    const enuf_status status = enuf_nufft_check(ewald->method.plan, NULL);
    if (status == ENUF_SUCCESS || ewald->kept_error != ENUF_SUCCESS) return;
    ewald->kept_error = status;
    snprintf(ewald->kept_text, sizeof ewald->kept_text, "%s", enuf_last_error());
}

static enuf_status check(enuf_ewald *ewald)
{
    ENUF_TRY(enuf_ewald_check_idle(ewald));
    const int64_t enqueued = ewald->enqueued;
    if (enqueued == 0) return ENUF_SUCCESS;
    char text[1024] = "";
    const enuf_status of_charges = enuf_ewald_judge_enqueued(ewald);
    const int64_t refused = ewald->refused;
    if (of_charges != ENUF_SUCCESS) snprintf(text, sizeof text, "%s", enuf_last_error());
    ewald->enqueued = ewald->refused = 0;
    const enuf_status of_data = ewald->backend->check(ewald), kept = ewald->kept_error;
    ewald->kept_error = ENUF_SUCCESS;
    if (of_charges != ENUF_SUCCESS) return enuf_fail(of_charges, "%s", text);
    if (of_data != ENUF_SUCCESS) return of_data; /* it may name an atom */
    if (kept != ENUF_SUCCESS) return enuf_fail(kept, "%s", ewald->kept_text);
    if (refused == 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                     "the parameters of %lld of the %lld evaluations since the last check did not "
                     "serve their charges, or these were refused: compute again",
                     (long long)refused, (long long)enqueued);
}

enuf_status enuf_ewald_check(enuf_ewald *ewald)
{
    return enuf_named(check(ewald), __func__);
}
