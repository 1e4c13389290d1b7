/*
 * pairs_kernel.h - the pair kernel, once for double and once for float (pairs_double.c,
 * pairs_float.c define REAL and how coordinates are loaded).
 *
 * One atom of the group against the list, in three passes. The first finds the hits, the neighbours
 * inside the cutoff, and packs the squares of their distances; the second evaluates the pair
 * functions of the hits, with all lanes at work; the third spreads the results back over the list's
 * lanes and adds them up. Hits are few: with 30 to 1000 neighbours inside the cutoff a fifth to a
 * half of the lanes tested, and a third to two thirds of the lanes of vectors with at least one,
 * which alone the third pass touches.
 *
 * Bound by arithmetic. Of a vector: first pass 8 operations and a compression; second a reciprocal
 * square root and 2 or 4 operations a coefficient; third 2 expansions, 17 operations and, of the
 * neighbours' sums, 4 loads and stores. SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs_hits.h"

/* Coordinates and sums of a block in the kernel's precision. */
typedef struct kernel_block {
    int n_i, n_j, triangle;
    const coordinate *x_i, *y_i, *z_i, *x, *y, *z;
    const real *q_i, *q;
    real unit2; /* square of the coordinates' unit, in cutoffs */
    double (*sum_i)[PAIR_ROOM];
    real (*sum_j)[PAIR_LIST + PAIR_PADDING];
} kernel_block;

SIMD_INLINE void add_to(real *p, REAL x)
{
    OP(_store)(p, OP(_load)(p) + x);
}

SIMD_INLINE void find_hits(const kernel_block *b, int i, kernel_hits *hits)
{
    const coordinates x_i = coordinates_set(b->x_i[i]), y_i = coordinates_set(b->y_i[i]),
                      z_i = coordinates_set(b->z_i[i]);
    const REAL one = OP(_set)(1);
    int n = 0, n_vectors = 0;
    /* of the group itself only the atoms after i; from a whole vector on, to stay aligned */
    int j = b->triangle ? (i + 1) / LANES * LANES : 0;
    OP(_mask) allowed = OP(_after)(b->triangle ? i - j : -1);
    for (; j < b->n_j; j += LANES) {
        const REAL dx = difference(x_i, b->x + j), dy = difference(y_i, b->y + j),
                   dz = difference(z_i, b->z + j);
        const REAL s = (dx * dx + dy * dy + dz * dz) * b->unit2;
        const OP(_mask) lanes = OP(_both)(OP(_less_equal)(s, one), allowed);
        allowed = OP(_after)(-1);
        OP(_pack)(hits->s + n, lanes, s);
        hits->vector[n_vectors] = j;
        hits->lanes[n_vectors] = lanes;
        n += OP(_count)(lanes);
        n_vectors += OP(_any)(lanes);
    }
    OP(_store)(hits->s + n, one); /* the rest of the last vector: at the cutoff, never read back */
    hits->n = n;
    hits->n_vectors = n_vectors;
}

/* Adds the hits of atom i to the sums of the list. Returns the sums of atom i. */
SIMD_INLINE void add_hits(const kernel_block *b, int i, const kernel_hits *hits,
                          const int with_field, const int with_potential, const int with_tensor,
                          REAL sum[PAIR_SUMS])
{
    const coordinates x_i = coordinates_set(b->x_i[i]), y_i = coordinates_set(b->y_i[i]),
                      z_i = coordinates_set(b->z_i[i]);
    const REAL q_i = OP(_set)(b->q_i[i]);
    for (int c = 0; c < PAIR_SUMS; c++) sum[c] = OP(_set)(0);
    for (int v = 0, packed = 0; v < hits->n_vectors; v++) {
        const int j = hits->vector[v];
        const OP(_mask) lanes = hits->lanes[v];
        const REAL q_j = OP(_load)(b->q + j);
        if (with_field) {
            const REAL dx = difference(x_i, b->x + j), dy = difference(y_i, b->y + j),
                       dz = difference(z_i, b->z + j);
            const REAL g = OP(_unpack)(hits->g + packed, lanes);
            const REAL on_i = g * q_j, on_j = g * q_i;
            sum[0] += on_i * dx;
            sum[1] += on_i * dy;
            sum[2] += on_i * dz;
            add_to(b->sum_j[0] + j, -on_j * dx);
            add_to(b->sum_j[1] + j, -on_j * dy);
            add_to(b->sum_j[2] + j, -on_j * dz);
            if (with_tensor) {
                const REAL dd[6] = {dx * dx, dy * dy, dz * dz, dx * dy, dx * dz, dy * dz};
                for (int c = 0; c < 6; c++) {
                    sum[PAIR_TENSOR + c] += on_i * dd[c];
                    add_to(b->sum_j[PAIR_TENSOR + c] + j, on_j * dd[c]);
                }
            }
        }
        if (with_potential) {
            const REAL l = OP(_unpack)(hits->l + packed, lanes);
            sum[PAIR_POTENTIAL] += l * q_j;
            add_to(b->sum_j[PAIR_POTENTIAL] + j, l * q_i);
        }
        packed += OP(_count)(lanes);
    }
}

/* Returns the least square of a distance, or 1 if there is no hit. */
SIMD_INLINE double pair_kernel(const kernel_block *b, kernel_hits *hits, int n,
                               const real force[][ENUF_PAIR_PIECES],
                               const real energy[][ENUF_PAIR_PIECES], const int with_field,
                               const int with_potential, const int with_tensor)
{
    REAL closest = OP(_set)(1);
    const int first_sum = with_field ? 0 : PAIR_POTENTIAL;
    const int end_sum = with_tensor ? PAIR_SUMS : with_potential ? PAIR_TENSOR : PAIR_POTENTIAL;
    for (int c = first_sum; c < end_sum; c++)
        memset(b->sum_j[c], 0, (size_t)(b->n_j + PAIR_PADDING) * sizeof(real));

    for (int i = 0; i < b->n_i; i++) {
        REAL sum[PAIR_SUMS];
        find_hits(b, i, hits);
        evaluate_hits(hits, n, force, energy, with_field, with_potential, &closest);
        add_hits(b, i, hits, with_field, with_potential, with_tensor, sum);
        for (int c = first_sum; c < end_sum; c++) b->sum_i[c][i] = (double)OP(_sum)(sum[c]);
    }
    return (double)OP(_least)(closest);
}
