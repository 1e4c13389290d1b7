/*
 * sharing_steps.h - declarations that the files sharing*.c share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_SHARING_STEPS_H
#define ENUF_EWALD_MPI_SHARING_STEPS_H

#include "sharing.h"

/** Leaders run `call` and agree on its status; all ranks get this status. */
#define ENUF_LED(s, call) enuf_ranks_pass_on(&(s)->ranks, (s)->leaders ? (call) : ENUF_SUCCESS)

/** sharing_charges.c: collective, the same status on all. The leader gets the items of all ranks of
 * its group in all [n_receive], in the order of ranks. */
enuf_status enuf_sharing_gather(enuf_sharing *s, const enuf_exchange *route, size_t size,
                                const void *here, enuf_array *all);

/* sharing_evaluate.c */
/** Ranks and rows of the arrays of these atoms. */
enuf_row_share enuf_sharing_rows(enuf_sharing *s, enuf_led_atoms *atoms);
/** Collective: sends the positions of the group to its leader. */
enuf_status enuf_sharing_gather_positions(enuf_sharing *s, const double *positions, int64_t stride);
/** Local: ends the pending evaluation and discards its results. */
void enuf_sharing_drop(enuf_sharing *s);

#endif
