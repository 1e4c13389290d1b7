/*
 * test_mode_tail.c - tuned with positions, the Gaussian splitting adds the energy and virial of the
 * modes beyond k_c (the tail). Reference: exact sums with twice as many modes along each axis less
 * exact sums with the modes in use. At the tuned positions the tail agrees to 1 %; at others of the
 * same kind it is off by less than a fifth, and as the report estimates. Its virial is minus its
 * derivative by strain. Forces do not change. Shares of atoms add up. A crystal, a melt, water, and
 * charged ions in a tilted cell. SPDX-License-Identifier: BSD-3-Clause
 */
#include "random_system.h"
#include "choose/mode_tail.h"
#include "enuf/window.h"
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OTHERS = 3 };

/* All parameters explicit, so that sums with and without tail have the same ones. */
static enuf_ewald_options explicit_options(double alpha, double kmax)
{
    enuf_ewald_options options = options_for(1e-3, ENUF_SPLIT_GAUSSIAN);
    options.alpha = alpha;
    options.cutoff = 6;
    options.kmax = kmax;
    options.width = 10;
    options.shape = enuf_window_shape(ENUF_WINDOW_PROLATE, 10, 2);
    for (int d = 0; d < 3; d++) options.grid[d] = 32;
    return options;
}

typedef struct sums {
    double energy, virial[6];
} sums;

static sums difference(const enuf_ewald_result *a, const enuf_ewald_result *b)
{
    sums d = {.energy = a->energy - b->energy};
    for (int c = 0; c < 6; c++) d.virial[c] = a->virial[c] - b->virial[c];
    return d;
}

/* Two objects, one of them tuned with positions. The difference of their results is the tail. */
typedef struct two_objects {
    enuf_ewald *tuned, *plain;
} two_objects;

static two_objects make_both(const enuf_ewald_options *options, const charge_system *s)
{
    const two_objects both = {make_ewald(options, s, NULL), make_ewald(options, s, NULL)};
    CHECK_STATUS(enuf_ewald_tune(both.tuned, s->x, 3), ENUF_SUCCESS);
    return both;
}

static void free_both(two_objects *both)
{
    enuf_ewald_destroy(&both->tuned);
    enuf_ewald_destroy(&both->plain);
}

static sums added_tail(const two_objects *both, const charge_system *s)
{
    enuf_ewald_result results[2] = {{.struct_size = sizeof results[0]},
                                    {.struct_size = sizeof results[1]}};
    enuf_ewald *const by[2] = {both->tuned, both->plain};
    for (int k = 0; k < 2; k++) {
        CHECK_STATUS(enuf_ewald_set_cell(by[k], s->cell), ENUF_SUCCESS);
        CHECK_STATUS(
            enuf_ewald_reciprocal(by[k], s->x, 3, ENUF_WANT_ENERGY | ENUF_WANT_VIRIAL, &results[k]),
            ENUF_SUCCESS);
    }
    return difference(&results[0], &results[1]);
}

/* The tail by exact sums with kmax and 2 kmax. Modes beyond 2 kmax contribute less than 1e-5 of it,
 * exp(-3 k_c^2/4 alpha^2). */
static sums exact_tail(const enuf_ewald_options *options, const charge_system *s)
{
    enuf_exact_result results[2] = {{.energy = 0}, {.energy = 0}};
    enuf_exact_options exact;
    enuf_exact_options_init(&exact);
    exact.alpha = options->alpha;
    exact.cutoff = 2; /* both sums include the same pairs */
    for (int all = 0; all < 2; all++) {
        exact.kmax = all ? 2 * options->kmax : options->kmax;
        CHECK_STATUS(
            enuf_exact_ewald(&exact, s->cell, s->n, s->x, 3, s->q, NULL, s->n, NULL, &results[all]),
            ENUF_SUCCESS);
    }
    sums d = {.energy = results[1].energy - results[0].energy};
    for (int c = 0; c < 6; c++) d.virial[c] = results[1].virial[c] - results[0].virial[c];
    return d;
}

static double trace(const double virial[6])
{
    return virial[0] + virial[1] + virial[2];
}

static double largest_of(const double a[6], const double b[6])
{
    double largest = 0;
    for (int c = 0; c < 6; c++) largest = fmax(largest, fabs(a[c] - b[c]));
    return largest;
}

/* ---- Systems of one kind; a seed chooses the positions ---- */

