/*
 * test_truncated_sums.c - explicit alpha, cutoff and kmax are kept, even if they truncate much of
 * the sums. The parts of the energy, forces and virial are then those of exact sums truncated
 * alike. Bounds, at A = 1e-13: 20 A of the self part, 3 A for forces. 100 random ions in triclinic
 * and cubic cells. NIST's SPC/E water has the published energies to six digits.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void agree(const charge_system *s, double alpha, double cutoff, double kmax)
{
    enuf_ewald_options options = options_for(1e-13, ENUF_SPLIT_GAUSSIAN);
    options.alpha = alpha;
    options.cutoff = cutoff;
    options.kmax = kmax;
    enuf_ewald_result r = evaluate(&options, s, NULL, WANT_ALL);
    enuf_exact_options exact_options;
    enuf_exact_options_init(&exact_options);
    exact_options.alpha = alpha;
    exact_options.cutoff = cutoff;
    exact_options.kmax = kmax;
    enuf_ewald_result exact = make_result(s->n);
    enuf_exact_result sums = {.forces = exact.forces, .potential = exact.potential};
    CHECK_STATUS(
        enuf_exact_ewald(&exact_options, s->cell, s->n, s->x, 3, s->q, NULL, s->n, NULL, &sums),
        ENUF_SUCCESS);
    printf("alpha %g, cutoff %g, kmax %g\n", alpha, cutoff, kmax);
    double scale = fabs(sums.parts.self);
    CHECK_BELOW((r.parts.real - sums.parts.real) / scale, 2e-12, "real part / self part, 20 A");
    CHECK_BELOW((r.parts.reciprocal - sums.parts.reciprocal) / scale, 2e-12,
                "reciprocal part / self part, 20 A");
    CHECK_CLOSE(r.parts.self, sums.parts.self, 1e-14, "self part, rounding");
    CHECK_CLOSE(r.parts.background, sums.parts.background, 1e-14, "background part, rounding");
    /* 3 A: if sums are truncated, the parts of a force can be larger than their sum */
    CHECK_BELOW(rms_difference(s->n, r.forces, exact.forces) / reference_force(s), 3e-13,
                "RMS force error / F_ref, 3 A");
    CHECK_BELOW(largest_difference(6, r.virial, sums.virial) / scale, 2e-12,
                "virial error / self part, 20 A");
    free_result(&r);
    free_result(&exact);
}

/* Extended XYZ: a count, a line of properties, then element, position, charge, molecule. */
static charge_system read_nist(const char *path)
{
    charge_system s = {.cell = {20, 0, 0, 0, 20, 0, 0, 0, 20}};
    FILE *file = fopen(path, "r");
    if (!file) return s;
    long long n = 0;
    if (fscanf(file, "%lld", &n) == 1 && n == 300 && fscanf(file, " %*[^\n]") == 0) {
        s.n = n;
        s.x = calloc(900, sizeof *s.x);
        s.q = calloc(300, sizeof *s.q);
        if (!s.x || !s.q) abort();
        for (int i = 0; i < 300; i++) {
            double *x = &s.x[3 * i];
            CHECK(fscanf(file, "%*s %lf %lf %lf %lf %*d", &x[0], &x[1], &x[2], &s.q[i]) == 4);
        }
    }
    fclose(file);
    return s;
}

/* NIST Standard Reference Simulation Website, SPC/E water reference calculations, configuration 1:
 * alpha = 5.6/L, k^2 < 27, cutoff 10 Angstrom; energies over k_B in K, six digits published. */
static void nist(const char *path)
{
    charge_system s = read_nist(path);
    if (!CHECK(s.n == 300)) return;
    int64_t pairs[600];
    for (int64_t k = 0; k < 300; k++) {
        pairs[2 * k] = 3 * (k / 3) + (k % 3 == 2);
        pairs[2 * k + 1] = 3 * (k / 3) + (k % 3 == 0 ? 1 : 2);
    }
    const enuf_exclusions bonded = {300, pairs, NULL};
    enuf_ewald_options options = options_for(1e-12, ENUF_SPLIT_GAUSSIAN);
    /* e^2/(4 pi eps_0 k_B Angstrom): CODATA 2018 */
    options.coulomb = 1.602176634e-19 * 1.602176634e-19 /
                      (4 * acos(-1.0) * 8.8541878128e-12 * 1.380649e-23 * 1e-10);
    options.alpha = 5.6 / 20;
    options.cutoff = 10;
    options.kmax = sqrt(27) * (1 - 1e-9);
    enuf_ewald_result r = evaluate(&options, &s, &bonded, ENUF_WANT_ENERGY);
    const double digits = 6e-6; /* half a unit of the sixth digit, and another value of e^2/k_B */
    CHECK_CLOSE(r.parts.reciprocal, 6.27009e3, digits, "NIST Fourier");
    CHECK_CLOSE(r.parts.self, -2.84469e6, digits, "NIST self");
    /* NIST's real part has no intramolecular pairs, and its intramolecular part subtracts them from
     * the reciprocal sum. Together they are the library's real and excluded parts. */
    CHECK_CLOSE(r.parts.real + r.parts.excluded, -5.58889e5 + 2.80999e6, digits,
                "NIST real + intramolecular");
    CHECK_CLOSE(r.energy, -5.87319e5, 2 * digits, "NIST electrostatic energy");
    free_result(&r);
    free_system(&s);
}

int main(void)
{
    charge_system ions = make_ions(71, 100, CELL_TRICLINIC, 2);
    agree(&ions, 0.3, 4, 2);
    agree(&ions, 0.6, 6, 5.5);
    agree(&ions, 1.2, 2.5, 9);
    free_system(&ions);
    /* a sphere that ends exactly on a shell of modes includes the shell */
    charge_system cubic = make_ions(72, 100, CELL_CUBIC, 0);
    agree(&cubic, 0.5, 5, 4);
    agree(&cubic, 0.5, 5, sqrt(27));
    free_system(&cubic);
    nist(ENUF_EXAMPLE_DATA "/spce_nist1.xyz");
    return check_result();
}
