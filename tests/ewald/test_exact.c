/*
 * test_exact.c - enuf_exact_ewald() is the reference of other tests. It has known Madelung
 * constants to 3e-15. For 31 ions in a tilted, left-handed cell with a net charge, its results do
 * not depend on alpha, and forces and virial are derivatives of the energy to 3e-11. Truncated sums
 * agree with sums term by term, and with NIST's energies of water to six digits. Wrong arguments
 * are refused. SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "enuf/ewald.h"
#include "memory.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

static const double pi = 3.14159265358979323846;

typedef struct problem {
    enuf_exact_options options;
    double cell[9];
    int64_t n;
    double positions[3 * MOST], charges[MOST];
    const enuf_exclusions *exclusions;
} problem;

typedef struct answer {
    enuf_exact_result result;
    double forces[3 * MOST], potential[MOST];
} answer;

static void solve(const problem *p, answer *a)
{
    a->result.forces = a->forces;
    a->result.potential = a->potential;
    CHECK_STATUS(enuf_exact_ewald(&p->options, p->cell, p->n, p->positions, 3, p->charges,
                                  p->exclusions, 0, NULL, &a->result),
                 ENUF_SUCCESS);
}

/* F_ref, the unit of the errors of forces. */
static double reference_force(const problem *p)
{
    const double *h = p->cell;
    double q2 = 0, volume = h[0] * (h[4] * h[8] - h[5] * h[7]) -
                            h[1] * (h[3] * h[8] - h[5] * h[6]) + h[2] * (h[3] * h[7] - h[4] * h[6]);
    for (int64_t i = 0; i < p->n; i++) q2 += p->charges[i] * p->charges[i];
    return p->options.coulomb * q2 / (double)p->n * pow((double)p->n / fabs(volume), 2.0 / 3);
}

static double force_difference(const problem *p, const answer *a, const answer *b)
{
    double sum = 0;
    for (int64_t i = 0; i < 3 * p->n; i++) sum += pow(a->forces[i] - b->forces[i], 2);
    return sqrt(sum / (double)p->n) / reference_force(p);
}

static double virial_difference(const double *a, const double *b)
{
    double worst = 0;
    for (int c = 0; c < 6; c++) worst = fmax(worst, fabs(a[c] - b[c]));
    return worst;
}

/* ---- crystals ---------------------------------------------------------------------------- */

static problem cube(double a)
{
    problem p = {.cell = {a, 0, 0, 0, a, 0, 0, 0, a}};
    enuf_exact_options_init(&p.options);
    return p;
}

/* Adds an ion at the four places of a face-centred lattice, shifted by (x, y, z) a. */
static void add_fcc(problem *p, double q, double x, double y, double z)
{
    static const double place[4][3] = {{0, 0, 0}, {0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}};
    const double shift[3] = {x, y, z};
    for (int i = 0; i < 4; i++, p->n++) {
        for (int d = 0; d < 3; d++)
            p->positions[3 * p->n + d] = p->cell[0] * (place[i][d] + shift[d]);
        p->charges[p->n] = q;
    }
}

static void add_ion(problem *p, double q, double x, double y, double z)
{
    const double place[3] = {x, y, z};
    for (int d = 0; d < 3; d++) p->positions[3 * p->n + d] = p->cell[0] * place[d];
    p->charges[p->n++] = q;
}

static void check_crystal(const problem *p, double formula_units, double constant, double tolerance,
                          const char *name)
{
    answer a = {0};
    solve(p, &a);
    /* 3e-15: a few roundings of the parts, which are a few times the energy. Two of the constants
     * are known to 12 digits only. */
    CHECK_CLOSE(-a.result.energy / formula_units, constant, tolerance, name);
    double force = 0;
    for (int64_t i = 0; i < 3 * p->n; i++) force = fmax(force, fabs(a.forces[i]));
    CHECK_BELOW(force / reference_force(p), 1e-14, "force on an ion, zero by symmetry");
    CHECK_CLOSE(a.result.virial[0] + a.result.virial[1] + a.result.virial[2], a.result.energy,
                1e-14, "trace of the virial: the energy, as it scales with 1/length");
}

