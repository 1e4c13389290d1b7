/* deliver.c - see deliver.h. SPDX-License-Identifier: BSD-3-Clause */
#include "deliver.h"
#include "lattice/tensor.h"

/* Potential and field of atom i of all shares. */
static void add_shares(const enuf_batch_system *system, const double *sums, int64_t i,
                       double found[4])
{
    const int64_t n = system->n;
    const double *at = sums + 4 * system->sums + i;
    for (int k = 0; k < 4; k++) found[k] = 0;
    for (int32_t part = 0; part < system->parts; part++, at += 4 * n)
        for (int k = 0; k < 4; k++) found[k] += at[k * n];
}

static void put_virial(const enuf_ewald_batch *batch, const enuf_batch_arrays *arrays,
                       const enuf_batch_system *system, const enuf_batch_closed *closed,
                       const enuf_batch_moments *of, const enuf_batch_found *found, int64_t s)
{
    static const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
    const double *m = of->dipole;
    const double background = 0.5 * of->charge * closed->background;
    const double surface = closed->sphere * (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    for (int k = 0; k < 6; k++) {
        double virial = k < 3 ? background + surface : 0;
        virial -= 2 * closed->sphere * m[row[k]] * m[column[k]];
        for (int32_t part = 0; part < system->parts; part++)
            virial += found[system->slot + part].virial[k];
        enuf_batch_put(batch, arrays->virials, 6 * s + k, batch->options.coulomb * virial);
    }
}

void enuf_batch_deliver(const enuf_ewald_batch *batch, const enuf_batch_arrays *arrays,
                        const enuf_batch_system *system, const double *sums,
                        const enuf_batch_found *found, int64_t s)
{
    const double coulomb = batch->options.coulomb;
    const enuf_batch_moments of = enuf_batch_moments_of(batch, arrays, system);
    const enuf_batch_closed closed =
        enuf_batch_closed_of(system, of.charge, batch->options.surroundings);
    double energy = 0;
    for (int64_t i = 0; i < system->n; i++) {
        const int64_t atom = system->first + i;
        const double q = enuf_batch_number(batch, arrays->charges, atom);
        double at[4];
        add_shares(system, sums, i, at);
        at[0] += closed.background - closed.self * q;
        for (int a = 0; a < 3; a++) {
            const double x = enuf_batch_number(batch, arrays->positions, atom * arrays->stride + a);
            at[0] += 2 * closed.sphere * of.dipole[a] * x;
            at[1 + a] -= 2 * closed.sphere * of.dipole[a];
            enuf_batch_put(batch, arrays->forces, 3 * atom + a, coulomb * q * at[1 + a]);
        }
        energy += 0.5 * q * at[0];
        enuf_batch_put(batch, arrays->potentials, atom, coulomb * at[0]);
    }
    enuf_batch_put(batch, arrays->energies, s, coulomb * energy);
    if (arrays->virials) put_virial(batch, arrays, system, &closed, &of, found, s);
}
