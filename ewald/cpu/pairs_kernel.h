/*
 * pairs_kernel.h - the pair kernel, once for double and once for float (pairs_double.c,
 * pairs_float.c define REAL and how coordinates are loaded).
 *
 * One atom of the group against a vector of neighbours: its own sums stay in registers, theirs are
 * loaded, added to and stored. Bound by arithmetic: of a vector, 3 loads of coordinates, one
 * reciprocal square root, 2 n_force + 30 operations. SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs_function.h"

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

SIMD_INLINE double pair_kernel(const kernel_block *b, int n, const real force[][ENUF_PAIR_PIECES],
                               const real energy[][ENUF_PAIR_PIECES], const int with_field,
                               const int with_potential, const int with_tensor)
{
    enum { LANES = (int)(SIMD_BYTES / sizeof(real)) };
    const REAL zero = OP(_set)(0), one = OP(_set)(1);
    REAL closest = one;
    const int first_sum = with_field ? 0 : PAIR_POTENTIAL;
    const int end_sum = with_tensor ? PAIR_SUMS : with_potential ? PAIR_TENSOR : PAIR_POTENTIAL;
    for (int c = first_sum; c < end_sum; c++)
        memset(b->sum_j[c], 0, (size_t)(b->n_j + PAIR_PADDING) * sizeof(real));

    for (int i = 0; i < b->n_i; i++) {
        const coordinates x_i = coordinates_set(b->x_i[i]), y_i = coordinates_set(b->y_i[i]),
                          z_i = coordinates_set(b->z_i[i]);
        const REAL q_i = OP(_set)(b->q_i[i]);
        REAL sum[PAIR_SUMS];
        for (int c = 0; c < PAIR_SUMS; c++) sum[c] = zero;
        /* of the group itself only the atoms after i; from a whole vector on, to stay aligned */
        int j = b->triangle ? (i + 1) / LANES * LANES : 0;
        OP(_mask) allowed = OP(_after)(b->triangle ? i - j : -1);
        for (; j < b->n_j; j += LANES) {
            const REAL dx = difference(x_i, b->x + j), dy = difference(y_i, b->y + j),
                       dz = difference(z_i, b->z + j);
            const REAL s = (dx * dx + dy * dy + dz * dz) * b->unit2;
            const OP(_mask) hit = OP(_both)(OP(_less_equal)(s, one), allowed);
            allowed = OP(_after)(-1);
            if (!OP(_any)(hit)) continue;
            closest = OP(_min_where)(hit, closest, s);
            REAL g, l;
            pair_function(s, n, force, energy, with_field, with_potential, &g, &l);
            const REAL q_j = OP(_load)(b->q + j);
            if (with_field) {
                g = OP(_keep)(hit, g);
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
                l = OP(_keep)(hit, l);
                sum[PAIR_POTENTIAL] += l * q_j;
                add_to(b->sum_j[PAIR_POTENTIAL] + j, l * q_i);
            }
        }
        for (int c = first_sum; c < end_sum; c++) b->sum_i[c][i] = (double)OP(_sum)(sum[c]);
    }
    real lane[LANES];
    OP(_store)(lane, closest);
    real least = lane[0];
    for (int k = 1; k < LANES; k++) least = lane[k] < least ? lane[k] : least;
    return (double)least;
}
