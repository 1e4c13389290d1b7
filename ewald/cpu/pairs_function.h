/*
 * pairs_function.h - 1/r - Q and 1/r^3 - R of a vector of pairs.
 *
 * To be included after REAL (vd or vf) is defined. SPDX-License-Identifier: BSD-3-Clause
 */
#include "simd.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b)  PASTE_(a, b)
#define OP(name)     PASTE(REAL, name)

#if REAL_IS_FLOAT
typedef float real;
/* adding it leaves an integer in the lowest bits of the sum */
#define ROUNDER   0x1.8p23f
#define BELOW_ONE 0x1.fffffep-1f
#else
typedef double real;
#define ROUNDER   0x1.8p52
#define BELOW_ONE 0x1.fffffffffffffp-1
#endif

/*
 * s = (r/r_c)^2. Piece floor(8 s) of the polynomials, t = 16 s - 2 floor(8 s) - 1 in it, and the
 * coefficients of the piece by a permutation of a register: about 2 n_force + 20 operations. For s
 * > 1 the results are meaningless or not a number: the caller masks them.
 */
SIMD_INLINE void pair_function(REAL s, int n, const real force[][ENUF_PAIR_PIECES],
                               const real energy[][ENUF_PAIR_PIECES], const int with_force,
                               const int with_energy, REAL *g, REAL *l)
{
    REAL inside = OP(_min)(s, OP(_set)((real)BELOW_ONE));
    REAL piece = (inside * 8 - OP(_set)((real)0.5)) + OP(_set)((real)ROUNDER);
    REAL floor8 = piece - OP(_set)((real)ROUNDER);
    REAL t = (s * 16 - OP(_set)(1)) - floor8 * 2;
    REAL y = OP(_rsqrt)(s);
    REAL r = OP(_set)(0), q = OP(_set)(0);
    for (int k = n - 1; k >= 0; k--) {
        if (with_force) r = r * t + OP(_lookup)(force[k], piece);
        if (with_energy) q = q * t + OP(_lookup)(energy[k], piece);
    }
    if (with_force) *g = y * y * y - r;
    if (with_energy) *l = y - q;
}
