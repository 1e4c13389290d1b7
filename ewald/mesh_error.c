/*
 * mesh_error.c - see mesh_error.h.
 *
 * With theta_d = 2 pi m_d/M_d, w the window's transform, alias sums over all n (n = 0 included)
 * A_d = sum_n w^2(theta_d + 2 pi n)/w^2(theta_d), and kappa the transform of the window's piecewise
 * derivative over w, the mean square error of a force is
 *
 *   eps^2 = (r_c/V) sum_k Ghat^2 { s(k) [ M - 2 k.K_0 + k^2 ] + (A - 1) M },
 *   M = sum_n |K_n|^2 w_n^2/w_0^2,  A = prod A_d,
 *
 * s(k) the order of the charges at the mode (charge_spectrum.h), which at its aliases is 1, K_n the
 * vector sum_d (M_d/2 pi) kappa_d b_d, b_d the reciprocal vectors (k = sum_d m_d b_d). It
 * is summed as |K_0 - k|^2 plus terms that are small themselves, so that nothing cancels. Source:
 * docs/theory.md, "Mesh error" (Hockney and Eastwood, Computer Simulation Using Particles, ch. 8;
 * analytic differentiation: Ballenegger, Cerda, Holm, J. Chem. Theory Comput. 8 (2012) 936).
 *
 * A charge also pulls itself, however the others lie: what it spread through one alias it meets
 * through another, with phases that its place u_d within a fine cell decides,
 *
 *   F = -(q^2/V) sum_d (M_d/2 pi) b_d sum_k Ghat s_d(u_d) prod_{e != d} A_e
 *
 * s_d(u) being the slope of |T(u)|^2/2 w_0^2, T(u) = sum_n w_n exp(2 pi i n u) what a unit charge
 * there spreads of the mode. (Phases of two axes at once go with the products of their aliases and
 * are left out.) Its mean square over the places is taken.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mesh_error.h"

#include <math.h>

enum { SAMPLES = ENUF_MESH_FINE };

static const double two_pi = 6.283185307179586476925;

/* Sampled modes m >= 0 of one axis, the number of modes each stands for, and the window's errors.
 */
typedef struct axis_samples {
    int n;
    double m[SAMPLES], count[SAMPLES];
    double alias[SAMPLES], gradient_alias[SAMPLES], kappa[SAMPLES], bias[SAMPLES], noise[SAMPLES];
    double own[SAMPLES][ENUF_OWN_SLOPES];
} axis_samples;

/* All modes where they are few; else 0, 1, 2 and equal stretches of the rest by their middles. */
static enuf_status sample_axis(const enuf_mesh *mesh, int d, int samples, axis_samples *axis)
{
    int64_t last = mesh->modes[d] / 2, m[SAMPLES];
    enum { SINGLE = 3 };
    axis->n = last + 1 <= samples ? (int)last + 1 : samples;
    for (int j = 0; j < axis->n; j++) {
        int64_t from = j, to = j + 1;
        if (last + 1 > samples && j >= SINGLE) {
            int64_t rest = last + 1 - SINGLE;
            from = SINGLE + rest * (j - SINGLE) / (samples - SINGLE);
            to = SINGLE + rest * (j + 1 - SINGLE) / (samples - SINGLE);
        }
        m[j] = (from + to - 1) / 2;
        axis->m[j] = (double)m[j];
        axis->count[j] = (double)(to - from);
    }
    enuf_aliasing out = {axis->alias, axis->gradient_alias, axis->bias, axis->noise, axis->own[0]};
    ENUF_TRY(enuf_window_aliasing(mesh->window, mesh->width, mesh->shape, mesh->grid[d], axis->n, m,
                                  &out));
    for (int j = 0; j < axis->n; j++)
        axis->kappa[j] = two_pi * axis->m[j] / (double)mesh->grid[d] + axis->bias[j];
    return ENUF_SUCCESS;
}