/* Rock salt with displacements of 5 % of the spacing, or (melt) of 35 %. */
static charge_system salt(uint64_t seed, double jitter)
{
    enum { SIDE = 8 };
    const double spacing = 2.8;
    charge_system s = make_ions(1, SIDE * SIDE * SIDE, CELL_CUBIC, 0);
    double *shift = malloc((size_t)s.n * 3 * sizeof *shift);
    random_numbers(seed, 3 * s.n, -jitter, jitter, shift);
    memset(s.cell, 0, sizeof s.cell);
    for (int d = 0; d < 3; d++) s.cell[4 * d] = SIDE * spacing;
    for (int64_t i = 0; i < s.n; i++) {
        const int64_t at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        s.q[i] = (at[0] + at[1] + at[2]) % 2 ? 1 : -1;
        for (int d = 0; d < 3; d++) s.x[3 * i + d] = ((double)at[d] + shift[3 * i + d]) * spacing;
    }
    free(shift);
    return s;
}

static charge_system crystal(uint64_t seed)
{
    return salt(seed, 0.05);
}

static charge_system melt(uint64_t seed)
{
    return salt(seed, 0.35);
}

static charge_system water(uint64_t seed)
{
    return make_water(seed, 170, NULL);
}

static charge_system tilted_ions(uint64_t seed)
{
    return make_ions(seed, 500, CELL_TRICLINIC, 3);
}

typedef struct kind {
    const char *name;
    charge_system (*make)(uint64_t seed);
} kind;

static const kind kinds[] = {
    {"crystal", crystal}, {"melt", melt}, {"water", water}, {"ions, tilted, charged", tilted_ions}};

/* ---- Laws ---- */

static void tail_is_that_of_exact_sums(const kind *type, double kmax)
{
    const enuf_ewald_options options = explicit_options(0.45, kmax);
    charge_system s = type->make(1);
    two_objects both = make_both(&options, &s);
    enuf_ewald_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_ewald_get_report(both.tuned, &report), ENUF_SUCCESS);
    sums tail = added_tail(&both, &s), exact = exact_tail(&options, &s);
    printf("%s, kmax %g: exact tail: energy %.3g, trace of the virial %.3g\n", type->name, kmax,
           exact.energy, trace(exact.virial));
    /* The tail is stored in shells of width 1/7 in the Gaussian's exponent, which gives an error
     * of 1e-3. Peaks of a crystal beyond the last shell give up to 1e-2. */
    CHECK_CLOSE(tail.energy, exact.energy, 1e-2, "energy of the tail, exact");
    CHECK_CLOSE(trace(tail.virial), trace(exact.virial), 1e-2, "trace of the virial");
    CHECK_BELOW(largest_of(tail.virial, exact.virial) / fabs(trace(exact.virial)), 1e-2,
                "error of a virial component, over the exact trace");
    CHECK_CLOSE(report.energy_tail, tail.energy, 1e-6, "energy_tail of the report, energy added");
    CHECK_BELOW(largest_of(report.virial_tail, tail.virial) / fabs(trace(tail.virial)), 1e-6,
                "virial_tail of the report");
    sums mean_exact = {.energy = 0}, mean_tail = {.energy = 0};
    for (uint64_t seed = 2; seed < 2 + OTHERS; seed++) {
        charge_system other = type->make(seed);
        tail = added_tail(&both, &other);
        exact = exact_tail(&options, &other);
        mean_tail.energy += tail.energy / OTHERS;
        mean_exact.energy += exact.energy / OTHERS;
        mean_tail.virial[0] += trace(tail.virial) / OTHERS;
        mean_exact.virial[0] += trace(exact.virial) / OTHERS;
        free_system(&other);
    }
    /* The tail at the tuned positions and the mean at OTHERS positions scatter alike: the bound is
     * three standard deviations of their difference, with the reported deviation. It also is a
     * fifth of the exact tail at most. */
    const double bound = 3 * sqrt(1 + 1.0 / OTHERS);
    const double off[2] = {fabs(mean_tail.energy - mean_exact.energy),
                           fabs(mean_tail.virial[0] - mean_exact.virial[0])};
    CHECK_BELOW(off[0] / mean_exact.energy, 0.2, "other positions: error over the exact energy");
    CHECK_BELOW(off[1] / fabs(mean_exact.virial[0]), 0.2, "  over the exact trace of the virial");
    CHECK_BELOW(off[0] / report.energy_bias, bound, "  of the energy, over energy_bias");
    CHECK_BELOW(off[1] / (3 * report.virial_bias), bound, "  of the trace, over 3 virial_bias");
    free_both(&both);
    free_system(&s);
}

