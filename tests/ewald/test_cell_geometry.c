/*
 * test_cell_geometry.c - fractions, wave vectors, heights and volume of a cell are consistent to
 * rounding. enuf_cell_reduce(), enuf_cell_shortest_basis() and enuf_cell_steady_basis() give bases
 * of the same lattice; the first two are as short as possible, the third up to 1 % longer. Flat,
 * huge, tiny and non-finite cells are refused. Cells: cube, hexagonal, fcc, left-handed, sheared,
 * 20 random ones. SPDX-License-Identifier: BSD-3-Clause
 */
#include "lattice/cell_geometry.h"
#include "check.h"
#include "random_system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long double dot(const long double *a, const long double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void check_geometry(const char *what, const double cell[9])
{
    enuf_cell_geometry g;
    if (!CHECK_STATUS(enuf_cell_geometry_make(cell, &g), ENUF_SUCCESS)) return;
    char name[120];
    double identity = 0, phase = 0, transposed = 0;
    double condition = 1;
    for (int d = 0; d < 3; d++) condition = fmax(condition, g.length[d] / g.height[d]);
    for (int i = 0; i < 3; i++) {
        double s[3], k[3];
        enuf_cell_fractions(&g, cell + 3 * i, s);
        const double m[3] = {i == 0, i == 1, i == 2};
        enuf_cell_wavevector(&g, m, k);
        for (int j = 0; j < 3; j++) {
            identity = fmax(identity, fabs(s[j] - (i == j)));
            double a_k = k[0] * cell[3 * j] + k[1] * cell[3 * j + 1] + k[2] * cell[3 * j + 2];
            phase = fmax(phase, fabs(a_k / 6.283185307179586 - (i == j)));
            transposed = fmax(transposed, fabs(g.frame[3 * i + j] - g.inverse[3 * j + i]));
        }
    }
    /* a row times a column has three terms; with the roundings of the inverse there are 6, of
     * terms up to |a|/h */
    const double limit = 6 * DBL_EPSILON * condition;
    snprintf(name, sizeof name, "%s: fractions of the cell vectors", what);
    CHECK_BELOW(identity, limit, name);
    snprintf(name, sizeof name, "%s: a_j . k_m / 2 pi - delta", what);
    CHECK_BELOW(phase, 2 * limit, name);
    CHECK(transposed == 0);
    CHECK(g.volume == fabs(g.signed_volume));
    for (int d = 0; d < 3; d++) {
        const double *a = cell + 3 * ((d + 1) % 3), *b = cell + 3 * ((d + 2) % 3);
        const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                             a[0] * b[1] - a[1] * b[0]};
        const double area = sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
        snprintf(name, sizeof name, "%s: height %d times its face is the volume", what, d);
        CHECK_CLOSE(g.height[d] * area, g.volume, 8 * DBL_EPSILON * condition, name);
    }
}

/* The reduced basis spans the same lattice, and no combination of its vectors is shorter. `before`:
 * a reduced basis of that lattice, or NULL. */
static void reduction(const char *what, const double cell[9], const double before[9])
{
    const int periodic[3] = {1, 1, 1};
    long double reduced[9], inverse[9], old[9];
    enuf_cell_reduce(cell, periodic, reduced);
    for (int k = 0; k < 9; k++) old[k] = cell[k];
    const long double volume = enuf_invert_3x3(old, inverse);
    char name[120];
    double integer = 0, shorter = 0;
    for (int i = 0; i < 3; i++) {
        for (int d = 0; d < 3; d++) {
            const long double column[3] = {inverse[d], inverse[3 + d], inverse[6 + d]};
            const long double m = dot(reduced + 3 * i, column);
            integer = fmax(integer, (double)fabsl(m - rintl(m)));
        }
    }
    for (int a = -2; a <= 2; a++) {
        for (int b = -2; b <= 2; b++) {
            for (int c = -2; c <= 2; c++) {
                const int m[3] = {a, b, c};
                long double v[3];
                for (int e = 0; e < 3; e++)
                    v[e] = a * reduced[e] + b * reduced[3 + e] + c * reduced[6 + e];
                for (int i = 0; i < 3; i++) {
                    if (abs(m[i]) != 1) continue; /* else v cannot replace vector i of the basis */
                    const long double length = dot(reduced + 3 * i, reduced + 3 * i);
                    shorter = fmax(shorter, (double)(1 - dot(v, v) / length));
                }
            }
        }
    }
    snprintf(name, sizeof name, "%s: reduced vectors in the lattice", what);
    CHECK_BELOW(integer, 1e-15, name);
    snprintf(name, sizeof name, "%s: part of a squared length that another vector saves", what);
    CHECK_BELOW(shorter, 1e-6, name); /* enuf_cell_reduce() accepts that much */
    long double unused[9];
    CHECK_CLOSE((double)enuf_invert_3x3(reduced, unused), (double)volume, 1e-15, "volume kept");
    if (!before) return;
    double length = 0, expected = 0;
    for (int k = 0; k < 9; k++) {
        length += (double)(reduced[k] * reduced[k]);
        expected += before[k] * before[k];
    }
    CHECK_CLOSE(length, expected, 1e-6, "sum of squared lengths as before the cell was sheared");
}