static void known_madelung_constants(void)
{
    problem p = cube(2); /* d = 1 */
    add_fcc(&p, 1, 0, 0, 0);
    add_fcc(&p, -1, .5, .5, .5);
    check_crystal(&p, 4, 1.747564594633182191, 3e-15, "NaCl");

    p = cube(2 / sqrt(3));
    add_ion(&p, 1, 0, 0, 0);
    add_ion(&p, -1, .5, .5, .5);
    check_crystal(&p, 1, 1.762674773070988398, 3e-15, "CsCl");

    p = cube(4 / sqrt(3));
    add_fcc(&p, 1, 0, 0, 0);
    add_fcc(&p, -1, .25, .25, .25);
    check_crystal(&p, 4, 1.638055053388789424, 3e-15, "zincblende");

    add_fcc(&p, -1, .75, .75, .75);
    for (int i = 0; i < 4; i++) p.charges[i] = 2;
    check_crystal(&p, 4, 5.038784879848567245, 3e-15, "fluorite");

    p = cube(1); /* one charge in a neutralising background: E = -M/2 per ion */
    add_ion(&p, 1, 0, 0, 0);
    check_crystal(&p, 0.5, 2.837297479480619, 3e-15, "Wigner crystal, simple cubic");
    add_ion(&p, 1, .5, .5, .5);
    check_crystal(&p, 1, 3.63923344951, 1e-12, "Wigner crystal, body-centred");
    p = cube(1);
    add_fcc(&p, 1, 0, 0, 0);
    check_crystal(&p, 2, 4.58486207411, 2e-12, "Wigner crystal, face-centred");
}

/* ---- a disordered system ------------------------------------------------------------------ */

/* 31 ions: a net charge of 1 in a tilted, left-handed cell. */
static problem charged_and_tilted(void)
{
    problem p = {.cell = {6.1, 0.2, -0.1, 2.3, 5.4, 0.4, -1.1, 1.7, -7.2}, .n = 31};
    enuf_exact_options_init(&p.options);
    p.options.threads = 1; /* hundreds of tiny sums */
    random_ions(7, p.n, p.cell, 1.2, p.positions, p.charges);
    return p;
}

static void same_answer_at_every_alpha(void)
{
    problem p = charged_and_tilted();
    answer chosen = {0}, other = {0};
    solve(&p, &chosen);
    for (double alpha = 0.5; alpha < 2; alpha *= 1.5) {
        p.options.alpha = alpha;
        solve(&p, &other);
        printf("alpha %g\n", alpha);
        CHECK_CLOSE(other.result.energy, chosen.result.energy, 2e-15, "energy");
        CHECK_BELOW(force_difference(&p, &chosen, &other), 5e-15, "forces, in F_ref");
        CHECK_BELOW(virial_difference(chosen.result.virial, other.result.virial) /
                        chosen.result.energy,
                    3e-15, "virial over energy");
        double potential = 0;
        for (int64_t i = 0; i < p.n; i++)
            potential = fmax(potential, fabs(other.potential[i] - chosen.potential[i]));
        CHECK_BELOW(potential, 3e-15, "potentials, of the order of 1");
    }
}

/* Results do not change if ions are moved by whole cells, here without any rounding. */
static void same_answer_for_far_images(void)
{
    problem p = charged_and_tilted();
    answer near = {0}, far = {0};
    for (int i = 0; i < 9; i++) p.cell[i] = round(p.cell[i] * 64) / 64;
    for (int64_t i = 0; i < 3 * p.n; i++) p.positions[i] = round(p.positions[i] * 0x1p30) / 0x1p30;
    solve(&p, &near);
    for (int64_t i = 0; i < p.n; i++)
        for (int d = 0; d < 3; d++) /* exact: 30 bits after the point, 11 before it */
            p.positions[3 * i + d] += (double)(i % 7 - 3) * 64 * p.cell[(i % 3) * 3 + d];
    solve(&p, &far);
    CHECK_BELOW(force_difference(&p, &near, &far), 5e-15, "forces, in F_ref");
    CHECK_CLOSE(far.result.energy, near.result.energy, 2e-15, "energy");
}

/* ---- derivatives -------------------------------------------------------------------------- */

/* Five-point derivative of the energy. Its error is h^4/30 times the fifth derivative. */
static double derivative(const problem *p, void (*move)(problem *, int, double), int along)
{
    static const double weight[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};
    static const int step[4] = {-2, -1, 1, 2};
    double h = 1e-3, sum = 0;
    for (int i = 0; i < 4; i++) {
        problem moved = *p;
        answer a = {0};
        move(&moved, along, h * step[i]);
        enuf_exact_ewald(&moved.options, moved.cell, moved.n, moved.positions, 3, moved.charges,
                         moved.exclusions, 0, NULL, &a.result);
        sum += weight[i] * a.result.energy;
    }
    return sum / h;
}