static void strain(const charge_system *from, int a, int b, double amount, charge_system *to)
{
    memcpy(to->x, from->x, 3 * (size_t)from->n * sizeof *to->x);
    memcpy(to->cell, from->cell, sizeof to->cell);
    for (int64_t i = 0; i < from->n; i++) to->x[3 * i + a] += amount * from->x[3 * i + b];
    for (int d = 0; d < 3; d++) to->cell[3 * d + a] += amount * from->cell[3 * d + b];
}

/* The virial of the tail is minus its derivative by strain, in the tuned cell and after a strain of
 * 2 %. kmax is relative to the volume: the modes in use stay. */
static void virial_is_minus_strain_derivative(const kind *type)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const enuf_ewald_options options = explicit_options(0.45, 9.4);
    charge_system s = type->make(1), base = copy_system(&s), moved = copy_system(&s);
    two_objects both = make_both(&options, &s);
    const double h = 5e-4;
    for (int deformed = 0; deformed < 2; deformed++) {
        if (deformed) strain(&s, 0, 2, 0.02, &base);
        const sums at = added_tail(&both, &base);
        double worst = 0;
        for (int c = 0; c < 6; c++) {
            double energy[4];
            for (int k = 0; k < 4; k++) {
                static const double steps[4] = {2, 1, -1, -2};
                strain(&base, row[c], column[c], steps[k] * h, &moved);
                energy[k] = added_tail(&both, &moved).energy;
            }
            const double slope = (8 * (energy[1] - energy[2]) - (energy[0] - energy[3])) / (12 * h);
            worst = fmax(worst, fabs(-slope - at.virial[c]));
        }
        /* the spheres by the mean |k|^2 and by the volume differ at second order of the strain */
        CHECK_BELOW(worst / fabs(trace(at.virial)), deformed ? 2e-2 : 1e-5,
                    deformed ? "-dE/dstrain - virial, sheared by 2 %" : "-dE/dstrain - virial");
    }
    free_both(&both);
    free_system(&s);
    free_system(&base);
    free_system(&moved);
}

/* The cell shrinks or grows, and the positions with it: |S|^2 of each mode stays. */
static void tail_follows_the_cell(void)
{
    const enuf_ewald_options options = explicit_options(0.45, 9.4);
    charge_system s = melt(1), moved = copy_system(&s);
    two_objects both = make_both(&options, &s);
    for (int k = -1; k <= 1; k += 2) {
        charge_system between = copy_system(&s);
        strain(&s, 0, 0, 0.02 * k, &moved);
        sums tail = added_tail(&both, &moved), exact = exact_tail(&options, &moved);
        /* The first shell beyond kmax contains 144 modes and a tenth of the tail. The strain moves
         * only some of them across kmax, but the tail uses their mean |k|^2. */
        CHECK_CLOSE(tail.energy, exact.energy, 0.15,
                    "energy of the tail, exact, x strained by 2 %");
        CHECK_CLOSE(trace(tail.virial), trace(exact.virial), 0.15, "trace of the virial");
        strain(&moved, 1, 1, 0.02 * k, &between);
        strain(&between, 2, 2, 0.02 * k, &moved);
        tail = added_tail(&both, &moved);
        exact = exact_tail(&options, &moved);
        CHECK_CLOSE(tail.energy, exact.energy, 2e-3, "energy of the tail, exact, scaled by 2 %");
        CHECK_CLOSE(trace(tail.virial), trace(exact.virial), 2e-3, "trace of the virial");
        free_system(&between);
    }
    free_both(&both);
    free_system(&s);
    free_system(&moved);
}

/* A cell is sheared step by step. From some tilt on, the caller (by a box flip) or the library
 * describes it by other vectors of the lattice. The tail does not jump. */
