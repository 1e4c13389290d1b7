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
 * s(k) the charge structure factor at the mode (structure_factor.h), taken as 1 at its aliases, K_n
 * the vector sum_d (M_d/2 pi) kappa_d b_d, b_d the reciprocal vectors (k = sum_d m_d b_d). It is
 * summed as |K_0 - k|^2 plus terms that are small themselves, so that nothing cancels. Source:
 * docs/theory.md, "Mesh error" (Hockney and Eastwood, Computer Simulation Using Particles, ch. 8;
 * analytic differentiation: Ballenegger, Cerda, Holm, J. Chem. Theory Comput. 8 (2012) 936).
 *
 * Self-force: a charge also meets the charge that it spread itself, in through one alias and out
 * through another. The phases depend on its place u_d within a fine cell,
 *
 *   F = -(q^2/V) sum_d (M_d/2 pi) b_d sum_k Ghat s_d(u_d) prod_{e != d} A_e
 *
 * s_d(u) being the slope of |T(u)|^2/2 w_0^2, T(u) = sum_n w_n exp(2 pi i n u) what a unit charge
 * there spreads of the mode. (Phases of two axes at once go with the products of their aliases and
 * are left out.) Its mean square over the places is taken.
 *
 * Modes are sampled along the shortest vectors of the lattice, which the sphere is compact in. A
 * grid given may divide vectors that are far longer: a sampled mode then has other indices along
 * them, for which the window's aliasing is tabulated.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mesh_error.h"
#include "enuf/window.h"
#include "parameters.h"

#include <math.h>

enum { SAMPLES = ENUF_MESH_FINE };

/* Entries of the table of the window's aliasing, along an axis of the grid that differs from the
 * axes of the samples. The result agrees with the sum over all modes to 0.1 % (29 to 361 modes an
 * axis, widths 6 to 28). */
enum { TABULATED = 64 };

static const double two_pi = 6.283185307179586476925;

/* Sum of the squares of the grid's vectors, over that of the shortest ones. Up to this ratio
 * samples along the grid's vectors give the error to 1 % (ENUF_MESH_FINE) and 2 %
 * (ENUF_MESH_COARSE). At a ratio of 5 they give it to 20 %, at 80 to a factor of 2, and if few
 * modes count, of 400. */
static const double LONG_VECTORS = 2;

/* Stretches of the modes m >= 0 of an axis: single modes if they are few, else 0, 1, 2 and equal
 * stretches of the rest. */
typedef struct stretches {
    int n, are_single;
    int64_t rest; /* of the modes, beyond the single ones */
} stretches;

enum { SINGLE = 3 };

static stretches cut_axis(int64_t last, int most)
{
    const int few = last + 1 <= most;
    return (stretches){few ? (int)last + 1 : most, few, last + 1 - SINGLE};
}

/* Where stretch j begins. */
static int64_t start_of(const stretches *of, int j)
{
    return of->are_single || j <= SINGLE ? j : SINGLE + of->rest * (j - SINGLE) / (of->n - SINGLE);
}

/* The stretch that mode m lies in. */
static int stretch_of(const stretches *of, int64_t m)
{
    if (of->are_single || m < SINGLE) return (int)(m < of->n ? m : of->n - 1);
    int j = SINGLE + (int)((m - SINGLE) * (of->n - SINGLE) / of->rest);
    if (j >= of->n) return of->n - 1;
    return j + 1 < of->n && start_of(of, j + 1) <= m ? j + 1 : j;
}

/* The middles of an axis's stretches, and the number of modes each stands for. */
typedef struct axis_samples {
    stretches cut;
    double m[SAMPLES], count[SAMPLES];
} axis_samples;

static void sample_axis(int64_t last, int samples, axis_samples *axis)
{
    axis->cut = cut_axis(last, samples);
    for (int j = 0; j < axis->cut.n; j++) {
        const int64_t from = start_of(&axis->cut, j), to = start_of(&axis->cut, j + 1);
        axis->m[j] = (double)((from + to - 1) / 2);
        axis->count[j] = (double)(to - from);
    }
}

