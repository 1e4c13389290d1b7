/* cell_geometry.c - see cell_geometry.h. SPDX-License-Identifier: BSD-3-Clause */
#include "cell_geometry.h"

#include <math.h>

static const double two_pi = 6.283185307179586476925;

/* in a cell flatter than this, fractions have too few correct digits for forces */
static const double flat = 1e-12;
/* costs and errors contain seventh powers of lengths; those of lengths in this range are within the
 * range of double */
static const double shortest = 1e-40, longest = 1e40;
/* a basis vector is exchanged only for one whose square is smaller by this factor: a cubic or
 * hexagonal cell, whose vectors are equally long up to rounding, keeps its basis */
static const long double shorter = 1.0L - 1e-6L;

static long double dot(const long double *a, const long double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

long double enuf_invert_3x3(const long double m[9], long double inverse[9])
{
    long double cofactor[9];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int r0 = (i + 1) % 3, r1 = (i + 2) % 3, c0 = (j + 1) % 3, c1 = (j + 2) % 3;
            cofactor[3 * i + j] = m[3 * r0 + c0] * m[3 * r1 + c1] - m[3 * r0 + c1] * m[3 * r1 + c0];
        }
    }
    long double determinant = dot(m, cofactor);
    if (determinant == 0) return 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) inverse[3 * j + i] = cofactor[3 * i + j] / determinant;
    return determinant;
}

enuf_status enuf_cell_geometry_make(const double cell[9], enuf_cell_geometry *geometry)
{
    for (int k = 0; k < 9; k++) {
        if (!isfinite(cell[k]))
            return enuf_fail(ENUF_NOT_FINITE, "cell vector %c, component %c, is %g", "abc"[k / 3],
                             "xyz"[k % 3], cell[k]);
    }

    enuf_cell_geometry made;
    long double rows[9], inverse[9] = {0}, length[3];
    for (int k = 0; k < 9; k++) {
        rows[k] = made.cell[k] = cell[k];
    }
    for (int d = 0; d < 3; d++) {
        length[d] = sqrtl(dot(rows + 3 * d, rows + 3 * d));
        made.length[d] = (double)length[d];
        if (length[d] != 0 && !(length[d] >= shortest && length[d] <= longest))
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "cell vector %c is %Lg long: it has to be %g ... %g; take other units "
                             "of length",
                             "abc"[d], length[d], shortest, longest);
    }
    long double volume = enuf_invert_3x3(rows, inverse);
    made.signed_volume = (double)volume;
    made.volume = fabs(made.signed_volume);
    long double box = length[0] * length[1] * length[2];
    if (!(fabsl(volume) > (long double)flat * box) || !isfinite(made.volume) || made.volume == 0)
        return enuf_fail(
            ENUF_BAD_ARGUMENT,
            "cell volume %g: a = (%g, %g, %g), b = (%g, %g, %g), c = (%g, %g, %g) have "
            "to span a volume (|V| > %g |a||b||c|)",
            made.volume, cell[0], cell[1], cell[2], cell[3], cell[4], cell[5], cell[6], cell[7],
            cell[8], flat);
    for (int d = 0; d < 3; d++) {
        long double column[3] = {inverse[d], inverse[3 + d], inverse[6 + d]};
        made.height[d] = (double)(1 / sqrtl(dot(column, column)));
        for (int e = 0; e < 3; e++)
            made.frame[3 * d + e] = made.inverse[3 * e + d] = (double)inverse[3 * e + d];
    }
    *geometry = made;
    return ENUF_SUCCESS;
}

void enuf_cell_wavevector(const enuf_cell_geometry *geometry, const double m[3], double k[3])
{
    for (int e = 0; e < 3; e++) {
        const double *row = geometry->inverse + 3 * e;
        k[e] = two_pi * (row[0] * m[0] + row[1] * m[1] + row[2] * m[2]);
    }
}

void enuf_cell_fractions(const enuf_cell_geometry *geometry, const double x[3], double s[3])
{
    for (int d = 0; d < 3; d++) {
        const double *row = geometry->frame + 3 * d;
        s[d] = row[0] * x[0] + row[1] * x[1] + row[2] * x[2];
    }
}

/* row -= m p + n q, if that makes it clearly shorter */
static int shorten(long double *row, const long double *p, long double m, const long double *q,
                   long double n)
{
    long double trial[3];
    for (int e = 0; e < 3; e++) trial[e] = row[e] - m * p[e] - n * q[e];
    if (!(dot(trial, trial) < shorter * dot(row, row))) return 0;
    for (int e = 0; e < 3; e++) row[e] = trial[e];
    return 1;
}

/* Minkowski reduction in at most three dimensions: pairs first, then one vector against both. Its
 * rows are rounded in long double, 2048 times finer than a cell given in double. */
static void reduce_periodic(long double rows[9], const int axes[3], int n)
{
    int changed = n > 1;
    while (changed) {
        changed = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                if (i == j) continue;
                long double *a = rows + 3 * axes[i], *b = rows + 3 * axes[j];
                long double m = rintl(dot(a, b) / dot(b, b));
                if (m != 0) changed |= shorten(a, b, m, b, 0);
            }
        }
        for (int i = 0; i < n && n == 3 && !changed; i++) {
            long double *p = rows + 3 * ((i + 1) % 3), *q = rows + 3 * ((i + 2) % 3);
            for (int signs = 0; signs < 4; signs++)
                changed |= shorten(rows + 3 * i, p, signs & 1 ? 1 : -1, q, signs & 2 ? 1 : -1);
        }
    }
}