static void any_description_of_the_lattice(void)
{
    charge_system s = tilted_ions(1);
    const enuf_ewald_options options = options_for(1e-3, ENUF_SPLIT_GAUSSIAN);
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_report report = {.struct_size = sizeof report};
    enuf_ewald_result r = {.struct_size = sizeof r};
    CHECK_STATUS(enuf_ewald_tune(ewald, s.x, 3), ENUF_SUCCESS);
    double first = 0, last = 0, energy[2], virial[2];
    for (int k = 0; k <= 20; k++) {
        charge_system sheared = copy_system(&s);
        strain(&s, 0, 1, 0.02 * k, &sheared);
        for (int flipped = 0; flipped < 2; flipped++) {
            for (int d = 0; d < 3 && flipped; d++) {
                sheared.cell[3 + d] -= sheared.cell[d];
                sheared.cell[6 + d] += 2 * sheared.cell[3 + d];
            }
            CHECK_STATUS(enuf_ewald_set_cell(ewald, sheared.cell), ENUF_SUCCESS);
            CHECK_STATUS(enuf_ewald_compute(ewald, sheared.x, 3, ENUF_WANT_ENERGY, &r),
                         ENUF_SUCCESS);
            CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
            energy[flipped] = report.energy_tail;
            virial[flipped] = report.virial_tail[3];
        }
        if (k == 0) first = energy[0];
        CHECK_CLOSE(energy[1], energy[0], 1e-10, "energy_tail after a flip, before");
        CHECK_CLOSE(virial[1], virial[0], 1e-10, "  xy of virial_tail");
        /* k_c stays, so the tail of uncorrelated charges stays on average. Their random anisotropy
         * of a few per cent changes it by k_c^2/4 alpha^2 times the strain. */
        if (k > 0) CHECK_CLOSE(energy[0], last, 0.05, "  energy_tail, one step before");
        CHECK_CLOSE(energy[0], first, 0.3, "  energy_tail, before all steps");
        last = energy[0];
        free_system(&sheared);
    }
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

/* Forces and fields do not change. Energies, virials and potentials of atoms add up to the totals
 * that include the tail. */
static void atoms_have_their_shares(void)
{
    const enuf_ewald_options options = explicit_options(0.45, 8);
    charge_system s = make_water(1, 170, NULL);
    enuf_ewald_result with = make_result(s.n), without = make_result(s.n);
    two_objects both = make_both(&options, &s);
    CHECK_STATUS(enuf_ewald_compute(both.tuned, s.x, 3, WANT_ALL, &with), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(both.plain, s.x, 3, WANT_ALL, &without), ENUF_SUCCESS);
    const sums d = difference(&with, &without);
    double energy = 0, by_potential = 0, virial[6] = {0};
    for (int64_t i = 0; i < s.n; i++) {
        energy += with.atom_energy[i];
        by_potential += 0.5 * s.q[i] * with.potential[i];
        for (int c = 0; c < 6; c++) virial[c] += with.atom_virial[6 * i + c];
    }
    CHECK_BELOW(fabs(energy - with.energy) / d.energy, 1e-9, "sum of atom_energy - energy");
    CHECK_BELOW(fabs(by_potential - with.energy) / d.energy, 1e-9, "1/2 sum q phi - energy");
    CHECK_BELOW(largest_of(virial, with.virial) / fabs(trace(d.virial)), 1e-9,
                "sum of atom_virial - virial");
    CHECK_CLOSE(with.parts.reciprocal - without.parts.reciprocal, d.energy, 1e-9,
                "change of part `reciprocal`, energy of the tail");
    CHECK_CLOSE((with.atom_energy[0] - without.atom_energy[0]) /
                    (with.atom_energy[1] - without.atom_energy[1]),
                4, 1e-8, "share of an oxygen over that of a hydrogen, charges squared");
    CHECK_BELOW(rms_difference(s.n, with.forces, without.forces) / reference_force(&s), 1e-14,
                "forces with and without tail");
    CHECK_BELOW(rms_difference(s.n, with.field, without.field) / reference_force(&s), 1e-14,
                "fields with and without tail");
    free_both(&both);
    free_result(&with);
    free_result(&without);
    free_system(&s);
}

/* There is no tail without positions, with `deterministic` or `truncated`, and for the prolate
 * splitting. The report estimates the error. */
static void no_tail_elsewhere(void)
{
    charge_system s = tilted_ions(1);
    for (int k = 0; k < 4; k++) {
        enuf_ewald_options options =
            options_for(1e-3, k == 3 ? ENUF_SPLIT_PROLATE : ENUF_SPLIT_GAUSSIAN);
        options.deterministic = k == 1;
        options.truncated = k == 2;
        enuf_ewald_report report = {.struct_size = sizeof report};
        enuf_ewald *ewald = make_ewald(&options, &s, NULL);
        CHECK_STATUS(enuf_ewald_tune(ewald, k == 0 ? NULL : s.x, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
        CHECK(report.energy_tail == 0 && report.virial_tail[0] == 0);
        CHECK(report.energy_bias > 0 && report.virial_bias > 0);
        if (k < 3) { /* the estimate for uncorrelated charges fits random ions */
            options.alpha = report.alpha;
            options.kmax = report.kmax;
            const sums exact = exact_tail(&options, &s);
            CHECK_BELOW(fabs(log2(exact.energy / report.energy_bias)), 1,
                        "log2(exact tail / energy_bias)");
            CHECK_BELOW(fabs(log2(-trace(exact.virial) / 3 / report.virial_bias)), 1,
                        "log2(trace of its virial / 3 virial_bias)");
        }
        enuf_ewald_destroy(&ewald);
    }
    free_system(&s);
}

/* The same plate for any `thin`, the axis along which it is short. */
static charge_system plate(int thin)
{
    const double length[3] = {5, 140, 120};
    charge_system s = make_ions(1, 1000, CELL_CUBIC, 0);
    for (int64_t i = 0; i < s.n; i++) {
        const double x[3] = {s.x[3 * i], s.x[3 * i + 1], s.x[3 * i + 2]};
        for (int d = 0; d < 3; d++) s.x[3 * i + (thin + d) % 3] = x[d] / s.cell[0] * length[d];
    }
    for (int d = 0; d < 3; d++) s.cell[4 * ((thin + d) % 3)] = length[d];
    return s;
}

/* A plate that is short along any axis has the same tail, with 1 and 3 threads, and in little
 * memory. A limit of 2 MB has no room for the plane of the two long axes (3 MB): the modes are then
 * summed in slices across the longest axis. */
static void slices_of_any_cell(void)
{
    const enuf_splitting splitting = {.kind = ENUF_SPLIT_GAUSSIAN, .alpha = 0.5};
    enuf_mode_tail first = {.energy = 0};
    for (int run = 0; run < 9; run++) {
        charge_system s = plate(run % 3);
        enuf_cell_geometry cell;
        enuf_mode_shells shells;
        CHECK_STATUS(enuf_cell_geometry_make(s.cell, &cell), ENUF_SUCCESS);
        const enuf_tail_request request = {.cell = &cell,
                                           .splitting = &splitting,
                                           .k_c = 3,
                                           .n = s.n,
                                           .positions = s.x,
                                           .stride = 3,
                                           .q = s.q,
                                           .sum_q2 = (double)s.n,
                                           .threads = run / 3 == 1 ? 3 : 1,
                                           .memory_limit = run / 3 == 2 ? 2000000 : 0};
        if (!CHECK_STATUS(enuf_mode_shells_measure(&request, &shells), ENUF_SUCCESS)) continue;
        const enuf_mode_tail tail = enuf_mode_tail_of(&shells, &cell, &splitting, request.k_c);
        if (run == 0) first = tail;
        /* transforms have a tolerance of 1e-4, which averages out over 1e5 modes */
        CHECK_CLOSE(tail.energy, first.energy, 1e-5, "tail of a plate: energy, first plate's");
        CHECK_CLOSE(trace(tail.virial), trace(first.virial), 1e-5, "  trace of the virial");
        free_system(&s);
    }
}

/* The tail is the same if one evaluation is expected. */
static void one_evaluation_has_the_tail(void)
{
    charge_system s = melt(1);
    double energy[2];
    for (int k = 0; k < 2; k++) {
        enuf_ewald_options options = explicit_options(0.45, 8);
        enuf_ewald_report report = {.struct_size = sizeof report};
        options.evaluations = k;
        enuf_ewald *ewald = make_ewald(&options, &s, NULL);
        CHECK_STATUS(enuf_ewald_tune(ewald, s.x, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
        energy[k] = report.energy_tail;
        enuf_ewald_destroy(&ewald);
    }
    CHECK(energy[0] > 0);
    CHECK_CLOSE(energy[1], energy[0], 1e-9, "energy_tail for one evaluation, for many");
    free_system(&s);
}

int main(void)
{
    slices_of_any_cell();
    one_evaluation_has_the_tail();
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        tail_is_that_of_exact_sums(&kinds[k], 6);
        tail_is_that_of_exact_sums(&kinds[k], 8.5);
    }
    virial_is_minus_strain_derivative(&kinds[0]);
    virial_is_minus_strain_derivative(&kinds[3]);
    tail_follows_the_cell();
    any_description_of_the_lattice();
    atoms_have_their_shares();
    no_tail_elsewhere();
    return check_result();
}
