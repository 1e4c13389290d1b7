/*
 * test_deterministic_accuracy.c - deterministic sums, which add integers, have the requested
 * accuracy A or refuse it. Systems: 300 random ions, one of them with a charge 30 to 900 times the
 * others', also among 600000 neutral atoms; pairs at 1e-1 to 1e-6; one water molecule in a large
 * cell; 1000 ions on a grid with the unit of 1e10 charges. Reference: exact sums, A down to 1e-13.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include "object/ewald_object.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPLITS = 2 };
static const enuf_split splits[SPLITS] = {ENUF_SPLIT_GAUSSIAN, ENUF_SPLIT_PROLATE};

static enuf_ewald_options deterministic_options(double accuracy, enuf_split split)
{
    enuf_ewald_options options = options_for(accuracy, split);
    options.deterministic = 1;
    return options;
}

static void check_accuracy(const char *name, const charge_system *s, const double *exact,
                           enuf_split split, double accuracy)
{
    const enuf_ewald_options options = deterministic_options(accuracy, split);
    enuf_ewald_result result = evaluate(&options, s, NULL, WANT_SUMS);
    char text[160];
    snprintf(text, sizeof text, "%s, %s, A %.0e: error over A", name, enuf_split_name(split),
             accuracy);
    CHECK_BELOW(rms_difference(s->n, result.forces, exact) / reference_force(s) / accuracy, 1,
                text);
    free_result(&result);
}

/* The unit of the integers follows from the mean charge, not from the largest one. */
static void one_large_charge(void)
{
    for (double large = 30; large <= 1000; large *= 30) {
        charge_system s = make_ions(5, 300, CELL_CUBIC, 0);
        s.q[7] *= large;
        const enuf_ewald_options options = deterministic_options(1e-12, ENUF_SPLIT_AUTO);
        enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL);
        for (int k = 0; k < SPLITS; k++)
            for (double accuracy = 1e-12; accuracy > 5e-14; accuracy /= 10)
                check_accuracy("one large charge", &s, exact.forces, splits[k], accuracy);
        free_result(&exact);
        free_system(&s);
    }
}

/* Neutral atoms, and a charge much larger than the others, do not make the grid's unit coarser than
 * the sum of |q| requires. */
static void among_neutral_atoms(void)
{
    enum { IONS = 300, NEUTRAL = 600000 };
    charge_system ions = make_ions(9, IONS, CELL_CUBIC, 0);
    ions.q[11] *= 300;
    charge_system s = {.n = IONS + NEUTRAL};
    memcpy(s.cell, ions.cell, sizeof s.cell);
    s.x = calloc(3 * (size_t)s.n, sizeof *s.x);
    s.q = calloc((size_t)s.n, sizeof *s.q);
    for (int64_t i = 0; i < s.n; i++) {
        s.q[i] = i < IONS ? ions.q[i] : 0;
        memcpy(s.x + 3 * i, ions.x + 3 * (i % IONS), 3 * sizeof *s.x);
    }
    const enuf_ewald_options options = deterministic_options(1e-12, ENUF_SPLIT_AUTO);
    enuf_ewald_result exact = evaluate_exactly(&options, &ions, NULL);
    for (int k = 0; k < SPLITS; k++) {
        const enuf_ewald_options requested = deterministic_options(1e-12, splits[k]);
        enuf_ewald_result result = evaluate(&requested, &s, NULL, WANT_SUMS);
        CHECK_BELOW(rms_difference(IONS, result.forces, exact.forces) / reference_force(&ions) /
                        1e-12,
                    1, "a large charge among neutral atoms, A 1e-12: error over A");
        free_result(&result);
    }
    free_result(&exact);
    free_system(&s);
    free_system(&ions);
}

/* Pairs at distances down to 2e-6. Their forces are accurate to the rounding of their size plus
 * 6 A, the forces of all other ions to A. */
