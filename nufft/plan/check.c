/* check.c - errors of data in device memory. SPDX-License-Identifier: BSD-3-Clause */
#include "type3.h"

/* Of a vector's plan; its Gram operator has a record of its own, which is cleared too. */
static enuf_status check(enuf_nufft *plan, int64_t *first_bad)
{
    const enuf_status of_gram = plan->gram ? plan->gram->check(plan) : ENUF_SUCCESS;
    ENUF_TRY(plan->backend->check(plan, first_bad));
    return of_gram;
}

enuf_status enuf_nufft_check(enuf_nufft *plan, int64_t *first_bad)
{
    if (first_bad) *first_bad = -1;
    if (!plan) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_check: plan is NULL");
    if (plan->type3) ENUF_TRY(enuf_type3_check(plan));
    for (int b = 0; b <= plan->n_others; b++) {
        const enuf_status status = check(enuf_vector(plan, b), first_bad);
        if (status == ENUF_SUCCESS) continue;
        if (first_bad && *first_bad >= 0) *first_bad += b * plan->n_points;
        return plan->n_others ? enuf_fail_of_vector(status, b) : status;
    }
    return ENUF_SUCCESS;
}
