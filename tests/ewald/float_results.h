/*
 * float_results.h - systems of numbers that floats hold, and results in float beside those in
 * double. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_EWALD_FLOAT_RESULTS_H
#define TESTS_EWALD_FLOAT_RESULTS_H

#include "enuf/ewald_f32.h"
#include "systems.h"

/** Ions of which floats hold positions and charges, and these floats. */
typedef struct float_system {
    charge_system s;
    int64_t stride;
    float *x; /* [n][stride]; NaN beyond three */
    float *q; /* [n] */
} float_system;
float_system make_float_ions(uint64_t seed, int64_t n, cell_shape shape, int64_t stride);
void free_float_system(float_system *system);

/** All arrays, in one block [n][14]; every number is 0.1 times its place in the block. */
enuf_ewald_result_f32 make_float_result(int64_t n);
void free_float_result(enuf_ewald_result_f32 *result);
enum { NUMBERS_OF_ATOM = 3 + 1 + 6 + 1 + 3 };

/** A result in double with the numbers of this one. */
enuf_ewald_result double_result(int64_t n, const enuf_ewald_result_f32 *from);

/** Checks that the wanted arrays of `got` are those of `right` rounded to float, that the others
 * are those of `before`, and that the sums are the same, all bit by bit. */
void check_same(int64_t n, int wanted, const enuf_ewald_result_f32 *got,
                const enuf_ewald_result *right, const enuf_ewald_result_f32 *before);

#endif