void enuf_influence_tabulate(const enuf_splitting *splitting, double k_c,
                             const enuf_charge_spectrum *spectrum, enuf_influence_table *table)
{
    table->cutoff = splitting->cutoff;
    table->limit = k_c * k_c * (1 + 1e-9);
    for (int i = 0; i < ENUF_INFLUENCE_STEPS; i++) {
        double chi, chi_d;
        /* just inside: beyond its band the prolate transform is 0 */
        double k = (1 - 1e-9) * sqrt(table->limit * i / (ENUF_INFLUENCE_STEPS - 1));
        enuf_splitting_transform(splitting, k, &chi, &chi_d);
        table->log_chi[i] = log(fmax(chi, 1e-300));
        table->order[i] = enuf_charge_spectrum_at(spectrum, k);
    }
}

/* 4 pi chi_hat/k^2, and the charges' order there */
static double influence_at(const enuf_influence_table *table, double k2, double *order)
{
    double at = fmin(k2 / table->limit, 1) * (ENUF_INFLUENCE_STEPS - 1);
    int i = (int)fmin(at, ENUF_INFLUENCE_STEPS - 2);
    double log_chi = table->log_chi[i] + (at - i) * (table->log_chi[i + 1] - table->log_chi[i]);
    *order = table->order[i] + (at - i) * (table->order[i + 1] - table->order[i]);
    return 2 * two_pi * exp(log_chi) / k2;
}

/* (1 + a)(1 + b) - 1, without cancellation */
static inline double joined(double a, double b)
{
    return a + b + a * b;
}

/* One mode (j indexes the samples, sign the octant): the bracket, of which what the mode itself
 * adds goes with its own |S|^2, `order` of the mean, what its aliases add with theirs; and the
 * amplification of noise. */
static double bracket(const axis_samples axis[3], const int j[3], const double sign[3],
                      const double cells[3], const double metric[9], double order, double *noise)
{
    double a[3], k0[3], bias[3];
    *noise = 1;
    for (int d = 0; d < 3; d++) {
        a[d] = axis[d].alias[j[d]];
        k0[d] = sign[d] * axis[d].kappa[j[d]] * cells[d];
        bias[d] = sign[d] * axis[d].bias[j[d]] * cells[d];
        *noise *= axis[d].noise[j[d]];
    }
    double gathered = 0, met = 0;
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) {
            double g = metric[3 * d + e];
            if (g == 0) continue;
            /* gathering's alias sums, but for those of the axes that kappa takes part in */
            const double others = d == e ? joined(a[(d + 1) % 3], a[(d + 2) % 3]) : a[3 - d - e];
            const double slope =
                d == e ? cells[d] * cells[d] * axis[d].gradient_alias[j[d]] * (1 + others) : 0;
            gathered += g * (bias[d] * bias[e] + k0[d] * k0[e] * others + slope);
            met += g * (k0[d] * k0[e] * (1 + others) + slope);
        }
    return order * gathered + joined(joined(a[0], a[1]), a[2]) * met;
}

/* Mean square over its places of the slope that a unit charge meets of its own; `along` are the
 * sums of the influence over the two other axes. */
static double own_square(const axis_samples *axis, const double along[SAMPLES])
{
    double square = 0;
    for (int r = 0; r < ENUF_OWN_SLOPES; r++) {
        double sum = 0;
        for (int j = 0; j < axis->n; j++) sum += along[j] * axis->own[j][r];
        square += sum * sum;
    }
    return square;
}

/* A cell, its grid and the window on it. */
typedef struct mesh_terms {
    axis_samples axis[3];
    double cells[3], metric[9]; /* M_d/2 pi; b_d . b_e */
    double slope;               /* mean square slope of the window, of all axes */
    int oblique;
} mesh_terms;