static void move_coordinate(problem *p, int which, double by)
{
    p->positions[which] += by;
}

/* x_a += by x_b, for positions and cell; component as in the virial. */
static void strain(problem *p, int component, double by)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    int a = row[component], b = column[component];
    for (int64_t i = 0; i < p->n; i++) p->positions[3 * i + a] += by * p->positions[3 * i + b];
    for (int d = 0; d < 3; d++) p->cell[3 * d + a] += by * p->cell[3 * d + b];
}

static void check_derivatives(const problem *p, const char *name, int strains)
{
    answer a = {0};
    solve(p, &a);
    double worst = 0;
    for (int i = 0; i < 9; i++)
        worst = fmax(worst, fabs(a.forces[i] + derivative(p, move_coordinate, i)));
    printf("%s\n", name);
    /* The bound is h^4 E'''''/30, where a pair at distance 1.2 has E''''' = 120/1.2^6, times few
     * neighbours, and the rounding of E (30) over h. */
    CHECK_BELOW(worst / reference_force(p), 3e-11, "force + dE/dx, in F_ref");
    worst = 0;
    for (int c = 0; c < strains; c++)
        worst = fmax(worst, fabs(a.result.virial[c] + derivative(p, strain, c)));
    CHECK_BELOW(worst / a.result.energy, 3e-11, "virial + dE/d strain, over energy");
    const enuf_ewald_parts *e = &a.result.parts;
    CHECK_CLOSE(e->real + e->reciprocal + e->self + e->background + e->surface + e->excluded,
                a.result.energy, 4e-16, "sum of the parts");
    double sum = 0;
    for (int64_t i = 0; i < p->n; i++) sum += p->charges[i] * a.potential[i] / 2;
    CHECK_CLOSE(sum, a.result.energy, 1e-14, "1/2 sum q phi");
}

static problem slab_of(int64_t n)
{
    problem p = {.cell = {6.1, 0.2, 0, 2.3, 5.4, 0, 0, 0, 7}, .n = n};
    enuf_exact_options_init(&p.options);
    p.options.threads = 1;
    random_ions(8, p.n, p.cell, 1.2, p.positions, p.charges);
    p.options.slab = 3;
    return p;
}

static void forces_and_virial_are_derivatives(void)
{
    problem p = charged_and_tilted();
    check_derivatives(&p, "charged, tinfoil", 6);
    p.options.coulomb = 332.06371;
    check_derivatives(&p, "units", 6);
    static const int64_t pairs[] = {0, 1, 2, 5, 1, 2};
    static const double weights[] = {0, 0.5, 0.25};
    enuf_exclusions exclusions = {.n = 3, .pairs = pairs, .weights = weights};
    p.exclusions = &exclusions;
    check_derivatives(&p, "exclusions", 6);

    p = charged_and_tilted();
    p.n = 30;
    p.options.surroundings = 1;
    check_derivatives(&p, "vacuum", 6);
    p.options.surroundings = 4.5;
    check_derivatives(&p, "dielectric", 6);

    p = slab_of(30); /* strains xz and yz would tilt it */
    check_derivatives(&p, "slab", 4);
    p = slab_of(31);
    check_derivatives(&p, "charged slab", 4);
}

/* ---- boundaries --------------------------------------------------------------------------- */

/*
 * With the slab term the interaction of images along z is only exp(-2 pi gap/a), so more vacuum
 * changes nothing. Without the term the energies would differ in the first digits.
 */
static void slab_does_not_depend_on_its_vacuum(void)
{
    for (int net = 0; net < 2; net++) {
        double energy[2];
        for (int i = 0; i < 2; i++) {
            problem p = slab_of(30 + net);
            p.options.slab = i == 0 ? 9 : 12;
            answer a = {0};
            solve(&p, &a);
            energy[i] = a.result.energy;
        }
        CHECK_CLOSE(energy[1], energy[0], 3e-15,
                    net ? "charged slab, two vacuum widths" : "slab, two vacuum widths");
    }
}

