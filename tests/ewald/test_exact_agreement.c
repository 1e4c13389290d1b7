/*
 * test_exact_agreement.c - at the tightest accuracy, A = 1e-13, the library agrees with exact sums:
 * forces to A, energy and virial to 20 A of 1/2 sum |q phi|, each potential to 400 A of its mean
 * size. 200 random ions in cells of every shape, neutral and charged, with both splittings.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>

static void agree(const charge_system *s, enuf_split split, const char *name)
{
    const double accuracy = 1e-13;
    enuf_ewald_options options = options_for(accuracy, split);
    enuf_ewald_result fast = evaluate(&options, s, NULL, WANT_ALL);
    enuf_ewald_result exact = evaluate_exactly(&options, s, NULL);
    double scale = 0, f_ref = reference_force(s);
    for (int64_t i = 0; i < s->n; i++) scale += 0.5 * fabs(s->q[i] * exact.potential[i]);
    printf("%s, %s\n", name, enuf_split_name(split));
    CHECK_BELOW(rms_difference(s->n, fast.forces, exact.forces) / f_ref, accuracy,
                "RMS force error / F_ref, A");
    CHECK_BELOW((fast.energy - exact.energy) / scale, 20 * accuracy,
                "energy error / (1/2 sum |q phi|), 20 A");
    CHECK_BELOW(largest_difference(6, fast.virial, exact.virial) / scale, 20 * accuracy,
                "virial error / (1/2 sum |q phi|), 20 A");
    CHECK_BELOW(largest_difference(s->n, fast.potential, exact.potential) * (double)s->n / scale,
                400 * accuracy, "largest potential error / mean 1/2 |phi|, 400 A");
    free_result(&fast);
    free_result(&exact);
}

int main(void)
{
    for (int shape = 0; shape < CELL_SHAPE_COUNT; shape++)
        for (int charged = 0; charged < 2; charged++) {
            charge_system s = make_ions(7 + shape, 200, (cell_shape)shape, charged ? 3 : 0);
            char name[80];
            snprintf(name, sizeof name, "%s, net charge %d", cell_shape_name((cell_shape)shape),
                     charged ? 3 : 0);
            agree(&s, ENUF_SPLIT_GAUSSIAN, name);
            agree(&s, ENUF_SPLIT_PROLATE, name);
            free_system(&s);
        }
    return check_result();
}
