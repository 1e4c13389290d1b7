/*
 * cell_geometry.h - lengths, volume and reciprocal vectors of a periodic cell; reduced bases.
 *
 * Rows of H are the cell vectors a, b, c: x = s H (x, s row vectors). Any orientation, handedness
 * and tilt. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CELL_GEOMETRY_H
#define ENUF_CELL_GEOMETRY_H

#include "error.h"
#include "private.h"

typedef struct enuf_cell_geometry {
    double cell[9];       /* H */
    double inverse[9];    /* s_d = sum_e x_e inverse[e*3+d] (H^-1, row vector times matrix) */
    double frame[9];      /* its transpose: s_d = sum_e frame[d*3+e] x_e, the NUFFT's T */
    double signed_volume; /* det H: negative for a left-handed cell */
    double volume;        /* |det H| */
    double height[3];     /* distance of the two faces that cell vector d connects */
    double length[3];     /* |a|, |b|, |c| */
} enuf_cell_geometry;

/**
 * cell [9] rows. Errors: ENUF_NOT_FINITE; ENUF_BAD_ARGUMENT for a flat cell, |V| <= 1e-12
 * |a||b||c|, and for vectors that are not 1e-40 to 1e40 long. The geometry is unchanged then.
 */
ENUF_PRIVATE enuf_status enuf_cell_geometry_make(const double cell[9],
                                                 enuf_cell_geometry *geometry);

/** k = 2 pi H^-1 m, m a column of (integer) mode numbers. */
ENUF_PRIVATE void enuf_cell_wavevector(const enuf_cell_geometry *geometry, const double m[3],
                                       double k[3]);

/** Fractions s = x H^-1. */
void enuf_cell_fractions(const enuf_cell_geometry *geometry, const double x[3], double s[3]);

/**
 * Another basis of the same lattice whose vectors are as short as can be (Minkowski-reduced), so
 * that a tilted or thin cell is cut into compact pieces. An open direction becomes perpendicular to
 * the others. In long double, because the integer combinations of rows are
 * not exact in double: images many cells away would move.
 *
 * A cell that is reduced up to 1e-6 of its lengths is returned unchanged.
 */
void enuf_cell_reduce(const double cell[9], const int periodic[3], long double reduced[9]);

/**
 * The shortest vectors of the same lattice, so that parameters and sums depend on the lattice, not
 * on the cell that describes it. n = 3: all three; n = 2: a and b, while c stays (a slab). A pure
 * function. A cell that is already reduced, up to 1e-6 of its lengths, keeps its bits.
 */
void enuf_cell_shortest_basis(const double cell[9], int n, double basis[9]);

/**
 * The same for a cell that changes step by step, so that its basis does not jump between two that
 * are about equally short. Takes the lattice vectors nearest to the basis of the last step,
 * `before` [9], if they are a basis at most 1 % longer (root of the sum of squares) than the
 * shortest; else the shortest. Has the bits of the shortest if the two are equal up to rounding.
 */
void enuf_cell_steady_basis(const double cell[9], int n, const double before[9], double basis[9]);

/** Inverse of a 3x3 matrix; returns its determinant (0: `inverse` is not touched). */
long double enuf_invert_3x3(const long double matrix[9], long double inverse[9]);

/** 1 if k with |k|^2 = k2 lies in the sphere |k| <= k_c. A shell exactly on the sphere belongs to
 * it, whatever the rounding of k2. */
int enuf_in_sphere(double k2, double k_c);

/** modes[d] = 2 floor(k_c |a_d| / 2 pi) + 1: the smallest array that holds that sphere. */
void enuf_modes_of_sphere(const enuf_cell_geometry *cell, double k_c, int64_t modes[3]);

#endif