/* A boundary dielectric of 1e16 gives the energy of tinfoil. */
static void boundary_dielectric_goes_to_tinfoil(void)
{
    problem p = charged_and_tilted();
    p.n = 30;
    answer tinfoil = {0}, metal = {0};
    solve(&p, &tinfoil);
    p.options.surroundings = 1e16;
    solve(&p, &metal);
    CHECK_CLOSE(metal.result.energy, tinfoil.result.energy, 1e-13, "energy in a perfect conductor");
}

/* ---- truncated sums, term by term --------------------------------------------------------- */

/* Energy of pairs with r <= cutoff, images up to 6 cells away. */
static double pairs_one_by_one(const problem *p, double alpha, double cutoff)
{
    const double *h = p->cell;
    double sum = 0;
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j < p->n; j++)
            for (int m = 0; m < 13 * 13 * 13; m++) {
                double s[3] = {m % 13 - 6, m / 13 % 13 - 6, m / 169 - 6}, r2 = 0;
                for (int a = 0; a < 3; a++)
                    r2 += pow(p->positions[3 * i + a] - p->positions[3 * j + a] + s[0] * h[a] +
                                  s[1] * h[3 + a] + s[2] * h[6 + a],
                              2);
                if (r2 == 0 || r2 > cutoff * cutoff) continue;
                sum += p->charges[i] * p->charges[j] * erfc(alpha * sqrt(r2)) / sqrt(r2) / 2;
            }
    return sum;
}

/* Energy of modes with |k| <= 2 pi kmax/V^(1/3), of a cubic cell. */
static double modes_one_by_one(const problem *p, double alpha, double kmax)
{
    double sum = 0, edge = p->cell[0];
    int m = (int)kmax;
    for (int mx = -m; mx <= m; mx++)
        for (int my = -m; my <= m; my++)
            for (int mz = -m; mz <= m; mz++) {
                double m2 = mx * mx + my * my + mz * mz, re = 0, im = 0;
                if (m2 == 0 || m2 > kmax * kmax) continue;
                for (int64_t i = 0; i < p->n; i++) {
                    const double *x = p->positions + 3 * i;
                    double phase = 2 * pi / edge * (mx * x[0] + my * x[1] + mz * x[2]);
                    re += p->charges[i] * cos(phase);
                    im += p->charges[i] * sin(phase);
                }
                double k2 = 4 * pi * pi * m2 / (edge * edge);
                sum += 2 * pi / (edge * edge * edge) * exp(-k2 / (4 * alpha * alpha)) / k2 *
                       (re * re + im * im);
            }
    return sum;
}

/* The cutoff is 2.3 cells. Modes on the surface of the sphere, m2 = 9, are included. */
static void given_parameters_give_truncated_sums(void)
{
    problem p = cube(3.3);
    p.n = 7;
    random_ions(9, p.n, p.cell, 1.1, p.positions, p.charges);
    p.options.alpha = 0.3;
    p.options.cutoff = 2.3 * 3.3;
    p.options.kmax = 3;
    answer a = {0};
    solve(&p, &a);
    CHECK_CLOSE(a.result.parts.real, pairs_one_by_one(&p, 0.3, 2.3 * 3.3), 1e-14, "real part");
    CHECK_CLOSE(a.result.parts.reciprocal, modes_one_by_one(&p, 0.3, 3), 1e-14, "reciprocal part");
    CHECK_CLOSE(a.result.parts.self, -7 * 0.3 / sqrt(pi), 4e-16, "self part");
    CHECK_CLOSE(a.result.parts.background, -pi / (2 * 0.09 * pow(3.3, 3)), 1e-15,
                "background part");
}

/* Forces and potentials of four targets are those of a sum for all ions. */
static void targets_have_the_forces_of_a_sum_for_all(void)
{
    problem p = charged_and_tilted();
    static const int64_t pairs[] = {0, 1, 5, 2, 1, 2};
    enuf_exclusions exclusions = {.n = 3, .pairs = pairs};
    p.exclusions = &exclusions;
    answer all = {0}, some = {0};
    solve(&p, &all);
    const int64_t targets[4] = {5, 30, 0, 11};
    some.result.forces = some.forces;
    some.result.potential = some.potential;
    p.options.alpha = 0.6;
    p.options.threads = 3;
    CHECK_STATUS(enuf_exact_ewald(&p.options, p.cell, p.n, p.positions, 3, p.charges, p.exclusions,
                                  4, targets, &some.result),
                 ENUF_SUCCESS);
    double force = 0, potential = 0, energy = 0;
    for (int t = 0; t < 4; t++) {
        int64_t i = targets[t];
        potential = fmax(potential, fabs(some.potential[t] - all.potential[i]));
        energy += p.charges[i] * all.potential[i] / 2;
        for (int a = 0; a < 3; a++)
            force = fmax(force, fabs(some.forces[3 * t + a] - all.forces[3 * i + a]));
    }
    CHECK_BELOW(force / reference_force(&p), 1e-14, "largest force component, in F_ref");
    CHECK_BELOW(potential, 3e-15, "potentials");
    CHECK_CLOSE(some.result.energy, energy, 5e-15, "energy: half q phi of the targets");
    CHECK(isnan(some.result.virial[0]));
}

