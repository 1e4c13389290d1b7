/*
 * test_accuracy_delivered.c - forces have the requested accuracy A, from 1e-2 to 1e-13, with both
 * splittings. Systems: 200 to 1000 random ions (uncorrelated charges) in cells of every shape,
 * neutral and with a net charge. Reference: exact sums. For A >= 1e-11, where truncation and mesh
 * determine the error, the predicted error is within a factor of 2 of the measured one.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>

/* The predicted error is a mean over random placements of the charges. The error of one placement
 * of few charges scatters around it, the more so if few modes are close to k_c. */
static const double FACTOR = 2;

static void check_accuracy(const charge_system *s, const double *exact, double accuracy,
                           enuf_split split)
{
    enuf_ewald_options options = options_for(accuracy, split);
    enuf_ewald *ewald = make_ewald(&options, s, NULL);
    enuf_ewald_result result = make_result(s->n);
    enuf_ewald_report report = {.struct_size = sizeof report};
    if (ewald) {
        CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, ENUF_WANT_FORCES, &result), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
        double measured = rms_difference(s->n, result.forces, exact) / reference_force(s);
        char name[160];
        snprintf(
            name, sizeof name,
            "  %-8s requested A %.0e  predicted %.2e  cutoff %5.2f grid %3lld %3lld %3lld width "
            "%2d  measured",
            enuf_split_name(split), accuracy, report.predicted, report.cutoff,
            (long long)report.grid[0], (long long)report.grid[1], (long long)report.grid[2],
            report.width);
        CHECK_BELOW(measured, accuracy, name);
        CHECK_BELOW(report.predicted, accuracy, "  predicted");
        if (accuracy >= 1e-11)
            CHECK_BELOW(log2(report.predicted / measured), log2(FACTOR),
                        "  log2(predicted / measured)");
    }
    enuf_ewald_destroy(&ewald);
    free_result(&result);
}

static void sweep(int64_t n, cell_shape shape, double net, int step)
{
    charge_system s = make_ions(100 + (uint64_t)n, n, shape, net);
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL);
    printf("%lld ions, %s, net charge %g\n", (long long)n, cell_shape_name(shape), net);
    for (int digits = 2; digits <= 13; digits += step) {
        check_accuracy(&s, exact.forces, pow(10, -digits), ENUF_SPLIT_GAUSSIAN);
        check_accuracy(&s, exact.forces, pow(10, -digits), ENUF_SPLIT_PROLATE);
    }
    free_result(&exact);
    free_system(&s);
}

int main(void)
{
    sweep(1000, CELL_CUBIC, 0, 1);
    sweep(600, CELL_THIN, 0, 3);
    sweep(600, CELL_TRICLINIC, 0, 1);
    sweep(600, CELL_LEFT_HANDED, 0, 3);
    sweep(400, CELL_CUBIC, 5, 3);
    sweep(200, CELL_TRICLINIC, 1, 2);
    return check_result();
}
