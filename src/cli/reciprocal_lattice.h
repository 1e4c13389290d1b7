/*
 * reciprocal_lattice.h - wave vectors of a cell: q = 2 pi (h a* + k b* + l c*).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_RECIPROCAL_LATTICE_H
#define ENUF_CLI_RECIPROCAL_LATTICE_H

typedef struct cli_reciprocal {
    double cell[9]; /* rows a, b, c */
    double star[9]; /* rows a*, b*, c*, without 2 pi: a*.a = 1, a*.b = 0 */
} cli_reciprocal;

/** The cell spans a volume. */
cli_reciprocal cli_reciprocal_of(const double cell[9]);

/** The wave vector of (h, k, l), and its length. */
double cli_wave_vector(const cli_reciprocal *lattice, const double hkl[3], double q[3]);

/** The largest |h|, |k| and |l| of vectors of the lattice with |q| <= q_max; |h| = |q.a|/2 pi. */
void cli_largest_indices(const cli_reciprocal *lattice, double q_max, double largest[3]);

#endif
