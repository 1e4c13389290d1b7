/*
 * test_pairs.c - the pair loop of the CPU gives all results of the pairs within the cutoff, in
 * double, mixed and deterministic mode, with both splittings. Reference: sums over all images in
 * long double. Bounds: the rounding expected of each mode. Random ions in cells of any shape, tilt
 * and handedness, larger and smaller than the cutoff, with open directions, clusters, far positions
 * and close pairs. SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "pair_reference.h"
#include "random_system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * The bound of the rounding. The force of a pair has an error of a few units of the largest force
 * of a pair (polynomial, coordinates, 1/r^3). A sum over m neighbours multiplies it by sqrt(m). The
 * largest of 3 n components is at about three standard deviations. The same holds for energies.
 */
static double bound(double epsilon, double largest, int64_t terms)
{
    return 3 * epsilon * largest * sqrt((double)terms);
}

/* The additional error of the deterministic mode's fixed-point sums: up to half a unit for each
 * pair. The unit is at most 2^-56 of the force of two mean charges at an eighth of their mean
 * spacing; for energies it is that times the cutoff. */
static double fixed_point(const pair_system *s, double times, int64_t terms)
{
    double sum = 0, n = 0;
    for (int64_t i = 0; i < s->n; i++) {
        sum += s->charges[i] * s->charges[i];
        n += s->charges[i] != 0;
    }
    const double *h = s->cell;
    const double volume =
        fabs(h[0] * (h[4] * h[8] - h[5] * h[7]) - h[1] * (h[3] * h[8] - h[5] * h[6]) +
             h[2] * (h[3] * h[7] - h[4] * h[6]));
    const double spacing = cbrt(volume / n);
    const double unit = 0x1p-56 * sum / n / pow(spacing / 8, 2);
    return 3 * 0.3 * unit * times * sqrt((double)terms);
}

static void check(const pair_system *system, const char *mode, const char *what, double value,
                  double limit)
{
    char name[200];
    snprintf(name, sizeof name, "%s, %s: %s", system->name, mode, what);
    CHECK_BELOW(value, limit, name);
}

static void compare(const pair_system *s, const char *name, const pair_reference *r,
                    const pair_reference *sums, double epsilon, int fixed)
{
    const int64_t n = r->n, m = r->most_neighbours + 1;
    double q = 0;
    for (int64_t i = 0; i < n; i++) q = fmax(q, fabs(s->charges[i]));
    double force = bound(epsilon, r->largest_force, m);
    double energy = bound(epsilon, r->largest_energy, m);
    double total = bound(epsilon, r->largest_energy, r->pairs + 1);
    if (fixed) {
        force += fixed_point(s, 1, m);
        energy += fixed_point(s, s->splitting.cutoff, m);
        total += fixed_point(s, s->splitting.cutoff, r->pairs + 1);
    }
    check(s, name, "forces", largest_difference(r->forces, sums->forces, 3 * n), force);
    check(s, name, "field", largest_difference(r->field, sums->field, 3 * n), force / q);
    check(s, name, "potential", largest_difference(r->potential, sums->potential, n), energy / q);
    check(s, name, "atom energy", largest_difference(r->atom_energy, sums->atom_energy, n), energy);
    check(s, name, "atom virial", largest_difference(r->atom_virial, sums->atom_virial, 6 * n),
          energy);
    check(s, name, "energy", fabs(r->energy - sums->energy), total);
    check(s, name, "virial", largest_difference(r->virial, sums->virial, 6), 2 * total);
}

static void check_sums_of_shares(const pair_system *s, const pair_reference *sums)
{
    double energy = 0, virial[6] = {0}, force[3] = {0}, scale = 0;
    for (int64_t i = 0; i < s->n; i++) {
        energy += sums->atom_energy[i];
        scale += fabs(sums->atom_energy[i]);
        for (int c = 0; c < 6; c++) virial[c] += sums->atom_virial[6 * i + c];
        for (int e = 0; e < 3; e++) force[e] += sums->forces[3 * i + e];
    }
    const double limit = 4 * DBL_EPSILON * scale * sqrt((double)s->n);
    check(s, "shares", "atom energies sum to energy", fabs(energy - sums->energy), limit);
    check(s, "shares", "atom virials sum to virial", largest_difference(virial, sums->virial, 6),
          limit * 4);
}

