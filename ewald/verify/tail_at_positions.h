/*
 * tail_at_positions.h - energy and virial of the modes left out, measured at positions for the
 * parameters in use. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_TAIL_AT_POSITIONS_H
#define ENUF_TAIL_AT_POSITIONS_H

#include "private.h"
#include "object/ewald_object.h"

/** Positions [charges.n][stride] on the host. On many ranks reduce() agrees on the status and sums
 * over ranks; NULL: one process. */
typedef struct enuf_tail_source {
    const double *positions;
    int64_t stride;
    enuf_status (*reduce)(void *context, enuf_status mine, int64_t n, double *sums);
    void *context;
} enuf_tail_source;

/** Nothing to do for the prolate splitting. Call it only where results may depend on positions.
 * Collective. */
ENUF_PRIVATE enuf_status enuf_tail_measure(enuf_ewald *ewald, const enuf_tail_source *from);

#endif
