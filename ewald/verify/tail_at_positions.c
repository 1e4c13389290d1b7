/* tail_at_positions.c - see tail_at_positions.h. SPDX-License-Identifier: BSD-3-Clause */
#include "tail_at_positions.h"

enuf_status enuf_tail_measure(enuf_ewald *ewald, const enuf_tail_source *from)
{
    const enuf_parameters *p = &ewald->method.parameters;
    const enuf_tail_request request = {
        .cell = &ewald->geometry,
        .splitting = &p->splitting,
        .k_c = p->k_c,
        .n = ewald->charges.n,
        .positions = from->positions,
        .stride = from->stride,
        .q = ewald->charges.q,
        .sum_q2 = ewald->charges.sum_q2,
        .threads = enuf_ewald_threads(ewald),
        .isa = ewald->options.isa,
        .fft = ewald->options.fft,
        .memory_limit = ewald->options.memory_limit,
        .reduce = from->reduce,
        .context = from->context,
    };
    if (ewald->options.truncated || p->splitting.kind != ENUF_SPLIT_GAUSSIAN) return ENUF_SUCCESS;
    ENUF_TRY(enuf_mode_shells_measure(&request, &ewald->error_scale.shells));
    ewald->error_scale.charges_of_shells = ewald->charges.n_charged;
    enuf_ewald_update_tail(ewald);
    return ENUF_SUCCESS;
}
