/* kernels_of_set.h - the kernels of one instruction set in both precisions, and what their sources
 * share. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_BATCH_KERNELS_OF_SET_H
#define ENUF_BATCH_KERNELS_OF_SET_H

#include "kernels.h"

void enuf_batch_modes_f64(enuf_batch_share *share);
void enuf_batch_modes_f32(enuf_batch_share *share);
void enuf_batch_pairs_f64(enuf_batch_share *share);
void enuf_batch_pairs_f32(enuf_batch_share *share);

/** Room for `count` doubles at the front of what is left of the scratch. */
static inline void *enuf_batch_carve(char **at, int64_t count)
{
    void *here = *at;
    *at += count * (int64_t)sizeof(double);
    return here;
}

#endif
