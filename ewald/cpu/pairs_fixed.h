/*
 * pairs_fixed.h - the pair kernel of deterministic sums.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CPU_PAIRS_FIXED_H
#define ENUF_EWALD_CPU_PAIRS_FIXED_H

#include "pairs_columns.h"
#include "pairs_fixed_words.h"

/** What the kernel needs for a block. */
typedef struct enuf_fixed_work {
    const enuf_pairs *pairs;
    enuf_fixed_scales scales;
    enuf_fixed_words words;
    enuf_fixed_block *block;
    enuf_pair_column *column;
} enuf_fixed_work;

/**
 * The sums that results need, without their words. Energy and virial of all atoms take each pair
 * once, where no atom's own are wanted and no atom is a ghost, whose half would not count.
 */
enuf_fixed_words enuf_fixed_words_for(int wanted, int ghosts);

/** Adds the pairs of a block to the sums of atoms. */
void enuf_fixed_sum_block(const enuf_fixed_work *work, enuf_pair_block *block);

#endif
