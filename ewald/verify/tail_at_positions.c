/* tail_at_positions.c - energy and virial of the modes left out, measured at positions without
 * another choice of parameters. SPDX-License-Identifier: BSD-3-Clause */
#include "error_scale.h"
#include "object/calls.h"
#include "memory.h"

enuf_status enuf_tail_measure(enuf_ewald *ewald, const enuf_error_scale_steps *steps)
{
    const enuf_parameters *p = &ewald->method.parameters;
    const enuf_tail_request request = {
        .cell = &ewald->geometry,
        .splitting = &p->splitting,
        .k_c = p->k_c,
        .n = ewald->charges.n,
        .positions = steps->positions,
        .stride = steps->stride,
        .q = ewald->charges.q,
        .sum_q2 = ewald->charges.sum_q2,
        .threads = enuf_ewald_threads(ewald),
        .isa = ewald->options.isa,
        .fft = ewald->options.fft,
        .memory_limit = ewald->options.memory_limit,
        .reduce = steps->reduce,
        .context = steps->context,
    };
    if (!enuf_error_scale_may_choose(ewald) || ewald->options.truncated ||
        p->splitting.kind != ENUF_SPLIT_GAUSSIAN)
        return ENUF_SUCCESS;
    ENUF_TRY(enuf_mode_shells_measure(&request, &ewald->error_scale.shells));
    ewald->error_scale.charges_of_shells = ewald->charges.n_charged;
    enuf_ewald_update_tail(ewald);
    return ENUF_SUCCESS;
}

enuf_status enuf_alone_measure_tail(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    double *copy = NULL;
    ENUF_TRY(enuf_ewald_update_method(ewald));
    enuf_status status =
        enuf_ewald_host_positions(ewald, ewald->options.memory, &positions, stride, &copy);
    if (status == ENUF_SUCCESS) status = enuf_ewald_check_positions(ewald, positions, stride);
    if (status == ENUF_SUCCESS) {
        const enuf_error_scale_steps steps = {.positions = positions, .stride = stride};
        status = enuf_tail_measure(ewald, &steps);
    }
    enuf_release(&copy);
    return status;
}

enuf_status enuf_ewald_measure_tail(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    ENUF_CALL(ewald, measure_tail, (ewald, positions, stride));
}
