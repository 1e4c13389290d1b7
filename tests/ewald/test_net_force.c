/*
 * test_net_force.c - the result contains the net force of the mesh. By default its mean over the
 * charged atoms is subtracted from their forces, which then add up to zero (1e-12 F_ref); with
 * keep_net_force they add up to the net force. Energy and virial do not depend on it. 300 random
 * ions, A = 1e-3, both splittings. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>

int main(void)
{
    for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; split++) {
        charge_system s = make_ions(111, 300, CELL_TRICLINIC, 0);
        s.q[4] = s.q[5] = 0; /* atoms without a charge get no share */
        enuf_ewald_options options = options_for(1e-3, (enuf_split)split);
        options.deterministic = 1; /* so that evaluations can be compared bit by bit */
        enuf_ewald_result removed = evaluate(&options, &s, NULL, WANT_ALL);
        options.keep_net_force = 1;
        enuf_ewald_result kept = evaluate(&options, &s, NULL, WANT_ALL);
        double f_ref = reference_force(&s), net[2][3] = {{0}}, share = 0;
        for (int64_t i = 0; i < s.n; i++)
            for (int d = 0; d < 3; d++) {
                net[0][d] += removed.forces[3 * i + d];
                net[1][d] += kept.forces[3 * i + d];
                double mean = s.q[i] == 0 ? 0 : kept.net_force[d] / (double)(s.n - 2);
                share =
                    fmax(share, fabs(kept.forces[3 * i + d] - mean - removed.forces[3 * i + d]));
            }
        double magnitude =
            sqrt(pow(kept.net_force[0], 2) + pow(kept.net_force[1], 2) + pow(kept.net_force[2], 2));
        printf("%s: net force of the mesh %.3g F_ref\n", enuf_split_name(options.split),
               magnitude / f_ref);
        CHECK(magnitude > 1e-9 * f_ref); /* there is something to subtract */
        CHECK_BELOW(magnitude / f_ref, 2 * sqrt((double)s.n) * 1e-3,
                    "net force / F_ref, sqrt(N) times the error of one force");
        for (int d = 0; d < 3; d++) {
            CHECK_BELOW(net[0][d] / f_ref, 1e-12, "sum of forces, net force subtracted: rounding");
            CHECK_BELOW((net[1][d] - kept.net_force[d]) / f_ref, 1e-12,
                        "sum of forces, kept - net force: rounding");
            CHECK(kept.net_force[d] == removed.net_force[d]);
        }
        CHECK_BELOW(share / f_ref, 1e-14, "an atom's share: the mean over charged atoms");
        CHECK(removed.forces[12] == 0 && removed.forces[17] == 0);
        CHECK(kept.energy == removed.energy);
        for (int c = 0; c < 6; c++) CHECK(kept.virial[c] == removed.virial[c]);
        free_result(&kept);
        free_result(&removed);
        free_system(&s);
    }
    return check_result();
}
