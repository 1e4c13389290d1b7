/*
 * test_second_derivatives.c - enuf_ewald_differentiate() gives the derivatives of exact sums along
 * a direction of positions, charges and cell, each alone and all together.
 *
 * Reference: sixth-order central differences of exact Ewald sums. 40 to 60 ions in cells of every
 * shape, some without charge, some in other cells, with a net charge or a boundary dielectric;
 * slabs; water with exclusions; both splittings; A = 1e-4 to 1e-10. Bounds: 20 A, of the l2 norm of
 * the reference for forces and potentials, of sum |F . u| + 1/2 (|w phi| + |q dphi| + |e| |q phi|)
 * for the energy, of this (over the edge of the cell and with the norm of the reference for
 * dE/dcell) for virial and dE/dcell. Of few ions more systems, strains alone. Laws: the product is
 * symmetric, a rotation turns all results, a strain of positions and cell together changes the
 * energy by minus the virial, a dilation all results by powers of the length, dF/dx of an ion obeys
 * Poisson's equation, and the slope by charges is linear. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"
#include "enuf/ewald_derivatives.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOPES = ENUF_WANT_ENERGY | ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL | ENUF_WANT_VIRIAL,
};

static double *numbers(int64_t n)
{
    double *x = calloc((size_t)n, sizeof *x);
    if (!x) abort();
    return x;
}

/* A direction with arrays of its own: u, w, g. */
typedef struct motion {
    double *u, *w, g[9], strained; /* norm of cell^-1 g */
    int moves, recharges, deforms; /* which count */
} motion;

static motion make_motion(uint64_t seed, const charge_system *s, double charge, int is_slab)
{
    motion m = {
        .u = numbers(3 * s->n), .w = numbers(s->n), .moves = 1, .recharges = 1, .deforms = 1};
    double e[9], sum = 0;
    random_numbers(seed, 3 * s->n, -1, 1, m.u);
    random_numbers(seed + 1, s->n, -1, 1, m.w);
    random_numbers(seed + 2, 9, -0.1, 0.1, e);
    if (is_slab) e[2] = e[5] = e[6] = e[7] = 0; /* its cell has these tilts only */
    for (int64_t i = 0; i < s->n; i++) sum += m.w[i];
    m.w[0] += charge - sum;
    for (int k = 0; k < 9; k++) m.strained += e[k] * e[k];
    m.strained = sqrt(m.strained);
    for (int k = 0; k < 9; k++)
        for (int d = 0; d < 3; d++) m.g[k] += s->cell[3 * (k / 3) + d] * e[3 * d + k % 3];
    return m;
}

static void free_motion(motion *m)
{
    free(m->u);
    free(m->w);
}

static enuf_ewald_direction direction_of(const motion *m)
{
    return (enuf_ewald_direction){.struct_size = sizeof(enuf_ewald_direction),
                                  .positions = m->moves ? m->u : NULL,
                                  .charges = m->recharges ? m->w : NULL,
                                  .cell = m->deforms ? m->g : NULL};
}

static charge_system moved(const charge_system *s, const motion *m, double t)
{
    charge_system to = copy_system(s);
    for (int64_t k = 0; k < 3 * s->n && m->moves; k++) to.x[k] += t * m->u[k];
    for (int64_t k = 0; k < s->n && m->recharges; k++) to.q[k] += t * m->w[k];
    for (int k = 0; k < 9 && m->deforms; k++) to.cell[k] += t * m->g[k];
    return to;
}

