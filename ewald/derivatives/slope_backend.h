/*
 * slope_backend.h - second derivatives of a backend with a device of its own: a table that
 * ewald/cuda/derivatives fills. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_SLOPE_BACKEND_H
#define ENUF_EWALD_SLOPE_BACKEND_H

#include "motion.h"

/** In a motion the arrays are the caller's, where options.memory says. */
typedef struct enuf_slope_backend {
    /* Checks that the arrays live there, brings them to the device, and checks that they are
     * finite, or leaves that to differentiate(). *recharges: 1 if a charge changes where none is
     * charged; else of no meaning. Errors: ENUF_BAD_MEMORY; ENUF_NOT_FINITE names the first bad
     * number. */
    enuf_status (*take)(enuf_ewald *ewald, const enuf_motion *motion, int *recharges);
    /* Slopes along the motion taken last, of wanted results. The method is up to date. */
    enuf_status (*differentiate)(enuf_ewald *ewald, const enuf_motion *motion, int wanted,
                                 enuf_ewald_slopes *slopes);
} enuf_slope_backend;

extern const enuf_slope_backend enuf_slope_backend_cuda;

#endif
