/*
 * test_derivatives.c - forces are minus the gradient of the energy, the virial is minus its
 * derivative by strain. Reference: fourth-order central differences of the computed energy. 24
 * random ions in cells of every shape, with a net charge or a boundary dielectric, and both
 * splittings; slabs; 8 water molecules with exclusions; A = 1e-12. Bounds, from the step and the
 * rounding: 1e-10 F_ref for forces, 2e-11 of 1/2 sum |q phi| for the virial.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <stdio.h>

static double energy_of(enuf_ewald *ewald, const charge_system *s)
{
    enuf_ewald_result r = {.struct_size = sizeof r};
    CHECK_STATUS(enuf_ewald_set_cell(ewald, s->cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, ENUF_WANT_ENERGY, &r), ENUF_SUCCESS);
    return r.energy;
}

/* Fourth-order central difference of a function at +-h, +-2h. */
static double difference(const double at[4], double h)
{
    return (8 * (at[1] - at[2]) - (at[0] - at[3])) / (12 * h);
}

static void strain(const charge_system *from, int a, int b, double amount, charge_system *to)
{
    for (int64_t i = 0; i < from->n; i++)
        to->x[3 * i + a] = from->x[3 * i + a] + amount * from->x[3 * i + b];
    for (int d = 0; d < 3; d++)
        to->cell[3 * d + a] = from->cell[3 * d + a] + amount * from->cell[3 * d + b];
}

static void check(const enuf_ewald_options *options, const charge_system *s,
                  const enuf_exclusions *exclusions)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    static const double steps[4] = {2, 1, -1, -2};
    enuf_ewald_result r = make_result(s->n);
    enuf_ewald *ewald = make_ewald(options, s, exclusions);
    if (!ewald) return;
    CHECK_STATUS(enuf_ewald_compute(ewald, s->x, 3, WANT_ALL, &r), ENUF_SUCCESS);
    double scale = 0, at[4];
    for (int64_t i = 0; i < s->n; i++) scale += 0.5 * fabs(s->q[i] * r.potential[i]);
    /* h balances the rounding of the energy, over h, and the error h^4 of the differences */
    const double h = 1e-3;
    const int components = options->slab > 0 ? 4 : 6; /* a slab's cell allows xx yy zz xy */
    for (int c = 0; c < components; c++) {
        for (int k = 0; k < 4; k++) {
            charge_system strained = copy_system(s);
            strain(s, row[c], column[c], steps[k] * h, &strained);
            at[k] = energy_of(ewald, &strained);
            free_system(&strained);
        }
        CHECK_BELOW((-difference(at, h) - r.virial[c]) / scale, 2e-11,
                    "(-dE/dstrain - virial) / (1/2 sum |q phi|), h^4 and 1e-14/h of rounding");
    }
    for (int64_t i = 0; i < 6; i++) {
        for (int k = 0; k < 4; k++) {
            charge_system moved = copy_system(s);
            moved.x[i * 3 + i % 3] += steps[k] * h;
            at[k] = energy_of(ewald, &moved);
            free_system(&moved);
        }
        CHECK_BELOW((-difference(at, h) - r.forces[i * 3 + i % 3]) / reference_force(s), 1e-10,
                    "(-dE/dx - force) / F_ref, h^4 and 1e-14/h of rounding, times N");
    }
    enuf_ewald_destroy(&ewald);
    free_result(&r);
}

int main(void)
{
    for (int shape = 0; shape < CELL_SHAPE_COUNT; shape++)
        for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; split++) {
            charge_system s = make_ions(11, 24, (cell_shape)shape, shape % 2 ? 1.5 : 0);
            enuf_ewald_options options = options_for(1e-12, (enuf_split)split);
            printf("%s, %s\n", cell_shape_name((cell_shape)shape), enuf_split_name(options.split));
            options.cutoff = 4;
            if (shape % 2 == 0) options.surroundings = shape == CELL_CUBIC ? 1 : 5;
            check(&options, &s, NULL);
            free_system(&s);
        }
    for (int charged = 0; charged < 2; charged++) {
        charge_system s = make_ions(12, 24, CELL_CUBIC, charged ? 2 : 0);
        enuf_ewald_options options = options_for(1e-12, ENUF_SPLIT_PROLATE);
        options.cutoff = 5;
        options.slab = 3;
        printf("slab, net charge %d\n", charged ? 2 : 0);
        check(&options, &s, NULL);
        free_system(&s);
    }
    int64_t pairs[6 * 8];
    charge_system water = make_water(13, 8, pairs);
    enuf_ewald_options options = options_for(1e-12, ENUF_SPLIT_GAUSSIAN);
    const enuf_exclusions exclusions = {24, pairs, NULL};
    options.cutoff = 5;
    printf("water without intramolecular pairs\n");
    check(&options, &water, &exclusions);
    free_system(&water);
    return check_result();
}