/* ((forces^T x - virial) cell^-1)^T */
static void cell_gradient(const charge_system *s, const double *forces, const double w[6],
                          double gradient[9])
{
    const double *h = s->cell, v[9] = {w[0], w[3], w[4], w[3], w[1], w[5], w[4], w[5], w[2]};
    double a[9], inverse[9];
    for (int c = 0; c < 9; c++) {
        a[c] = -v[c];
        for (int64_t i = 0; i < s->n; i++) a[c] += forces[3 * i + c / 3] * s->x[3 * i + c % 3];
    }
    const double det = h[0] * (h[4] * h[8] - h[5] * h[7]) - h[1] * (h[3] * h[8] - h[5] * h[6]) +
                       h[2] * (h[3] * h[7] - h[4] * h[6]);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const int i = (c + 1) % 3, j = (c + 2) % 3, k = (r + 1) % 3, l = (r + 2) % 3;
            inverse[3 * r + c] = (h[3 * i + k] * h[3 * j + l] - h[3 * i + l] * h[3 * j + k]) / det;
        }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            gradient[3 * r + c] = 0;
            for (int b = 0; b < 3; b++) gradient[3 * r + c] += a[3 * c + b] * inverse[3 * b + r];
        }
}

/* Numbers of a system: energy, virial, dE/dcell, forces, potentials. */
enum { ENERGY = 0, VIRIAL = 1, CELL = 7, FORCES = 16 };

static double *all_of(const charge_system *s, const enuf_ewald_result *r)
{
    double *all = numbers(FORCES + 4 * s->n);
    all[ENERGY] = r->energy;
    memcpy(all + VIRIAL, r->virial, sizeof r->virial);
    cell_gradient(s, r->forces, r->virial, all + CELL);
    memcpy(all + FORCES, r->forces, (size_t)(3 * s->n) * sizeof *all);
    memcpy(all + FORCES + 3 * s->n, r->potential, (size_t)s->n * sizeof *all);
    return all;
}

static double *reference(const enuf_ewald_options *options, const charge_system *s,
                         const enuf_exclusions *exclusions, const motion *m)
{
    static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
    const double h = 4e-3; /* h^6 and 1e-15/h are below 1e-12 */
    double *slope = numbers(FORCES + 4 * s->n);
    for (int step = 1; step <= 3; step++)
        for (int sign = -1; sign <= 1; sign += 2) {
            charge_system at = moved(s, m, sign * step * h);
            enuf_ewald_result r = evaluate_exactly(options, &at, exclusions);
            double *all = all_of(&at, &r);
            for (int64_t k = 0; k < FORCES + 4 * s->n; k++)
                slope[k] += sign * weight[step - 1] / h * all[k];
            free(all);
            free_result(&r);
            free_system(&at);
        }
    return slope;
}

static double norm_of(int64_t n, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t k = 0; k < n; k++) {
        const double x = a[k] - (b ? b[k] : 0);
        sum += x * x;
    }
    return sqrt(sum);
}

static double *slopes_of(enuf_ewald *ewald, const charge_system *s, const motion *m)
{
    double *all = numbers(FORCES + 4 * s->n);
    enuf_ewald_slopes slopes = {
        .struct_size = sizeof slopes, .forces = all + FORCES, .potential = all + FORCES + 3 * s->n};
    const enuf_ewald_direction direction = direction_of(m);
    CHECK_STATUS(enuf_ewald_differentiate(ewald, s->x, 3, &direction, SLOPES, &slopes),
                 ENUF_SUCCESS);
    all[ENERGY] = slopes.energy;
    memcpy(all + VIRIAL, slopes.virial, sizeof slopes.virial);
    memcpy(all + CELL, slopes.cell, sizeof slopes.cell);
    return all;
}

/* The sizes of slopes, which the bounds are relative to: without exclusions, since the sums include
 * the excluded pairs first. */
typedef struct sizes {
    double forces, potentials, energy, cell;
} sizes;

static sizes sizes_of(const enuf_ewald_options *options, const charge_system *s, const motion *m)
{
    double *slopes = reference(options, s, NULL, m);
    enuf_ewald_result r = evaluate_exactly(options, s, NULL);
    const double *force_slopes = slopes + FORCES, *potential_slopes = force_slopes + 3 * s->n;
    sizes size = {.forces = norm_of(3 * s->n, force_slopes, NULL),
                  .potentials = norm_of(s->n, potential_slopes, NULL),
                  .cell = norm_of(9, slopes + CELL, NULL)};
    const double *h = s->cell;
    const double volume = h[0] * (h[4] * h[8] - h[5] * h[7]) - h[1] * (h[3] * h[8] - h[5] * h[6]) +
                          h[2] * (h[3] * h[7] - h[4] * h[6]);
    for (int64_t i = 0; i < s->n; i++) {
        size.energy += 0.5 * fabs(s->q[i] * potential_slopes[i]);
        if (m->recharges) size.energy += 0.5 * fabs(m->w[i] * r.potential[i]);
        if (m->deforms) size.energy += 0.5 * m->strained * fabs(s->q[i] * r.potential[i]);
        for (int d = 0; d < 3 && m->moves; d++)
            size.energy += fabs(r.forces[3 * i + d] * m->u[3 * i + d]);
    }
    size.cell += size.energy / cbrt(fabs(volume));
    free(slopes);
    free_result(&r);
    return size;
}

