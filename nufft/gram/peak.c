/* peak.c - bytes that a Gram operator takes while T is found. SPDX-License-Identifier: BSD-3-Clause
 */
#include "finding.h"
#include "record.h"

#include <math.h>

/* Bytes of the plan of T with n points: one of its points is reserved. On a GPU all are, because
 * arrays there are rounded up. */
static enuf_status plan_bytes(const enuf_gram *gram, int64_t n, double *bytes)
{
    enuf_nufft *plan;
    ENUF_TRY(enuf_gram_make_plan(gram, n, &plan));
    const int64_t some = plan->options.backend == ENUF_BACKEND_CUDA ? n : 1;
    const double empty = (double)enuf_nufft_bytes(plan);
    const enuf_status status = enuf_nufft_reserve(plan, some);
    if (some > 0)
        *bytes = empty + (double)n / (double)some * ((double)enuf_nufft_bytes(plan) - empty);
    else
        *bytes = empty;
    enuf_nufft_destroy(&plan);
    return status;
}

enuf_status enuf_gram_peak(const enuf_nufft_options *options, int64_t n, int64_t *bytes)
{
    enuf_nufft_options o = *options;
    enuf_gram *gram;
    double of_plan = 0;
    o.memory_limit = 0;
    for (int d = 0; d < 3; d++) o.fine_grid[d] = 0;
    ENUF_TRY(enuf_gram_create(&o, &gram));
    const enuf_status status = gram->n_modes > 0 ? plan_bytes(gram, n, &of_plan) : ENUF_SUCCESS;
    const double more = gram->n_modes > 0 ? fmax(enuf_gram_host_bytes(gram, n) + of_plan,
                                                 enuf_gram_part_bytes(gram))
                                          : 0;
    const double all = (double)enuf_gram_bytes(gram) + (double)sizeof(enuf_gram_record) +
                       (double)(2 * sizeof(void *)) + more;
    enuf_gram_destroy(&gram);
    *bytes = all < 9e18 ? (int64_t)all : INT64_MAX;
    return status;
}
