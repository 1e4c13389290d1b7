/*
 * exact_boundary.c - the parts of the exact sums in closed form: self term, background of a net
 * charge, boundary dielectric, slab. SPDX-License-Identifier: BSD-3-Clause
 */
#include "exact_sums.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enuf_exact_moments enuf_exact_find_moments(const enuf_exact_system *system)
{
    long double charge = 0, magnitude = 0, dipole[3] = {0}, second = 0;
    for (int64_t i = 0; i < system->n; i++) {
        const double *x = system->positions + i * system->stride;
        long double q = system->charges[i];
        charge += q;
        magnitude += fabsl(q);
        for (int a = 0; a < 3; a++) dipole[a] += q * x[a];
        second += q * x[2] * x[2];
    }
    return (enuf_exact_moments){(double)charge,
                                (double)magnitude,
                                {(double)dipole[0], (double)dipole[1], (double)dipole[2]},
                                (double)second};
}

void enuf_exact_self(const enuf_exact_system *system, enuf_exact_sums *sums)
{
    for (int64_t t = 0; t < system->n_targets; t++)
        sums->potential[t] -= 2 * system->alpha / sqrt(pi) * system->charges[system->targets[t]];
    memset(sums->virial, 0, 6 * sizeof *sums->virial);
}

/* E = -pi Qt^2/(2 alpha^2 V): the mode k = 0 with a uniform background. */
void enuf_exact_background(const enuf_exact_system *system, const enuf_exact_moments *of,
                           enuf_exact_sums *sums)
{
    double potential = -pi * of->charge / (system->alpha * system->alpha * system->volume);
    for (int64_t t = 0; t < system->n_targets; t++) sums->potential[t] += potential;
    double energy = of->charge * potential / 2;
    for (int a = 0; a < 6; a++) sums->virial[a] = a < 3 ? energy : 0;
}

/* A sphere of cells in a dielectric: E = 2 pi M^2/((2 eps + 1) V) (de Leeuw, Perram, Smith 1980).
 */
void enuf_exact_sphere(const enuf_exact_system *system, double dielectric,
                       const enuf_exact_moments *of, enuf_exact_sums *sums)
{
    double factor = 4 * pi / ((2 * dielectric + 1) * system->volume);
    const double *m = of->dipole;
    for (int64_t t = 0; t < system->n_targets; t++) {
        const double *x = system->positions + system->targets[t] * system->stride;
        sums->potential[t] += factor * (m[0] * x[0] + m[1] * x[1] + m[2] * x[2]);
        for (int a = 0; a < 3; a++) sums->field[3 * t + a] -= factor * m[a];
    }
    double energy = factor / 2 * (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    for (int a = 0; a < 3; a++) sums->virial[a] = energy - factor * m[a] * m[a];
    sums->virial[3] = -factor * m[0] * m[1];
    sums->virial[4] = -factor * m[0] * m[2];
    sums->virial[5] = -factor * m[1] * m[2];
}

/*
 * EW3DC: E = 2 pi/V [M_z^2 - Qt sum q z^2 - Qt^2 L_z^2/12] (Yeh, Berkowitz 1999; net charge:
 * Ballenegger, Arnold, Cerda 2009). E V is quadratic in lengths along z: W = (E, E, -E, 0, 0, 0).
 */
void enuf_exact_slab(const enuf_exact_system *system, const enuf_exact_moments *of,
                     enuf_exact_sums *sums)
{
    double factor = 4 * pi / system->volume, q = of->charge, m = of->dipole[2];
    double height = (double)system->cell[8];
    double constant = of->second / 2 + q * height * height / 12;
    for (int64_t t = 0; t < system->n_targets; t++) {
        double z = system->positions[system->targets[t] * system->stride + 2];
        sums->potential[t] += factor * (z * m - q * z * z / 2 - constant);
        sums->field[3 * t + 2] -= factor * (m - q * z);
    }
    double energy = factor / 2 * (m * m - q * of->second - q * q * height * height / 12);
    sums->virial[0] = sums->virial[1] = energy;
    sums->virial[2] = -energy;
    sums->virial[3] = sums->virial[4] = sums->virial[5] = 0;
}