static void compare(const enuf_ewald_options *options, enuf_ewald *ewald, const charge_system *s,
                    const enuf_exclusions *exclusions, const motion *m, double bound)
{
    double *wanted = reference(options, s, exclusions, m), *found = slopes_of(ewald, s, m);
    const sizes size = sizes_of(options, s, m);
    const int64_t potentials = FORCES + 3 * s->n;
    printf("positions %d, charges %d, cell %d\n", m->moves, m->recharges, m->deforms);
    CHECK_BELOW(norm_of(3 * s->n, found + FORCES, wanted + FORCES) / size.forces, bound,
                "slopes of forces, relative");
    CHECK_BELOW(norm_of(s->n, found + potentials, wanted + potentials) / size.potentials, bound,
                "slopes of potentials, relative");
    CHECK_BELOW((found[ENERGY] - wanted[ENERGY]) / size.energy, bound, "slope of the energy");
    CHECK_BELOW(largest_difference(6, found + VIRIAL, wanted + VIRIAL) / size.energy, bound,
                "slope of the virial");
    CHECK_BELOW(norm_of(9, found + CELL, wanted + CELL) / size.cell, bound,
                "slope of dE/dcell, relative");
    free(wanted);
    free(found);
}

/* <a, H b> of slopes b along m: the product with the direction a. */
static double product(const charge_system *s, const motion *a, const double *slopes)
{
    double sum = 0;
    for (int64_t k = 0; k < 3 * s->n; k++) sum -= a->u[k] * slopes[FORCES + k];
    for (int64_t i = 0; i < s->n; i++) sum += a->w[i] * slopes[FORCES + 3 * s->n + i];
    for (int k = 0; k < 9; k++) sum += a->g[k] * slopes[CELL + k];
    return sum;
}

static double size_of_product(const charge_system *s, const motion *a, const double *slopes)
{
    double sum = 0;
    for (int64_t k = 0; k < 3 * s->n; k++) sum += fabs(a->u[k] * slopes[FORCES + k]);
    for (int64_t i = 0; i < s->n; i++) sum += fabs(a->w[i] * slopes[FORCES + 3 * s->n + i]);
    for (int k = 0; k < 9; k++) sum += fabs(a->g[k] * slopes[CELL + k]);
    return sum;
}

static void symmetry(enuf_ewald *ewald, const charge_system *s, const motion *a, const motion *b,
                     double bound)
{
    double *of_a = slopes_of(ewald, s, a), *of_b = slopes_of(ewald, s, b);
    CHECK_BELOW((product(s, a, of_b) - product(s, b, of_a)) / size_of_product(s, a, of_b), bound,
                "<a, H b> - <b, H a>");
    free(of_a);
    free(of_b);
}

static void turn(const double omega[9], const double *x, double to[3])
{
    for (int b = 0; b < 3; b++) to[b] = x[0] * omega[b] + x[1] * omega[3 + b] + x[2] * omega[6 + b];
}

