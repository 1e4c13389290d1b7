/* request.c - the request of a tuning: defaults and checks. SPDX-License-Identifier: BSD-3-Clause
 */
#include "tuned.h"

void enuf_ewald_tuning_request_init(enuf_ewald_tuning_request *request)
{
    if (!request) return;
    *request =
        (enuf_ewald_tuning_request){.struct_size = sizeof *request, .trials = 8, .dearest = 2};
}

enuf_status enuf_tuning_check_request(const enuf_ewald_tuning_request *r)
{
    const int all = ENUF_KEEP_SPLIT | ENUF_KEEP_CUTOFF | ENUF_KEEP_GRID | ENUF_KEEP_WIDTH;
    if (r->struct_size != sizeof *r)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "request->struct_size is %zu, this library's is %zu: call "
                         "enuf_ewald_tuning_request_init() first",
                         r->struct_size, sizeof *r);
    if (!enuf_tune_effort_name(r->effort))
        return enuf_fail(ENUF_BAD_ARGUMENT, "effort %d: use one of ENUF_TUNE_EFFORTS",
                         (int)r->effort);
    if (r->keep & ~all)
        return enuf_fail(ENUF_BAD_ARGUMENT, "keep %d: use a sum of ENUF_KEEP_..., 0 to %d", r->keep,
                         all);
    if (r->trials < 1 || r->trials > 1000)
        return enuf_fail(ENUF_BAD_ARGUMENT, "trials %d: use 1 to 1000", r->trials);
    if (!(r->time_limit >= 0))
        return enuf_fail(ENUF_BAD_ARGUMENT, "time_limit %g: use 0 (none) or seconds",
                         r->time_limit);
    if (r->memory_limit < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "memory_limit %lld: use 0 (none) or bytes",
                         (long long)r->memory_limit);
    if (!(r->dearest >= 1))
        return enuf_fail(ENUF_BAD_ARGUMENT, "dearest %g: use 1 or more", r->dearest);
    if (r->effort == ENUF_TUNE_WISDOM_ONLY && !r->wisdom)
        return enuf_fail(ENUF_BAD_ARGUMENT, "effort wisdom_only without wisdom: give one");
    return ENUF_SUCCESS;
}