static double length_of(const double row[3])
{
    return sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
}

/* enuf_cell_shortest_basis() gives the vectors of enuf_cell_reduce(), here sorted by length,
 * because the given cell is more than twice as long. A slab's c keeps its bits. */
static void shortest_basis(const double cell[9])
{
    const int periodic[3] = {1, 1, 1};
    double strong[9], basis[9], squares = 0, expected = 0;
    long double reduced[9];
    memcpy(strong, cell, sizeof strong);
    for (int e = 0; e < 3; e++) strong[6 + e] += 40 * cell[e] - 90 * cell[3 + e];
    enuf_cell_reduce(strong, periodic, reduced);
    enuf_cell_shortest_basis(strong, 3, basis);
    for (int k = 0; k < 9; k++) {
        squares += basis[k] * basis[k];
        expected += (double)(reduced[k] * reduced[k]);
    }
    CHECK_CLOSE(squares, expected, 1e-15, "sum of squared lengths of the shortest basis");
    for (int d = 0; d < 2; d++)
        CHECK(length_of(basis + 3 * d) <= length_of(basis + 3 * d + 3) * (1 + 1e-15));
    enuf_cell_shortest_basis(strong, 2, basis);
    CHECK(memcmp(basis + 6, strong + 6, 3 * sizeof *basis) == 0);
    double again[9];
    enuf_cell_shortest_basis(basis, 2, again);
    CHECK(memcmp(basis, again, sizeof basis) == 0);
}

/* A box is sheared on and on. The lengths of its basis change smoothly, except in one step: from
 * there on the vectors are sorted by length. */
static void shearing(void)
{
    double last[3] = {0}, basis[9];
    int jumps = 0;
    for (int step = 0; step <= 3000; step++) {
        const double tilt = 0.01 * step; /* edges */
        const double cell[9] = {15, 0, 0, 15 * tilt, 10, 0, -9 * tilt, 6 * tilt, 12};
        enuf_cell_shortest_basis(cell, 3, basis);
        int jumped = 0;
        for (int d = 0; d < 3; d++) {
            const double length = length_of(basis + 3 * d);
            jumped |= step > 0 && fabs(length / last[d] - 1) > 0.1;
            last[d] = length;
        }
        jumps += jumped;
    }
    CHECK_BELOW(jumps, 1, "exchanges of vectors in 3000 steps of shearing");
}

/* The cell steps to and fro about a tilt where two bases are equally short, in changing
 * descriptions of its lattice. The steady basis spans the lattice, stays near the former one, and
 * is at most 1 % longer than the shortest. Then the tilt goes on, and the steady basis becomes the
 * shortest. */
static void steady_basis(uint64_t seed)
{
    enum { STEPS = 40, NEAR_BOUNDARY = 20 };
    double before[9], farthest = 0, longest = 0, last = 0;
    const double edges[3] = {10 + (double)seed, 12, 15};
    for (int step = 0; step < STEPS; step++) {
        const double side = step % 2 ? 1 : -1;
        const double tilt =
            0.5 + (step < NEAR_BOUNDARY ? 1e-3 * side : 0.004 * (step - NEAR_BOUNDARY));
        const double turns[3] = {(double)(step % 3 - 1), (double)(step % 5 - 2), 0};
        double cell[9] = {edges[0], 0, 0, tilt * edges[0], edges[1], 0, 0.3, 0.2, edges[2]};
        double basis[9], least[9];
        for (int e = 0; e < 3; e++) {
            cell[3 + e] += turns[0] * cell[e];
            cell[6 + e] += turns[1] * cell[e] + turns[2] * cell[3 + e];
        }
        enuf_cell_shortest_basis(cell, 3, least);
        if (step == 0) memcpy(before, least, sizeof before);
        enuf_cell_steady_basis(cell, 3, before, basis);
        enuf_cell_geometry of_cell, of_basis;
        CHECK_STATUS(enuf_cell_geometry_make(cell, &of_cell), ENUF_SUCCESS);
        CHECK_STATUS(enuf_cell_geometry_make(basis, &of_basis), ENUF_SUCCESS);
        double squares = 0, least_squares = 0, fraction[3], off = 0;
        for (int d = 0; d < 3; d++) {
            enuf_cell_fractions(&of_cell, basis + 3 * d, fraction);
            for (int e = 0; e < 3; e++) off = fmax(off, fabs(fraction[e] - rint(fraction[e])));
        }
        for (int k = 0; k < 9; k++) {
            squares += basis[k] * basis[k];
            least_squares += least[k] * least[k];
            if (step < NEAR_BOUNDARY) farthest = fmax(farthest, fabs(basis[k] - before[k]));
        }
        last = sqrt(squares / least_squares);
        longest = fmax(longest, last);
        CHECK_BELOW(off, 1e-13, "fractions of a steady basis, less whole numbers");
        CHECK_CLOSE(of_basis.volume, of_cell.volume, 1e-13, "volume of a steady basis");
        memcpy(before, basis, sizeof before);
    }
    CHECK_BELOW(farthest / edges[0], 3e-3, "change of a steady basis near the boundary, edges");
    CHECK_BELOW(longest, 1.01, "length of a steady basis, over the shortest");
    CHECK_CLOSE(last, 1, 1e-15, "far from the boundary: the shortest");
    CHECK(longest > 1.002);
}