/* x omega of positions and cell: forces and dE/dcell turn too, energy and potentials stay. */
static void rotation(const enuf_ewald_options *options, enuf_ewald *ewald, const charge_system *s,
                     const enuf_exclusions *exclusions, double bound)
{
    const double omega[9] = {0, 0.7, -0.4, -0.7, 0, 1.1, 0.4, -1.1, 0};
    motion m = make_motion(31, s, 0, 0);
    enuf_ewald_result r = evaluate_exactly(options, s, exclusions);
    double *turned = numbers(3 * s->n), gradient[9], gradient_turned[9];
    m.recharges = 0;
    for (int64_t i = 0; i < s->n; i++) turn(omega, &s->x[3 * i], &m.u[3 * i]);
    for (int row = 0; row < 3; row++) turn(omega, &s->cell[3 * row], &m.g[3 * row]);
    double *slopes = slopes_of(ewald, s, &m), potentials = norm_of(s->n, r.potential, NULL);
    for (int64_t i = 0; i < s->n; i++) turn(omega, &r.forces[3 * i], &turned[3 * i]);
    cell_gradient(s, r.forces, r.virial, gradient);
    for (int row = 0; row < 3; row++) turn(omega, &gradient[3 * row], &gradient_turned[3 * row]);
    double scale = 0;
    for (int64_t i = 0; i < s->n; i++) scale += 0.5 * fabs(s->q[i] * r.potential[i]);
    CHECK_BELOW(slopes[ENERGY] / scale, bound, "rotation: slope of the energy");
    CHECK_BELOW(norm_of(3 * s->n, slopes + FORCES, turned) / norm_of(3 * s->n, turned, NULL), bound,
                "rotation: slopes of forces");
    CHECK_BELOW(norm_of(s->n, slopes + FORCES + 3 * s->n, NULL) / potentials, bound,
                "rotation: slopes of potentials");
    CHECK_BELOW(norm_of(9, slopes + CELL, gradient_turned) / norm_of(9, gradient, NULL), bound,
                "rotation: slope of dE/dcell");
    free(turned);
    free(slopes);
    free_motion(&m);
    free_result(&r);
}

/* A strain of positions and cell together changes the energy by -W. */
static void strain(enuf_ewald *ewald, const charge_system *s, double bound)
{
    const double e[9] = {0.3, 0.1, 0, 0.1, -0.5, 0, 0, 0, 0.4};
    motion m = make_motion(32, s, 0, 0);
    enuf_ewald_result r = make_result(s->n);
    m.recharges = 0;
    for (int64_t i = 0; i < s->n; i++) turn(e, &s->x[3 * i], &m.u[3 * i]);
    for (int row = 0; row < 3; row++) turn(e, &s->cell[3 * row], &m.g[3 * row]);
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, WANT_ALL, &r), ENUF_SUCCESS);
    double *slopes = slopes_of(ewald, s, &m), scale = 0;
    for (int64_t i = 0; i < s->n; i++) scale += 0.5 * fabs(s->q[i] * r.potential[i]);
    const double virial =
        0.3 * r.virial[0] - 0.5 * r.virial[1] + 0.4 * r.virial[2] + 0.2 * r.virial[3];
    CHECK_BELOW((slopes[ENERGY] + virial) / scale, bound, "strain: slope of the energy + W");
    free(slopes);
    free_motion(&m);
    free_result(&r);
}

/* Lengths times 1 + t: energies fall as 1/length, forces as 1/length^2. */
static void dilation(const enuf_ewald_options *options, enuf_ewald *ewald, const charge_system *s,
                     double bound)
{
    motion m = make_motion(33, s, 0, 0);
    enuf_ewald_result r = make_result(s->n), all = evaluate_exactly(options, s, NULL);
    m.recharges = 0;
    memcpy(m.u, s->x, (size_t)(3 * s->n) * sizeof *m.u);
    memcpy(m.g, s->cell, sizeof m.g);
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, WANT_ALL, &r), ENUF_SUCCESS);
    double *slopes = slopes_of(ewald, s, &m), *expected = numbers(3 * s->n), scale = 0;
    double *const potentials = slopes + FORCES + 3 * s->n;
    for (int64_t i = 0; i < s->n; i++)
        scale += sqrt(3) * 0.5 * fabs(s->q[i] * all.potential[i]); /* |e| is sqrt(3) */
    CHECK_BELOW((slopes[ENERGY] + r.energy) / scale, bound, "dilation: slope of the energy + E");
    for (int c = 0; c < 6; c++)
        CHECK_BELOW((slopes[VIRIAL + c] + r.virial[c]) / scale, bound,
                    "dilation: slope of the virial + W");
    for (int64_t k = 0; k < 3 * s->n; k++) expected[k] = -2 * r.forces[k];
    CHECK_BELOW(norm_of(3 * s->n, slopes + FORCES, expected) /
                    (2 * norm_of(3 * s->n, all.forces, NULL)),
                bound, "dilation: slopes of forces + 2 F");
    for (int64_t i = 0; i < s->n; i++) potentials[i] += r.potential[i];
    CHECK_BELOW(norm_of(s->n, potentials, NULL) / norm_of(s->n, all.potential, NULL), bound,
                "dilation: slopes of potentials + phi");
    free(expected);
    free(slopes);
    free_motion(&m);
    free_result(&r);
    free_result(&all);
}

