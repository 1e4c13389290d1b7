/*
 * test_exclusions.c - exclusions subtract the nearest-image interaction of pairs. References: the
 * results without exclusions less pairs summed here, to rounding (1e-12), and exact sums at
 * A = 1e-12. Systems: water without its intramolecular pairs, or with weights 1, 1/2 and 0; an ion
 * excluded from all others, also across the cell's faces; a tilted, charged cell. An excluded pair
 * at one place is refused, unless one atom has no charge. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Energy and force of one pair of nearest images in a cubic cell. */
static double pair(const charge_system *s, int64_t i, int64_t j, double force[3])
{
    double d[3], r2 = 0, l = s->cell[0];
    for (int a = 0; a < 3; a++) {
        d[a] = s->x[3 * i + a] - s->x[3 * j + a];
        d[a] -= l * rint(d[a] / l);
        r2 += d[a] * d[a];
    }
    double energy = s->q[i] * s->q[j] / sqrt(r2);
    for (int a = 0; a < 3; a++) force[a] = energy / r2 * d[a];
    return energy;
}

/* Reference: the results without exclusions less the excluded pairs, which are summed here. */
static void agree_with_pairs_summed_here(const charge_system *s, const enuf_exclusions *x)
{
    const double accuracy = 1e-8;
    enuf_ewald_options options = options_for(accuracy, ENUF_SPLIT_PROLATE);
    enuf_ewald_result all = evaluate(&options, s, NULL, WANT_ALL);
    enuf_ewald_result without = evaluate(&options, s, x, WANT_ALL);
    double energy = 0, virial_trace = 0;
    for (int64_t k = 0; k < x->n; k++) {
        int64_t i = x->pairs[2 * k], j = x->pairs[2 * k + 1];
        double force[3], removed = 1 - (x->weights ? x->weights[k] : 0);
        energy += removed * pair(s, i, j, force);
        virial_trace += removed * pair(s, i, j, force); /* -r dE/dr = E for 1/r */
        for (int d = 0; d < 3; d++) {
            all.forces[3 * i + d] -= removed * force[d];
            all.forces[3 * j + d] += removed * force[d];
        }
    }
    CHECK_CLOSE(without.parts.excluded, -energy, 1e-13, "excluded part, rounding");
    CHECK_CLOSE(all.energy - without.energy, energy, 1e-12, "energy subtracted, rounding");
    CHECK_BELOW(largest_difference(3 * s->n, all.forces, without.forces) / reference_force(s),
                1e-12, "forces, rounding");
    CHECK_CLOSE(all.virial[0] + all.virial[1] + all.virial[2] - without.virial[0] -
                    without.virial[1] - without.virial[2],
                virial_trace, 1e-12, "trace of the virial subtracted, rounding");
    free_result(&all);
    free_result(&without);
}

/* Reference: exact sums. cutoff 0: the library chooses. */
static void agree_with_exact_sums(const charge_system *s, const enuf_exclusions *x, double cutoff)
{
    const double accuracy = 1e-12;
    for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; split++) {
        enuf_ewald_options options = options_for(accuracy, (enuf_split)split);
        options.cutoff = cutoff;
        enuf_ewald_result r = evaluate(&options, s, x, WANT_SUMS);
        enuf_ewald_result exact = evaluate_exactly(&options, s, x);
        CHECK_BELOW(rms_difference(s->n, r.forces, exact.forces) / reference_force(s), accuracy,
                    "RMS force error / F_ref, A");
        CHECK_CLOSE(r.parts.excluded, exact.parts.excluded, 1e-13, "excluded part, rounding");
        double scale = 0;
        for (int64_t i = 0; i < s->n; i++) scale += 0.5 * fabs(s->q[i] * exact.potential[i]);
        CHECK_BELOW((r.energy - exact.energy) / scale, 20 * accuracy, "energy error, 20 A");
        CHECK_BELOW(largest_difference(6, r.virial, exact.virial) / scale, 20 * accuracy,
                    "virial error, 20 A");
        free_result(&r);
        free_result(&exact);
    }
}

int main(void)
{
    int64_t pairs[6 * 50];
    double weights[150];
    charge_system water = make_water(61, 50, pairs);
    const enuf_exclusions none = {150, pairs, NULL}, weighted = {150, pairs, weights};
    for (int k = 0; k < 150; k++) weights[k] = k % 3 == 0 ? 1 : k % 3 == 1 ? 0.5 : 0;
    printf("water, all intramolecular pairs\n");
    agree_with_pairs_summed_here(&water, &none);
    agree_with_exact_sums(&water, &none, 0);
    /* with this cutoff an estimate for continuous modes would end the sum just below a shell of 96
     * modes, which affects the virial most */
    agree_with_exact_sums(&water, &none, 7.713);
    printf("water, weights 1, 1/2, 0\n");
    agree_with_pairs_summed_here(&water, &weighted);
    agree_with_exact_sums(&water, &weighted, 0);
    free_system(&water);

    /* pairs of one atom with all others, also farther apart than the cutoff */
    charge_system ions = make_ions(62, 60, CELL_CUBIC, 0);
    int64_t star[2 * 59];
    for (int64_t k = 0; k < 59; k++) {
        star[2 * k] = k % 2 ? 0 : k + 1;
        star[2 * k + 1] = k % 2 ? k + 1 : 0;
    }
    const enuf_exclusions all = {59, star, NULL};
    printf("one ion excluded from all others\n");
    agree_with_pairs_summed_here(&ions, &all);
    agree_with_exact_sums(&ions, &all, 0);
    free_system(&ions);

    /* an atom without charge may be at the place of its partner; two charges may not */
    charge_system site = make_ions(64, 20, CELL_CUBIC, 0);
    const enuf_exclusions on_top = {1, star, NULL}; /* (1, 0) */
    site.q[1] = 0;
    for (int d = 0; d < 3; d++) site.x[3 + d] = site.x[d];
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    /* several threads, and any GPU, add in any order */
    options.threads = 1;
    options.deterministic = options.backend == ENUF_BACKEND_CUDA;
    enuf_ewald_result with = evaluate(&options, &site, &on_top, WANT_SUMS);
    enuf_ewald_result without = evaluate(&options, &site, NULL, WANT_SUMS);
    CHECK(with.energy == without.energy && with.energy != 0);
    CHECK(memcmp(with.forces, without.forces, 3 * (size_t)site.n * sizeof(double)) == 0);
    free_result(&with);
    free_result(&without);
    site.q[1] = 1;
    enuf_ewald *ewald = make_ewald(&options, &site, &on_top);
    enuf_ewald_result r = {.struct_size = sizeof r};
    CHECK_STATUS(enuf_ewald_compute(ewald, site.x, 3, ENUF_WANT_ENERGY, &r), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("an excluded pair has to be apart too");
    enuf_ewald_destroy(&ewald);
    free_system(&site);

    charge_system tilted = make_ions(63, 40, CELL_LEFT_HANDED, 1);
    const enuf_exclusions few = {20, star, weights};
    printf("left-handed cell, net charge\n");
    agree_with_exact_sums(&tilted, &few, 0);
    free_system(&tilted);
    return check_result();
}
