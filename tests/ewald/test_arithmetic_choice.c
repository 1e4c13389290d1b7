/*
 * test_arithmetic_choice.c - ENUF_ARITHMETIC_AUTO is double on the CPU. On a GPU it is mixed for
 * A >= 1e-5, else double, and ENUF_ARITHMETIC_BY_ACCURACY is so on the CPU too, for requests by
 * `accuracy` and by `force_error`. A change of the cell
 * turns mixed into double if the accuracy needs it, never double into mixed;
 * enuf_ewald_tune() chooses again. The error measured against exact sums is at most A. An
 * unreachable accuracy leaves the object as it was. A given arithmetic is kept. 600 random ions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <stdio.h>
#include <stdlib.h>

static enuf_arithmetic arithmetic_of(const enuf_ewald *ewald)
{
    enuf_ewald_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    return report.arithmetic;
}

/* The one under test. */
static enuf_arithmetic left_open;

static enuf_ewald_options open_options(double accuracy)
{
    enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_AUTO);
    options.arithmetic = left_open;
    return options;
}

/* The arithmetic that the backend under test chooses for an accuracy. */
static enuf_arithmetic expected(double accuracy)
{
    const int chooses =
        left_open == ENUF_ARITHMETIC_BY_ACCURACY || tested_backend() == ENUF_BACKEND_CUDA;
    return chooses && accuracy >= 1e-5 ? ENUF_ARITHMETIC_MIXED : ENUF_ARITHMETIC_DOUBLE;
}

static void check_accuracy(double accuracy)
{
    charge_system s = make_ions(5, 600, CELL_CUBIC, 0);
    enuf_ewald_options options = open_options(accuracy);
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
    enuf_ewald_error error = {.struct_size = sizeof error};
    CHECK_STATUS(enuf_ewald_measure_error(ewald, s.x, 3, 0, 1, &error), ENUF_SUCCESS);
    printf("A = %g: %s, measured %.3g\n", accuracy, enuf_arithmetic_name(arithmetic_of(ewald)),
           error.accuracy);
    CHECK(arithmetic_of(ewald) == expected(accuracy));
    CHECK_BELOW(error.accuracy, accuracy, "measured error, A");
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

/* Computes the system with all lengths multiplied by factor; the arithmetic in use then. */
static enuf_arithmetic with_edges(enuf_ewald *ewald, const charge_system *s, double factor)
{
    double cell[9], *x = malloc((size_t)(3 * s->n) * sizeof *x);
    enuf_ewald_result result = make_result(s->n);
    for (int k = 0; k < 9; k++) cell[k] = factor * s->cell[k];
    for (int64_t k = 0; x && k < 3 * s->n; k++) x[k] = factor * s->x[k];
    CHECK_STATUS(enuf_ewald_set_cell(ewald, cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, x, 3, WANT_SUMS, &result), ENUF_SUCCESS);
    free_result(&result);
    free(x);
    return arithmetic_of(ewald);
}

/* A given absolute error is a fraction of F_ref that grows with the square of the cell's edges. */
static void follow_the_cell(void)
{
    const double accuracy = 4e-5;
    charge_system s = make_ions(5, 600, CELL_CUBIC, 0);
    enuf_ewald_options options = open_options(0);
    options.force_error = accuracy * reference_force(&s);
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
    CHECK(arithmetic_of(ewald) == expected(accuracy));
    CHECK(with_edges(ewald, &s, 1.6) == expected(accuracy));
    CHECK(with_edges(ewald, &s, 0.4) == expected(accuracy)); /* A = 6.4e-6: mixed stays */
    CHECK(with_edges(ewald, &s, 0.3) == ENUF_ARITHMETIC_DOUBLE);
    CHECK(with_edges(ewald, &s, 1) == ENUF_ARITHMETIC_DOUBLE);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
    CHECK(arithmetic_of(ewald) == expected(accuracy));
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

/* If the accuracy cannot be reached, the object keeps its arithmetic and computes on. */
static void after_an_error(void)
{
    charge_system s = make_ions(5, 600, CELL_CUBIC, 0);
    enuf_ewald_options options = open_options(0);
    options.force_error = 4e-5 * reference_force(&s);
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
    double cell[9];
    for (int k = 0; k < 9; k++) cell[k] = 1e-6 * s.cell[k];
    CHECK_STATUS(enuf_ewald_set_cell(ewald, cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_UNREACHABLE_ACCURACY);
    CHECK(arithmetic_of(ewald) == expected(4e-5));
    CHECK(with_edges(ewald, &s, 1) == expected(4e-5));
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

static void keep_a_given_arithmetic(void)
{
    charge_system s = make_ions(5, 600, CELL_CUBIC, 0);
    for (int a = ENUF_ARITHMETIC_DOUBLE; a <= ENUF_ARITHMETIC_MIXED; a++) {
        enuf_ewald_options options = options_for(2e-5, ENUF_SPLIT_AUTO);
        options.arithmetic = (enuf_arithmetic)a;
        enuf_ewald *ewald = make_ewald(&options, &s, NULL);
        CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
        CHECK(arithmetic_of(ewald) == (enuf_arithmetic)a);
        enuf_ewald_destroy(&ewald);
    }
    free_system(&s);
}

int main(void)
{
    const enuf_arithmetic open[] = {ENUF_ARITHMETIC_AUTO, ENUF_ARITHMETIC_BY_ACCURACY};
    for (int k = 0; k < 2; k++) {
        left_open = open[k];
        printf("%s:\n", enuf_arithmetic_name(left_open));
        check_accuracy(1e-3);
        check_accuracy(1e-5);
        check_accuracy(9e-6);
        check_accuracy(1e-8);
        follow_the_cell();
        after_an_error();
    }
    keep_a_given_arithmetic();
    return check_result();
}
