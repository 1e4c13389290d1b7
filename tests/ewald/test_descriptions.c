/*
 * test_descriptions.c - results depend on the lattice, not on the cell vectors that describe it.
 * 1000 descriptions of one system, tilted by up to a few hundred edges, as in a simulation that
 * shears or flips its box: forces have the accuracy A (1e-3 to 1e-9), energies 20 A, against exact
 * sums, and forces differ by rounding. Fresh objects choose the same parameters. A given grid keeps
 * the given vectors; the predicted error is then within a factor of 2 of the measured one. 100
 * random ions, both splittings. SPDX-License-Identifier: BSD-3-Clause
 */
#include "random_system.h"
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IONS = 100, DESCRIPTIONS = 1000 };

static double error_of(const charge_system *s, const double *forces, const double *exact)
{
    return rms_difference(s->n, forces, exact) / reference_force(s);
}

/* Cells of whole numbers, about 10 long: no description rounds them. */
static charge_system make_base(cell_shape shape)
{
    charge_system s = make_ions(71, IONS, shape, 0);
    const double cubic[9] = {10, 0, 0, 0, 10, 0, 0, 0, 10};
    const double triclinic[9] = {8, 0, 0, 3, 10, 0, -3, 4, 13};
    memcpy(s.cell, shape == CELL_CUBIC ? cubic : triclinic, sizeof s.cell);
    random_ions(72, s.n, s.cell, 1.3, s.x, s.q);
    return s;
}

typedef struct setting {
    cell_shape shape;
    enuf_split split;
    double accuracy;
    int most; /* as in another_description() */
    int slab, deterministic;
} setting;

/* One object computes all descriptions, one after the other. */
static void same_forces_in_any_description(const setting *set)
{
    charge_system s = make_base(set->shape);
    enuf_ewald_options options = options_for(set->accuracy, set->split);
    options.slab = set->slab;
    options.threads = 1; /* evaluations are small */
    options.deterministic = set->deterministic;
    enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL), r = make_result(IONS);
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_report report = {.struct_size = sizeof report};
    enuf_ewald_result first = make_result(IONS);
    double error = 0, predicted = 0, energy = 0, scale = 0, difference = 0, tilt = 0;
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, ENUF_WANT_FORCES, &first), ENUF_SUCCESS);
    int changes = 0;
    int64_t grid[3] = {0, 0, 0};
    for (int64_t i = 0; i < s.n; i++) scale += 0.5 * fabs(s.q[i] * exact.potential[i]);
    for (int k = 0; k < DESCRIPTIONS; k++) {
        charge_system t = another_description(&s, (uint64_t)k, set->most, set->slab > 0);
        for (int e = 0; e < 9; e++) tilt = fmax(tilt, fabs(t.cell[e]) / 10);
        CHECK_STATUS(enuf_ewald_set_cell(ewald, t.cell), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_compute(ewald, t.x, 3, ENUF_WANT_FORCES | ENUF_WANT_ENERGY, &r),
                     ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
        error = fmax(error, error_of(&s, r.forces, exact.forces));
        difference = fmax(difference, error_of(&s, r.forces, first.forces));
        predicted = fmax(predicted, report.predicted);
        energy = fmax(energy, fabs(r.energy - exact.energy) / scale);
        changes += memcmp(grid, report.grid, sizeof grid) != 0;
        memcpy(grid, report.grid, sizeof grid);
        free_system(&t);
    }
    printf(
        "%s, %s, A = %g, shears of %d, slab %d, deterministic %d: predicted %.2g A, grid changed "
        "%d times\n",
        cell_shape_name(set->shape), enuf_split_name(set->split), set->accuracy, set->most,
        set->slab, set->deterministic, predicted / set->accuracy, changes);
    CHECK_BELOW(error / set->accuracy, 1, "largest RMS force error of 1000 descriptions, A");
    /* An ion is up to `tilt` edges from the origin, of 4.6 spacings each. So its position is
     * rounded by 1e-15 tilt spacings. Over one spacing a force changes by about F_ref, between
     * close neighbours by ten times that. */
    CHECK_BELOW(difference, 1e-14 * tilt,
                "largest RMS difference from the first forces, F_ref: 1e-14 tilt");
    CHECK_BELOW(energy / set->accuracy, 20, "largest energy error, A: 20");
    enuf_ewald_destroy(&ewald);
    free_result(&exact);
    free_result(&r);
    free_result(&first);
    free_system(&s);
}

