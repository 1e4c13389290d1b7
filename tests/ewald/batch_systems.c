/* batch_systems.c - see batch_systems.h. SPDX-License-Identifier: BSD-3-Clause */
#include "batch_systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *room(int64_t count, size_t size)
{
    void *at = calloc((size_t)(count > 0 ? count : 1), size);
    if (!at) abort();
    return at;
}

system_batch join_systems(int64_t n, charge_system *systems)
{
    system_batch batch = {.n = n, .offsets = room(n + 1, sizeof(int64_t))};
    for (int64_t s = 0; s < n; s++) batch.offsets[s + 1] = batch.offsets[s] + systems[s].n;
    batch.atoms = batch.offsets[n];
    batch.cells = room(9 * n, sizeof(double));
    batch.x = room(3 * batch.atoms, sizeof(double));
    batch.q = room(batch.atoms, sizeof(double));
    for (int64_t s = 0; s < n; s++) {
        const size_t atoms = (size_t)systems[s].n;
        memcpy(batch.cells + 9 * s, systems[s].cell, sizeof systems[s].cell);
        memcpy(batch.x + 3 * batch.offsets[s], systems[s].x, 3 * atoms * sizeof(double));
        memcpy(batch.q + batch.offsets[s], systems[s].q, atoms * sizeof(double));
        free_system(&systems[s]);
    }
    return batch;
}

charge_system system_of(const system_batch *batch, int64_t s)
{
    const int64_t first = batch->offsets[s];
    charge_system view = {
        .n = batch->offsets[s + 1] - first, .x = batch->x + 3 * first, .q = batch->q + first};
    memcpy(view.cell, batch->cells + 9 * s, sizeof view.cell);
    return copy_system(&view);
}

void free_batch(system_batch *batch)
{
    free(batch->offsets);
    free(batch->cells);
    free(batch->x);
    free(batch->q);
}

batch_results make_batch_results(const system_batch *batch)
{
    return (batch_results){room(batch->n, sizeof(double)), room(3 * batch->atoms, sizeof(double)),
                           room(batch->atoms, sizeof(double)), room(6 * batch->n, sizeof(double))};
}

void free_batch_results(batch_results *results)
{
    free(results->energies);
    free(results->forces);
    free(results->potentials);
    free(results->virials);
}

enuf_ewald_batch_options batch_options(void)
{
    enuf_ewald_batch_options options;
    enuf_ewald_batch_options_init(&options);
    options.backend = tested_backend();
    return options;
}

static float *floats_of(int64_t n, const double *from)
{
    float *to = room(n, sizeof *to);
    for (int64_t k = 0; k < n; k++) to[k] = (float)from[k];
    return to;
}

static void widen(int64_t n, float *from, double *to)
{
    for (int64_t k = 0; k < n; k++) to[k] = (double)from[k];
    free(from);
}

static enuf_status compute_floats(enuf_ewald_batch *object, const system_batch *batch,
                                  batch_results *results)
{
    const int64_t n = batch->n, atoms = batch->atoms;
    float *x = floats_of(3 * atoms, batch->x), *q = floats_of(atoms, batch->q);
    float *energies = room(n, sizeof(float)), *forces = room(3 * atoms, sizeof(float)),
          *potentials = room(atoms, sizeof(float)), *virials = room(6 * n, sizeof(float));
    const enuf_status status =
        enuf_ewald_batch_compute(object, x, 3, q, energies, forces, potentials, virials);
    widen(n, energies, results->energies);
    widen(3 * atoms, forces, results->forces);
    widen(atoms, potentials, results->potentials);
    widen(6 * n, virials, results->virials);
    free(x);
    free(q);
    return status;
}

batch_results compute_batch(const enuf_ewald_batch_options *options, const system_batch *batch)
{
    batch_results r = make_batch_results(batch);
    enuf_ewald_batch *object;
    CHECK_STATUS(enuf_ewald_batch_create(options, &object), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_batch_set_systems(object, batch->n, batch->offsets, batch->cells),
                 ENUF_SUCCESS);
    if (options->precision == ENUF_FLOAT)
        CHECK_STATUS(compute_floats(object, batch, &r), ENUF_SUCCESS);
    else
        CHECK_STATUS(enuf_ewald_batch_compute(object, batch->x, 3, batch->q, r.energies, r.forces,
                                              r.potentials, r.virials),
                     ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_batch_check(object, NULL), ENUF_SUCCESS);
    enuf_ewald_batch_destroy(&object);
    return r;
}

