/*
 * kernels.h - the inner part of batches on CPUs, compiled once for each instruction set, and in
 * each once for each arithmetic. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_BATCH_KERNELS_H
#define ENUF_BATCH_KERNELS_H

#include "batch/system.h"
#include "evaluate/pair_table.h"
#include "isa.h"

/** Arrays over atoms are padded to a multiple of this: a vector of floats. */
enum { ENUF_BATCH_LANES = 16 };

ENUF_BATCH_INLINE int64_t enuf_batch_padded(int64_t n)
{
    return (n + ENUF_BATCH_LANES - 1) / ENUF_BATCH_LANES * ENUF_BATCH_LANES;
}

/** The polynomials of erf(alpha r)/r in both precisions, n coefficients each. */
typedef struct enuf_batch_polynomials {
    int n;
    double force[ENUF_PAIR_COEFFICIENTS][ENUF_PAIR_PIECES];
    double energy[ENUF_PAIR_COEFFICIENTS][ENUF_PAIR_PIECES];
    float force_f32[ENUF_PAIR_COEFFICIENTS][ENUF_PAIR_PIECES];
    float energy_f32[ENUF_PAIR_COEFFICIENTS][ENUF_PAIR_PIECES];
} enuf_batch_polynomials;

/** A share of the work of a system: of its rows of modes and of its atoms, those whose number
 * modulo the parts is `part`. Unit Coulomb constant. */
typedef struct enuf_batch_share {
    const enuf_batch_system *system;
    const enuf_batch_polynomials *polynomials;
    int part;
    int with_virial;
    int64_t room; /* atoms, padded */
    /* [room] folded positions, as sums of two numbers, and charges; 0 behind the atoms */
    double *place[3], *low[3], *charge;
    void *scratch; /* enuf_batch_scratch() doubles, aligned to cache lines */
    /* output, added: potential and field of all atoms, each [n]; the virial */
    double *sums[4];
    double virial[6];
    int64_t clash[2]; /* output: atoms at one place; -1: none */
} enuf_batch_share;

typedef struct enuf_batch_kernels {
    void (*modes[2])(enuf_batch_share *share); /* in double, in float */
    void (*pairs[2])(enuf_batch_share *share);
} enuf_batch_kernels;

ENUF_DECLARE_TABLES(enuf_batch_kernels, enuf_batch_kernels)

/** Pairs that wait to be evaluated together. */
enum { ENUF_BATCH_HITS = 1024 };

/** Doubles that a mask of lanes takes at most. */
enum { ENUF_BATCH_MASK = 8 };

/** Doubles that modes and pairs of a system need as scratch, in turn. */
ENUF_BATCH_INLINE int64_t enuf_batch_scratch(const enuf_batch_system *system)
{
    const int64_t room = enuf_batch_padded(system->n);
    const int64_t columns = enuf_batch_padded(enuf_batch_columns(system));
    const int64_t modes =
        room * (4 * columns + 2 * (system->modes[1] + 1) + 2 * (system->modes[2] + 1) + 16) +
        24 * columns;
    const int64_t images =
        2 * ((int64_t)system->images[0] + system->images[1] + system->images[2]) + 3;
    const int64_t pairs =
        8 * room + ENUF_BATCH_MASK * images + 5 * (ENUF_BATCH_HITS + ENUF_BATCH_LANES);
    return modes > pairs ? modes : pairs;
}

#endif
