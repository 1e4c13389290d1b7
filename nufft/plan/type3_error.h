/* type3_error.h - the error of type 3, predicted at samples. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_TYPE3_ERROR_H
#define ENUF_NUFFT_TYPE3_ERROR_H

#include "type3_method.h"
#include "windows/alias_table.h"

/** What a method is chosen for. */
typedef struct enuf_type3_request {
    const enuf_nufft_options *options;
    int64_t n_points, n_targets;
    const enuf_type3_extent *points, *targets;
    double independent_points, independent_targets; /* enuf_type3_count_independent() */
} enuf_type3_request;

/** Counts sums over the points, and at the targets, that are independent and are looked at. */
void enuf_type3_count_independent(enuf_type3_request *request);

/** The spreading: psi, and means of its errors over the targets. */
typedef struct enuf_type3_spreading {
    enuf_alias_table table;
    enuf_squares mean;
} enuf_type3_spreading;

void enuf_type3_spreading_error(const enuf_type3_request *request, const enuf_type3_method *method,
                                enuf_type3_spreading *spreading);

/** Rounding of a cell that strengths are spread to, relative to its size. */
double enuf_type3_rounding(const enuf_nufft_options *options);

/** Squares of the errors of the whole: the type 2's aliases, which a wider window lowers, and all
 * others, which it does not. */
typedef struct enuf_type3_errors {
    double aliases, others;
} enuf_type3_errors;

enuf_type3_errors enuf_type3_error(const enuf_type3_request *request,
                                   const enuf_type3_method *method,
                                   const enuf_type3_spreading *spreading);

/** What a cell less of a window multiplies the square of its aliases by, at least. */
double enuf_type3_narrower(double upsampling);

#endif
