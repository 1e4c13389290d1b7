/*
 * test_splittings_agree.c - Gaussian and prolate splitting give the same results at A = 1e-11, with
 * different cutoffs, so that their real and reciprocal parts differ. 300 random ions in cells of
 * every shape, neutral and charged. Bounds: 2 A for forces, 20 A for energy and virial, 200 and
 * 400 A for single energies and potentials of atoms, 10 A for a field. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "systems.h"

#include <math.h>

int main(void)
{
    const double accuracy = 1e-11;
    for (int shape = 0; shape < CELL_SHAPE_COUNT; shape++) {
        charge_system s = make_ions(3, 300, (cell_shape)shape, shape % 2 ? 2 : 0);
        enuf_ewald_options gaussian = options_for(accuracy, ENUF_SPLIT_GAUSSIAN);
        enuf_ewald_options prolate = options_for(accuracy, ENUF_SPLIT_PROLATE);
        gaussian.cutoff = 6;
        prolate.cutoff = 8;
        enuf_ewald_result a = evaluate(&gaussian, &s, NULL, WANT_ALL);
        enuf_ewald_result b = evaluate(&prolate, &s, NULL, WANT_ALL);
        double scale = 0, n = (double)s.n;
        for (int64_t i = 0; i < s.n; i++) scale += 0.5 * fabs(s.q[i] * a.potential[i]);
        CHECK(fabs(a.parts.real - b.parts.real) > 1e-3 * scale);
        CHECK_BELOW(rms_difference(s.n, a.forces, b.forces) / reference_force(&s), 2 * accuracy,
                    "RMS force difference / F_ref, A each");
        CHECK_BELOW((a.energy - b.energy) / scale, 20 * accuracy, "energy difference, 20 A");
        CHECK_BELOW(largest_difference(6, a.virial, b.virial) / scale, 20 * accuracy,
                    "virial difference, 20 A");
        /* results of atoms: the largest of many differences */
        CHECK_BELOW(largest_difference(s.n, a.atom_energy, b.atom_energy) * n / scale,
                    200 * accuracy, "largest difference of an atom's energy, 200 A");
        CHECK_BELOW(largest_difference(s.n, a.potential, b.potential) * n / scale, 400 * accuracy,
                    "largest difference of a potential, 400 A");
        CHECK_BELOW(largest_difference(3 * s.n, a.field, b.field) / reference_force(&s),
                    10 * accuracy, "largest difference of a field, 10 A");
        free_result(&a);
        free_result(&b);
        free_system(&s);
    }
    return check_result();
}
