/*
 * mode_tail.h - energy and virial of the modes |k| > k_c, which the reciprocal sum leaves out:
 *
 *     E = 1/2V sum_{|k| > k_c} (4 pi/k^2) exp(-k^2/4 alpha^2) |S(k)|^2
 *
 * Their forces average out; energy and virial lack their mean. |S|^2 is measured at the positions
 * of the choice and then stays constant, so forces remain the gradient of the energy. Only for the
 * Gaussian splitting: the transform of the prolate one ends at its band. See docs/theory.md, "Modes
 * left out". SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_MODE_TAIL_H
#define ENUF_MODE_TAIL_H

#include "lattice/cell_geometry.h"
#include "splitting.h"

enum { ENUF_MODE_SHELLS = 128 };

/**
 * |S|^2/sum q^2 of the modes in shells of equal width in |k|^2, from 0 on, and the mean k k^T of
 * each shell, weighted with |S|^2. Wave vectors belong to the cell of the measurement; modes keep
 * their |S|^2 when the cell changes. Plain data: ranks send it to each other.
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

/** For sum q^2 = 1 and C = 1; multiply by them. An atom's share is proportional to its q^2. */
typedef struct enuf_mode_tail {
    double energy, virial[6];
} enuf_mode_tail;

/** The tail in a cell; virial = -dE/dstrain at fixed |S|^2. Zero without a measurement, and for the
 * prolate splitting. */
enuf_mode_tail enuf_mode_tail_of(const enuf_mode_shells *shells, const enuf_cell_geometry *cell,
                                 const enuf_splitting *splitting, double k_c);

/** The tail of uncorrelated charges; for the prolate splitting the size of the tail of correlated
 * charges. */
enuf_mode_tail enuf_mode_tail_uncorrelated(const enuf_splitting *splitting, double k_c);

/** Charges at positions [n][stride]; sum_q2 is the sum over all ranks. */
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
    enuf_isa isa;
    enuf_fft fft;
    int64_t memory_limit; /* 0: none */
    /* agrees on the status and adds up sums over ranks; NULL: there is one */
    enuf_status (*reduce)(void *context, enuf_status mine, int64_t n, double *sums);
    void *context;
} enuf_tail_request;

/**
 * Measures |S|^2 of all modes until the factor exp(-k^2/4 alpha^2) is a twenty-thousandth of its
 * value at k_c. Each transform has a slice of the modes: at most 2^20, or as many as memory_limit
 * allows, but at least one plane across the axis with most modes. Collective.
 */
enuf_status enuf_mode_shells_measure(const enuf_tail_request *request, enuf_mode_shells *shells);

#endif
