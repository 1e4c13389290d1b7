/*
 * pairs_fixed_words.h - the sums of atoms in integers of two words.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CPU_PAIRS_FIXED_WORDS_H
#define ENUF_EWALD_CPU_PAIRS_FIXED_WORDS_H

#include "pairs_block.h"
#include "sums/fixed_sums.h"

/** The sums of a block's neighbours, in units. */
typedef struct enuf_fixed_block {
    PAIR_ALIGNED int64_t sum_j[FIXED_SUMS][PAIR_LIST + PAIR_PADDING];
} enuf_fixed_block;

/**
 * The first `count` of the sums of fixed_sums.h, of each atom in sorted order: lower and upper
 * words [n][count]. The lower word stays below 2^62, so that it never wraps.
 */
typedef struct enuf_fixed_words {
    int count;
    int of_both; /* the first so many get each pair at both atoms, the others at one */
    int64_t *lower, *upper;
} enuf_fixed_words;

__extension__ typedef __int128 enuf_wide;

/** The integer of the two words of sum c. */
static inline enuf_wide enuf_fixed_whole(const enuf_fixed_words *words, int c, int64_t atom)
{
    const enuf_wide word = (enuf_wide)1 << ENUF_FIXED_WORD_BITS;
    const int64_t at = atom * words->count + c;
    return words->upper[at] * word + words->lower[at];
}

/** The same, rounded once. */
static inline double enuf_fixed_value(const enuf_fixed_words *words, int c, int64_t atom)
{
    const int64_t at = atom * words->count + c;
    return words->upper[at] == 0 ? (double)words->lower[at]
                                 : (double)enuf_fixed_whole(words, c, atom);
}

/** Adds x, at most 2^62. Returns 0 if the sum leaves its range. */
int enuf_fixed_add(const enuf_fixed_words *words, int c, int64_t atom, int64_t x);

/** Adds a contribution of a near pair, in units. Returns 0 if the sum leaves its range. */
int enuf_fixed_add_near(const enuf_fixed_words *words, int c, int64_t atom, double x);

/** Adds the lanes of a vector of sums, each at most 2^62. */
int enuf_fixed_add_lanes(const enuf_fixed_words *words, int c, int64_t atom, const int64_t *lanes);

/** Adds all sums of a block's neighbours. */
int enuf_fixed_add_block(const enuf_fixed_words *words, const enuf_pair_block *block,
                         const enuf_fixed_block *fixed);

#endif