batch_results exact_batch(const enuf_ewald_batch_options *options, const system_batch *batch)
{
    batch_results r = make_batch_results(batch);
    enuf_exact_options exact;
    enuf_exact_options_init(&exact);
    exact.coulomb = options->coulomb;
    exact.surroundings = options->surroundings;
    for (int64_t s = 0; s < batch->n; s++) {
        const int64_t first = batch->offsets[s];
        enuf_exact_result of = {.forces = r.forces + 3 * first, .potential = r.potentials + first};
        CHECK_STATUS(enuf_exact_ewald(&exact, batch->cells + 9 * s, batch->offsets[s + 1] - first,
                                      batch->x + 3 * first, 3, batch->q + first, NULL, 0, NULL,
                                      &of),
                     ENUF_SUCCESS);
        r.energies[s] = of.energy;
        memcpy(r.virials + 6 * s, of.virial, sizeof of.virial);
    }
    return r;
}

static double larger(double a, double b)
{
    return b <= a ? a : b; /* NaN too */
}

/* Energy of the charges at their mean distance, sum q^2 (N/V)^(1/3): reference_force() is the mean
 * square of charges over the square of the distance. */
static double reference_energy(const charge_system *system)
{
    double squares = 0, n = 0;
    for (int64_t i = 0; i < system->n; i++) {
        squares += system->q[i] * system->q[i];
        n += system->q[i] != 0;
    }
    return squares > 0 ? squares / sqrt(squares / n / reference_force(system)) : 0;
}

batch_differences compare_batch(double coulomb, const system_batch *batch,
                                const batch_results *found, const batch_results *right)
{
    batch_differences most = {0, 0, 0, 0};
    for (int64_t s = 0; s < batch->n; s++) {
        const int64_t first = batch->offsets[s];
        charge_system system = system_of(batch, s);
        double scale = 0, potential = 0, charges = 0, force = coulomb * reference_force(&system);
        const double energy = coulomb * reference_energy(&system);
        for (int64_t i = first; i < first + system.n; i++) {
            scale += 0.5 * fabs(batch->q[i] * right->potentials[i]);
            potential = fmax(potential, fabs(right->potentials[i]));
            for (int a = 0; a < 3; a++) force = fmax(force, fabs(right->forces[3 * i + a]));
            charges += batch->q[i] * batch->q[i];
        }
        scale = fmax(scale, energy);
        if (charges > 0) potential = fmax(potential, energy / sqrt(charges * (double)system.n));
        most.forces =
            larger(most.forces, largest_difference(3 * system.n, found->forces + 3 * first,
                                                   right->forces + 3 * first) /
                                    force);
        most.potentials =
            larger(most.potentials, largest_difference(system.n, found->potentials + first,
                                                       right->potentials + first) /
                                        potential);
        most.energies =
            larger(most.energies, fabs(found->energies[s] - right->energies[s]) / scale);
        most.virials =
            larger(most.virials,
                   largest_difference(6, found->virials + 6 * s, right->virials + 6 * s) / scale);
        free_system(&system);
    }
    return most;
}

void check_batch(const char *name, const batch_differences *differences, double bound)
{
    printf("%s\n", name);
    CHECK_BELOW(differences->forces, bound, "forces");
    CHECK_BELOW(differences->potentials, bound, "potentials");
    CHECK_BELOW(differences->energies, bound, "energies");
    CHECK_BELOW(differences->virials, bound, "virials");
}

system_batch mixed_batch(uint64_t seed, int64_t n)
{
    charge_system *systems = room(n, sizeof *systems);
    for (int64_t s = 0; s < n; s++) {
        const int64_t atoms = s % 5 == 4 ? 1 + s % 3 : 2 + (int64_t)((seed + s) * 7919 % 69);
        systems[s] = make_ions(seed + (uint64_t)s, atoms, (cell_shape)(s % CELL_SHAPE_COUNT),
                               atoms == 1 || s % 3 == 1 ? 1 : 0);
    }
    const system_batch batch = join_systems(n, systems);
    free(systems);
    return batch;
}
