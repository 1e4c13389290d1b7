/*
 * test_wigner_crystal.c - one ion in a cell with its neutralising background: the cubic Wigner
 * crystals sc, bcc and fcc have the energy -M/2 per ion, no force, and the virial
 * W_ab = E delta_ab / 3 by scaling and symmetry. Both splittings at A = 1e-13, cutoffs up to 2.6
 * cells. Bounds: 20 A, or the digits to which M is known; A F_ref for the force. Source of M:
 * docs/theory.md, "Reference values" (30-digit Ewald sums). SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>

static const struct {
    const char *name;
    double cell[9]; /* primitive cell, for a cubic cell of edge 1 */
    double m;       /* published value of M */
    double digits;  /* its relative error */
} crystals[] = {
    {"sc", {1, 0, 0, 0, 1, 0, 0, 0, 1}, 2.837297479480619, 5e-16},
    {"bcc", {-.5, .5, .5, .5, -.5, .5, .5, .5, -.5}, 3.63923344951, 2e-12},
    {"fcc", {0, .5, .5, .5, 0, .5, .5, .5, 0}, 4.58486207411, 2e-12},
};

int main(void)
{
    const double cutoffs[] = {0, 0.9, 2.6};
    const double accuracy = 1e-13;
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++)
            for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; split++) {
                double x[3] = {0.3, -0.2, 7.1}, q[1] = {1};
                charge_system s = {.n = 1, .x = x, .q = q};
                for (int i = 0; i < 9; i++) s.cell[i] = crystals[k].cell[i];
                enuf_ewald_options options = options_for(accuracy, (enuf_split)split);
                options.cutoff = cutoffs[c];
                enuf_ewald_result r = evaluate(&options, &s, NULL, WANT_ALL);
                printf("%s, %s, cutoff %g\n", crystals[k].name, enuf_split_name(options.split),
                       cutoffs[c]);
                CHECK_CLOSE(r.energy, -crystals[k].m / 2, fmax(20 * accuracy, crystals[k].digits),
                            "energy, 20 A");
                for (int d = 0; d < 6; d++)
                    CHECK_BELOW(r.virial[d] - (d < 3 ? r.energy / 3 : 0),
                                20 * accuracy * crystals[k].m / 2, "virial - E/3, 20 A");
                CHECK_BELOW(rms_difference(1, r.forces, NULL) / reference_force(&s), accuracy,
                            "force, A");
                free_result(&r);
            }
    return check_result();
}