static void check_system(pair_system *s)
{
    for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; split++) {
        pair_system_split(s, (enuf_split)split);
        pair_reference *reference = pair_reference_make(s);
        CHECK(s->n == 0 || reference->pairs > 0);
        for (int mode = 0; mode < 3; mode++) {
            const char *name[] = {"double", "deterministic", "mixed"};
            const pair_mode settings = {
                .arithmetic = mode == 2 ? ENUF_ARITHMETIC_MIXED : ENUF_ARITHMETIC_DOUBLE,
                .deterministic = mode == 1,
                .threads = 2,
                .wanted = PAIR_ALL,
            };
            pair_reference *sums = pair_reference_empty(s->n);
            CHECK_STATUS(pair_system_sum(s, settings, sums), ENUF_SUCCESS);
            compare(s, name[mode], reference, sums, mode < 2 ? DBL_EPSILON : (double)FLT_EPSILON,
                    mode == 1);
            if (mode == 0) check_sums_of_shares(s, sums);
            pair_reference_free(sums);
        }
        pair_reference_free(reference);
    }
}

/*
 * Deterministic sums with pairs at 1e-1 to 1e-6 of the mean spacing, a charge 300 times the others,
 * and a cluster of like charges. The force of each atom is accurate to the rounding of the largest
 * force of its own pairs.
 */
static void near_pairs_deterministic(pair_system *s)
{
    const double spacing = 2.15;
    for (int64_t k = 0; k < 6; k++)
        for (int e = 0; e < 3; e++)
            s->positions[3 * (2 * k + 1) + e] =
                s->positions[6 * k + e] + (e == 1 ? spacing * pow(10, -1 - (double)k) : 0);
    s->charges[20] *= 300;
    for (int64_t k = 0; k < 60; k++) {
        const double cluster[3] = {(double)(k % 4), (double)(k / 4 % 4), (double)(k / 16)};
        s->charges[40 + k] = 1;
        for (int e = 0; e < 3; e++)
            s->positions[3 * (40 + k) + e] = s->positions[3 * 39 + e] + 0.02 * cluster[e] + 0.01;
    }
    pair_reference *reference = pair_reference_make(s), *sums = pair_reference_empty(s->n);
    const pair_mode settings = {.threads = 2, .wanted = PAIR_ALL, .deterministic = 1};
    CHECK_STATUS(pair_system_sum(s, settings, sums), ENUF_SUCCESS);
    const double units = fixed_point(s, 1, reference->most_neighbours);
    const double resolution = 4 * 0x1p-64 * s->cell[0]; /* coordinates are fractions of 64 bits */
    double worst = 0;
    for (int64_t i = 0; i < s->n; i++) {
        double largest = 0, moved = 0;
        for (int64_t j = 0; j < s->n; j++) {
            double r2 = 0;
            for (int e = 0; e < 3; e++)
                r2 += pow(s->positions[3 * i + e] - s->positions[3 * j + e], 2);
            if (i == j) continue;
            const double force = fabs(s->charges[i] * s->charges[j]) / r2;
            largest = fmax(largest, force);
            moved = fmax(moved, 2 * force * resolution / sqrt(r2));
        }
        const double limit = bound(DBL_EPSILON, largest, 100) + moved + units;
        worst = fmax(worst, largest_difference(reference->forces + 3 * i, sums->forces + 3 * i, 3) /
                                limit);
    }
    check(s, "deterministic", "error of an atom's force, over its bound", worst, 1);
    check(s, "deterministic", "energy", fabs(reference->energy - sums->energy),
          (DBL_EPSILON + resolution / 2e-6) * reference->largest_energy);
    pair_reference_free(reference);
    pair_reference_free(sums);
}

/* Each result, wanted alone, agrees with that wanted among all. The other results stay 0. */
static void check_wanted_alone(const pair_system *s)
{
    const pair_mode all = {.threads = 1, .wanted = PAIR_ALL};
    pair_reference *together = pair_reference_empty(s->n);
    CHECK_STATUS(pair_system_sum(s, all, together), ENUF_SUCCESS);
    for (int deterministic = 0; deterministic < 2; deterministic++) {
        for (int wanted = 1; wanted <= PAIR_ALL; wanted *= 2) {
            const pair_mode settings = {
                .threads = 1, .wanted = wanted, .deterministic = deterministic};
            pair_reference *alone = pair_reference_empty(s->n);
            CHECK_STATUS(pair_system_sum(s, settings, alone), ENUF_SUCCESS);
            const struct {
                int want;
                const double *a, *b;
                int64_t n;
            } sums[] = {
                {ENUF_WANT_ENERGY, &together->energy, &alone->energy, 1},
                {ENUF_WANT_VIRIAL, together->virial, alone->virial, 6},
                {ENUF_WANT_FORCES, together->forces, alone->forces, 3 * s->n},
                {ENUF_WANT_ATOM_ENERGY, together->atom_energy, alone->atom_energy, s->n},
                {ENUF_WANT_ATOM_VIRIAL, together->atom_virial, alone->atom_virial, 6 * s->n},
                {ENUF_WANT_POTENTIAL, together->potential, alone->potential, s->n},
                {ENUF_WANT_FIELD, together->field, alone->field, 3 * s->n},
            };
            for (int k = 0; k < 7; k++) {
                double largest = 0, found = 0;
                for (int64_t i = 0; i < sums[k].n; i++) {
                    largest = fmax(largest, fabs(sums[k].a[i]));
                    found = fmax(found, fabs(sums[k].b[i]));
                }
                if (sums[k].want == wanted)
                    check(s, "wanted alone", "difference from wanted among all",
                          largest_difference(sums[k].a, sums[k].b, sums[k].n), 1e-13 * largest);
                else
                    CHECK(found == 0);
            }
            pair_reference_free(alone);
        }
    }
    pair_reference_free(together);
}

