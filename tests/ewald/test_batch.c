/*
 * test_batch.c - batches have the results of exact sums of each system: 1 to 300 ions, cells of
 * every shape, net charges, boundary dielectrics, cells tilted by 14 edges, needles, ions far
 * outside, pairs that a face of the cell parts, atoms without charge, arrays of floats, mixed
 * arithmetic, tolerances. Crystals have their Madelung constants. Bits do not depend on threads.
 *
 * Bounds: rounding is 1e-16 of terms that are a few times F_ref, and sums of 1e4 of them are off by
 * 1e-14; 1e-13 is what the header promises, 2e-6 in float. SPDX-License-Identifier: BSD-3-Clause
 */
#include "batch_systems.h"
#include "crystals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ROUNDING = 1e-13, FLOAT_ROUNDING = 2e-6;
/* 6e-8 of a result, which may be a few times its scale */
static const double ROUNDED_TO_FLOAT = 2.5e-7;

static void agrees(const char *name, const enuf_ewald_batch_options *options, system_batch batch,
                   double bound)
{
    batch_results found = compute_batch(options, &batch), right = exact_batch(options, &batch);
    const batch_differences differences = compare_batch(options->coulomb, &batch, &found, &right);
    check_batch(name, &differences, bound);
    free_batch_results(&found);
    free_batch_results(&right);
    free_batch(&batch);
}

static system_batch batch_of_one(charge_system system)
{
    return join_systems(1, &system);
}

static void every_shape(void)
{
    enuf_ewald_batch_options options = batch_options();
    options.coulomb = 332.06371;
    agrees("systems of 1 to 70 ions", &options, mixed_batch(301, 24), ROUNDING);
    agrees("one system, several shares", &options,
           batch_of_one(make_ions(302, 300, CELL_TRICLINIC, 1)), ROUNDING);
}

static void dielectric(double surroundings)
{
    charge_system systems[3];
    enuf_ewald_batch_options options = batch_options();
    options.surroundings = surroundings;
    for (int s = 0; s < 3; s++)
        systems[s] = make_ions(303 + (uint64_t)s, 20 + 60 * s, (cell_shape)(s + 1), 0);
    agrees("boundary dielectric", &options, join_systems(3, systems), ROUNDING);
}

/* Round numbers, so that ions moved by whole cells and tilted cells round nothing. */
static charge_system round_ions(uint64_t seed, int64_t n)
{
    charge_system s = make_ions(seed, n, CELL_TRICLINIC, 0);
    for (int i = 0; i < 9; i++) s.cell[i] = round(s.cell[i] * 64) / 64;
    for (int64_t i = 0; i < 3 * s.n; i++) s.x[i] = round(s.x[i] * 0x1p30) / 0x1p30;
    return s;
}

static void other_descriptions(void)
{
    const enuf_ewald_batch_options options = batch_options();
    charge_system systems[3];
    for (int s = 0; s < 3; s++) systems[s] = round_ions(310 + (uint64_t)s, 30);
    for (int d = 0; d < 3; d++) systems[0].cell[3 + d] += 14 * systems[0].cell[d];
    for (int d = 0; d < 3; d++) systems[1].cell[d] -= 13 * systems[1].cell[6 + d];
    for (int64_t i = 0; i < systems[2].n; i++)
        for (int d = 0; d < 3; d++)
            systems[2].x[3 * i + d] += (double)(i % 7 - 3) * 1024 * systems[2].cell[i % 3 * 3 + d];
    agrees("cells tilted by 14 edges, ions far outside", &options, join_systems(3, systems),
           ROUNDING);
}

/* The low digits of positions decide the force of a close pair, also where a face parts it. */
static void close_pairs(void)
{
    const enuf_ewald_batch_options options = batch_options();
    charge_system systems[2];
    for (int s = 0; s < 2; s++) {
        systems[s] = round_ions(320 + (uint64_t)s, 24);
        for (int d = 0; d < 3; d++)
            systems[s].x[3 + d] =
                systems[s].x[d] + s * (systems[s].cell[d] + systems[s].cell[6 + d]);
        systems[s].x[4] += 0x1p-20;
    }
    agrees("ions 1e-6 apart, also in other cells", &options, join_systems(2, systems), ROUNDING);
}

