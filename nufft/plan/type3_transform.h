/* type3_transform.h - the type 2 of type 3, whose modes are the cells between points and targets.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_TYPE3_TRANSFORM_H
#define ENUF_NUFFT_TYPE3_TRANSFORM_H

#include "type3_error.h"

/** Its upsamplings under trial have the numbers 0 ... ENUF_TYPE3_MOST_FACTORS - 1. */
enum { ENUF_TYPE3_MOST_FACTORS = 10 };

/** Tolerance of a plan that may be off from the whole by a factor. */
double enuf_type3_plan_tolerance(const enuf_nufft_options *options, double tolerance);

/** Cost of the whole with an expected width of the type 2; HUGE_VAL: no such upsampling. The method
 * has cells, and the width of the spreading. */
double enuf_type3_expected_cost(const enuf_type3_request *request, const enuf_type3_method *method,
                                int factor);

/** The narrowest window with which the whole meets the tolerance: fills the method. Returns its
 * cost if that is below `most`, else HUGE_VAL. */
double enuf_type3_choose_transform(const enuf_type3_request *request,
                                   const enuf_type3_spreading *spreading, int factor, double most,
                                   enuf_type3_method *method);

#endif