static enuf_status make_terms(const enuf_cell_geometry *cell, const enuf_mesh *mesh, int samples,
                              mesh_terms *terms)
{
    terms->oblique = 0;
    terms->slope = 0;
    for (int d = 0; d < 3; d++) {
        int same =
            d > 0 && mesh->modes[d] == mesh->modes[d - 1] && mesh->grid[d] == mesh->grid[d - 1];
        if (same)
            terms->axis[d] = terms->axis[d - 1];
        else
            ENUF_TRY(sample_axis(mesh, d, samples, &terms->axis[d]));
        terms->cells[d] = (double)mesh->grid[d] / two_pi;
        for (int e = 0; e < 3; e++) {
            double sum = 0;
            for (int x = 0; x < 3; x++) sum += cell->frame[3 * d + x] * cell->frame[3 * e + x];
            terms->metric[3 * d + e] = two_pi * two_pi * sum;
            if (e != d && sum != 0) terms->oblique = 1;
        }
        /* 5/P is the mean square slope over the mean square of any window in use */
        terms->slope +=
            5.0 / mesh->width * terms->metric[4 * d] * terms->cells[d] * terms->cells[d];
    }
    return ENUF_SUCCESS;
}

typedef struct mesh_sums {
    double aliasing, noise, squares; /* squares: of the single modes' aliasing */
    double along[3][SAMPLES]; /* of the influence over two axes, for the charge's own force */
} mesh_sums;

static void add_mode(const mesh_terms *terms, const enuf_influence_table *table, const int j[3],
                     const double sign[3], mesh_sums *sums)
{
    const axis_samples *axis = terms->axis;
    double m[3], count = 1, k2 = 0, noise;
    for (int d = 0; d < 3; d++) {
        m[d] = sign[d] * axis[d].m[j[d]];
        count *= axis[d].count[j[d]];
        if (j[d] > 0 && (d == 0 || !terms->oblique)) count *= 2;
    }
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) k2 += terms->metric[3 * d + e] * m[d] * m[e];
    if (k2 == 0 || k2 > table->limit) return;
    double order;
    double influence = influence_at(table, k2, &order);
    double error = bracket(axis, j, sign, terms->cells, terms->metric, order, &noise);
    const double aliasing = influence * influence * fmax(error, 0);
    sums->aliasing += count * aliasing;
    sums->squares += count * aliasing * aliasing;
    sums->noise += count * influence * influence * noise * (2 * k2 + terms->slope);
    for (int d = 0; d < 3; d++) {
        int e = (d + 1) % 3, f = (d + 2) % 3;
        sums->along[d][j[d]] +=
            count * influence * (1 + axis[e].alias[j[e]]) * (1 + axis[f].alias[j[f]]);
    }
}

enuf_status enuf_mesh_error(const enuf_cell_geometry *cell, const enuf_influence_table *table,
                            const enuf_mesh *mesh, double unit, int samples,
                            enuf_mesh_errors *errors)
{
    mesh_terms terms;
    mesh_sums sums = {0};
    ENUF_TRY(make_terms(cell, mesh, samples, &terms));
    const axis_samples *axis = terms.axis;
    int j[3];
    /* the octants (+,+,+), (+,-,+), (+,+,-), (+,-,-) and their opposites cover all modes; where the
     * axes are orthogonal all are alike */
    for (int octant = 0; octant < (terms.oblique ? 4 : 1); octant++) {
        double sign[3] = {1, octant & 1 ? -1 : 1, octant & 2 ? -1 : 1};
        for (j[2] = octant & 2 ? 1 : 0; j[2] < axis[2].n; j[2]++)
            for (j[1] = octant & 1 ? 1 : 0; j[1] < axis[1].n; j[1]++)
                for (j[0] = 0; j[0] < axis[0].n; j[0]++) add_mode(&terms, table, j, sign, &sums);
    }
    double scale = table->cutoff / cell->volume, own = 0;
    for (int d = 0; d < 3; d++)
        own += terms.metric[4 * d] * terms.cells[d] * terms.cells[d] *
               own_square(&axis[d], sums.along[d]);
    errors->aliasing = sqrt(scale * sums.aliasing);
    /* |S(k)|^2 of each k and -k, which are one, scatters by its own mean */
    errors->scatter = sums.aliasing > 0 ? 0.5 * sqrt(2 * sums.squares) / sums.aliasing : 0;
    errors->own = sqrt(scale * own);
    /* on the way in, and on the way out with slopes */
    errors->rounding = unit * sqrt(scale * sums.noise);
    return ENUF_SUCCESS;
}
