/*
 * test_ordered_ions.c - without positions, parameters are chosen for uncorrelated charges, and
 * would give ordered ions (walls, layers, lattices) too large an error. The first evaluation
 * verifies the choice, and chooses again if needed: its forces have the requested accuracy A = 1e-3
 * to 1e-9. If options fix the parameters, the report has the larger error. Each choice is verified
 * once. Reference: exact sums; the verified error is within 0.1 A of the measured one.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "memory.h"
#include "ordered_systems.h"

#include "object/ewald_object.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double measured_error(enuf_ewald *ewald, const charge_system *s, const double *exact)
{
    enuf_ewald_result r = make_result(s->n);
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
    const double error = rms_difference(s->n, r.forces, exact) / reference_force(s);
    free_result(&r);
    return error;
}

static enuf_ewald_report report_of(enuf_ewald *ewald)
{
    enuf_ewald_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    return report;
}

/* The verified error differs from the true one by the error of the library's reference: A/20 for
 * uncorrelated charges, twice that for ordered ones. */
static const double VERIFIED_TO = 0.1;

static void first_evaluation_is_accurate(ion_order order, double amount, int edge, cell_shape shape,
                                         enuf_split split, double accuracy, double *worst)
{
    charge_system s = make_ordered_ions(order, 77, edge, shape, amount);
    const enuf_ewald_options options = options_for(accuracy, split);
    enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL);
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    const double error = measured_error(ewald, &s, exact.forces);
    const enuf_ewald_report report = report_of(ewald);
    if (error > accuracy || !(fabs(report.verified - error) <= VERIFIED_TO * accuracy))
        printf("%s, %g, %s, %s, A %.0e: measured %.2f A, verified %.2f, predicted %.2f\n",
               ion_order_name(order), amount, cell_shape_name(shape), enuf_split_name(split),
               accuracy, error / accuracy, report.verified / accuracy, report.predicted / accuracy);
    CHECK(error <= accuracy);
    CHECK(fabs(report.verified - error) <= VERIFIED_TO * accuracy);
    CHECK(!report.calibrated || report.predicted >= error - VERIFIED_TO * accuracy);
    *worst = fmax(*worst, error / accuracy);
    enuf_ewald_destroy(&ewald);
    free_result(&exact);
    free_system(&s);
}

static void ordered_ions_are_accurate(ion_order order, const double *amounts, int edge)
{
    double worst = 0;
    const cell_shape shapes[] = {CELL_CUBIC, CELL_TRICLINIC};
    int k = 0;
    for (; *amounts >= 0; amounts++)
        for (double accuracy = 1e-3; accuracy > 5e-10; accuracy *= 1e-3)
            for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; split++)
                first_evaluation_is_accurate(order, *amounts, edge, shapes[k++ / 2 % 2],
                                             (enuf_split)split, accuracy, &worst);
    printf("%s: ", ion_order_name(order));
    CHECK_BELOW(worst, 1, "largest error of a first evaluation, over A");
}

/* Deterministic parameters and explicit ones do not depend on positions. They stay, and the report
 * has the error. */
static void report_has_the_error_of_fixed_parameters(int deterministic)
{
    const double accuracy = 1e-6;
    charge_system s = make_ordered_ions(ORDER_WALLS, 77, 6, CELL_TRICLINIC, 0.5);
    enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_PROLATE);
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
    const enuf_ewald_report chosen = report_of(ewald);
    enuf_ewald_destroy(&ewald);
    options.deterministic = deterministic;
    if (!deterministic) {
        options.cutoff = chosen.cutoff;
        options.c = chosen.c;
        options.kmax = chosen.kmax;
        options.width = chosen.width;
        options.shape = chosen.shape;
        memcpy(options.grid, chosen.grid, sizeof options.grid);
    }
    ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
    const enuf_ewald_report before = report_of(ewald);
    CHECK(isnan(before.verified));
    const double error = measured_error(ewald, &s, exact.forces);
    const enuf_ewald_report after = report_of(ewald);
    printf("%s: ", deterministic ? "deterministic" : "explicit parameters");
    CHECK_BELOW(accuracy, error, "A, which the measured error exceeds");
    CHECK_BELOW(fabs(after.verified / error - 1), VERIFIED_TO,
                "verified over measured error, less 1");
    CHECK(after.predicted >= after.verified);
    CHECK(after.kmax == before.kmax && after.width == before.width && after.c == before.c &&
          after.cutoff == before.cutoff);
    enuf_ewald_destroy(&ewald);
    free_result(&exact);
    free_system(&s);
}

/* While a cell changes by 0.3 %, the parameters stay and are not verified again. Another choice or
 * verification would count in method_changes. */
