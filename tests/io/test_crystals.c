/*
 * test_crystals.c - the energy of each built crystal gives its reference constant to 1e-12.
 *
 * The energy is an Ewald sum in this file, so that the test of positions, charges, lengths and
 * definitions of the constants does not depend on the library's sums.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "crystals.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* Both sums leave out terms below exp(-REACH^2) = 2e-16 of the first one. */
static const double REACH = 6.0;

static void cross(const double *u, const double *v, double *w)
{
    w[0] = u[1] * v[2] - u[2] * v[1];
    w[1] = u[2] * v[0] - u[0] * v[2];
    w[2] = u[0] * v[1] - u[1] * v[0];
}

static double dot(const double *u, const double *v)
{
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

/* Pairs of the ions with one image of the cell. */
static double image_energy(const enuf_structure *s, const double shift[3], double alpha)
{
    double energy = 0.0;
    for (int64_t i = 0; i < s->n; ++i) {
        for (int64_t j = 0; j < s->n; ++j) {
            double x[3];
            for (int d = 0; d < 3; ++d)
                x[d] = s->positions[3 * j + d] + shift[d] - s->positions[3 * i + d];
            double r = sqrt(dot(x, x));
            if (r > 0.0 && alpha * r < REACH)
                energy += 0.5 * s->charges[i] * s->charges[j] * erfc(alpha * r) / r;
        }
    }
    return energy;
}

static double wave_energy(const enuf_structure *s, const double k[3], double alpha, double volume)
{
    double k2 = dot(k, k), re = 0.0, im = 0.0;
    if (k2 == 0.0 || k2 > 4.0 * alpha * alpha * REACH * REACH) return 0.0;
    for (int64_t i = 0; i < s->n; ++i) {
        double phase = dot(k, &s->positions[3 * i]);
        re += s->charges[i] * cos(phase);
        im += s->charges[i] * sin(phase);
    }
    return 2.0 * PI / volume * exp(-k2 / (4.0 * alpha * alpha)) / k2 * (re * re + im * im);
}

static double ewald_energy(const enuf_structure *s)
{
    const int most = 12; /* images and waves in each direction: ample for these cells */
    double volume = enuf_structure_volume(s), alpha = sqrt(PI) / cbrt(volume);
    double reciprocal[9], energy = 0.0, total = 0.0, squares = 0.0;
    for (int d = 0; d < 3; ++d) {
        cross(s->cell + 3 * ((d + 1) % 3), s->cell + 3 * ((d + 2) % 3), reciprocal + 3 * d);
        for (int k = 0; k < 3; ++k) reciprocal[3 * d + k] *= 2.0 * PI / volume;
    }
    for (int l = -most; l <= most; ++l) {
        for (int m = -most; m <= most; ++m) {
            for (int n = -most; n <= most; ++n) {
                double shift[3], k[3];
                for (int d = 0; d < 3; ++d) {
                    shift[d] = l * s->cell[d] + m * s->cell[3 + d] + n * s->cell[6 + d];
                    k[d] = l * reciprocal[d] + m * reciprocal[3 + d] + n * reciprocal[6 + d];
                }
                if (alpha * sqrt(dot(shift, shift)) < 2.0 * REACH)
                    energy += image_energy(s, shift, alpha);
                energy += wave_energy(s, k, alpha, volume);
            }
        }
    }
    for (int64_t i = 0; i < s->n; ++i) {
        total += s->charges[i];
        squares += s->charges[i] * s->charges[i];
    }
    return energy - alpha / sqrt(PI) * squares -
           PI * total * total / (2.0 * alpha * alpha * volume);
}

static double nearest_distance(const enuf_structure *s)
{
    double nearest = INFINITY;
    for (int64_t j = 1; j < s->n; ++j) {
        for (int64_t i = 0; i < j; ++i) {
            double x[3];
            for (int d = 0; d < 3; ++d) x[d] = s->positions[3 * j + d] - s->positions[3 * i + d];
            nearest = fmin(nearest, sqrt(dot(x, x)));
        }
    }
    return nearest;
}

static void constant_is_the_reference(const enuf_crystal *crystal, int64_t cells)
{
    enuf_structure s;
    if (!CHECK_STATUS(enuf_crystal_build(crystal, cells, &s), ENUF_SUCCESS)) return;
    CHECK(s.n == crystal->n_ions * cells * cells * cells);
    CHECK(s.units == ENUF_UNITS_NATURAL);
    double constant = enuf_crystal_constant(crystal, cells, ewald_energy(&s));
    /* rounding: some 1e4 terms of either sign, each exact to 1e-15 */
    CHECK_CLOSE(constant, crystal->constant, 1e-12, crystal->name);
    enuf_structure_free(&s);
}

/* For a constant M of a crystal of two species, the unit of length is the nearest distance. */
static void unit_of_length_is_the_bond(const enuf_crystal *crystal)
{
    enuf_structure s;
    if (strcmp(crystal->symbol, "M") != 0 || crystal->n_species != 2) return;
    if (!CHECK_STATUS(enuf_crystal_build(crystal, 2, &s), ENUF_SUCCESS)) return;
    CHECK_CLOSE(nearest_distance(&s), 1.0, 1e-14, "nearest neighbours");
    enuf_structure_free(&s);
}

static void coordinates_do_not_accumulate(void)
{
    enuf_structure s;
    const enuf_crystal *crystal = enuf_crystal_find("nacl");
    if (!CHECK_STATUS(enuf_crystal_build(crystal, 20, &s), ENUF_SUCCESS)) return;
    double worst = 0.0;
    for (int64_t k = 0; k < 3 * s.n; ++k) /* every coordinate of rock salt is a whole d */
        worst = fmax(worst, fabs(s.positions[k] - nearbyint(s.positions[k])));
    CHECK_BELOW(worst, 0.0, "distance from the sites");
    enuf_structure_free(&s);
}

int main(void)
{
    enuf_structure s;
    CHECK(enuf_crystal_count() == 12);
    for (int c = 0; c < enuf_crystal_count(); ++c) {
        const enuf_crystal *crystal = enuf_crystal_at(c);
        CHECK(enuf_crystal_find(crystal->name) == crystal);
        constant_is_the_reference(crystal, 1);
        unit_of_length_is_the_bond(crystal);
    }
    constant_is_the_reference(enuf_crystal_find("wurtzite"), 2);
    constant_is_the_reference(enuf_crystal_find("bcc"), 3);
    coordinates_do_not_accumulate();
    CHECK(enuf_crystal_find("diamond") == NULL);
    CHECK_STATUS(enuf_crystal_build(enuf_crystal_at(0), 0, &s), ENUF_BAD_ARGUMENT);
    CHECK_STATUS(enuf_crystal_build(enuf_crystal_at(0), INT64_MAX, &s), ENUF_BAD_ARGUMENT);
    return check_result();
}
