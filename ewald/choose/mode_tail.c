/* mode_tail.c - see mode_tail.h. SPDX-License-Identifier: BSD-3-Clause */
#include "mode_tail.h"
#include "lattice/tensor.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;

/*
 * A shell's modes k become F k, |F k|^2 = k C k with C = F^T F. Its mean over directions, of trace
 * 3 mean, is followed exactly, the rest D to the first order. For uncorrelated charges the second
 * order cancels with the modes that cross |k| = k_c.
 */
typedef struct deformation {
    double f[3][3];
    double mean;
    double d[6];
} deformation;

/* Describes the cell of the measurement by the lattice vectors that are nearest to the present
 * cell's vectors, because the shortest vectors of a cell that tilts change. */
static void same_description(const enuf_mode_shells *shells, const enuf_cell_geometry *cell,
                             double measured[9])
{
    double whole[9] = {0};
    enuf_cell_geometry before;
    memcpy(measured, shells->cell, sizeof shells->cell);
    if (enuf_cell_geometry_make(shells->cell, &before) != ENUF_SUCCESS) return;
    for (int d = 0; d < 3; d++) {
        double s[3];
        enuf_cell_fractions(&before, &cell->cell[3 * d], s);
        for (int e = 0; e < 3; e++) whole[3 * d + e] = round(s[e]);
    }
    const double *w = whole;
    const double determinant = w[0] * (w[4] * w[8] - w[5] * w[7]) -
                               w[1] * (w[3] * w[8] - w[5] * w[6]) +
                               w[2] * (w[3] * w[7] - w[4] * w[6]);
    if (fabs(determinant) != 1) return;
    for (int d = 0; d < 3; d++)
        for (int b = 0; b < 3; b++) {
            measured[3 * d + b] = 0;
            for (int e = 0; e < 3; e++)
                measured[3 * d + b] += whole[3 * d + e] * shells->cell[3 * e + b];
        }
}

static deformation deform(const enuf_mode_shells *shells, const enuf_cell_geometry *cell)
{
    deformation to = {.mean = 0};
    double c[6], measured[9];
    same_description(shells, cell, measured);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int e = 0; e < 3; e++)
                to.f[a][b] += cell->inverse[3 * a + e] * measured[3 * e + b];
    for (int k = 0; k < 6; k++) {
        c[k] = 0;
        for (int e = 0; e < 3; e++) c[k] += to.f[e][row[k]] * to.f[e][column[k]];
    }
    to.mean = (c[0] + c[1] + c[2]) / 3;
    for (int k = 0; k < 6; k++) to.d[k] = k < 3 ? c[k] - to.mean : c[k];
    return to;
}

/* Energy, and its derivatives by the deformation's parts. */
typedef struct gradient {
    double energy;
    double mean;
    double d[6];
} gradient;

/* 2 pi exp(-x b)/V x and its derivatives by x = |k|^2. */
static void factor(double x, double b, double volume, double f[3])
{
    const double r = 1 / x;
    f[0] = 2 * pi * exp(-b * x) * r / volume;
    f[1] = -f[0] * (b + r);
    f[2] = f[0] * (b * b + 2 * b * r + 2 * r * r);
}

/* The part of a shell beyond |k|^2 = from. Its weight is spread evenly over an interval with the
 * shell's mean and standard deviation: a single peak of a crystal lies on one side of `from`. */
static double part_beyond(const enuf_mode_shells *shells, int s, double from)
{
    const double reach = sqrt(3) * shells->spread[s];
    const double low = fmax(shells->k2[s] - reach, s * shells->width);
    const double high = fmin(shells->k2[s] + reach, (s + 1) * shells->width);
    if (high <= from) return 0;
    return low >= from ? 1 : (high - from) / (high - low);
}

