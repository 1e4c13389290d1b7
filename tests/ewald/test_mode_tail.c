/*
 * test_mode_tail.c - with positions given, energy and virial hold what the modes beyond k_c have of
 * them: at those positions wholly, at others of the same kind but for the scatter of |S|^2; virial
 * is -dE/dstrain; forces are untouched; atoms' shares add up. What is missing is known from exact
 * sums with the modes kept and with all of them. SPDX-License-Identifier: BSD-3-Clause
 */
#include "random_system.h"
#include "choose/mode_tail.h"
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OTHERS = 3 };

/* Everything explicit: the same sums with and without what positions tell. */
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

/* With positions told, and without: the difference of the two is what was added. */
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

static sums added(const two_objects *both, const charge_system *s)
{
    enuf_ewald_result of[2] = {{.struct_size = sizeof of[0]}, {.struct_size = sizeof of[1]}};
    enuf_ewald *const by[2] = {both->tuned, both->plain};
    for (int k = 0; k < 2; k++) {
        CHECK_STATUS(enuf_ewald_set_cell(by[k], s->cell), ENUF_SUCCESS);
        CHECK_STATUS(
            enuf_ewald_reciprocal(by[k], s->x, 3, ENUF_WANT_ENERGY | ENUF_WANT_VIRIAL, &of[k]),
            ENUF_SUCCESS);
    }
    return difference(&of[0], &of[1]);
}

/* What the modes left out have, by exact sums with the same pairs; kmax twice as large leaves a
 * factor of exp(-3 k_c^2/4 alpha^2), less than 1e-5. */
static sums missing(const enuf_ewald_options *options, const charge_system *s)
{
    enuf_exact_result of[2] = {{.energy = 0}, {.energy = 0}};
    enuf_exact_options exact;
    enuf_exact_options_init(&exact);
    exact.alpha = options->alpha;
    exact.cutoff = 2; /* the same pairs in both */
    for (int all = 0; all < 2; all++) {
        exact.kmax = all ? 2 * options->kmax : options->kmax;
        CHECK_STATUS(
            enuf_exact_ewald(&exact, s->cell, s->n, s->x, 3, s->q, NULL, s->n, NULL, &of[all]),
            ENUF_SUCCESS);
    }
    sums d = {.energy = of[1].energy - of[0].energy};
    for (int c = 0; c < 6; c++) d.virial[c] = of[1].virial[c] - of[0].virial[c];
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

/* ---- Systems: the same kind by every seed ---- */

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

static void holds_what_is_missing(const kind *of, double kmax)
{
    const enuf_ewald_options options = explicit_options(0.45, kmax);
    charge_system s = of->make(1);
    two_objects both = make_both(&options, &s);
    enuf_ewald_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_ewald_get_report(both.tuned, &report), ENUF_SUCCESS);
    sums have = added(&both, &s), lack = missing(&options, &s);
    printf("%s, kmax %g: missing energy %.3g, trace of the virial %.3g\n", of->name, kmax,
           lack.energy, trace(lack.virial));
    /* shells as wide as a seventh in the exponent leave a thousandth, peaks of a crystal beyond the
     * last shell up to a hundredth */
    CHECK_CLOSE(have.energy, lack.energy, 1e-2, "energy added, missing");
    CHECK_CLOSE(trace(have.virial), trace(lack.virial), 1e-2, "trace of the virial");
    CHECK_BELOW(largest_of(have.virial, lack.virial) / fabs(trace(lack.virial)), 1e-2,
                "a component, over the trace missing");
    CHECK_CLOSE(report.energy_tail, have.energy, 1e-6, "energy_tail of the report, added");
    CHECK_BELOW(largest_of(report.virial_tail, have.virial) / fabs(trace(have.virial)), 1e-6,
                "virial_tail of the report");
    sums mean_lack = {.energy = 0}, mean_have = {.energy = 0};
    for (uint64_t seed = 2; seed < 2 + OTHERS; seed++) {
        charge_system other = of->make(seed);
        have = added(&both, &other);
        lack = missing(&options, &other);
        mean_have.energy += have.energy / OTHERS;
        mean_lack.energy += lack.energy / OTHERS;
        mean_have.virial[0] += trace(have.virial) / OTHERS;
        mean_lack.virial[0] += trace(lack.virial) / OTHERS;
        free_system(&other);
    }
    /* frozen and mean of others scatter alike: 3 sqrt(1 + 1/OTHERS) of the deviation reported; a
     * fifth of what was missing at most */
    const double room = 3 * sqrt(1 + 1.0 / OTHERS);
    const double off[2] = {fabs(mean_have.energy - mean_lack.energy),
                           fabs(mean_have.virial[0] - mean_lack.virial[0])};
    CHECK_BELOW(off[0] / mean_lack.energy, 0.2, "others: energy's bias, over that without");
    CHECK_BELOW(off[1] / fabs(mean_lack.virial[0]), 0.2, "others: pressure's bias");
    CHECK_BELOW(off[0] / report.energy_bias, room, "others: energy's bias, over energy_bias");
    CHECK_BELOW(off[1] / (3 * report.virial_bias), room, "others: pressure's, over virial_bias");
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

/* At the cell that was measured, and at one that has been strained by 2 % since. Relative to kmax
 * the modes kept are the same. */
static void virial_is_minus_strain_derivative(const kind *of)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const enuf_ewald_options options = explicit_options(0.45, 9.4);
    charge_system s = of->make(1), base = copy_system(&s), moved = copy_system(&s);
    two_objects both = make_both(&options, &s);
    const double h = 5e-4;
    for (int deformed = 0; deformed < 2; deformed++) {
        if (deformed) strain(&s, 0, 2, 0.02, &base);
        const sums at = added(&both, &base);
        double worst = 0;
        for (int c = 0; c < 6; c++) {
            double energy[4];
            for (int k = 0; k < 4; k++) {
                static const double steps[4] = {2, 1, -1, -2};
                strain(&base, row[c], column[c], steps[k] * h, &moved);
                energy[k] = added(&both, &moved).energy;
            }
            const double slope = (8 * (energy[1] - energy[2]) - (energy[0] - energy[3])) / (12 * h);
            worst = fmax(worst, fabs(-slope - at.virial[c]));
        }
        /* the sphere of the mean |k|^2 and that of the volume part at second order of the strain */
        CHECK_BELOW(worst / fabs(trace(at.virial)), deformed ? 2e-2 : 1e-5,
                    deformed ? "-dE/dstrain - virial, sheared by 2 %" : "-dE/dstrain - virial");
    }
    free_both(&both);
    free_system(&s);
    free_system(&base);
    free_system(&moved);
}