static void choice_is_verified_once(void)
{
    const double accuracy = 1e-6;
    const enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_PROLATE);
    charge_system s = make_ordered_ions(ORDER_WALLS, 78, 6, CELL_TRICLINIC, 0.5);
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_report first = {0};
    for (int step = 0; step < 8; step++) {
        const double factor = step == 0 ? 1 : step % 2 ? 1.003 : 1 / 1.003;
        for (int64_t i = 0; i < 3 * s.n; i++) s.x[i] *= factor;
        for (int k = 0; k < 9; k++) s.cell[k] *= factor;
        enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL);
        const int64_t before = ewald->method_changes;
        CHECK_STATUS(enuf_ewald_set_cell(ewald, s.cell), ENUF_SUCCESS);
        CHECK_BELOW(measured_error(ewald, &s, exact.forces), accuracy,
                    "walls in a changing cell, A");
        const enuf_ewald_report now = report_of(ewald);
        if (step == 0) first = now;
        CHECK(now.calibrated == 1 && now.cutoff == first.cutoff && now.width == first.width);
        CHECK(step == 0 || ewald->method_changes <= before + 1);
        free_result(&exact);
    }
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

/* A host that sums the pairs itself has read the splitting. So real() and reciprocal() do not
 * change it, until the host calls enuf_ewald_verify(). */