static void add_shell(const enuf_mode_shells *shells, int s, double part, const deformation *to,
                      double b, double volume, gradient *g)
{
    const double k2 = shells->k2[s], weight = part * shells->sum[s];
    double f[3], along = 0;
    factor(to->mean * k2, b, volume, f);
    for (int k = 0; k < 6; k++) along += (k < 3 ? 1 : 2) * to->d[k] * shells->tensor[s][k];
    g->energy += weight * (f[0] + f[1] * along);
    g->mean += weight * k2 * (f[1] + f[2] * along);
    for (int k = 0; k < 6; k++) g->d[k] += weight * f[1] * shells->tensor[s][k];
}

/* W_ab = E delta_ab + 2 (F G F^T)_ab, G = dE/dC: a strain e makes F into (1 - e) F and V into
 * V (1 + trace e). */
static void add_virial(const deformation *to, const gradient *g, double virial[6])
{
    double full[3][3];
    const double trace = g->d[0] + g->d[1] + g->d[2];
    for (int k = 0; k < 6; k++)
        full[row[k]][column[k]] = full[column[k]][row[k]] =
            g->d[k] + (k < 3 ? (g->mean - trace) / 3 : 0);
    for (int k = 0; k < 6; k++) {
        double sum = 0;
        for (int c = 0; c < 3; c++)
            for (int d = 0; d < 3; d++) sum += to->f[row[k]][c] * full[c][d] * to->f[column[k]][d];
        virial[k] += 2 * sum;
    }
}

static enuf_mode_tail uncorrelated_gaussian(double alpha, double k_c)
{
    const double u = k_c / (2 * alpha), third = -k_c * exp(-u * u) / (3 * pi);
    return (enuf_mode_tail){alpha / sqrt(pi) * erfc(u), {third, third, third}};
}

enuf_mode_tail enuf_mode_tail_of(const enuf_mode_shells *shells, const enuf_cell_geometry *cell,
                                 const enuf_splitting *splitting, double k_c)
{
    enuf_mode_tail tail = {0};
    if (shells->n == 0 || splitting->kind != ENUF_SPLIT_GAUSSIAN) return tail;
    const deformation to = deform(shells, cell);
    const double b = 1 / (4 * splitting->alpha * splitting->alpha);
    const double from = k_c * k_c / to.mean, last = shells->n * shells->width;
    gradient g = {.energy = 0};
    for (int s = 0; s < shells->n; s++) {
        const double part = shells->sum[s] > 0 ? part_beyond(shells, s, from) : 0;
        if (part > 0) add_shell(shells, s, part, &to, b, cell->volume, &g);
    }
    tail.energy = g.energy;
    for (int a = 0; a < 3; a++) tail.virial[a] = g.energy;
    add_virial(&to, &g, tail.virial);
    const enuf_mode_tail rest =
        uncorrelated_gaussian(splitting->alpha, sqrt(to.mean * fmax(last, from)));
    tail.energy += shells->beyond * rest.energy;
    for (int a = 0; a < 3; a++) tail.virial[a] += shells->beyond * rest.virial[a];
    return tail;
}

/*
 * E = int_{k_c}^inf chi_hat dk/pi; the trace of the virial is int (chi_hat + k chi_hat') dk/pi =
 * -k_c chi_hat(k_c)/pi. Beyond its band the prolate chi_hat swings, with a period of 2 pi/r_c in k:
 * uncorrelated charges have nearly no tail, correlated ones about a part of the first swing,
 * chi_hat(c)/r_c.
 */
enuf_mode_tail enuf_mode_tail_uncorrelated(const enuf_splitting *splitting, double k_c)
{
    if (splitting->kind == ENUF_SPLIT_GAUSSIAN) return uncorrelated_gaussian(splitting->alpha, k_c);
    const enuf_prolate *psi = &splitting->psi;
    const double c = splitting->c, u = fmin(k_c * splitting->cutoff / c, 1);
    const double scale = 1 / (pi * psi->at_0 * splitting->cutoff);
    const double in_band = c * (psi->half_integral - enuf_prolate_integral(psi, u));
    const double third = -scale * c * u * enuf_prolate_value(psi, u, NULL) / 3;
    return (enuf_mode_tail){scale * (in_band + psi->at_1), {third, third, third}};
}
