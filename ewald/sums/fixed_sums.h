/*
 * fixed_sums.h - pair sums in 64-bit integers: units and range, the same on every backend.
 *
 * With Q^2 the mean square of the charges and d = (V/N)^(1/3) their mean spacing, a pair is FAR
 * where
 *
 *     r^2 >= (d/8)^2 max(|q_i|, Q) max(|q_j|, Q)/Q^2,   r <= r_c.
 *
 * The contributions of far pairs are at most 2^57 units: the unit of force is 2^-57 to 2^-56 of
 * Q^2/(d/8)^2, so that the rounding of n neighbours is 4.5e-16 sqrt(n) of F_ref at most
 * (docs/conventions.md), whatever the largest charge and the closest pair are. Those of near pairs
 * are added in two words, multiples of 2^48 units and the rest. The sum of the two is the integer
 * that one word would hold: whether a pair is added as near or as far changes no bit. Near
 * contributions may reach 2^97 units, those of a pair at 1e-7 d. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_FIXED_SUMS_H
#define ENUF_FIXED_SUMS_H

#include "enuf/ewald.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ENUF_FIXED_BITS = 57,      /* of the contributions of a far pair */
    ENUF_FIXED_WORD_BITS = 48, /* units to one of the upper word */
    ENUF_FIXED_NEAR_BITS = 40, /* by so many more for near pairs */
};

/* The sums of an atom. */
enum {
    FIXED_FORCE = 0,
    FIXED_ENERGY = 3, /* q_i q_j (1/r - Q), of both atoms */
    FIXED_VIRIAL = 4,
    FIXED_POTENTIAL = 10,
    FIXED_FIELD = 11,
    FIXED_SUMS = 14,
};

/** In units of the cutoff, so that r <= 1; s = r^2. */
typedef struct enuf_fixed_scales {
    double charge; /* Q */
    /* (d/8)^2/Q^2: pairs with s < near_per_charges max(|q_i|, Q) max(|q_j|, Q) are near */
    double near_per_charges;
    double reach;     /* beyond this s no pair is near, whatever its charges */
    double of_square; /* units to 1, powers of two: of forces, energies, virials */
    double of_charge; /* of potentials and fields */
} enuf_fixed_scales;

/** For n charges that are not 0 with this sum of squares, in a lattice (rows in cutoffs). */
enuf_fixed_scales enuf_fixed_scales_for(const long double lattice[9], int64_t n, double sum_q2,
                                        double largest_charge);

/** The value of one unit of each sum, without the Coulomb constant. */
typedef struct enuf_fixed_units {
    double force, field, potential;
    double energy; /* and virial: each pair is in the sums of both its atoms, twice in all */
} enuf_fixed_units;

#ifdef __CUDACC__
#define ENUF_FIXED_INLINE static __host__ __device__ __forceinline__
#else
#define ENUF_FIXED_INLINE static inline
#endif

ENUF_FIXED_INLINE enuf_fixed_units enuf_fixed_units_of(const enuf_fixed_scales *scales,
                                                       double cutoff)
{
    const double per_cutoff = 1 / cutoff;
    enuf_fixed_units units;
    units.force = per_cutoff * per_cutoff / scales->of_square;
    units.field = per_cutoff * per_cutoff / scales->of_charge;
    units.energy = per_cutoff / scales->of_square;
    units.potential = per_cutoff / scales->of_charge;
    return units;
}

/** ENUF_OVERFLOWED, for two atoms so close (squared, in cutoffs). */
enuf_status enuf_fixed_overflowed(const enuf_fixed_scales *scales, double closest, double cutoff);

/** Upper bound of the rms of one rounding to units of force, in F_ref, for one component. */
double enuf_fixed_rounding(void);

/**
 * Distances come from integer fractions of the lattice (rows in cutoffs), right to `unit` of a cell
 * vector. Returns what this adds to the force of a near pair at r, relative to what doubles add to
 * it (enuf_own_rounding()), times r.
 */
double enuf_fixed_fraction_rounding(const double lattice[9], double unit, enuf_backend backend);

/** Error by rounding of the sums that hold a force far above all others, relative to it. */
double enuf_own_rounding(enuf_backend backend);

#ifdef __cplusplus
}
#endif

#endif
