/*
 * test_batch_derivatives.c - forces are minus the gradient of the energy, potentials its
 * derivatives with respect to charges, the virial minus its derivative by strain: what training
 * needs.
 *
 * Reference: fourth-order central differences of the energies of a batch of 4 systems, of 24 ions,
 * with a net charge or a boundary dielectric, which has a batch of its own. New cells come by
 * enuf_ewald_batch_set_cells(). Bounds, from the step and the rounding: 1e-10 F_ref for forces,
 * 1e-11 of 1/2 sum |q phi| for the virial. SPDX-License-Identifier: BSD-3-Clause
 */
#include "batch_systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYSTEMS = 4, IONS = 24 };

static const double STEPS[4] = {2, 1, -1, -2};

/* Fourth-order central difference of a function at +-h, +-2h. */
static double difference(const double at[4], double h)
{
    return (8 * (at[1] - at[2]) - (at[0] - at[3])) / (12 * h);
}

static void energies_of(enuf_ewald_batch *object, const system_batch *batch, double *energies)
{
    CHECK_STATUS(
        enuf_ewald_batch_compute(object, batch->x, 3, batch->q, energies, NULL, NULL, NULL),
        ENUF_SUCCESS);
}

/* Derivatives of all energies by a number of each system: index k of its positions or charges. */
static void by_numbers(enuf_ewald_batch *object, const system_batch *batch, double *numbers,
                       int64_t per_atom, int64_t k, double h, double found[SYSTEMS])
{
    double at[4][SYSTEMS], before[SYSTEMS];
    for (int s = 0; s < SYSTEMS; s++) before[s] = numbers[per_atom * batch->offsets[s] + k];
    for (int step = 0; step < 4; step++) {
        for (int s = 0; s < SYSTEMS; s++)
            numbers[per_atom * batch->offsets[s] + k] = before[s] + STEPS[step] * h;
        energies_of(object, batch, at[step]);
    }
    for (int s = 0; s < SYSTEMS; s++) {
        const double of[4] = {at[0][s], at[1][s], at[2][s], at[3][s]};
        numbers[per_atom * batch->offsets[s] + k] = before[s];
        found[s] = difference(of, h);
    }
}

/* Rows of `from` strained into `to`. */
static void strain(int64_t rows, const double *from, int a, int b, double amount, double *to)
{
    memcpy(to, from, (size_t)(3 * rows) * sizeof *to);
    for (int64_t i = 0; i < rows; i++) to[3 * i + a] += amount * from[3 * i + b];
}

static void by_strain(enuf_ewald_batch *object, const system_batch *batch, int a, int b, double h,
                      double found[SYSTEMS])
{
    double at[4][SYSTEMS];
    system_batch strained = *batch;
    strained.x = malloc((size_t)(3 * batch->atoms) * sizeof(double));
    strained.cells = malloc(9 * SYSTEMS * sizeof(double));
    if (!strained.x || !strained.cells) abort();
    for (int step = 0; step < 4; step++) {
        strain(batch->atoms, batch->x, a, b, STEPS[step] * h, strained.x);
        strain(3 * SYSTEMS, batch->cells, a, b, STEPS[step] * h, strained.cells);
        CHECK_STATUS(enuf_ewald_batch_set_cells(object, strained.cells), ENUF_SUCCESS);
        energies_of(object, &strained, at[step]);
    }
    CHECK_STATUS(enuf_ewald_batch_set_cells(object, batch->cells), ENUF_SUCCESS);
    for (int s = 0; s < SYSTEMS; s++) {
        const double of[4] = {at[0][s], at[1][s], at[2][s], at[3][s]};
        found[s] = difference(of, h);
    }
    free(strained.x);
    free(strained.cells);
}

static void check(const enuf_ewald_batch_options *options, system_batch batch)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const double h = 1e-3; /* balances the rounding of the energy, over h, and the error h^4 */
    double found[SYSTEMS], scale[SYSTEMS] = {0};
    const batch_results r = compute_batch(options, &batch);
    batch_results results = r;
    charge_system first = system_of(&batch, 0);
    const double f_ref = reference_force(&first);
    enuf_ewald_batch *object;
    CHECK_STATUS(enuf_ewald_batch_create(options, &object), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_batch_set_systems(object, batch.n, batch.offsets, batch.cells),
                 ENUF_SUCCESS);
    for (int s = 0; s < SYSTEMS; s++)
        for (int64_t i = batch.offsets[s]; i < batch.offsets[s + 1]; i++)
            scale[s] += 0.5 * fabs(batch.q[i] * r.potentials[i]);
    for (int k = 0; k < 6; k++) {
        by_numbers(object, &batch, batch.x, 3, k, h, found);
        for (int s = 0; s < SYSTEMS; s++)
            CHECK_BELOW((-found[s] - r.forces[3 * batch.offsets[s] + k]) / f_ref, 1e-10,
                        "(-dE/dx - force) / F_ref");
    }
    /* a charge in a dielectric would be refused; the energy is quadratic in charges */
    for (int k = 0; k < 2 && options->surroundings == 0; k++) {
        by_numbers(object, &batch, batch.q, 1, k, 0.1, found);
        for (int s = 0; s < SYSTEMS; s++)
            CHECK_BELOW((found[s] - r.potentials[batch.offsets[s] + k]) / (scale[s] / IONS), 1e-11,
                        "(dE/dq - potential) / mean |q phi|");
    }
    for (int k = 0; k < 6; k++) {
        by_strain(object, &batch, row[k], column[k], h, found);
        for (int s = 0; s < SYSTEMS; s++)
            CHECK_BELOW((-found[s] - r.virials[6 * s + k]) / scale[s], 1e-11,
                        "(-dE/dstrain - virial) / (1/2 sum |q phi|)");
    }
    enuf_ewald_batch_destroy(&object);
    free_system(&first);
    free_batch_results(&results);
    free_batch(&batch);
}

static system_batch ions(double net)
{
    charge_system systems[SYSTEMS];
    for (int s = 0; s < SYSTEMS; s++)
        systems[s] = make_ions(401 + (uint64_t)s, IONS, (cell_shape)s, net * (s % 2));
    return join_systems(SYSTEMS, systems);
}

int main(void)
{
    enuf_ewald_batch_options options = batch_options();
    check(&options, ions(1));
    options.surroundings = 1;
    check(&options, ions(0));
    return check_result();
}
