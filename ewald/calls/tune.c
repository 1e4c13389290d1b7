/* tune.c - parameters chosen for given positions, or without any. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "object/calls.h"
#include "memory.h"

static enuf_status calibrate(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    double *copy = NULL;
    enuf_status status =
        enuf_ewald_host_positions(ewald, ewald->options.memory, &positions, stride, &copy);
    if (status == ENUF_SUCCESS) status = enuf_ewald_check_positions(ewald, positions, stride);
    if (status == ENUF_SUCCESS) status = enuf_ewald_find_error_scale(ewald, positions, stride);
    enuf_release(&copy);
    return status;
}

enuf_status enuf_alone_tune(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    if (positions) return calibrate(ewald, positions, stride);
    const enuf_error_scale before = ewald->error_scale;
    ewald->error_scale = ENUF_NO_ERROR_SCALE;
    enuf_status status = enuf_ewald_choose_anew(ewald);
    if (status != ENUF_SUCCESS) ewald->error_scale = before;
    return status;
}

enuf_status enuf_ewald_tune(enuf_ewald *ewald, const double *positions, int64_t stride)
{
    ENUF_CALL(ewald, tune, (ewald, positions, stride));
}
