/*
 * test_slab.c - slabs (EW3DC). 100 random ions, neutral and charged, at A = 1e-12. Reference: exact
 * sums with the same correction. Bounds: A for forces, 20 A for energy and virial, 400 A for
 * potentials. Two properties of slabs: results do not depend on the empty space, to 2 A, and two
 * sheets of opposite charge have the known force and energy, to 1e-12.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void agree_with_exact(double net, cell_shape shape, double factor)
{
    const double accuracy = 1e-12;
    charge_system s = make_ions(51, 100, CELL_CUBIC, net);
    if (shape == CELL_TRICLINIC) s.cell[3] = 0.3 * s.cell[0]; /* tilt xy */
    enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_PROLATE);
    options.slab = factor;
    enuf_ewald_result r = evaluate(&options, &s, NULL, WANT_ALL);
    enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL);
    double scale = 0;
    for (int64_t i = 0; i < s.n; i++) scale += 0.5 * fabs(s.q[i] * exact.potential[i]);
    printf("net charge %g, %s, factor %g\n", net, cell_shape_name(shape), factor);
    CHECK_CLOSE(r.parts.surface, exact.parts.surface, 1e-12, "surface part, rounding");
    CHECK_BELOW(rms_difference(s.n, r.forces, exact.forces) / reference_force(&s), accuracy,
                "RMS force error / F_ref, A");
    CHECK_BELOW((r.energy - exact.energy) / scale, 20 * accuracy, "energy error, 20 A");
    CHECK_BELOW(largest_difference(6, r.virial, exact.virial) / scale, 20 * accuracy,
                "virial error, 20 A");
    CHECK_BELOW(largest_difference(s.n, r.potential, exact.potential) * (double)s.n / scale,
                400 * accuracy, "largest potential error, 400 A");
    free_result(&r);
    free_result(&exact);
    free_system(&s);
}

/* With much empty space, results do not depend on it, except for exp(-2 pi gap / L_x). */
static void empty_space(double net)
{
    const double accuracy = 1e-11;
    charge_system s = make_ions(52, 80, CELL_CUBIC, net);
    enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_PROLATE);
    enuf_ewald_result r[2];
    double scale = 0;
    for (int k = 0; k < 2; k++) {
        options.slab = k == 0 ? 6 : 9;
        r[k] = evaluate(&options, &s, NULL, WANT_SUMS | ENUF_WANT_POTENTIAL);
    }
    for (int64_t i = 0; i < s.n; i++) scale += 0.5 * fabs(s.q[i] * r[0].potential[i]);
    printf("net charge %g, empty space\n", net);
    CHECK_BELOW(rms_difference(s.n, r[0].forces, r[1].forces) / reference_force(&s),
                2 * accuracy + exp(-2 * acos(-1.0) * 5), "forces at factor 6 and 9");
    CHECK_BELOW((r[0].energy - r[1].energy) / scale, 20 * accuracy + exp(-10 * acos(-1.0)),
                "energy at factor 6 and 9");
    free_result(&r[0]);
    free_result(&r[1]);
    free_system(&s);
}

/* Two square lattices of edge 1 with charges +1 and -1 at distance d. The force is 2 pi, that of
 * two even sheets, plus the force of the four shortest wave vectors, of length 2 pi. The energy is
 *     E(d) = 2 pi d - 4 exp(-2 pi d) + ..., where the next terms are exp(-2 sqrt(2) pi d). */
static void capacitor(void)
{
    double x[6] = {0.2, 0.1, 1, 0.2, 0.1, 5}, q[2] = {1, -1};
    charge_system s = {.n = 2, .x = x, .q = q, .cell = {1, 0, 0, 0, 1, 0, 0, 0, 6}};
    enuf_ewald_options options = options_for(1e-12, ENUF_SPLIT_GAUSSIAN);
    options.slab = 3;
    enuf_ewald_result r = evaluate(&options, &s, NULL, WANT_SUMS);
    const double pi = acos(-1.0), near = exp(-6 * pi), far = exp(-8 * pi);
    const double force = 2 * pi * (1 + 4 * far), energy = 2 * pi + 4 * (near - far);
    CHECK_CLOSE(r.forces[2], force, 1e-12, "force on one sheet, A");
    CHECK_CLOSE(r.forces[5], -force, 1e-12, "force on the other sheet, A");
    x[5] = 4;
    enuf_ewald_result closer = evaluate(&options, &s, NULL, WANT_SUMS);
    CHECK_CLOSE(r.energy - closer.energy, energy, 4 * exp(-6 * sqrt(2) * pi),
                "energy of one unit of distance; bound: the next wave vectors");
    free_result(&r);
    free_result(&closer);
}

int main(void)
{
    agree_with_exact(0, CELL_CUBIC, 3);
    agree_with_exact(0, CELL_TRICLINIC, 3);
    agree_with_exact(4, CELL_CUBIC, 3);
    agree_with_exact(-3, CELL_TRICLINIC, 5);
    empty_space(0);
    empty_space(5);
    capacitor();
    return check_result();
}
