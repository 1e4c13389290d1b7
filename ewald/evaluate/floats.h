/*
 * floats.h - arrays of floats of the caller (enuf/ewald_f32.h). An evaluation with them is one of
 * arrays of doubles that the object keeps. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_FLOATS_H
#define ENUF_EWALD_FLOATS_H

#include "object/ewald_object.h"

/** Makes the evaluation in doubles of a request in floats, with room for its arrays. Only one at a
 * time. Checks what that evaluation does not have of the request. */
enuf_status enuf_floats_take(enuf_ewald *ewald, const enuf_float_request *request,
                             enuf_evaluation *what);
/** Converts its positions and, with result->add, results, after enuf_ewald_check_evaluation().
 * Errors: ENUF_BAD_MEMORY, which names the caller's array. */
enuf_status enuf_floats_read(enuf_ewald *ewald);

/** 1 for an evaluation made by enuf_floats_take(). */
static inline int enuf_floats_are_of(const enuf_ewald *ewald, const enuf_evaluation *what)
{
    return what->result == &ewald->floats.doubles;
}

/** Rounds its arrays to the caller's: on a device, after what is enqueued. */
enuf_status enuf_floats_give_arrays(enuf_ewald *ewald, const enuf_evaluation *what);
/** Hands its sums to the caller, after the end of the evaluation. */
void enuf_floats_give_sums(enuf_ewald *ewald);

/** Sets charges in float, as enuf_ewald_set_charges(). */
enuf_status enuf_floats_set_charges(enuf_ewald *ewald, int64_t n, const float *charges,
                                    const enuf_exclusions *exclusions);

/** Room of the object for doubles in the memory of the option, also for none. The next call or
 * evaluation in floats takes it anew. */
enuf_status enuf_floats_reserve(enuf_ewald *ewald, int64_t numbers, double **room);

#endif
