/*
 * compute.c - evaluations: check the request, then sum.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "evaluate/floats.h"
#include "object/calls.h"
#include "verify/error_scale.h"

#include <stdio.h>

static enuf_status check_array(const enuf_evaluation *what, int bit, const void *array,
                               const char *name)
{
    if (!(what->wanted & bit) || array) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT, "result->%s is NULL, but is wanted", name);
}

enuf_status enuf_evaluation_check_result(const enuf_evaluation *what, int has_atoms)
{
    const enuf_ewald_result *result = what->result;
    const int all = 2 * ENUF_WANT_FIELD - 1;
    if (what->wanted & ~all)
        return enuf_fail(ENUF_BAD_ARGUMENT, "wanted is %d: it has to be a sum of ENUF_WANT_...",
                         what->wanted);
    if (!result) return enuf_fail(ENUF_BAD_ARGUMENT, "result is NULL");
    if (result->struct_size != sizeof *result)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "result->struct_size is %zu: set it to sizeof(enuf_ewald_result), %zu",
                         result->struct_size, sizeof *result);
    if (result->totals && what->memory == ENUF_HOST)
        return enuf_fail(ENUF_BAD_MEMORY, "result->totals is given: it is in device memory and "
                                          "needs options.memory ENUF_DEVICE");
    if (has_atoms) {
#define ENUF_X(BIT, name, width, text)                                                             \
    ENUF_TRY(check_array(what, ENUF_WANT_##BIT, result->name, #name));
        ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_ewald_check_evaluation(const enuf_ewald *ewald, const enuf_evaluation *what)
{
    if (what->result && what->result->totals && ewald->on_ranks)
        return enuf_fail(ENUF_UNSUPPORTED, "result->totals is given: sums over ranks come to the "
                                           "host, so it has to be NULL");
    if (ewald->has_charges)
        ENUF_TRY(enuf_check_positions_argument(ewald->charges.n, what->positions, what->stride));
    return enuf_evaluation_check_result(what, !ewald->has_charges || ewald->charges.n > 0);
}

enuf_status enuf_ewald_make_ready(enuf_ewald *ewald, const enuf_evaluation *what)
{
    ENUF_TRY(enuf_ewald_check_evaluation(ewald, what));
    ENUF_TRY(enuf_ewald_assume_method(ewald));
    /* results that are added cannot be computed again; a verification needs the charges */
    const int adds = what->result->add && what->memory == ENUF_DEVICE;
    if (ewald->sums_pending && (adds || enuf_verification_is_due(ewald, what)))
        ENUF_TRY(enuf_ewald_update_method(ewald));
    return enuf_ewald_verify_first(ewald, what);
}

/* Kernels that met refused charges may have left an error in the plan, which a later evaluation
 * would report. */
static enuf_status discard(const enuf_ewald *ewald, enuf_status status)
{
    char text[1024];
    snprintf(text, sizeof text, "%s", enuf_last_error());
    if (ewald->method.plan) enuf_nufft_check(ewald->method.plan, NULL);
    return status == ENUF_SUCCESS ? status : enuf_fail(status, "%s", text);
}

enuf_status enuf_ewald_start_ready(enuf_ewald *ewald, const enuf_evaluation *what)
{
    ENUF_TRY(ewald->backend->start(ewald, what));
    /* enqueued here, so that the caller waits once for both */
    const int gives = what->memory == ENUF_DEVICE && enuf_floats_are_of(ewald, what);
    return gives ? enuf_floats_give_arrays(ewald, what) : ENUF_SUCCESS;
}

enuf_status enuf_ewald_finish_ready(enuf_ewald *ewald, const enuf_evaluation *what)
{
    if (ewald->sums_pending) {
        const int64_t choices = ewald->choices;
        const enuf_status status = enuf_ewald_update_method(ewald);
        if (status != ENUF_SUCCESS || ewald->choices != choices) {
            ENUF_TRY(discard(ewald, status));
            ENUF_TRY(enuf_ewald_verify_first(ewald, what));
            ENUF_TRY(enuf_ewald_start_ready(ewald, what));
        }
    }
    ENUF_TRY(ewald->backend->finish(ewald, what));
    if (!enuf_floats_are_of(ewald, what)) return ENUF_SUCCESS;
    if (what->memory == ENUF_HOST) ENUF_TRY(enuf_floats_give_arrays(ewald, what));
    enuf_floats_give_sums(ewald);
    return ENUF_SUCCESS;
}

enuf_status enuf_alone_compute(enuf_ewald *ewald, const enuf_evaluation *what)
{
    ENUF_TRY(enuf_ewald_make_ready(ewald, what));
    ENUF_TRY(enuf_ewald_start_ready(ewald, what));
    if (!what->result->totals) return enuf_ewald_finish_ready(ewald, what);
    ewald->enqueued++;
    ewald->assumed += ewald->sums_pending;
    return ENUF_SUCCESS;
}

enuf_status enuf_ewald_compute(enuf_ewald *ewald, const double *positions, int64_t stride,
                               int wanted, enuf_ewald_result *result)
{
    const enuf_evaluation what = enuf_evaluation_of(ewald, positions, stride, wanted, result, 1, 1);
    ENUF_CALL(ewald, compute, (ewald, &what));
}

enuf_status enuf_ewald_real(enuf_ewald *ewald, const double *positions, int64_t stride, int wanted,
                            enuf_ewald_result *result)
{
    const enuf_evaluation what = enuf_evaluation_of(ewald, positions, stride, wanted, result, 1, 0);
    ENUF_CALL(ewald, compute, (ewald, &what));
}

enuf_status enuf_ewald_reciprocal(enuf_ewald *ewald, const double *positions, int64_t stride,
                                  int wanted, enuf_ewald_result *result)
{
    const enuf_evaluation what = enuf_evaluation_of(ewald, positions, stride, wanted, result, 0, 1);
    ENUF_CALL(ewald, compute, (ewald, &what));
}

/* ---- Arrays of floats ---- */

enuf_status enuf_ewald_widen_floats(enuf_ewald *ewald, const enuf_float_request *request,
                                    enuf_evaluation *what)
{
    ENUF_TRY(enuf_ewald_check_idle(ewald));
    ENUF_TRY(enuf_floats_take(ewald, request, what));
    ENUF_TRY(enuf_ewald_check_evaluation(ewald, what));
    return enuf_floats_read(ewald);
}

static enuf_status compute_floats(enuf_ewald *ewald, const enuf_float_request *request)
{
    enuf_evaluation what;
    ENUF_TRY(enuf_ewald_widen_floats(ewald, request, &what));
    return ewald->calls->compute(ewald, &what);
}

enuf_status enuf_ewald_compute_f32(enuf_ewald *ewald, const float *positions, int64_t stride,
                                   int wanted, enuf_ewald_result_f32 *result)
{
    const enuf_float_request request = {positions, stride, wanted, 1, 1, result};
    return enuf_named(compute_floats(ewald, &request), __func__);
}

enuf_status enuf_ewald_real_f32(enuf_ewald *ewald, const float *positions, int64_t stride,
                                int wanted, enuf_ewald_result_f32 *result)
{
    const enuf_float_request request = {positions, stride, wanted, 1, 0, result};
    return enuf_named(compute_floats(ewald, &request), __func__);
}

enuf_status enuf_ewald_reciprocal_f32(enuf_ewald *ewald, const float *positions, int64_t stride,
                                      int wanted, enuf_ewald_result_f32 *result)
{
    const enuf_float_request request = {positions, stride, wanted, 0, 1, result};
    return enuf_named(compute_floats(ewald, &request), __func__);
}
