/*
 * test_boundary_dielectric.c - a boundary dielectric (option `surroundings`) of 1 and 78.5 at
 * A = 1e-12, for 100 random ions in cubic, triclinic and left-handed cells. Reference: exact sums.
 * Bounds: A for forces, 20 A for energy and virial, 1e-12 for the surface part. Two known limits: a
 * dielectric of 1e15 gives the energy of tinfoil; with vacuum outside, a cubic lattice of dipoles
 * has no field of the other dipoles at its points (Lorentz). SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>

static void agree_with_exact(double surroundings, cell_shape shape)
{
    const double accuracy = 1e-12;
    charge_system s = make_ions(41, 100, shape, 0);
    enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_PROLATE);
    options.surroundings = surroundings;
    enuf_ewald_result r = evaluate(&options, &s, NULL, WANT_ALL);
    enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL);
    double scale = 0;
    for (int64_t i = 0; i < s.n; i++) scale += 0.5 * fabs(s.q[i] * exact.potential[i]);
    printf("surroundings %g, %s\n", surroundings, cell_shape_name(shape));
    CHECK_CLOSE(r.parts.surface, exact.parts.surface, 1e-12, "surface part, rounding of M^2");
    CHECK_BELOW(rms_difference(s.n, r.forces, exact.forces) / reference_force(&s), accuracy,
                "RMS force error / F_ref, A");
    CHECK_BELOW((r.energy - exact.energy) / scale, 20 * accuracy, "energy error, 20 A");
    CHECK_BELOW(largest_difference(6, r.virial, exact.virial) / scale, 20 * accuracy,
                "virial error, 20 A");
    free_result(&r);
    free_result(&exact);
    free_system(&s);
}

static void infinite_dielectric(void)
{
    charge_system s = make_ions(42, 60, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-8, ENUF_SPLIT_GAUSSIAN);
    enuf_ewald_result tinfoil = evaluate(&options, &s, NULL, WANT_SUMS);
    options.surroundings = 1e15;
    enuf_ewald_result dielectric = evaluate(&options, &s, NULL, WANT_SUMS);
    CHECK_CLOSE(dielectric.energy, tinfoil.energy, 1e-12, "dielectric 1e15 against tinfoil");
    CHECK(dielectric.parts.surface > 0);
    CHECK(tinfoil.parts.surface == 0);
    free_result(&tinfoil);
    free_result(&dielectric);
    free_system(&s);
}

/* A dipole p of length h in a cubic cell of edge 1. In a sphere of such cells the other dipoles
 * make no field at a lattice point. So with vacuum outside, the energy is -q^2/h, that of the
 * dipole alone, up to O(h^2) p^2. With tinfoil it is lower by 2 pi p^2 / 3. */
static void lattice_of_dipoles(void)
{
    const double h = 1e-2, q = 100, p = q * h; /* p = 1 */
    double x[6] = {0, 0, 0, h * 2 / 3, h / 3, h * 2 / 3}, charges[2] = {-q, q};
    charge_system s = {.n = 2, .x = x, .q = charges, .cell = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    enuf_ewald_options options = options_for(1e-13, ENUF_SPLIT_GAUSSIAN);
    enuf_ewald_result tinfoil = evaluate(&options, &s, NULL, WANT_SUMS);
    options.surroundings = 1;
    enuf_ewald_result vacuum = evaluate(&options, &s, NULL, WANT_SUMS);
    double alone = -q * q / h, pi = acos(-1.0);
    /* The next multipole of a cubic lattice has the relative order h^2, with sums of order 10. The
     * energy -q^2/h = -1e6 is rounded to 1e-10; its error is at most 20 A = 2e-12 times 2e6. */
    CHECK_BELOW(vacuum.energy - alone, 50 * h * h * p * p,
                "energy due to the other dipoles in vacuum, O(h^2)");
    CHECK_CLOSE(vacuum.energy - tinfoil.energy, 2 * pi * p * p / 3, 1e-7, "vacuum - tinfoil");
    free_result(&tinfoil);
    free_result(&vacuum);
}

int main(void)
{
    agree_with_exact(1, CELL_CUBIC);
    agree_with_exact(1, CELL_LEFT_HANDED);
    agree_with_exact(78.5, CELL_TRICLINIC);
    infinite_dielectric();
    lattice_of_dipoles();
    return check_result();
}
