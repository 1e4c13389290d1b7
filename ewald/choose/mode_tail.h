/*
 * mode_tail.h - energy and virial of the modes |k| > k_c, which the reciprocal sum leaves out:
 *
 *     E = 1/2V sum_{|k| > k_c} (4 pi/k^2) exp(-k^2/4 alpha^2) |S(k)|^2
 *
 * Forces average over them, so that they make hardly any error there; energy and virial lack them
 * whole. |S|^2 is measured at the positions that parameters are chosen by and then kept: forces
 * stay the gradient of the energy. Only for the Gaussian splitting: the prolate one has no
 * transform beyond its band. See docs/theory.md, "Modes left out". SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_MODE_TAIL_H
#define ENUF_MODE_TAIL_H

#include "lattice/cell_geometry.h"
#include "splitting.h"

enum { ENUF_MODE_SHELLS = 128 };

/**
 * |S|^2/sum q^2 of the modes in shells of equal width in |k|^2, from 0 on, and of each its mean
 * k k^T, weighted with |S|^2. Wave vectors are those of the cell that it was measured in: modes
 * keep their |S|^2 as the cell changes. Plain data: ranks tell it each other.
 */
typedef struct enuf_mode_shells {
    int n; /* of shells; 0: nothing is known */
    double cell[9];
    double width;                       /* of a shell in |k|^2 */
    double sum[ENUF_MODE_SHELLS];       /* over the modes of the shell, k and -k */
    double k2[ENUF_MODE_SHELLS];        /* mean of |k|^2 */
    double spread[ENUF_MODE_SHELLS];    /* and its standard deviation */
    double tensor[ENUF_MODE_SHELLS][6]; /* mean of k_a k_b */
    double beyond;                      /* of a mode beyond the last shell */
    /* relative standard deviation of energy and pressure for want of independent modes, at the
     * splitting and the k_c that it was measured for */
    double scatter_energy, scatter_pressure;
} enuf_mode_shells;

/** For sum q^2 = 1 and C = 1: to be multiplied by them. An atom's share goes with its q^2. */
typedef struct enuf_mode_tail {
    double energy, virial[6];
} enuf_mode_tail;

/** The tail in a cell, virial = -dE/dstrain with the modes' |S|^2 fixed. Zero where nothing is
 * known, and of the prolate splitting. */
enuf_mode_tail enuf_mode_tail_of(const enuf_mode_shells *shells, const enuf_cell_geometry *cell,
                                 const enuf_splitting *splitting, double k_c);

/** What uncorrelated charges would have; of the prolate splitting the size of what those with
 * order may have. */
enuf_mode_tail enuf_mode_tail_uncorrelated(const enuf_splitting *splitting, double k_c);

/** Charges at positions [n][stride], the sum of squares that of all ranks together. */
typedef struct enuf_tail_request {
    const enuf_cell_geometry *cell;
    const enuf_splitting *splitting;
    double k_c;
    int64_t n;
    const double *positions;
    int64_t stride;
    const double *q;
    double sum_q2;
    int threads;
    int64_t memory_limit; /* 0: none */
    /* agrees on the status and adds up sums over ranks; NULL: there is one */
    enuf_status (*reduce)(void *context, enuf_status mine, int64_t n, double *sums);
    void *context;
} enuf_tail_request;

/**
 * Measures |S|^2 of every mode up to where the factor exp(-k^2/4 alpha^2) has fallen to a
 * twenty-thousandth of that at k_c. A transform has a slice of the modes: 2^20 of them at most, or
 * what memory_limit has room for, but one plane across the axis with most modes at least. The
 * number of transforms grows with that of the modes. Collective.
 */
enuf_status enuf_mode_shells_measure(const enuf_tail_request *request, enuf_mode_shells *shells);

#endif
