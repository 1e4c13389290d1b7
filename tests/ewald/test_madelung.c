/*
 * test_madelung.c - NaCl, CsCl, fluorite and zincblende, 2 x 2 x 2 cells, have their Madelung
 * constants, where the energy of a formula unit is minus the constant over its length d. Both
 * splittings at A = 1e-13. Bounds: 20 A for the constants, A F_ref for the forces, which are zero
 * by symmetry, 60 A for the trace of the virial. Source: docs/theory.md, "Reference values".
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "crystals.h"

#include <math.h>
#include <stdio.h>

enum { CELLS = 2 };

int main(void)
{
    const double accuracy = 1e-13;
    for (int k = 0; k < CRYSTALS; k++)
        for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; split++) {
            charge_system s = make_crystal(&crystals[k], CELLS);
            enuf_ewald_options options = options_for(accuracy, (enuf_split)split);
            enuf_ewald_result r = evaluate(&options, &s, NULL, WANT_SUMS);
            double found = -r.energy / (CELLS * CELLS * CELLS * crystals[k].units) * crystals[k].d;
            printf("%s, %s: %.15f\n", crystals[k].name, enuf_split_name(options.split), found);
            CHECK_CLOSE(found, crystals[k].constant, 20 * accuracy, "Madelung constant, 20 A");
            CHECK_BELOW(rms_difference(s.n, r.forces, NULL) / reference_force(&s), accuracy,
                        "RMS force / F_ref, A");
            /* Coulomb energy is homogeneous of degree -1: the trace of the virial is the energy */
            CHECK_CLOSE(r.virial[0] + r.virial[1] + r.virial[2], r.energy, 60 * accuracy,
                        "trace of the virial, 3 x 20 A");
            free_result(&r);
            free_system(&s);
        }
    return check_result();
}
