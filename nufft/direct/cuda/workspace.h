/*
 * workspace.h - memory of direct sums on a GPU. The object's device is current.
 *
 * A function that makes room fails before it changes anything that is set.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_CUDA_WORKSPACE_H
#define ENUF_DIRECT_CUDA_WORKSPACE_H

#include "direct_cuda.h"

/** After a failure enuf_direct_free_workspace() cleans up. */
enuf_status enuf_direct_make_workspace(enuf_direct_cuda *cuda);
void enuf_direct_free_workspace(enuf_direct_cuda *cuda);

/** A record without errors, on the stream. */
enuf_status enuf_direct_clear_record(const enuf_direct_cuda *cuda);

enuf_status enuf_direct_room_for_samples(enuf_direct *sums, int64_t n, int with_times);

/** Pixels anywhere (grid NULL) or on a grid; both without a field. */
enuf_status enuf_direct_room_for_pixels(enuf_direct *sums, int64_t n, const enuf_direct_grid *grid);
enuf_status enuf_direct_room_for_field(enuf_direct *sums, const enuf_direct_field *field);
void enuf_direct_forget_field(enuf_direct_cuda *cuda);

/** Of the pixels one by one, which a lattice needs for gradients only. */
enuf_status enuf_direct_room_for_words(const enuf_direct *sums);

/** 1 if the pass is a sum over a lattice. */
int enuf_direct_pass_is_lattice(const enuf_direct *sums, const enuf_direct_pass *pass);

/** Of partial sums; the room for passes without slopes is made when samples, pixels or field are
 * set. */
enuf_status enuf_direct_room_for_pass(const enuf_direct *sums, const enuf_direct_pass *pass);

#endif