/* The window's errors along one axis of the grid, at the middles of stretches. Slopes are per mode
 * number: M_d/2 pi times the slopes per angle. */
typedef struct axis_window {
    stretches cut;
    double alias[TABULATED], gradient_alias[TABULATED], bias[TABULATED], noise[TABULATED];
    double own[TABULATED][ENUF_OWN_SLOPES];
} axis_window;

static enuf_status tabulate_axis(const enuf_mesh *mesh, int d, int most, axis_window *axis)
{
    const double cells = (double)mesh->grid[d] / two_pi;
    int64_t m[TABULATED];
    axis->cut = cut_axis(mesh->modes[d] / 2, most);
    for (int j = 0; j < axis->cut.n; j++)
        m[j] = (start_of(&axis->cut, j) + start_of(&axis->cut, j + 1) - 1) / 2;
    enuf_aliasing out = {axis->alias, axis->gradient_alias, axis->bias, axis->noise, axis->own[0]};
    ENUF_TRY(enuf_window_aliasing(mesh->window, mesh->width, mesh->shape, mesh->grid[d],
                                  axis->cut.n, m, &out));
    for (int j = 0; j < axis->cut.n; j++) {
        axis->bias[j] *= cells;
        axis->gradient_alias[j] *= cells * cells;
    }
    return ENUF_SUCCESS;
}

void enuf_influence_tabulate(const enuf_splitting *splitting, double k_c,
                             const enuf_structure_factor *structure, enuf_influence_table *table)
{
    table->cutoff = splitting->cutoff;
    table->limit = k_c * k_c * (1 + 1e-9);
    for (int i = 0; i < ENUF_INFLUENCE_STEPS; i++) {
        double chi, chi_d;
        /* just inside: beyond its band the prolate transform is 0 */
        double k = (1 - 1e-9) * sqrt(table->limit * i / (ENUF_INFLUENCE_STEPS - 1));
        enuf_splitting_transform(splitting, k, &chi, &chi_d);
        table->log_chi[i] = log(fmax(chi, 1e-300));
        table->structure_factor[i] = enuf_structure_factor_at(structure, k);
    }
}

/* 4 pi chi_hat/k^2, and the structure factor there */
static double influence_at(const enuf_influence_table *table, double k2, double *order)
{
    double at = fmin(k2 / table->limit, 1) * (ENUF_INFLUENCE_STEPS - 1);
    int i = (int)fmin(at, ENUF_INFLUENCE_STEPS - 2);
    double log_chi = table->log_chi[i] + (at - i) * (table->log_chi[i + 1] - table->log_chi[i]);
    *order = table->structure_factor[i] +
             (at - i) * (table->structure_factor[i + 1] - table->structure_factor[i]);
    return 2 * two_pi * exp(log_chi) / k2;
}

/* (1 + a)(1 + b) - 1, without cancellation */
static inline double joined(double a, double b)
{
    return a + b + a * b;
}

/* The sampled modes, along the shortest vectors of the lattice, and their indices along the vectors
 * of the grid. */
typedef struct mode_samples {
    axis_samples axis[3];
    double metric[9];     /* c_d . c_e of the reciprocal vectors c_d */
    double index[3][3];   /* m_d = sum_e index[d][e] of the vectors' e */
    int is_grid, octants; /* is_grid: the grid's own vectors */
} mode_samples;

static void make_metric(const enuf_cell_geometry *cell, double metric[9])
{
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) {
            double sum = 0;
            for (int x = 0; x < 3; x++) sum += cell->frame[3 * d + x] * cell->frame[3 * e + x];
            metric[3 * d + e] = two_pi * two_pi * sum;
        }
}