static int by_size(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Fresh objects choose the same parameters in all descriptions, with and without positions. */
static void same_parameters_in_any_description(enuf_split split, double accuracy, int by_positions)
{
    enum { FRESH = 6 };
    charge_system s = make_base(CELL_TRICLINIC);
    enuf_ewald_options options = options_for(accuracy, split);
    options.threads = 1;
    enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL), r = make_result(IONS);
    enuf_ewald_report first = {.struct_size = sizeof first}, report = first;
    printf("%s, A = %g, tuned %s positions\n", enuf_split_name(split), accuracy,
           by_positions ? "with" : "without");
    for (int k = -1; k < FRESH; k++) {
        charge_system t = k < 0 ? copy_system(&s) : another_description(&s, (uint64_t)k, 15, 0);
        enuf_ewald *ewald = make_ewald(&options, &t, NULL);
        CHECK_STATUS(enuf_ewald_tune(ewald, by_positions ? t.x : NULL, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_compute(ewald, t.x, 3, ENUF_WANT_FORCES, &r), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
        qsort(report.grid, 3, sizeof *report.grid, by_size);
        qsort(report.modes, 3, sizeof *report.modes, by_size);
        if (k < 0) first = report;
        CHECK(memcmp(report.grid, first.grid, sizeof first.grid) == 0);
        CHECK(memcmp(report.modes, first.modes, sizeof first.modes) == 0);
        CHECK(report.width == first.width && report.split == first.split);
        /* the charge structure factor adds its modes in another order, and errors are measured in
         * another image */
        CHECK_CLOSE(report.cutoff, first.cutoff, 1e-6, "cutoff");
        CHECK_CLOSE(report.predicted, first.predicted, 1e-4, "predicted");
        CHECK_BELOW(error_of(&s, r.forces, exact.forces) / accuracy, 1, "RMS force error, A");
        enuf_ewald_destroy(&ewald);
        free_system(&t);
    }
    free_result(&exact);
    free_result(&r);
    free_system(&s);
}

/* A given grid is counted along the given vectors. Without one the basis is the shortest. */
static void a_grid_keeps_its_cell(void)
{
    charge_system s = make_base(CELL_CUBIC);
    enuf_ewald_options options = options_for(1e-3, ENUF_SPLIT_PROLATE);
    const double tilted[9] = {10, 0, 0, -10, 10, 0, 10, 20, 10};
    enuf_ewald_report report = {.struct_size = sizeof report};
    for (int given = 0; given < 2; given++) {
        for (int d = 0; d < 3; d++) options.grid[d] = given ? 48 : 0;
        enuf_ewald *ewald = make_ewald(&options, &s, NULL);
        CHECK_STATUS(enuf_ewald_set_cell(ewald, tilted), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
        for (int d = 0; d < 9; d++)
            CHECK(fabs(report.basis[d]) == (given ? fabs(tilted[d]) : d % 4 == 0 ? 10 : 0));
        CHECK(given ? report.modes[2] > report.modes[0] : report.modes[2] == report.modes[0]);
        enuf_ewald_destroy(&ewald);
    }
    free_system(&s);
}

/* The cube in vectors of lengths up to 30, 85, 177, as in a box that is sheared and not flipped. */
enum { TILTS = 3 };
static const double tilts[TILTS][3] = {{20, -20, 20}, {-60, 50, -60}, {-130, 120, -130}};

static charge_system make_tilted(int tilt)
{
    charge_system s = make_base(CELL_CUBIC);
    s.cell[3] = tilts[tilt][0];
    s.cell[6] = tilts[tilt][1];
    s.cell[7] = tilts[tilt][2];
    return s;
}

/* A grid along vectors far longer than necessary: the predicted error is within a factor of 2 of
 * the measured one, on grids that serve the accuracy and on grids that are too small for it. */
static void errors_of_grids_along_long_vectors_are_predicted(void)
{
    const int64_t grids[][3] = {{16, 16, 16}, {6, 64, 100}, {96, 96, 96}, {32, 144, 192}};
    double most = 0, least = HUGE_VAL;
    for (int tilt = 0; tilt < TILTS; tilt++) {
        charge_system s = make_tilted(tilt);
        for (int k = 0; k < 24; k++) {
            enuf_ewald_options options = options_for(
                pow(10, -3 - 3 * (k / 8)), k & 1 ? ENUF_SPLIT_GAUSSIAN : ENUF_SPLIT_PROLATE);
            memcpy(options.grid, grids[k / 2 % 4], sizeof options.grid);
            options.threads = 1;
            enuf_ewald *ewald = make_ewald(&options, &s, NULL);
            enuf_ewald_error error = {.struct_size = sizeof error};
            enuf_ewald_report report = {.struct_size = sizeof report};
            CHECK_STATUS(enuf_ewald_measure_error(ewald, s.x, 3, 0, 1, &error), ENUF_SUCCESS);
            CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
            const double ratio = error.accuracy / report.predicted;
            most = fmax(most, ratio);
            least = fmin(least, ratio);
            if (!(fabs(log2(ratio)) <= 1))
                printf("tilt %g, %s, A = %g, grid %lld %lld %lld: predicted %.2e, measured %.2e\n",
                       tilts[tilt][0], enuf_split_name(options.split), options.accuracy,
                       (long long)options.grid[0], (long long)options.grid[1],
                       (long long)options.grid[2], report.predicted, error.accuracy);
            enuf_ewald_destroy(&ewald);
        }
        free_system(&s);
    }
    CHECK_BELOW(most, 2, "grids along long vectors: measured over predicted error, largest");
    CHECK_BELOW(1 / least, 2, "grids along long vectors: predicted over measured error, largest");
}

/* The error of the modes left out does not depend on the description. */
static void truncation_error_is_that_of_the_lattice(double kmax)
{
    double straight = 0;
    for (int tilt = -1; tilt < TILTS; tilt++) {
        charge_system s = tilt < 0 ? make_base(CELL_CUBIC) : make_tilted(tilt);
        enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_GAUSSIAN);
        options.cutoff = 9;
        options.alpha = 0.3;
        options.kmax = kmax;
        options.width = 6;
        for (int d = 0; d < 3; d++) options.grid[d] = 256;
        enuf_ewald *ewald = make_ewald(&options, &s, NULL);
        enuf_ewald_report report = {.struct_size = sizeof report};
        CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
        if (tilt < 0) straight = report.predicted_truncation;
        CHECK_CLOSE(report.predicted_truncation, straight, 1e-9,
                    "error of the modes left out, in vectors of the same lattice");
        enuf_ewald_destroy(&ewald);
        free_system(&s);
    }
}

int main(void)
{
    const setting settings[] = {
        {CELL_CUBIC, ENUF_SPLIT_GAUSSIAN, 1e-3, 15, 0, 0},
        {CELL_CUBIC, ENUF_SPLIT_PROLATE, 1e-4, 15, 0, 0},
        {CELL_TRICLINIC, ENUF_SPLIT_PROLATE, 1e-3, 15, 0, 0},
        {CELL_TRICLINIC, ENUF_SPLIT_GAUSSIAN, 1e-9, 15, 0, 0},
        {CELL_TRICLINIC, ENUF_SPLIT_PROLATE, 1e-9, 100, 0, 1},
        {CELL_TRICLINIC, ENUF_SPLIT_GAUSSIAN, 1e-4, 100, 0, 0},
        {CELL_CUBIC, ENUF_SPLIT_PROLATE, 1e-4, 15, 3, 0},
    };
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        same_forces_in_any_description(&settings[k]);
    same_parameters_in_any_description(ENUF_SPLIT_GAUSSIAN, 1e-4, 1);
    same_parameters_in_any_description(ENUF_SPLIT_PROLATE, 1e-6, 1);
    same_parameters_in_any_description(ENUF_SPLIT_AUTO, 1e-6, 0);
    a_grid_keeps_its_cell();
    errors_of_grids_along_long_vectors_are_predicted();
    truncation_error_is_that_of_the_lattice(3.5);
    truncation_error_is_that_of_the_lattice(5.2);
    return check_result();
}