static void halves_keep_the_splitting(void)
{
    const double accuracy = 1e-6;
    const enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_PROLATE);
    charge_system s = make_ordered_ions(ORDER_WALLS, 77, 6, CELL_TRICLINIC, 0.5);
    enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL), r = make_result(s.n);
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
    const enuf_ewald_report before = report_of(ewald);
    CHECK_STATUS(enuf_ewald_reciprocal(ewald, s.x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_real(ewald, s.x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
    enuf_ewald_report after = report_of(ewald);
    CHECK(after.c == before.c && after.kmax == before.kmax && isnan(after.verified));
    CHECK_STATUS(enuf_ewald_verify(ewald, s.x, 3), ENUF_SUCCESS);
    after = report_of(ewald);
    CHECK(after.calibrated == 1 && after.verified <= accuracy);
    r.add = 1;
    memset(r.forces, 0, 3 * (size_t)s.n * sizeof(double));
    CHECK_STATUS(enuf_ewald_reciprocal(ewald, s.x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_real(ewald, s.x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
    CHECK_BELOW(rms_difference(s.n, r.forces, exact.forces) / reference_force(&s), accuracy,
                "two halves after enuf_ewald_verify(), A");
    s.x[4] = NAN;
    CHECK_STATUS(enuf_ewald_verify(ewald, s.x, 3), ENUF_NOT_FINITE);
    enuf_ewald_destroy(&ewald);
    free_result(&exact);
    free_result(&r);
    free_system(&s);
}

/* The error of the object's pairs alone: the modes come from an object with A = 1e-11 and the same
 * alpha. */
static double error_of_pairs(enuf_ewald *ewald, const charge_system *s, const double *exact)
{
    enuf_ewald_options options = options_for(1e-11, ENUF_SPLIT_GAUSSIAN);
    options.alpha = report_of(ewald).alpha;
    enuf_ewald *fine = make_ewald(&options, s, NULL);
    enuf_ewald_result r = make_result(s->n);
    CHECK_STATUS(enuf_ewald_real(ewald, s->x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
    r.add = 1;
    CHECK_STATUS(enuf_ewald_reciprocal(fine, s->x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
    const double error = rms_difference(s->n, r.forces, exact) / reference_force(s);
    enuf_ewald_destroy(&fine);
    free_result(&r);
    return error;
}

/* The bound of the error if only the modes can be chosen: A, unless the error of the pairs leaves
 * nothing for the modes. Then the library takes better modes if they reduce it to 0.8. */
static double bound_beside_pairs(double accuracy, double of_pairs)
{
    return of_pairs <= 0.95 * accuracy ? accuracy : of_pairs / 0.8;
}

/* With a given splitting only the modes are chosen, at first and when the cell has grown. */
static void modes_of_a_given_splitting(double cutoff)
{
    const double accuracy = 1e-6;
    enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_GAUSSIAN);
    options.cutoff = cutoff;
    charge_system s = make_ordered_ions(ORDER_WALLS, 77, 6, CELL_TRICLINIC, 0.2);
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
    options.alpha = report_of(ewald).alpha;
    enuf_ewald_destroy(&ewald);
    ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_result r = make_result(s.n);
    for (int step = 0; step < 3; step++) {
        const double factor = step == 1 ? 1.3 : 1; /* more than twice the volume */
        for (int64_t i = 0; i < 3 * s.n; i++) s.x[i] *= factor;
        for (int k = 0; k < 9; k++) s.cell[k] *= factor;
        enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL);
        CHECK_STATUS(enuf_ewald_set_cell(ewald, s.cell), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_reciprocal(ewald, s.x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
        const enuf_ewald_report now = report_of(ewald);
        const int64_t changes = ewald->method_changes;
        const double error = measured_error(ewald, &s, exact.forces);
        const double of_pairs = error_of_pairs(ewald, &s, exact.forces);
        printf("cutoff %g given, step %d: measured %.2f A, pairs alone %.2f A, verified %.2f\n",
               cutoff, step, error / accuracy, of_pairs / accuracy, now.verified / accuracy);
        CHECK(now.alpha == options.alpha && now.cutoff == options.cutoff);
        CHECK(fabs(now.verified - error) <= VERIFIED_TO * accuracy);
        CHECK(!now.calibrated || now.predicted >= error - VERIFIED_TO * accuracy);
        CHECK(error <= bound_beside_pairs(accuracy, of_pairs));
        CHECK(ewald->method_changes == changes); /* compute() does not verify again */
        free_result(&exact);
    }
    enuf_ewald_destroy(&ewald);
    free_result(&r);
    free_system(&s);
}

/* Two charges at one place: only the pairs detect that, so reciprocal() succeeds. The verification
 * fails once and is not repeated. */
static void charges_at_one_place(void)
{
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_GAUSSIAN);
    charge_system s = make_ordered_ions(ORDER_WALLS, 77, 6, CELL_TRICLINIC, 0.2);
    options.alpha = 1;
    options.cutoff = 4;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_result r = make_result(s.n);
    memcpy(s.x, s.x + 3, 3 * sizeof *s.x);
    for (int step = 0; step < 2; step++) {
        CHECK_STATUS(enuf_ewald_reciprocal(ewald, s.x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
        CHECK(isnan(report_of(ewald).verified) && ewald->method.is_verified);
    }
    enuf_ewald_destroy(&ewald);
    free_result(&r);
    free_system(&s);
}

/* If the verification runs out of memory, the evaluation goes on without it. If an error was
 * found before, the report has it. */
static void verification_out_of_memory(void)
{
    const double accuracy = 1e-6;
    enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_PROLATE);
    charge_system s = make_ordered_ions(ORDER_WALLS, 77, 6, CELL_TRICLINIC, 0.5);
    options.memory_limit = INT64_C(1) << 40;
    options.threads = 1;
    int unverified = 0, reported = 0, refused = 0;
    enuf_ewald_result r = make_result(s.n);
    for (int nth = 1, failed = 1; failed && nth < 1000; nth += 5) {
        enuf_ewald *ewald = make_ewald(&options, &s, NULL);
        CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
        enuf_fail_allocation(nth);
        const enuf_status status = enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &r);
        enuf_fail_allocation(0);
        CHECK(status == ENUF_SUCCESS || status == ENUF_OUT_OF_MEMORY);
        const enuf_ewald_report report = report_of(ewald);
        failed = status != ENUF_SUCCESS || !(report.verified <= accuracy);
        refused += status != ENUF_SUCCESS;
        unverified += status == ENUF_SUCCESS && isnan(report.verified);
        reported += status == ENUF_SUCCESS && report.verified > accuracy;
        CHECK(!(report.verified > accuracy) || report.predicted >= report.verified);
        enuf_ewald_destroy(&ewald);
    }
    printf("failed allocations: %d without verification, %d with the error in the report, %d end "
           "the evaluation\n",
           unverified, reported, refused);
    CHECK(unverified > 0 && reported > 0);
    free_result(&r);
    free_system(&s);
}

/* Uncorrelated ions keep their parameters. A single evaluation is not verified. */
static void uncorrelated_ions_keep_their_parameters(void)
{
    charge_system s = make_ions(31, 600, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    for (int64_t evaluations = 0; evaluations < 2; evaluations++) {
        options.evaluations = evaluations;
        enuf_ewald *ewald = make_ewald(&options, &s, NULL);
        enuf_ewald_result r = make_result(s.n);
        CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
        const enuf_ewald_report before = report_of(ewald);
        const int64_t changes = ewald->method_changes;
        s.x[7] += 1e300 * 1e300;
        CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &r), ENUF_NOT_FINITE);
        s.x[7] = 1;
        CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_SUMS, &r), ENUF_SUCCESS);
        const enuf_ewald_report after = report_of(ewald);
        CHECK(ewald->method_changes == changes);
        CHECK(after.kmax == before.kmax && after.predicted == before.predicted);
        CHECK(after.calibrated == 0 && isnan(after.verified) == (evaluations > 0));
        enuf_ewald_destroy(&ewald);
        free_result(&r);
    }
    free_system(&s);
}

int main(void)
{
    const double distances[] = {0.2, 0.35, 0.5, -1}, strays[] = {0.03, -1},
                 shakes[] = {1e-4, 0.05, 0.2, -1}, few[] = {1e-3, 0.1, -1};
    ordered_ions_are_accurate(ORDER_WALLS, distances, 6);
    ordered_ions_are_accurate(ORDER_LAYERS, strays, 6);
    ordered_ions_are_accurate(ORDER_ROCK_SALT, shakes, 8);
    ordered_ions_are_accurate(ORDER_CAESIUM_CHLORIDE, shakes, 6);
    ordered_ions_are_accurate(ORDER_DIPOLES, few, 6);
    report_has_the_error_of_fixed_parameters(0);
    report_has_the_error_of_fixed_parameters(1);
    choice_is_verified_once();
    halves_keep_the_splitting();
    for (double cutoff = 2; cutoff < 8; cutoff += 1) modes_of_a_given_splitting(cutoff);
    charges_at_one_place();
    verification_out_of_memory();
    uncorrelated_ions_keep_their_parameters();
    return check_result();
}