static double squares_of(const double length[3])
{
    return length[0] * length[0] + length[1] * length[1] + length[2] * length[2];
}

static enuf_status sample_modes(const enuf_cell_geometry *cell, const enuf_mesh *mesh, double k_c,
                                int samples, mode_samples *of)
{
    double basis[9];
    enuf_cell_geometry shortest;
    int64_t modes[3] = {mesh->modes[0], mesh->modes[1], mesh->modes[2]};
    enuf_cell_shortest_basis(cell->cell, 3, basis);
    ENUF_TRY(enuf_cell_geometry_make(basis, &shortest));
    of->is_grid = squares_of(cell->length) <= LONG_VECTORS * squares_of(shortest.length);
    if (of->is_grid)
        shortest = *cell;
    else
        enuf_modes_of_sphere(&shortest, k_c, modes);
    make_metric(&shortest, of->metric);
    of->octants = of->is_grid ? 1 : 4;
    for (int d = 0; d < 3; d++) {
        double fractions[3];
        enuf_cell_fractions(&shortest, &cell->cell[3 * d], fractions);
        for (int e = 0; e < 3; e++) {
            of->index[d][e] = of->is_grid ? d == e : rint(fractions[e]);
            /* with orthogonal axes all octants are equal */
            if (d != e && of->metric[3 * d + e] != 0) of->octants = 4;
        }
        sample_axis(modes[d] / 2, samples, &of->axis[d]);
    }
    return ENUF_SUCCESS;
}

/* The bracket for one mode m along the grid's axes (j indexes the tables), and the amplification of
 * noise. The term of the mode itself has the factor `order`, its structure factor; the terms of its
 * aliases have 1. */
static double bracket(const axis_window axis[3], const double m[3], const int j[3],
                      const double metric[9], double order, double *noise)
{
    double a[3], k0[3], bias[3];
    *noise = 1;
    for (int d = 0; d < 3; d++) {
        a[d] = axis[d].alias[j[d]];
        bias[d] = copysign(1, m[d]) * axis[d].bias[j[d]];
        k0[d] = m[d] + bias[d];
        *noise *= axis[d].noise[j[d]];
    }
    double gathered = 0, met = 0;
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) {
            double g = metric[3 * d + e];
            if (g == 0) continue;
            /* alias sums of interpolation, except along the axes with kappa */
            const double others = d == e ? joined(a[(d + 1) % 3], a[(d + 2) % 3]) : a[3 - d - e];
            const double slope = d == e ? axis[d].gradient_alias[j[d]] * (1 + others) : 0;
            gathered += g * (bias[d] * bias[e] + k0[d] * k0[e] * others + slope);
            met += g * (k0[d] * k0[e] * (1 + others) + slope);
        }
    return order * gathered + joined(joined(a[0], a[1]), a[2]) * met;
}

/* Mean square, over the places of a unit charge, of the slope of its self-force; `along` are the
 * sums of the influence over the two other axes. */
static double own_square(const axis_window *axis, const double along[TABULATED])
{
    double square = 0;
    for (int r = 0; r < ENUF_OWN_SLOPES; r++) {
        double sum = 0;
        for (int j = 0; j < axis->cut.n; j++) sum += along[j] * axis->own[j][r];
        square += sum * sum;
    }
    return square;
}

/* A cell, its grid and the window on it. */
typedef struct mesh_terms {
    mode_samples modes;
    axis_window axis[3];
    double cells[3], metric[9]; /* M_d/2 pi; b_d . b_e */
    double slope;               /* mean square slope of the window, of all axes */
} mesh_terms;

