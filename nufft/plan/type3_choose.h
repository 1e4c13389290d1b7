/* type3_choose.h - the grid and the windows of type 3: type3.h. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_NUFFT_TYPE3_CHOOSE_H
#define ENUF_NUFFT_TYPE3_CHOOSE_H

#include "type3_method.h"

/**
 * Chooses a method for options of type 3, so many points and targets, and their extents.
 *
 * The error is predicted at samples of the targets and of the points: aliases and rounding grow
 * exponentially with the distance from the centre. Error: ENUF_UNREACHABLE_ACCURACY names what can
 * be reached; ENUF_OUT_OF_MEMORY a grid that no memory holds. type3_choose.c
 */
enuf_status enuf_type3_choose(const enuf_nufft_options *options, int64_t n_points,
                              const enuf_type3_extent *points, int64_t n_targets,
                              const enuf_type3_extent *targets, enuf_type3_method *method);

#endif