/* Poisson's equation on tinfoil: where ion i is, the other charges, of Q - q_i, have no density but
 * their background's. So the trace of dF_i/dx_i is -4 pi C q_i (Q - q_i)/V. */
static void poisson(const enuf_ewald_options *options, enuf_ewald *ewald, const charge_system *s,
                    double bound)
{
    const double *h = s->cell, pi = acos(-1.0);
    const double volume =
        fabs(h[0] * (h[4] * h[8] - h[5] * h[7]) - h[1] * (h[3] * h[8] - h[5] * h[6]) +
             h[2] * (h[3] * h[7] - h[4] * h[6]));
    motion m = make_motion(34, s, 0, 0);
    double net = 0;
    m.recharges = m.deforms = 0;
    for (int64_t i = 0; i < s->n; i++) net += s->q[i];
    for (int64_t i = 0; i < 5; i++) {
        double trace = 0, size = 0;
        for (int d = 0; d < 3; d++) {
            memset(m.u, 0, (size_t)(3 * s->n) * sizeof *m.u);
            m.u[3 * i + d] = 1;
            double *slopes = slopes_of(ewald, s, &m);
            trace += slopes[FORCES + 3 * i + d];
            size += norm_of(3 * s->n, slopes + FORCES, NULL);
            free(slopes);
        }
        const double expected = -4 * pi * options->coulomb * s->q[i] * (net - s->q[i]) / volume;
        CHECK_BELOW((trace - expected) / size, bound,
                    "trace of dF/dx of an ion: Poisson's equation");
    }
    free_motion(&m);
}

/* Charges alone: the potentials of w, which an evaluation with charges w gives. */
static void linearity(enuf_ewald *ewald, const charge_system *s, const motion *all, double bound)
{
    motion m = *all;
    charge_system other = *s;
    enuf_ewald_result r = make_result(s->n);
    m.moves = m.deforms = 0;
    other.q = m.w;
    double *slopes = slopes_of(ewald, s, &m);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s->n, other.q, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, ENUF_WANT_POTENTIAL, &r), ENUF_SUCCESS);
    CHECK_BELOW(norm_of(s->n, slopes + FORCES + 3 * s->n, r.potential) /
                    norm_of(s->n, r.potential, NULL),
                bound, "charges: potentials of w");
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s->n, s->q, NULL), ENUF_SUCCESS);
    free(slopes);
    free_result(&r);
}

static void check(const enuf_ewald_options *options, const charge_system *s,
                  const enuf_exclusions *exclusions)
{
    const double bound = 20 * options->accuracy;
    const int is_slab = options->slab > 0;
    enuf_ewald *ewald = make_ewald(options, s, exclusions);
    if (!ewald) return;
    /* exact sums refuse a net charge in a dielectric */
    motion m = make_motion(21, s, options->surroundings > 0 ? 0 : 0.7, is_slab);
    motion other = make_motion(24, s, -1.3, 0);
    for (int parts = 1; parts < 8; parts++) {
        motion part = m;
        if (parts > 4 && parts < 7) continue;
        part.moves = parts & 1;
        part.recharges = (parts & 2) != 0;
        part.deforms = (parts & 4) != 0;
        compare(options, ewald, s, exclusions, &part, bound);
    }
    symmetry(ewald, s, &m, &other, bound);
    rotation(options, ewald, s, exclusions, bound);
    strain(ewald, s, bound);
    dilation(options, ewald, s, bound);
    if (options->surroundings == 0 && !is_slab && !exclusions) poisson(options, ewald, s, bound);
    if (!exclusions && options->surroundings == 0) linearity(ewald, s, &m, bound);
    enuf_ewald_destroy(&ewald);
    free_motion(&m);
    free_motion(&other);
}

