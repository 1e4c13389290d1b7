/*
 * test_arithmetic.c - mixed arithmetic has the requested accuracy A where float reaches it, 1e-3 to
 * 2e-6 with both splittings, also for ions 6e6 cells away. Systems: 100 to 1000 random ions.
 * Reference: exact sums. Bounds: A for forces, 20 A for energy and virial. Where float's rounding
 * is the larger part of the error, the prediction is within a factor of 2. Near that rounding work
 * grows slowly: 100,000 ions, 8e-7 in place of 2e-6. Requests of 1e-8 to 1e-12 are refused, and the
 * error recommends double arithmetic.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>

static void check_accuracy(enuf_split split, double accuracy)
{
    charge_system s = make_ions(131, 400, CELL_TRICLINIC, 1);
    enuf_ewald_options options = options_for(accuracy, split);
    options.arithmetic = ENUF_ARITHMETIC_MIXED;
    enuf_ewald_result r = evaluate(&options, &s, NULL, WANT_ALL);
    enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL);
    double scale = 0;
    for (int64_t i = 0; i < s.n; i++) scale += 0.5 * fabs(s.q[i] * exact.potential[i]);
    printf("%s, A = %g\n", enuf_split_name(split), accuracy);
    CHECK_BELOW(rms_difference(s.n, r.forces, exact.forces) / reference_force(&s), accuracy,
                "RMS force error / F_ref, A");
    CHECK_BELOW((r.energy - exact.energy) / scale, 20 * accuracy, "energy error, 20 A");
    CHECK_BELOW(largest_difference(6, r.virial, exact.virial) / scale, 20 * accuracy,
                "virial error, 20 A");
    /* float was used: with double the error would be smaller */
    CHECK(rms_difference(s.n, r.forces, exact.forces) > 1e-9 * reference_force(&s));
    free_result(&r);
    free_result(&exact);
    free_system(&s);
}

/* Ions up to 6e6 cells from the origin: coordinates are folded into the cell in double. */
static void far_away(void)
{
    charge_system s = make_ions(132, 200, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-4, ENUF_SPLIT_PROLATE);
    options.arithmetic = ENUF_ARITHMETIC_MIXED;
    enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL);
    for (int64_t i = 0; i < s.n; i++) s.x[3 * i] += (double)(i % 7) * 1e6 * s.cell[0];
    enuf_ewald_result r = evaluate(&options, &s, NULL, WANT_SUMS);
    CHECK_BELOW(rms_difference(s.n, r.forces, exact.forces) / reference_force(&s), 1e-4,
                "RMS force error / F_ref, up to 6e6 cells away, A");
    free_result(&r);
    free_result(&exact);
    free_system(&s);
}

/* The rounding of float is the larger part of the error, and the prediction includes it. */
static void predict_rounding(enuf_split split)
{
    charge_system s = make_ions(134, 1000, CELL_TRICLINIC, 0);
    enuf_ewald_options options = options_for(1e-6, split);
    options.arithmetic = ENUF_ARITHMETIC_MIXED;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_error error = {.struct_size = sizeof error};
    enuf_ewald_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_ewald_measure_error(ewald, s.x, 3, 200, 1, &error), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    CHECK(report.predicted_rounding > 0.5 * report.predicted);
    CHECK_BELOW(fabs(log2(report.predicted / error.accuracy)), 1,
                "log2(predicted / measured) of float's rounding");
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

/* Seconds of an evaluation of n ions by the cost model. */
static double seconds(int64_t n, double accuracy)
{
    charge_system s = make_ions(135, n, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_AUTO);
    options.arithmetic = ENUF_ARITHMETIC_MIXED;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_candidate chosen = {.struct_size = sizeof chosen};
    int64_t found = 0;
    CHECK_STATUS(enuf_ewald_list_candidates(ewald, 1, 1, &chosen, &found), ENUF_SUCCESS);
    CHECK(found == 1 && chosen.chosen);
    CHECK_BELOW(chosen.predicted, accuracy, "predicted error, A");
    enuf_ewald_destroy(&ewald);
    free_system(&s);
    return chosen.seconds_real + chosen.seconds_reciprocal;
}

/* Rounding takes most of the mesh's share. Equal shares would have 2.4 times the work. */
static void near_the_rounding(void)
{
    CHECK_BELOW(seconds(100000, 8e-7) / seconds(100000, 2e-6), 2, "work at 8e-7 over 2e-6");
}

static void refuse_double_accuracy(int64_t ions, double accuracy)
{
    charge_system s = make_ions(133, ions, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_AUTO);
    options.arithmetic = ENUF_ARITHMETIC_MIXED;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_UNREACHABLE_ACCURACY);
    CHECK_TEXT("mixed");
    CHECK_TEXT("double arithmetic");
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

int main(void)
{
    for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; split++) {
        check_accuracy((enuf_split)split, 1e-3);
        check_accuracy((enuf_split)split, 1e-4);
        check_accuracy((enuf_split)split, 1e-5);
        check_accuracy((enuf_split)split, 2e-6);
        predict_rounding((enuf_split)split);
    }
    far_away();
    near_the_rounding();
    refuse_double_accuracy(100, 1e-10);
    /* few ions: the widest windows are tried */
    for (int digits = 8; digits <= 12; digits++) refuse_double_accuracy(20, pow(10, -digits));
    return check_result();
}
