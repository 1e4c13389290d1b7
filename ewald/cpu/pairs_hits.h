/*
 * pairs_hits.h - the pairs of one atom inside the cutoff, and their pair functions.
 *
 * To be included after REAL (vd or vf) is defined. SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs_block.h"
#include "pairs_function.h"
#include "simd_pack.h"

enum { LANES = (int)(SIMD_BYTES / sizeof(real)) };

/* The hits of one atom: lanes of the list's vectors that are inside the cutoff. */
typedef struct kernel_hits {
    int n_vectors, n;
    int vector[PAIR_LIST / LANES + 1];      /* place in the list of a vector with hits */
    OP(_mask) lanes[PAIR_LIST / LANES + 1]; /* mask of the hits in it */
    /* packed: squares of distances, and the pair functions */
    PAIR_ALIGNED real s[PAIR_LIST + PAIR_PADDING], g[PAIR_LIST + PAIR_PADDING],
        l[PAIR_LIST + PAIR_PADDING];
} kernel_hits;

/* Pair functions of all hits. Lowers closest to the least square of a distance. */
SIMD_INLINE void evaluate_hits(kernel_hits *hits, int n, const real force[][ENUF_PAIR_PIECES],
                               const real energy[][ENUF_PAIR_PIECES], const int with_field,
                               const int with_potential, REAL *closest)
{
    for (int k = 0; k < hits->n; k += LANES) {
        const REAL s = OP(_load)(hits->s + k);
        REAL g, l;
        *closest = OP(_min)(*closest, s);
        pair_function(s, n, force, energy, with_field, with_potential, &g, &l);
        if (with_field) OP(_store)(hits->g + k, g);
        if (with_potential) OP(_store)(hits->l + k, l);
    }
}
