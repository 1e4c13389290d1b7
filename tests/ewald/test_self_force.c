/*
 * test_self_force.c - aliasing makes a charge exert a force on itself, which is part of the mesh
 * error. A single charge in a cell has no other force: its RMS force at 500 places agrees with the
 * predicted self-force within 6 %, in cells of every shape, A = 1e-2 to 1e-8. 216 random ions with
 * 3 or 12 neighbours inside the cutoff, where the self-force matters most: the error is at most A,
 * and within a factor of 2 of its prediction, against exact sums. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "object/ewald_object.h"
#include "systems.h"

#include <math.h>
#include <stdio.h>

enum { PLACES = 500 };

/* One charge at places that fill the cell evenly (multiples of the powers of 1/1.2207, the root of
 * x^4 = x + 1: Roberts' sequence). The few modes are summed one by one in the prediction. It leaves
 * out harmonics of two axes at once, up to 5 % in an oblique cell. 500 places scatter too. */
static void single_charge(cell_shape shape, enuf_split split, enuf_arithmetic arithmetic,
                          double accuracy)
{
    const double volume = 1000, q = 1.5;
    enuf_ewald_options options = options_for(accuracy, split);
    options.keep_net_force = 1;
    options.arithmetic = arithmetic;
    options.cutoff = 9;
    charge_system s = {.n = 1};
    make_cell(shape, volume, s.cell);
    enuf_ewald *ewald = NULL;
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, s.cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, 1, &q, NULL), ENUF_SUCCESS);
    double x[3 * PLACES], sum = 0;
    const double step[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    for (int k = 0; k < PLACES; k++)
        for (int d = 0; d < 3; d++) {
            x[3 * k + d] = 0;
            for (int e = 0; e < 3; e++) x[3 * k + d] += fmod(k * step[e], 1) * s.cell[3 * e + d];
        }
    enuf_ewald_result r = make_result(1);
    for (int k = 0; k < PLACES; k++) {
        CHECK_STATUS(enuf_ewald_compute(ewald, &x[3 * k], 3, ENUF_WANT_FORCES, &r), ENUF_SUCCESS);
        for (int d = 0; d < 3; d++) sum += r.forces[d] * r.forces[d] / PLACES;
    }
    const double f_ref = q * q / pow(volume, 2.0 / 3);
    const double measured = sqrt(sum) / f_ref, predicted = ewald->method.parameters.own;
    printf("%s, %s, %s, A %.0e: self-force / F_ref predicted %.3e, measured %.3e\n",
           cell_shape_name(shape), enuf_split_name(split), enuf_arithmetic_name(arithmetic),
           accuracy, predicted, measured);
    CHECK_CLOSE(predicted, measured, 0.06, "  predicted, measured");
    enuf_ewald_destroy(&ewald);
    free_result(&r);
}

/* Few neighbours inside the cutoff: the measured error is at most A, and as predicted. */
static void few_neighbours(const charge_system *s, const double *exact, enuf_split split,
                           double accuracy, double neighbours)
{
    enuf_ewald_options options = options_for(accuracy, split);
    options.cutoff = cbrt(3 * neighbours / (4 * acos(-1.0) * 0.1));
    enuf_ewald *ewald = make_ewald(&options, s, NULL);
    enuf_ewald_result r = make_result(s->n);
    enuf_ewald_report report = {.struct_size = sizeof report};
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, ENUF_WANT_FORCES, &r), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
    const double measured = rms_difference(s->n, r.forces, exact) / reference_force(s);
    printf("%s, A %.0e, %g neighbours: predicted %.2e, of which self-force %.2e\n",
           enuf_split_name(split), accuracy, neighbours, report.predicted,
           ewald->method.parameters.own);
    CHECK_BELOW(measured, accuracy, "  measured error, A");
    CHECK_BELOW(fabs(log2(report.predicted / measured)), 1, "  log2(predicted / measured)");
    enuf_ewald_destroy(&ewald);
    free_result(&r);
}

static void sparse(cell_shape shape)
{
    charge_system s = make_ions(77, 216, shape, 0);
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    enuf_ewald_result exact = evaluate_exactly(&options, &s, NULL);
    printf("%lld ions, %s\n", (long long)s.n, cell_shape_name(shape));
    for (int digits = 3; digits <= 9; digits += 3)
        for (int neighbours = 3; neighbours <= 12; neighbours += 9) {
            few_neighbours(&s, exact.forces, ENUF_SPLIT_GAUSSIAN, pow(10, -digits), neighbours);
            few_neighbours(&s, exact.forces, ENUF_SPLIT_PROLATE, pow(10, -digits), neighbours);
        }
    free_result(&exact);
    free_system(&s);
}

int main(void)
{
    const enuf_split splits[2] = {ENUF_SPLIT_GAUSSIAN, ENUF_SPLIT_PROLATE};
    for (int shape = 0; shape < CELL_SHAPE_COUNT; shape++) {
        for (int k = 0; k < 2; k++) {
            for (int digits = 2; digits <= 8; digits += 2)
                single_charge((cell_shape)shape, splits[k], ENUF_ARITHMETIC_DOUBLE,
                              pow(10, -digits));
            /* 1e-2 is far above the rounding of float, which also makes a force */
            single_charge((cell_shape)shape, splits[k], ENUF_ARITHMETIC_MIXED, 1e-2);
        }
        sparse((cell_shape)shape);
    }
    return check_result();
}
