/* type3_error.h - the error of type 3, predicted at samples. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_TYPE3_ERROR_H
#define ENUF_NUFFT_TYPE3_ERROR_H

#include "type3_method.h"

/** What a method is chosen for. */
typedef struct enuf_type3_request {
    const enuf_nufft_options *options;
    int64_t n_points, n_targets;
    const enuf_type3_extent *points, *targets;
} enuf_type3_request;

/** Squares of errors: aliases, and the factor of rounding. */
typedef struct enuf_squares {
    double alias, noise;
} enuf_squares;

/** Of the spreading: means over the targets. */
enuf_squares enuf_type3_spreading_error(const enuf_type3_request *request,
                                        const enuf_type3_method *method);

/** Rounding of a cell that strengths are spread to, relative to its size. */
double enuf_type3_rounding(const enuf_nufft_options *options);

/** Of the whole, with a spreading of these errors. */
double enuf_type3_error(const enuf_type3_request *request, const enuf_type3_method *method,
                        const enuf_squares *spreading);

#endif
