/* apply.c - a Gram operator on each vector of a batch. SPDX-License-Identifier: BSD-3-Clause */
#include "object.h"

enuf_status enuf_gram_apply(enuf_gram *gram, const void *in, void *out)
{
    if (!gram) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: gram is NULL", __func__);
    if (!gram->points_set)
        return enuf_fail(ENUF_NO_POINTS_SET, "%s: call enuf_gram_set_points() first", __func__);
    if (gram->n_modes == 0) return ENUF_SUCCESS;
    if (!in || !out || in == out)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: in or out is NULL, or both are one array",
                         __func__);
    const size_t vector = 2 * (size_t)gram->n_modes * enuf_number_size(gram->base);
    for (size_t b = 0; b < (size_t)gram->options.batch; b++)
        ENUF_TRY(gram->base->backend->gram->apply(gram, (const char *)in + b * vector,
                                                  (char *)out + b * vector));
    return ENUF_SUCCESS;
}

enuf_status enuf_gram_check(enuf_gram *gram)
{
    if (!gram) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: gram is NULL", __func__);
    const enuf_gram_engine *engine = gram->base->backend->gram;
    return engine->check && gram->n_modes > 0 ? engine->check(gram) : ENUF_SUCCESS;
}