/* Axes in the order of their rows' lengths; of equal ones the first comes first. */
static void by_length(const long double *rows, int n, int order[3])
{
    for (int d = 0; d < n; d++) {
        int at = d;
        for (; at > 0; at--) {
            const long double *before = rows + 3 * order[at - 1], *row = rows + 3 * d;
            if (dot(before, before) <= dot(row, row)) break;
            order[at] = order[at - 1];
        }
        order[at] = d;
    }
}

/* Sum of the squared lengths of the first n rows. */
static long double squares(const long double *rows, int n)
{
    long double sum = 0;
    for (int d = 0; d < n; d++) sum += dot(rows + 3 * d, rows + 3 * d);
    return sum;
}

/* Squared lengths of the given vectors over those of the shortest. If the given vectors are more
 * than twice as long as the shortest, their order says nothing about the order of the shortest:
 * these are then sorted by length, so that a tilt that grows does not exchange them. */
static const long double STRONG_TILT = 4;

void enuf_cell_shortest_basis(const double cell[9], int n, double basis[9])
{
    const int axes[3] = {0, 1, 2};
    int order[3] = {0, 1, 2};
    long double rows[9], given;
    for (int k = 0; k < 9; k++) rows[k] = cell[k];
    given = squares(rows, n);
    reduce_periodic(rows, axes, n);
    if (given > STRONG_TILT * squares(rows, n)) by_length(rows, n, order);
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) basis[3 * d + e] = (double)rows[3 * order[d] + e];
}

/* Sets rows to the lattice vectors nearest to the vectors `before`. Returns 0 if they are no basis,
 * or if they change the c of a slab. */
static int nearest_basis(const double cell[9], int n, const double before[9], long double rows[9])
{
    long double given[9], inverse[9], turns[9], unused[9];
    for (int k = 0; k < 9; k++) given[k] = cell[k];
    if (enuf_invert_3x3(given, inverse) == 0) return 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            long double sum = 0;
            for (int e = 0; e < 3; e++) sum += before[3 * i + e] * inverse[3 * e + j];
            turns[3 * i + j] = rintl(sum);
        }
    if (n < 3 && (turns[2] != 0 || turns[5] != 0 || turns[6] != 0 || turns[7] != 0)) return 0;
    if (n < 3 && turns[8] != 1) return 0;
    if (fabsl(enuf_invert_3x3(turns, unused)) != 1) return 0;
    for (int i = 0; i < 3; i++)
        for (int e = 0; e < 3; e++) {
            rows[3 * i + e] = 0;
            for (int j = 0; j < 3; j++) rows[3 * i + e] += turns[3 * i + j] * given[3 * j + e];
        }
    return 1;
}

/* A basis is about as short as the shortest up to this ratio of the sums of squared lengths. Two
 * bases are equal if their components differ by no more than this part of their length. */
static const long double AS_SHORT = 1.01L * 1.01L, ROUNDING = 1e-12L;

void enuf_cell_steady_basis(const double cell[9], int n, const double before[9], double basis[9])
{
    long double rows[9], least[9];
    int differ = 0;
    enuf_cell_shortest_basis(cell, n, basis);
    if (!nearest_basis(cell, n, before, rows)) return;
    for (int k = 0; k < 9; k++) least[k] = basis[k];
    const long double size = squares(least, n);
    if (!(squares(rows, n) <= AS_SHORT * size)) return;
    for (int k = 0; k < 9; k++) differ |= fabsl(rows[k] - least[k]) > ROUNDING * sqrtl(size);
    for (int k = 0; k < 9 && differ; k++) basis[k] = (double)rows[k];
}

void enuf_cell_reduce(const double cell[9], const int periodic[3], long double reduced[9])
{
    int axes[3], n = 0;
    for (int k = 0; k < 9; k++) reduced[k] = cell[k];
    for (int d = 0; d < 3; d++)
        if (periodic[d]) axes[n++] = d;
    reduce_periodic(reduced, axes, n);

    /* Gram-Schmidt: open directions against the periodic ones and against each other */
    long double normal[9];
    int n_normals = 0;
    for (int open = 0; open < 2; open++) {
        for (int d = 0; d < 3; d++) {
            if (periodic[d] == open) continue;
            long double v[3] = {reduced[3 * d], reduced[3 * d + 1], reduced[3 * d + 2]};
            for (int pass = 0; pass < 2; pass++) {
                for (int k = 0; k < n_normals; k++) {
                    long double along = dot(v, normal + 3 * k);
                    for (int e = 0; e < 3; e++) v[e] -= along * normal[3 * k + e];
                }
            }
            long double length = sqrtl(dot(v, v));
            for (int e = 0; e < 3; e++) {
                if (open) reduced[3 * d + e] = v[e];
                normal[3 * n_normals + e] = v[e] / length;
            }
            n_normals++;
        }
    }
}

int enuf_in_sphere(double k2, double k_c)
{
    return k2 <= k_c * k_c * (1 + 1e-12);
}

void enuf_modes_of_sphere(const enuf_cell_geometry *cell, double k_c, int64_t modes[3])
{
    const double most = 0x1p30; /* far beyond any memory: the plan will say so */
    for (int d = 0; d < 3; d++) {
        double largest = floor(k_c * cell->length[d] / two_pi * (1 + 1e-12));
        modes[d] = 2 * (int64_t)fmin(largest, most) + 1;
    }
}