static void needles(void)
{
    const enuf_ewald_batch_options options = batch_options();
    charge_system systems[3];
    for (int d = 0; d < 3; d++) {
        systems[d] = make_ions(330, 12, CELL_CUBIC, 0);
        for (int i = 0; i < 9; i++) systems[d].cell[i] *= i == 4 * d ? 40 : 1;
    }
    agrees("needles", &options, join_systems(3, systems), ROUNDING);
}

static void bare_atoms(void)
{
    const enuf_ewald_batch_options options = batch_options();
    system_batch batch = mixed_batch(340, 4);
    for (int64_t i = 0; i < batch.atoms; i += 3) batch.q[i] = 0;
    for (int64_t s = 0; s < batch.n; s++) batch.q[batch.offsets[s + 1] - 1] = 1;
    agrees("atoms without charge", &options, batch, ROUNDING);
}

/* Rounded to floats, so that both sums have the same input. */
static system_batch in_floats(system_batch batch)
{
    for (int64_t k = 0; k < 3 * batch.atoms; k++) batch.x[k] = (double)(float)batch.x[k];
    for (int64_t k = 0; k < batch.atoms; k++) batch.q[k] = (double)(float)batch.q[k];
    return batch;
}

static void precisions(void)
{
    enuf_ewald_batch_options options = batch_options();
    options.arithmetic = ENUF_ARITHMETIC_MIXED;
    agrees("mixed arithmetic", &options, mixed_batch(350, 24), FLOAT_ROUNDING);
    options.precision = ENUF_FLOAT;
    options.arithmetic = ENUF_ARITHMETIC_AUTO;
    agrees("arrays of floats", &options, in_floats(mixed_batch(351, 24)), FLOAT_ROUNDING);
    options.arithmetic = ENUF_ARITHMETIC_DOUBLE;
    agrees("arrays of floats, arithmetic double", &options, in_floats(mixed_batch(352, 24)),
           ROUNDED_TO_FLOAT);
}

static void tolerances(void)
{
    enuf_ewald_batch_options options = batch_options();
    for (options.tolerance = 1e-3; options.tolerance > 1e-11; options.tolerance *= 1e-3) {
        system_batch batch = mixed_batch(360, 20);
        batch_results found = compute_batch(&options, &batch);
        batch_results right = exact_batch(&options, &batch);
        const batch_differences d = compare_batch(options.coulomb, &batch, &found, &right);
        printf("tolerance %g\n", options.tolerance);
        CHECK_BELOW(d.forces, options.tolerance, "forces");
        CHECK(d.forces > 1e-4 * options.tolerance); /* a tolerance saves time */
        free_batch_results(&found);
        free_batch_results(&right);
        free_batch(&batch);
    }
}

static void madelung_constants(void)
{
    const enuf_ewald_batch_options options = batch_options();
    charge_system systems[CRYSTALS];
    for (int k = 0; k < CRYSTALS; k++) systems[k] = make_crystal(&crystals[k], 1);
    system_batch batch = join_systems(CRYSTALS, systems);
    batch_results r = compute_batch(&options, &batch);
    for (int k = 0; k < CRYSTALS; k++)
        CHECK_CLOSE(-r.energies[k] / crystals[k].units * crystals[k].d, crystals[k].constant, 1e-14,
                    crystals[k].name);
    free_batch_results(&r);
    free_batch(&batch);
}

static void bits_repeat(void)
{
    enuf_ewald_batch_options options = batch_options();
    system_batch batch = mixed_batch(370, 10);
    options.threads = 1;
    batch_results one = compute_batch(&options, &batch);
    options.threads = 3;
    batch_results three = compute_batch(&options, &batch);
    CHECK(memcmp(one.forces, three.forces, (size_t)batch.atoms * 3 * sizeof(double)) == 0);
    CHECK(memcmp(one.potentials, three.potentials, (size_t)batch.atoms * sizeof(double)) == 0);
    CHECK(memcmp(one.energies, three.energies, (size_t)batch.n * sizeof(double)) == 0);
    CHECK(memcmp(one.virials, three.virials, (size_t)batch.n * 6 * sizeof(double)) == 0);
    free_batch_results(&one);
    free_batch_results(&three);
    free_batch(&batch);
}

int main(void)
{
    every_shape();
    dielectric(1);
    dielectric(4.5);
    other_descriptions();
    close_pairs();
    needles();
    bare_atoms();
    precisions();
    tolerances();
    madelung_constants();
    bits_repeat();
    return check_result();
}