int main(void)
{
    const double ortho[9] = {11, 0, 0, 0, 12, 0, 0, 0, 13};
    const double large[9] = {27, 0, 0, 0, 26, 0, 0, 0, 25};
    const double tilted[9] = {9, 0, 0, 40, 8, 0, -33, 57, 10};
    const double rotated[9] = {5, 7, -2, -6, 6, 3, 4, 1, 9};
    const double left[9] = {11, 1, 0, 2, 12, -1, 3, 1, -13};
    const double tiny[9] = {1, 0, 0, 0.3, 1.1, 0, -0.2, 0.4, 0.9};
    const double thin[9] = {60, 0, 0, 0, 1.5, 0, 0, 0, 1.2};
    pair_system *s;

    s = pair_system_make("orthorhombic", ortho, 5, 120, 1);
    check_system(s);
    check_wanted_alone(s);
    pair_system_free(s);
    const struct {
        const char *name;
        const double *cell;
        double cutoff;
        int64_t n;
        double distance;
    } cells[] = {{"larger than its cutoff", large, 4, 400, 1.3},
                 {"strongly tilted", tilted, 6, 50, 1},
                 {"rotated", rotated, 6, 50, 1},
                 {"left-handed", left, 6, 100, 1},
                 {"one ion, cutoff five edges", tiny, 5, 1, 0.5},
                 {"three ions, cutoff four edges", tiny, 4, 3, 0.3},
                 {"thin", thin, 7, 30, 0.6}};
    for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++) {
        s = pair_system_make(cells[k].name, cells[k].cell, cells[k].cutoff, cells[k].n,
                             cells[k].distance);
        check_system(s);
        pair_system_free(s);
    }

    s = pair_system_make("open along z", ortho, 5, 100, 1);
    s->periodic[2] = 0;
    for (int64_t i = 0; i < s->n; i += 3) s->positions[3 * i + 2] *= 4;
    check_system(s);
    s->name = "open along x and z";
    s->periodic[0] = 0;
    check_system(s);
    s->name = "open, triclinic";
    memcpy(s->cell, left, sizeof left);
    s->periodic[1] = 0;
    check_system(s);
    pair_system_free(s);

    s = pair_system_make("clustered", large, 6, 200, 0.5);
    for (int64_t i = 0; i < 3 * s->n; i++) s->positions[i] = 0.2 * s->positions[i] + 20;
    check_system(s);
    pair_system_free(s);

    s = pair_system_make("far outside the cell", left, 6, 60, 1);
    for (int64_t i = 0; i < s->n; i++)
        for (int e = 0; e < 3; e++)
            s->positions[3 * i + e] +=
                (double)(i - 30) * 7 * left[e] - 1000 * left[3 + e] + (double)(i * i) * left[6 + e];
    check_system(s);
    pair_system_free(s);

    s = pair_system_make("uneven charges, some zero", ortho, 5, 90, 1);
    random_numbers(7, s->n, -2, 3, s->charges);
    for (int64_t i = 0; i < s->n; i += 4) s->charges[i] = 0;
    check_system(s);
    check_wanted_alone(s);
    pair_system_free(s);

    s = pair_system_make("near pairs", large, 6, 400, 1.3);
    near_pairs_deterministic(s);
    pair_system_free(s);

    s = pair_system_make("no atoms", ortho, 5, 0, 1);
    pair_reference *nothing = pair_reference_empty(0);
    const pair_mode all = {.wanted = PAIR_ALL};
    CHECK_STATUS(pair_system_sum(s, all, nothing), ENUF_SUCCESS);
    CHECK(nothing->energy == 0);
    pair_reference_free(nothing);
    pair_system_free(s);
    return check_result();
}
