/*
 * truncation_error.c - see truncation_error.h.
 *
 * With G = 4 pi chi_hat/k^2, random charges feel of the modes left out the mean square force
 * eps^2 = (r_c/V) sum_{|k| > k_c} k^2 G^2 = (16 pi^2 r_c/V) sum chi_hat^2/k^2, of which 8 r_c int
 * chi_hat^2 dk is the continuum (docs/theory.md, "Few modes").
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "truncation_error.h"
#include "prolate_tail.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Number of modes in the sphere |k| <= k_c from which on the integral is used: the shells are so
 * dense that sum and integral agree to some 6 %, and one shell just beyond k_c does not count. A
 * continuum for fewer modes was up to 2.2 times too small (400 ions, A = 1e-2). */
static const double MANY_MODES = 4000;

/* The modes are summed one by one up to LAST_OF_FEW times k_c (Gaussian) or the band (prolate); the
 * Gaussian's transform falls so fast that nothing beyond counts. With more than VERY_FEW_MODES the
 * shells near the edge are enough, up to LAST_OF_MORE. */
static const double VERY_FEW_MODES = 300, LAST_OF_FEW = 2, LAST_OF_MORE = 1.25;

/* Modes that are summed at most, where an explicit k_c lies far inside the band: their shells are
 * dense enough that the integral over the rest is right within 3e-5. The sum of all modes took 7 s
 * for a million ions with kmax 1. */
static const double MOST_SUMMED = 20000;

static double modes_within(const enuf_cell_geometry *cell, double k_c)
{
    return cell->volume * k_c * k_c * k_c / (6 * pi * pi);
}

int enuf_few_modes(const enuf_cell_geometry *cell, double k_c)
{
    return modes_within(cell, k_c) < MANY_MODES;
}

/* chi_hat^2 up to wave number `last`; rest: 8 r_c times the integral beyond it. */
typedef struct spectrum {
    const enuf_splitting *splitting;
    double band, last, rest;
    enuf_prolate_tail tail;
} spectrum;

static void make_spectrum(const enuf_cell_geometry *cell, const enuf_splitting *splitting,
                          double k_c, double reach, spectrum *s)
{
    s->splitting = splitting;
    s->band = enuf_splitting_band(splitting);
    if (splitting->kind == ENUF_SPLIT_GAUSSIAN) {
        s->last = reach * k_c;
        double beyond = enuf_splitting_truncation_error(splitting, s->last);
        s->rest = beyond * beyond;
        return;
    }
    double whole = enuf_splitting_truncation_error(splitting, s->band);
    enuf_prolate_tail_make(&splitting->psi, whole * whole / 8, &s->tail);
    s->last = reach * s->band;
    s->rest = 8 * enuf_prolate_tail_beyond(&s->tail, reach);
    const double most = cbrt(6 * pi * pi * MOST_SUMMED / cell->volume);
    if (s->last <= most || s->band <= most) return;
    const double beyond = enuf_splitting_truncation_error(splitting, most);
    s->last = most;
    s->rest = beyond * beyond;
}

static double square_at(const spectrum *s, double k)
{
    if (k > s->band) return enuf_prolate_tail_at(&s->tail, k / s->band);
    double chi, chi_d;
    enuf_splitting_transform(s->splitting, k, &chi, &chi_d);
    return chi * chi;
}

/* If there are more modes than this on either side along an axis (needles and plates), only every
 * second, third, ... mode is computed and counts for its neighbours, because w changes slowly. */
static const double MOST_ALONG = 64;

/* The lattice in its shortest vectors. In the vectors of a cell with a given grid there may be far
 * more modes along an axis. */
static enuf_cell_geometry shortest(const enuf_cell_geometry *cell)
{
    double basis[9];
    enuf_cell_geometry compact = *cell;
    enuf_cell_shortest_basis(cell->cell, 3, basis);
    (void)enuf_cell_geometry_make(basis, &compact); /* unchanged after an error */
    return compact;
}

/* Sums of w = s chi_hat^2/k^2 and of w^2 over the half space of modes k_c < |k| <= last; s is the
 * charge structure factor. */
static void sum_modes(const enuf_cell_geometry *given, const enuf_structure_factor *charges,
                      const spectrum *s, double k_c, double *sum, double *sum2)
{
    const enuf_cell_geometry compact = shortest(given), *cell = &compact;
    int64_t most[3];
    double step[3];
    for (int d = 0; d < 3; d++) {
        const double largest = floor(s->last * cell->length[d] / (2 * pi));
        step[d] = fmax(ceil(largest / MOST_ALONG), 1);
        most[d] = (int64_t)floor(largest / step[d]);
    }
    const double count = step[0] * step[1] * step[2];
    *sum = *sum2 = 0;
    for (int64_t x = 0; x <= most[0]; x++)
        for (int64_t y = x == 0 ? 0 : -most[1]; y <= most[1]; y++)
            for (int64_t z = x == 0 && y == 0 ? 1 : -most[2]; z <= most[2]; z++) {
                const double m[3] = {step[0] * (double)x, step[1] * (double)y, step[2] * (double)z};
                double k[3];
                enuf_cell_wavevector(cell, m, k);
                double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
                if (k2 <= k_c * k_c * (1 + 1e-9) || k2 > s->last * s->last) continue;
                const double size = sqrt(k2);
                const double w = enuf_structure_factor_at(charges, size) * square_at(s, size) / k2;
                *sum += count * w;
                *sum2 += count * w * w;
            }
}

double enuf_truncation_error(const enuf_cell_geometry *cell, const enuf_structure_factor *charges,
                             const enuf_splitting *splitting, double k_c, double *scatter)
{
    *scatter = 0;
    if (!enuf_few_modes(cell, k_c))
        return enuf_truncation_error_factor(charges, splitting, k_c) *
               enuf_splitting_truncation_error(splitting, k_c);
    spectrum s;
    double sum, sum2;
    double reach = modes_within(cell, k_c) < VERY_FEW_MODES ? LAST_OF_FEW : LAST_OF_MORE;
    make_spectrum(cell, splitting, k_c, reach, &s);
    sum_modes(cell, charges, &s, k_c, &sum, &sum2);
    /* |S(k)|^2 of each k and -k, which are one, scatters by its own mean */
    if (sum > 0) *scatter = 0.5 * sqrt(sum2) / sum;
    const double rest = enuf_structure_factor_at(charges, s.last) * s.rest;
    return sqrt(2 * 16 * pi * pi * splitting->cutoff / cell->volume * sum + rest);
}
