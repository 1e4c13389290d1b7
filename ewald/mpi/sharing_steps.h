/* sharing_steps.h - what the files of sharing.h have in common. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_SHARING_STEPS_H
#define ENUF_EWALD_MPI_SHARING_STEPS_H

#include "context.h"
#include "sharing.h"

/** Leaders do it and agree on it, all learn how it went. */
#define ENUF_LED(s, call) enuf_ranks_pass_on(&(s)->ranks, (s)->leaders ? (call) : ENUF_SUCCESS)

/** Collective, the same status on all: items of this rank behind those of the others of its group,
 * on the leader: all [n_receive]. sharing_charges.c */
enuf_status enuf_sharing_gather(enuf_sharing *s, const enuf_exchange *route, size_t size,
                                const void *here, enuf_array *all);

/* sharing_evaluate.c */
/** Whose rows the arrays of these atoms have. */
enuf_row_share enuf_sharing_rows(enuf_sharing *s, enuf_led_atoms *atoms);
/** Collective: the positions of the group to its leader. */
enuf_status enuf_sharing_gather_positions(enuf_sharing *s, const double *positions, int64_t stride);
/** Local: ends what has begun; nobody wants its results. */
void enuf_sharing_drop(enuf_sharing *s);

#endif
