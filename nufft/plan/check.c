/* check.c - errors of data in device memory. SPDX-License-Identifier: BSD-3-Clause */
#include "type3.h"

enuf_status enuf_nufft_check(enuf_nufft *plan, int64_t *first_bad)
{
    if (first_bad) *first_bad = -1;
    if (!plan) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_nufft_check: plan is NULL");
    if (plan->type3) ENUF_TRY(enuf_type3_check(plan));
    return plan->backend->check(plan, first_bad);
}