static enuf_status make_terms(const enuf_cell_geometry *cell, const enuf_mesh *mesh, double k_c,
                              int samples, mesh_terms *terms)
{
    ENUF_TRY(sample_modes(cell, mesh, k_c, samples, &terms->modes));
    make_metric(cell, terms->metric);
    terms->slope = 0;
    for (int d = 0; d < 3; d++) {
        int same =
            d > 0 && mesh->modes[d] == mesh->modes[d - 1] && mesh->grid[d] == mesh->grid[d - 1];
        if (same)
            terms->axis[d] = terms->axis[d - 1];
        else
            ENUF_TRY(tabulate_axis(mesh, d, terms->modes.is_grid ? samples : TABULATED,
                                   &terms->axis[d]));
        terms->cells[d] = (double)mesh->grid[d] / two_pi;
        /* 5/P is the mean square slope over the mean square of any window in use */
        terms->slope +=
            5.0 / mesh->width * terms->metric[4 * d] * terms->cells[d] * terms->cells[d];
    }
    return ENUF_SUCCESS;
}

typedef struct mesh_sums {
    double aliasing, noise, squares; /* squares: of the single modes' aliasing */
    double along[3][TABULATED]; /* of the influence over two axes, for the charge's self-force */
} mesh_sums;

/* The mode of sample i in an octant. */
static void add_mode(const mesh_terms *terms, const enuf_influence_table *table, const int i[3],
                     const double sign[3], mesh_sums *sums)
{
    const mode_samples *modes = &terms->modes;
    const axis_window *axis = terms->axis;
    double along[3], on_grid[3], count = 1, k2 = 0, noise;
    int stretch[3];
    for (int d = 0; d < 3; d++) along[d] = sign[d] * modes->axis[d].m[i[d]];
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) k2 += modes->metric[3 * d + e] * along[d] * along[e];
    if (k2 == 0 || k2 > table->limit) return;
    for (int d = 0; d < 3; d++) {
        count *= modes->axis[d].count[i[d]];
        if (i[d] > 0 && (d == 0 || modes->octants == 1)) count *= 2;
    }
    if (!modes->is_grid) {
        for (int d = 0; d < 3; d++) {
            on_grid[d] = 0;
            for (int e = 0; e < 3; e++) on_grid[d] += modes->index[d][e] * along[e];
            stretch[d] = stretch_of(&axis[d].cut, (int64_t)fabs(on_grid[d]));
        }
    }
    const double *m = modes->is_grid ? along : on_grid;
    const int *j = modes->is_grid ? i : stretch;
    double order;
    double influence = influence_at(table, k2, &order);
    double error = bracket(axis, m, j, terms->metric, order, &noise);
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
    ENUF_TRY(make_terms(cell, mesh, sqrt(table->limit), samples, &terms));
    const axis_samples *axis = terms.modes.axis;
    int i[3];
    /* the octants (+,+,+), (+,-,+), (+,+,-), (+,-,-) and their opposites cover all modes */
    for (int octant = 0; octant < terms.modes.octants; octant++) {
        const double sign[3] = {1, octant & 1 ? -1 : 1, octant & 2 ? -1 : 1};
        for (i[2] = octant & 2 ? 1 : 0; i[2] < axis[2].cut.n; i[2]++)
            for (i[1] = octant & 1 ? 1 : 0; i[1] < axis[1].cut.n; i[1]++)
                for (i[0] = 0; i[0] < axis[0].cut.n; i[0]++)
                    add_mode(&terms, table, i, sign, &sums);
    }
    double scale = table->cutoff / cell->volume, own = 0;
    for (int d = 0; d < 3; d++)
        own += terms.metric[4 * d] * terms.cells[d] * terms.cells[d] *
               own_square(&terms.axis[d], sums.along[d]);
    errors->aliasing = sqrt(scale * sums.aliasing);
    /* |S(k)|^2 scatters by its mean; k and -k have the same */
    errors->scatter = sums.aliasing > 0 ? 0.5 * sqrt(2 * sums.squares) / sums.aliasing : 0;
    errors->own = sqrt(scale * own);
    /* of spreading, and of interpolating slopes */
    errors->rounding = unit * sqrt(scale * sums.noise);
    return ENUF_SUCCESS;
}