/* The ions go to other cells. */
static void wander(charge_system *s)
{
    for (int64_t i = 0; i < s->n; i++)
        for (int d = 0; d < 9; d++)
            s->x[3 * i + d % 3] += (double)((i + d / 3) % 5 - 2) * s->cell[d];
}

/* Of few ions the modes at the edge of the sphere, which a strain changes most, are few, so that
 * what is left out averages least. */
static void few_ions(void)
{
    for (int k = 0; k < 3 * CELL_SHAPE_COUNT * 2; k++) {
        const cell_shape shape = (cell_shape)(k % CELL_SHAPE_COUNT);
        const enuf_split split =
            k / CELL_SHAPE_COUNT % 2 ? ENUF_SPLIT_PROLATE : ENUF_SPLIT_GAUSSIAN;
        charge_system s = make_ions((uint64_t)(71 + k), k % 3 ? 16 : 8, shape, 0);
        enuf_ewald_options options = options_for(k % 5 < 2 ? 1e-6 : 1e-10, split);
        enuf_ewald *ewald = make_ewald(&options, &s, NULL);
        motion m = make_motion((uint64_t)k, &s, 0, 0);
        m.moves = m.recharges = 0;
        printf("few ions, %s, %s, A = %g\n", cell_shape_name(shape), enuf_split_name(split),
               options.accuracy);
        compare(&options, ewald, &s, NULL, &m, 20 * options.accuracy);
        dilation(&options, ewald, &s, 20 * options.accuracy);
        enuf_ewald_destroy(&ewald);
        free_motion(&m);
        free_system(&s);
    }
}

int main(void)
{
    static const double accuracies[CELL_SHAPE_COUNT] = {1e-4, 1e-6, 1e-8, 1e-10};
    for (int shape = 0; shape < CELL_SHAPE_COUNT; shape++)
        for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; split++) {
            charge_system s = make_ions(51, 60, (cell_shape)shape, shape % 2 ? 1.5 : 0);
            enuf_ewald_options options = options_for(accuracies[shape], (enuf_split)split);
            printf("%s, %s, A = %g\n", cell_shape_name((cell_shape)shape),
                   enuf_split_name(options.split), options.accuracy);
            options.coulomb = 2.5;
            if (shape == CELL_THIN) s.q[7] = s.q[8] = 0;
            if (shape == CELL_TRICLINIC) wander(&s);
            if (shape % 2 == 0) options.surroundings = shape == CELL_CUBIC ? 1 : 5;
            check(&options, &s, NULL);
            free_system(&s);
        }
    for (int charged = 0; charged < 2; charged++) {
        charge_system s = make_ions(52, 40, CELL_CUBIC, charged ? 2 : 0);
        enuf_ewald_options options =
            options_for(charged ? 1e-8 : 1e-5, charged ? ENUF_SPLIT_PROLATE : ENUF_SPLIT_GAUSSIAN);
        options.slab = 3;
        printf("slab, net charge %d\n", charged ? 2 : 0);
        check(&options, &s, NULL);
        free_system(&s);
    }
    int64_t pairs[6 * 16];
    double weights[48];
    for (int k = 0; k < 48; k++) weights[k] = k % 2 ? 0 : 0.5;
    charge_system water = make_water(53, 16, pairs);
    enuf_ewald_options options = options_for(1e-7, ENUF_SPLIT_AUTO);
    const enuf_exclusions exclusions = {48, pairs, weights};
    printf("water with exclusions\n");
    check(&options, &water, &exclusions);
    free_system(&water);
    few_ions();
    return check_result();
}
