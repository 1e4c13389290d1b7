/* set_charges.c - the call that sets charges and exclusions. SPDX-License-Identifier: BSD-3-Clause
 */
#include "evaluate/floats.h"
#include "object/calls.h"

enuf_status enuf_alone_set_charges(enuf_ewald *ewald, int64_t n, const double *charges,
                                   const enuf_exclusions *exclusions)
{
    /* enuf_ewald_check() will report enqueued evaluations that are refused here */
    (void)enuf_ewald_judge_enqueued(ewald);
    return enuf_charges_set(ewald, n, charges, exclusions);
}

enuf_status enuf_ewald_set_charges(enuf_ewald *ewald, int64_t n, const double *charges,
                                   const enuf_exclusions *exclusions)
{
    ENUF_CALL(ewald, set_charges, (ewald, n, charges, exclusions));
}

static enuf_status set_floats(enuf_ewald *ewald, int64_t n, const float *charges,
                              const enuf_exclusions *exclusions)
{
    ENUF_TRY(enuf_ewald_check_idle(ewald));
    return enuf_floats_set_charges(ewald, n, charges, exclusions);
}

enuf_status enuf_ewald_set_charges_f32(enuf_ewald *ewald, int64_t n, const float *charges,
                                       const enuf_exclusions *exclusions)
{
    return enuf_named(set_floats(ewald, n, charges, exclusions), __func__);
}