/* A cell that has shrunk or grown: modes keep their |S|^2, as positions scaled with it do. */
static void follows_the_cell(void)
{
    const enuf_ewald_options options = explicit_options(0.45, 9.4);
    charge_system s = melt(1), moved = copy_system(&s);
    two_objects both = make_both(&options, &s);
    for (int k = -1; k <= 1; k += 2) {
        charge_system between = copy_system(&s);
        strain(&s, 0, 0, 0.02 * k, &moved);
        sums have = added(&both, &moved), lack = missing(&options, &moved);
        /* the first shell beyond kmax, 144 modes that have a tenth of it all, passes the frontier
         * in parts, where the tail knows its mean |k|^2 alone */
        CHECK_CLOSE(have.energy, lack.energy, 0.15, "energy added, missing, x strained by 2 %");
        CHECK_CLOSE(trace(have.virial), trace(lack.virial), 0.15, "trace of the virial");
        strain(&moved, 1, 1, 0.02 * k, &between);
        strain(&between, 2, 2, 0.02 * k, &moved);
        have = added(&both, &moved);
        lack = missing(&options, &moved);
        CHECK_CLOSE(have.energy, lack.energy, 2e-3, "energy added, missing, scaled by 2 %");
        CHECK_CLOSE(trace(have.virial), trace(lack.virial), 2e-3, "trace of the virial");
        free_system(&between);
    }
    free_both(&both);
    free_system(&s);
    free_system(&moved);
}

/* A cell that shears is described by other vectors of its lattice from some tilt on, by the caller
 * (a box flip) or inside: the tail goes on as if nothing had been. */
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
        /* k_c stays: uncorrelated charges keep what is beyond it; the first order of their chance
         * anisotropy, of some per cent, grows with k_c^2/4 alpha^2 times the strain */
        if (k > 0) CHECK_CLOSE(energy[0], last, 0.05, "  energy_tail, sheared by 0.02 less");
        CHECK_CLOSE(energy[0], first, 0.3, "  not sheared");
        last = energy[0];
        free_system(&sheared);
    }
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

/* Forces, fields: as without; energies and virials of atoms, and potentials: they sum up. */
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
                "part `reciprocal`, energy added");
    CHECK_CLOSE((with.atom_energy[0] - without.atom_energy[0]) /
                    (with.atom_energy[1] - without.atom_energy[1]),
                4, 1e-8, "shares of oxygen and hydrogen, charges squared");
    CHECK_BELOW(rms_difference(s.n, with.forces, without.forces) / reference_force(&s), 1e-14,
                "forces with and without");
    CHECK_BELOW(rms_difference(s.n, with.field, without.field) / reference_force(&s), 1e-14,
                "fields with and without");
    free_both(&both);
    free_result(&with);
    free_result(&without);
    free_system(&s);
}

/* Nothing is added without positions, to deterministic sums, to those that shall
 * end at kmax, and to the prolate splitting; what may be missing is told. */
static void nothing_elsewhere(void)
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
        if (k < 3) { /* ions at random lack about what uncorrelated charges would */
            options.alpha = report.alpha;
            options.kmax = report.kmax;
            const sums lack = missing(&options, &s);
            CHECK_BELOW(fabs(log2(lack.energy / report.energy_bias)), 1, "log2(missing/estimate)");
            CHECK_BELOW(fabs(log2(-trace(lack.virial) / 3 / report.virial_bias)), 1, "  virial");
        }
        enuf_ewald_destroy(&ewald);
    }
    free_system(&s);
}

/* A plate whose axis `thin` is the short one: the same plate in each case. */
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

/* A plate along any axis, whole or in slices: little memory has room for those across its longest
 * axis, not for the plane of its two long ones (3 MB). The modes are the same, and any number of
 * threads adds them up. */
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
        CHECK_CLOSE(tail.energy, first.energy, 1e-5, "energy's tail of a plate, along any axis");
        CHECK_CLOSE(trace(tail.virial), trace(first.virial), 1e-5, "virial's");
        free_system(&s);
    }
}

/* Energies are the same however few evaluations are to come. */
static void few_evaluations_lack_nothing(void)
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
    few_evaluations_lack_nothing();
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        holds_what_is_missing(&kinds[k], 6);
        holds_what_is_missing(&kinds[k], 8.5);
    }
    virial_is_minus_strain_derivative(&kinds[0]);
    virial_is_minus_strain_derivative(&kinds[3]);
    follows_the_cell();
    any_description_of_the_lattice();
    atoms_have_their_shares();
    nothing_elsewhere();
    return check_result();
}
