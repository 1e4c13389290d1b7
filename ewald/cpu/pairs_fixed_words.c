/* pairs_fixed_words.c - the sums of atoms in two words; see pairs_fixed_words.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "pairs_fixed_words.h"
#include "simd.h"

#include <math.h>
#include <stdlib.h>

static const int64_t most = INT64_C(1) << 62;

static int add_upper(const enuf_fixed_words *words, int c, int64_t atom, int64_t x)
{
    int64_t *to = words->upper + atom * words->count + c;
    *to += x;
    if (*to<most && * to> - most) return 1;
    *to = 0; /* the result is refused */
    return 0;
}

/* Carries what a lower word, at most 2^63 - 1, has beyond its range. */
static int carry(const enuf_fixed_words *words, int c, int64_t atom)
{
    const int64_t word = INT64_C(1) << ENUF_FIXED_WORD_BITS;
    int64_t *to = words->lower + atom * words->count + c;
    if (llabs(*to) < most) return 1;
    const int64_t carried = *to / word;
    *to -= carried * word;
    return add_upper(words, c, atom, carried);
}

int enuf_fixed_add(const enuf_fixed_words *words, int c, int64_t atom, int64_t x)
{
    words->lower[atom * words->count + c] += x;
    return carry(words, c, atom);
}

int enuf_fixed_add_near(const enuf_fixed_words *words, int c, int64_t atom, double x)
{
    const double word = 0x1p48, upper = rint(x / word);
    _Static_assert((int)ENUF_FIXED_WORD_BITS == 48, "a word");
    return add_upper(words, c, atom, (int64_t)upper) &
           enuf_fixed_add(words, c, atom, (int64_t)rint(x - upper * word));
}

int enuf_fixed_add_lanes(const enuf_fixed_words *words, int c, int64_t atom, const int64_t *lanes)
{
    /* in two parts, whose sums do not wrap */
    const int64_t word = INT64_C(1) << ENUF_FIXED_WORD_BITS, mask = word - 1;
    int64_t lower = 0, upper = 0;
    for (int k = 0; k < VD_LANES; k++) {
        lower += lanes[k] & mask;
        upper += lanes[k] >> ENUF_FIXED_WORD_BITS;
    }
    const int64_t few = INT64_C(1) << (61 - ENUF_FIXED_WORD_BITS);
    if (upper < few && upper > -few) return enuf_fixed_add(words, c, atom, upper * word + lower);
    return add_upper(words, c, atom, upper) & enuf_fixed_add(words, c, atom, lower);
}

/* Four sums of an atom together. */
typedef uint64_t four __attribute__((vector_size(32), aligned(8), may_alias));

/* Adds the sums of a block's neighbours. Returns 0 if one is beyond the range of a lower word. */
SIMD_INLINE int add_lower(const enuf_fixed_words *words, const enuf_pair_block *block,
                          const enuf_fixed_block *fixed, const int count, const int of_both)
{
    enum { STEP = PAIR_LIST + PAIR_PADDING };
    const int64_t *atom = block->atom;
    const int n = block->n_j;
    int64_t *lower = words->lower;
    /* the two highest bits of a sum differ where it is beyond its range */
    four beyond = {0, 0, 0, 0};
    uint64_t out = 0;
    int c = 0;
    for (; c < of_both && c + 4 <= count; c += 4) { /* zeros beyond of_both */
        const uint64_t *from = (const uint64_t *)fixed->sum_j[c];
        for (int k = 0; k < n; k++) {
            four *to = (four *)(void *)(lower + atom[k] * count + c);
            const four add = {from[k], from[STEP + k], from[2 * STEP + k], from[3 * STEP + k]};
            const four sum = *to + add;
            beyond |= sum ^ sum << 1;
            *to = sum;
        }
    }
    for (; c < of_both; c++)
        for (int k = 0; k < n; k++) {
            int64_t *to = lower + atom[k] * count + c;
            *to += fixed->sum_j[c][k];
            out |= (uint64_t)*to ^ (uint64_t)*to << 1;
        }
    for (int k = 0; k < 4; k++) out |= beyond[k];
    return out >> 63 == 0;
}

int enuf_fixed_add_block(const enuf_fixed_words *words, const enuf_pair_block *block,
                         const enuf_fixed_block *fixed)
{
    const int count = words->count, of_both = words->of_both;
    const int in_lower = count == FIXED_VIRIAL && of_both == FIXED_ENERGY
                             ? add_lower(words, block, fixed, FIXED_VIRIAL, FIXED_ENERGY)
                             : add_lower(words, block, fixed, count, of_both);
    if (in_lower) return 1;
    int in_range = 1;
    for (int c = 0; c < of_both; c++)
        for (int k = 0; k < block->n_j; k++) in_range &= carry(words, c, block->atom[k]);
    return in_range;
}
