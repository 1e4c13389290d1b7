/*
 * test_atom_shares.c - results per atom agree with the totals: energies of atoms and 1/2 sum q phi
 * add up to the energy, virials of atoms to the virial, parts to the energy; a force is charge
 * times field, less the mean of the mesh's net force. Systems: random ions with a net charge, with
 * vacuum outside, in a charged slab, and water with exclusions; both splittings, A = 1e-12, 1e-7,
 * 1e-2. Bound: rounding for any A, 1e-12 of 1/2 sum |q phi|. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static void check(const enuf_ewald_options *options, const charge_system *s,
                  const enuf_exclusions *exclusions, double tolerance)
{
    enuf_ewald_result r = evaluate(options, s, exclusions, WANT_ALL);
    double energy = 0, half_q_phi = 0, virial[6] = {0}, scale = 0, worst = 0, charged = 0;
    for (int64_t i = 0; i < s->n; i++) charged += s->q[i] != 0;
    for (int64_t i = 0; i < s->n; i++) {
        energy += r.atom_energy[i];
        half_q_phi += 0.5 * s->q[i] * r.potential[i];
        scale += 0.5 * fabs(s->q[i] * r.potential[i]);
        for (int c = 0; c < 6; c++) virial[c] += r.atom_virial[6 * i + c];
        for (int d = 0; d < 3; d++) {
            double mean = s->q[i] != 0 ? r.net_force[d] / charged : 0;
            worst = fmax(worst, fabs(r.forces[3 * i + d] + mean - s->q[i] * r.field[3 * i + d]));
        }
    }
    const enuf_ewald_parts *p = &r.parts;
    double parts = p->real + p->reciprocal + p->self + p->background + p->surface + p->excluded;
    CHECK_CLOSE(parts, r.energy, 8 * DBL_EPSILON * (1 + fabs(p->self / r.energy)),
                "sum of parts, rounding");
    CHECK_BELOW((energy - r.energy) / scale, tolerance, "sum of atoms' energies - energy");
    CHECK_BELOW((half_q_phi - r.energy) / scale, tolerance, "1/2 sum q phi - energy");
    for (int c = 0; c < 6; c++)
        CHECK_BELOW((virial[c] - r.virial[c]) / scale, tolerance, "sum of atoms' virials - virial");
    CHECK_BELOW(worst / reference_force(s), 1e-13, "force + mean of net force - q field, rounding");
    free_result(&r);
}

int main(void)
{
    for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; split++) {
        /* The energy of the modes and the potentials at the atoms come from adjoint transforms with
         * one window. They agree to rounding for any accuracy. 1e-12 covers the rounding of a fine
         * grid. */
        for (double accuracy = 1e-12; accuracy < 1e-1; accuracy *= 1e5) {
            enuf_ewald_options options = options_for(accuracy, (enuf_split)split);
            charge_system s = make_ions(21, 200, CELL_TRICLINIC, 2.5);
            printf("charged, triclinic, %s, A = %g\n", enuf_split_name(options.split), accuracy);
            s.q[5] = 0;
            check(&options, &s, NULL, 1e-12);
            free_system(&s);

            s = make_ions(22, 200, CELL_LEFT_HANDED, 0);
            options.surroundings = 1;
            printf("vacuum outside, %s, A = %g\n", enuf_split_name(options.split), accuracy);
            check(&options, &s, NULL, 1e-12);
            free_system(&s);

            s = make_ions(23, 200, CELL_CUBIC, 3);
            options.surroundings = 0;
            options.slab = 3;
            printf("charged slab, %s, A = %g\n", enuf_split_name(options.split), accuracy);
            check(&options, &s, NULL, 1e-12);
            free_system(&s);

            int64_t pairs[6 * 60];
            s = make_water(24, 60, pairs);
            const enuf_exclusions exclusions = {180, pairs, NULL};
            options.slab = 0;
            printf("water, %s, A = %g\n", enuf_split_name(options.split), accuracy);
            check(&options, &s, &exclusions, 1e-12);
            free_system(&s);
        }
    }
    return check_result();
}
