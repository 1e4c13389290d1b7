/*
 * held_backend.h - held positions of a backend with a device of its own: a table that
 * ewald/cuda/derivatives fills. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_HELD_BACKEND_H
#define ENUF_EWALD_HELD_BACKEND_H

#include "charge_sets.h"
#include "object/ewald_object.h"

typedef struct enuf_held_backend {
    /* Copies positions to the device. *there: the copy [n][3]. Errors: ENUF_BAD_MEMORY. */
    enuf_status (*take)(enuf_ewald *ewald, const double *positions, int64_t stride,
                        const double **there);
    /* Makes what follows from the copy, the method and the exclusions. Errors name atoms whose
     * positions are not finite, too far away, or the same. */
    enuf_status (*make)(enuf_ewald *ewald);
    /* An application: begins, after checks of where the arrays live (ENUF_BAD_MEMORY); enqueues
     * some sets; waits, after an error of the others too: ENUF_NOT_FINITE names the first charge.
     */
    enuf_status (*begin)(enuf_ewald *ewald, int64_t vectors, const double *charges,
                         double *potentials);
    enuf_status (*add)(enuf_ewald *ewald, const enuf_charge_sets *sets);
    enuf_status (*end)(enuf_ewald *ewald, enuf_status status);
} enuf_held_backend;

extern const enuf_held_backend enuf_held_backend_cuda;

#endif
