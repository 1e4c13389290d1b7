/*
 * begin_finish.c - compute in two halves. begin() starts a GPU; a CPU does the work in finish().
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "object/calls.h"

enuf_status enuf_alone_begin(enuf_ewald *ewald)
{
    const enuf_evaluation *what = &ewald->pending;
    if (what->result && what->result->totals)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "result->totals is given: enuf_ewald_compute() enqueues "
                         "such evaluations");
    /* errors of the accuracy are reported here, not by finish() */
    ENUF_TRY(enuf_ewald_make_ready(ewald, what));
    return enuf_ewald_start_ready(ewald, what);
}

enuf_status enuf_alone_finish(enuf_ewald *ewald)
{
    return enuf_ewald_finish_ready(ewald, &ewald->pending);
}

static enuf_status begin(enuf_ewald *ewald, const enuf_evaluation *what)
{
    ENUF_TRY(enuf_ewald_check_idle(ewald));
    ewald->pending = *what;
    ENUF_TRY(ewald->calls->begin(ewald));
    ewald->begun = 1;
    return ENUF_SUCCESS;
}

static enuf_status finish(enuf_ewald *ewald)
{
    if (!ewald) return enuf_fail(ENUF_BAD_ARGUMENT, "ewald is NULL");
    if (!ewald->begun)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "no evaluation has begun: call enuf_ewald_begin() first");
    ewald->begun = 0;
    return ewald->calls->finish(ewald);
}

enuf_status enuf_ewald_begin(enuf_ewald *ewald, const double *positions, int64_t stride, int wanted,
                             enuf_ewald_result *result)
{
    const enuf_evaluation what = enuf_evaluation_of(ewald, positions, stride, wanted, result, 1, 1);
    return enuf_named(begin(ewald, &what), __func__);
}

enuf_status enuf_ewald_begin_reciprocal(enuf_ewald *ewald, const double *positions, int64_t stride,
                                        int wanted, enuf_ewald_result *result)
{
    const enuf_evaluation what = enuf_evaluation_of(ewald, positions, stride, wanted, result, 0, 1);
    return enuf_named(begin(ewald, &what), __func__);
}

static enuf_status begin_floats(enuf_ewald *ewald, const enuf_float_request *request)
{
    enuf_evaluation what;
    ENUF_TRY(enuf_ewald_widen_floats(ewald, request, &what));
    return begin(ewald, &what);
}

enuf_status enuf_ewald_begin_f32(enuf_ewald *ewald, const float *positions, int64_t stride,
                                 int wanted, enuf_ewald_result_f32 *result)
{
    const enuf_float_request request = {positions, stride, wanted, 1, 1, result};
    return enuf_named(begin_floats(ewald, &request), __func__);
}

enuf_status enuf_ewald_begin_reciprocal_f32(enuf_ewald *ewald, const float *positions,
                                            int64_t stride, int wanted,
                                            enuf_ewald_result_f32 *result)
{
    const enuf_float_request request = {positions, stride, wanted, 0, 1, result};
    return enuf_named(begin_floats(ewald, &request), __func__);
}

enuf_status enuf_ewald_finish(enuf_ewald *ewald)
{
    return enuf_named(finish(ewald), __func__);
}