static void open_directions(const double cell[9])
{
    for (int mask = 0; mask < 7; mask++) {
        const int periodic[3] = {mask & 1, mask >> 1 & 1, mask >> 2};
        long double reduced[9];
        enuf_cell_reduce(cell, periodic, reduced);
        long double angle = 0;
        for (int d = 0; d < 3; d++)
            for (int e = 0; e < 3; e++)
                if (d != e && !(periodic[d] && periodic[e]))
                    angle = fmaxl(angle, fabsl(dot(reduced + 3 * d, reduced + 3 * e)));
        CHECK_BELOW((double)angle, 1e-16, "open directions are perpendicular to all others");
    }
}

static void refusals(void)
{
    enuf_cell_geometry g, old;
    memset(&g, 7, sizeof g);
    old = g;
    const double flat[9] = {1, 2, 3, 2, 4, 6.0000000000001, 0, 0, 1};
    CHECK_STATUS(enuf_cell_geometry_make(flat, &g), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("cell volume");
    const double zero[9] = {0};
    CHECK_STATUS(enuf_cell_geometry_make(zero, &g), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("cell volume 0");
    const double huge[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1e41},
                 tiny[9] = {1, 0, 0, 0, 1e-41, 0, 0, 0, 1};
    CHECK_STATUS(enuf_cell_geometry_make(huge, &g), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("cell vector c is 1e+41 long");
    CHECK_STATUS(enuf_cell_geometry_make(tiny, &g), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("cell vector b is 1e-41 long");
    const double nan[9] = {1, 0, 0, 0, 1, NAN, 0, 0, 1};
    CHECK_STATUS(enuf_cell_geometry_make(nan, &g), ENUF_NOT_FINITE);
    CHECK_TEXT("cell vector b, component z");
    CHECK(memcmp(&g, &old, sizeof g) == 0);
}

int main(void)
{
    const double cube[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
    const double hexagonal[9] = {3, 0, 0, -1.5, 2.598076211353316, 0, 0, 0, 5};
    const double fcc[9] = {0, 1, 1, 1, 0, 1, 1, 1, 0};
    const double left[9] = {5, 1, 0, 2, -6, 1, 0, 1, 7};
    const double sheared[9] = {2, 0, 0, 34, 2, 0, -18, 56, 2};
    check_geometry("cube", cube);
    check_geometry("hexagonal", hexagonal);
    check_geometry("fcc", fcc);
    check_geometry("left-handed", left);
    check_geometry("sheared", sheared);
    reduction("cube", cube, cube);
    reduction("hexagonal", hexagonal, hexagonal);
    reduction("fcc", fcc, fcc);
    reduction("left-handed", left, NULL);
    reduction("sheared", sheared, cube);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        double cell[9];
        random_numbers(seed, 9, -5, 5, cell);
        for (int e = 0; e < 3; e++) cell[6 + e] += 7 * cell[e] - 12 * cell[3 + e];
        check_geometry("random", cell);
        reduction("random", cell, NULL);
        open_directions(cell);
        shortest_basis(cell);
        if (seed <= 3) steady_basis(seed);
    }
    /* a reduced cell keeps its bits: at constant pressure the basis must not jump */
    const int periodic[3] = {1, 1, 1};
    long double kept[9];
    enuf_cell_reduce(hexagonal, periodic, kept);
    for (int k = 0; k < 9; k++) CHECK((double)kept[k] == hexagonal[k]);
    double basis[9];
    enuf_cell_shortest_basis(hexagonal, 3, basis);
    CHECK(memcmp(basis, hexagonal, sizeof basis) == 0);
    shearing();
    refusals();
    return check_result();
}
