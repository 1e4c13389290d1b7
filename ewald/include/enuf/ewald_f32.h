/*
 * enuf/ewald_f32.h - the calls of enuf/ewald.h for positions, charges and results of atoms in
 * float. For hosts whose arrays are floats: they need no copies in double.
 *
 *     enuf_ewald_set_charges_f32(ewald, n, charges, NULL);
 *     enuf_ewald_result_f32 result = {.struct_size = sizeof result, .forces = forces};
 *     enuf_ewald_compute_f32(ewald, positions, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, &result);
 *
 * Each call does what its namesake without _f32 does with the same numbers in double, and rounds
 * the arrays of results to float at the end. options.arithmetic does not depend on it. The object
 * keeps arrays of doubles: 24 bytes an atom for positions, 8 for each number of an atom that is
 * wanted. Conversions run in the threads of the object, or in kernels on its stream if
 * options.memory is ENUF_DEVICE. Calls of both kinds may alternate.
 *
 * Ranks of MPI refuse these calls with ENUF_UNSUPPORTED. Other errors are those of the namesake.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_F32_H
#define ENUF_EWALD_F32_H

#include "enuf/ewald.h"

#ifdef __cplusplus
extern "C" {
#endif

/** As enuf_ewald_result: sums are in double, arrays in float. With `add`, a result is added to the
 * float in double, and the sum is rounded. */
typedef struct enuf_ewald_result_f32 {
    size_t struct_size; /* sizeof(enuf_ewald_result_f32) */
    int add;
    double energy;
    enuf_ewald_parts parts;
    double virial[6];
    double net_force[3];
    float *forces;      /* [n][3] */
    float *atom_energy; /* [n] */
    float *atom_virial; /* [n][6] */
    float *potential;   /* [n] */
    float *field;       /* [n][3] */
    enuf_ewald_totals *totals;
} enuf_ewald_result_f32;

ENUF_API enuf_status enuf_ewald_set_charges_f32(enuf_ewald *ewald, int64_t n, const float *charges,
                                                const enuf_exclusions *exclusions);

/** Positions [n][stride]. */
ENUF_API enuf_status enuf_ewald_compute_f32(enuf_ewald *ewald, const float *positions,
                                            int64_t stride, int wanted,
                                            enuf_ewald_result_f32 *result);
ENUF_API enuf_status enuf_ewald_real_f32(enuf_ewald *ewald, const float *positions, int64_t stride,
                                         int wanted, enuf_ewald_result_f32 *result);
ENUF_API enuf_status enuf_ewald_reciprocal_f32(enuf_ewald *ewald, const float *positions,
                                               int64_t stride, int wanted,
                                               enuf_ewald_result_f32 *result);

/** enuf_ewald_finish() gives the results. */
ENUF_API enuf_status enuf_ewald_begin_f32(enuf_ewald *ewald, const float *positions, int64_t stride,
                                          int wanted, enuf_ewald_result_f32 *result);
ENUF_API enuf_status enuf_ewald_begin_reciprocal_f32(enuf_ewald *ewald, const float *positions,
                                                     int64_t stride, int wanted,
                                                     enuf_ewald_result_f32 *result);

#ifdef __cplusplus
}
#endif
#endif