/* ---- NIST --------------------------------------------------------------------------------- */

enum { NIST_ATOMS = 300 };

static int read_nist(double *positions, double *charges)
{
    FILE *file = fopen(ENUF_SOURCE_DIR "/examples/data/spce_nist1.xyz", "r");
    if (!file) return 0;
    char line[512];
    int n = 0;
    for (int i = 0; fgets(line, sizeof line, file); i++) {
        char species[8];
        double *x = positions + 3 * n;
        if (i < 2 || n == NIST_ATOMS) continue;
        if (sscanf(line, "%7s %lf %lf %lf", species, &x[0], &x[1], &x[2]) != 4) break;
        charges[n++] = species[0] == 'O' ? -0.8476 : 0.4238;
    }
    fclose(file);
    return n == NIST_ATOMS;
}

static int is_same_to_six_digits(double value, double printed)
{
    char text[32], expected[32];
    snprintf(text, sizeof text, "%.5E", value);
    snprintf(expected, sizeof expected, "%.5E", printed);
    printf("%s (NIST: %s)\n", text, expected);
    return strcmp(text, expected) == 0;
}

/*
 * NIST, SPC/E water reference calculations, 10 A cutoff, configuration 1: 100 molecules, L = 20 A,
 * alpha = 5.6/L, k^2 < 27; kelvin. NIST's real part has no pairs inside a molecule, and its
 * intramolecular part subtracts their erf part. Here `real` has these pairs, and `excluded`
 * subtracts all of their q q/r.
 */
static void nist_water(void)
{
    static double positions[3 * NIST_ATOMS], charges[NIST_ATOMS];
    static int64_t pairs[2 * NIST_ATOMS];
    const double edge = 20, alpha = 5.6 / edge;
    /* e^2/(4 pi epsilon_0 k_B), CODATA 2010, in K A */
    const double coulomb =
        1.602176565e-19 * 1.602176565e-19 / (4 * pi * 8.854187817e-12 * 1.3806488e-23) * 1e10;
    const double cell[9] = {edge, 0, 0, 0, edge, 0, 0, 0, edge};
    if (!read_nist(positions, charges)) {
        printf("examples/data/spce_nist1.xyz is not there: NIST's numbers are not checked\n");
        return;
    }
    double erf_part = 0, erfc_part = 0; /* of the pairs inside a molecule */
    for (int e = 0; e < NIST_ATOMS; e++) {
        int i = e, j = e % 3 == 2 ? e - 2 : e + 1;
        double r2 = 0;
        pairs[2 * e] = i;
        pairs[2 * e + 1] = j;
        for (int a = 0; a < 3; a++) {
            double d = positions[3 * i + a] - positions[3 * j + a];
            d -= edge * round(d / edge);
            r2 += d * d;
        }
        double qq = coulomb * charges[i] * charges[j] / sqrt(r2);
        erf_part += qq * erf(alpha * sqrt(r2));
        erfc_part += qq * erfc(alpha * sqrt(r2));
    }
    enuf_exact_options options;
    enuf_exact_options_init(&options);
    options.coulomb = coulomb;
    options.alpha = alpha;
    options.cutoff = 10;
    options.kmax = sqrt(27) * (1 - 1e-9);
    enuf_exclusions exclusions = {.n = NIST_ATOMS, .pairs = pairs};
    enuf_exact_result result = {0};
    CHECK_STATUS(enuf_exact_ewald(&options, cell, NIST_ATOMS, positions, 3, charges, &exclusions, 0,
                                  NULL, &result),
                 ENUF_SUCCESS);
    CHECK(is_same_to_six_digits(result.parts.real - erfc_part, -5.58889e5));
    CHECK(is_same_to_six_digits(result.parts.reciprocal, 6.27009e3));
    CHECK(is_same_to_six_digits(result.parts.self, -2.84469e6));
    CHECK(is_same_to_six_digits(result.parts.excluded + erfc_part, 2.80999e6));
    CHECK_CLOSE(result.parts.excluded, -(erf_part + erfc_part), 1e-14, "excluded: all of q q/r");
}