static void close_pairs(void)
{
    charge_system s = make_ions(6, 300, CELL_TRICLINIC, 0);
    enum { PAIRS = 6 };
    const double resolution = 4 * 0x1p-64 * cbrt((double)s.n / 0.1);
    for (int k = 0; k < PAIRS; k++)
        for (int e = 0; e < 3; e++)
            s.x[3 * (2 * k + 1) + e] = s.x[6 * k + e] + (e == 2 ? -1 : 1) * pow(10, -1 - k);
    const enuf_ewald_options options = deterministic_options(1e-12, ENUF_SPLIT_AUTO);
    enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL);
    for (int k = 0; k < SPLITS; k++)
        for (double accuracy = 1e-4; accuracy > 5e-13; accuracy *= 1e-4) {
            const enuf_ewald_options requested = deterministic_options(accuracy, splits[k]);
            enuf_ewald_result result = evaluate(&requested, &s, NULL, WANT_SUMS);
            const int64_t in_pairs = 2 * PAIRS, others = s.n - in_pairs;
            CHECK_BELOW(
                rms_difference(others, result.forces + 3 * in_pairs, exact.forces + 3 * in_pairs) /
                    reference_force(&s) / accuracy,
                1, "close pairs: forces of the other ions, error over A");
            for (int p = 0; p < PAIRS; p++) {
                /* roundings of doubles, and of coordinates, which are fractions of 64 bits */
                const double r = sqrt(3) * pow(10, -1 - p), force = 1 / (r * r);
                const double rounding = force * (2e-15 + 4 * resolution / r);
                CHECK_BELOW(rms_difference(2, result.forces + 6 * p, exact.forces + 6 * p),
                            rounding + 6 * accuracy * reference_force(&s),
                            "close pairs: their forces");
            }
            free_result(&result);
        }
    free_result(&exact);
    free_system(&s);
}

/* One molecule in a large cell: the mean spacing is many bonds long. */
static void one_molecule(void)
{
    int64_t pairs[6];
    charge_system s = make_water(7, 1, pairs);
    const double cube[9] = {25, 0, 0, 0, 25, 0, 0, 0, 25};
    for (int k = 0; k < 9; k++) s.cell[k] = cube[k];
    const enuf_exclusions exclusions = {3, pairs, NULL};
    for (int k = 0; k < SPLITS; k++) {
        const enuf_ewald_options options = deterministic_options(1e-6, splits[k]);
        enuf_ewald_result exact = evaluate_exactly(&options, &s, &exclusions);
        enuf_ewald_result result = evaluate(&options, &s, &exclusions, WANT_SUMS);
        CHECK_BELOW(rms_difference(s.n, result.forces, exact.forces) / reference_force(&s) / 1e-6,
                    1, "one water molecule in a cube of 25: error over A");
        free_result(&exact);
        free_result(&result);
    }
    free_system(&s);
}

/* The integers of the grid hold sum |q|, so their unit is 2^-62 of it, which is coarse for many
 * charges. The error is as predicted, or the accuracy is refused. The test sets sum |q| in the
 * object, because so many charges would take too long. */
static void unit_of_the_grid(void)
{
    charge_system s = make_ions(8, 1000, CELL_CUBIC, 0);
    const struct {
        double sum_abs; /* sum |q| set in the object; 0: that of the ions */
        double accuracy;
        enuf_status status;
    } cases[] = {{0, 1e-11, ENUF_SUCCESS},
                 {1e8, 1e-10, ENUF_SUCCESS},
                 {1e10, 1e-8, ENUF_SUCCESS},
                 {1e10, 1e-10, ENUF_UNREACHABLE_ACCURACY}};
    enuf_ewald_options options = deterministic_options(1e-11, ENUF_SPLIT_PROLATE);
    enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL);
    for (int k = 0; k < 4; k++) {
        const double requested = options.accuracy = cases[k].accuracy;
        enuf_ewald *ewald = make_ewald(&options, &s, NULL);
        if (cases[k].sum_abs > 0) ewald->charges.sum_abs = cases[k].sum_abs;
        enuf_ewald_result result = make_result(s.n);
        enuf_ewald_report report = {.struct_size = sizeof report};
        CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &result), cases[k].status);
        if (cases[k].status == ENUF_SUCCESS) {
            CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
            const double measured =
                rms_difference(s.n, result.forces, exact.forces) / reference_force(&s);
            printf("sum of |q| %g: A %.0e, predicted %.2e, of which rounding %.2e\n",
                   cases[k].sum_abs, requested, report.predicted, report.predicted_rounding);
            CHECK_BELOW(measured, requested, "  measured error, A");
            CHECK_BELOW(fabs(log2(report.predicted / measured)), 1.3,
                        "  log2(predicted / measured)");
        } else {
            CHECK_TEXT("below what double arithmetic reaches here");
        }
        enuf_ewald_destroy(&ewald);
        free_result(&result);
    }
    free_result(&exact);
    free_system(&s);
}

int main(void)
{
    one_large_charge();
    among_neutral_atoms();
    close_pairs();
    one_molecule();
    unit_of_the_grid();
    return check_result();
}