/* ---- refusals ----------------------------------------------------------------------------- */

static enuf_status call(const problem *p, enuf_exact_result *result)
{
    return enuf_exact_ewald(&p->options, p->cell, p->n, p->positions, 3, p->charges, p->exclusions,
                            0, NULL, result);
}

static void refusals_say_why(void)
{
    const problem good = charged_and_tilted();
    enuf_exact_result result = {.energy = 42};
    problem p = good;
    p.options.struct_size = 0;
    CHECK_STATUS(call(&p, &result), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("enuf_exact_options_init");
    p = good;
    p.options.alpha = -1;
    CHECK_STATUS(call(&p, &result), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("alpha = -1");
    p = good;
    p.options.surroundings = 1;
    CHECK_STATUS(call(&p, &result), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("net charge is 1");
    p = good;
    p.options.slab = 3;
    CHECK_STATUS(call(&p, &result), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("c along z");
    p = good;
    memcpy(p.cell + 3, p.cell, 3 * sizeof(double));
    CHECK_STATUS(call(&p, &result), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("flat");
    p = good;
    p.positions[4] = NAN;
    CHECK_STATUS(call(&p, &result), ENUF_NOT_FINITE);
    CHECK_TEXT("atom 1");
    p = good;
    p.charges[3] = INFINITY;
    CHECK_STATUS(call(&p, &result), ENUF_NOT_FINITE);
    CHECK_TEXT("atom 3");
    p = good;
    for (int a = 0; a < 3; a++) p.positions[3 + a] = p.positions[a] + p.cell[a];
    p.positions[3] = p.positions[0];
    p.positions[4] = p.positions[1];
    p.positions[5] = p.positions[2];
    CHECK_STATUS(call(&p, &result), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("same place");
    p = good;
    static const int64_t pairs[] = {0, 31};
    enuf_exclusions exclusions = {.n = 1, .pairs = pairs};
    p.exclusions = &exclusions;
    CHECK_STATUS(call(&p, &result), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("(0, 31)");
    const int64_t twice[2] = {3, 3}, outside[1] = {-1};
    CHECK_STATUS(enuf_exact_ewald(&good.options, good.cell, good.n, good.positions, 3, good.charges,
                                  NULL, 2, twice, &result),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("listed twice");
    CHECK_STATUS(enuf_exact_ewald(&good.options, good.cell, good.n, good.positions, 3, good.charges,
                                  NULL, 1, outside, &result),
                 ENUF_BAD_ARGUMENT);
    CHECK_TEXT("targets[0] is -1");
    CHECK(result.energy == 42);

    p = good;
    p.n = 0;
    CHECK_STATUS(call(&p, &result), ENUF_SUCCESS);
    CHECK(result.energy == 0 && result.virial[0] == 0);
}

static void every_allocation_may_fail(void)
{
    problem p = charged_and_tilted();
    p.options.threads = 2;
    int failures = 0;
    for (int64_t k = 1; k < 100; k++) {
        enuf_exact_result result = {.energy = 42};
        enuf_fail_allocation(k);
        enuf_status status = call(&p, &result);
        enuf_fail_allocation(0);
        if (status == ENUF_SUCCESS) break;
        failures++;
        CHECK(status == ENUF_OUT_OF_MEMORY && result.energy == 42);
    }
    printf("%d allocations failed\n", failures);
    CHECK(failures > 10 && failures < 99);
}

int main(void)
{
    known_madelung_constants();
    same_answer_at_every_alpha();
    same_answer_for_far_images();
    forces_and_virial_are_derivatives();
    slab_does_not_depend_on_its_vacuum();
    boundary_dielectric_goes_to_tinfoil();
    given_parameters_give_truncated_sums();
    targets_have_the_forces_of_a_sum_for_all();
    nist_water();
    refusals_say_why();
    every_allocation_may_fail();
    return check_result();
}
