/*
 * deliver.cuh - results of a system from the sums of its shares, by a block. Looks at all data.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_BATCH_DELIVER_CUH
#define ENUF_BATCH_DELIVER_CUH

#include "block.cuh"

/* The record of an atom whose numbers are not finite. */
static __device__ __forceinline__ void inspect(const enuf_batch_arguments &a, int64_t atom,
                                               const double (&x)[3], double q)
{
    const bool finite = isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
    if (!finite) atomicMin(&a.record->position, (unsigned long long)atom);
    if (!isfinite(q)) atomicMin(&a.record->charge, (unsigned long long)atom);
}

/* Sums over the atoms: charge, |charge|, dipole of the positions as they are given. */
enum { CHARGE, MAGNITUDE, DIPOLE, MOMENTS = 5 };

static __device__ void find_moments(const enuf_batch_arguments &a, const enuf_batch_system &system,
                                    double (&moments)[MOMENTS], double *room)
{
    for (int k = 0; k < MOMENTS; k++) moments[k] = 0;
    for (int i = threadIdx.x; i < system.n; i += THREADS) {
        const int64_t atom = system.first + i;
        const double q = number_at(a, a.charges, atom);
        double x[3];
        for (int d = 0; d < 3; d++) x[d] = number_at(a, a.positions, atom * a.stride + d);
        inspect(a, atom, x, q);
        moments[CHARGE] += q;
        moments[MAGNITUDE] += fabs(q);
        for (int d = 0; d < 3; d++) moments[DIPOLE + d] += q * x[d];
    }
    block_sum(moments, room);
}

/* Potential and field of atom i of all shares. */
static __device__ __forceinline__ void add_shares(const enuf_batch_arguments &a,
                                                  const enuf_batch_system &system, int i,
                                                  double (&found)[4])
{
    const int64_t n = system.n;
    const double *at = a.sums + 4 * system.sums + i;
    for (int k = 0; k < 4; k++) found[k] = 0;
    for (int part = 0; part < system.parts; part++, at += 4 * n)
        for (int k = 0; k < 4; k++) found[k] += at[k * n];
}

/* Component k, of xx, yy, zz, xy, xz, yz. */
static __device__ void put_virial(const enuf_batch_arguments &a, const enuf_batch_system &system,
                                  const enuf_batch_closed &closed, const double (&moments)[MOMENTS],
                                  int64_t s, int k)
{
    const int row = k < 3 ? k : k / 5, column = k < 3 ? k : k == 3 ? 1 : 2;
    const double *m = moments + DIPOLE;
    const double background = 0.5 * moments[CHARGE] * closed.background;
    const double surface = closed.sphere * (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    double virial = k < 3 ? background + surface : 0;
    virial -= 2 * closed.sphere * m[row] * m[column];
    for (int part = 0; part < system.parts; part++) virial += a.found[6 * (system.slot + part) + k];
    put_number(a, a.virials, 6 * s + k, a.coulomb * virial);
}

/** Results of system s. Called by all threads of a block; room: [WARPS][MOMENTS]. */
static __device__ void deliver(const enuf_batch_arguments &a, const enuf_batch_system &system,
                               int64_t s, double *room)
{
    double moments[MOMENTS], energy[1] = {0};
    find_moments(a, system, moments, room);
    const enuf_batch_closed closed = enuf_batch_closed_of(&system, moments[CHARGE], a.surroundings);
    for (int i = threadIdx.x; i < system.n; i += THREADS) {
        const int64_t atom = system.first + i;
        const double q = number_at(a, a.charges, atom);
        double found[4];
        add_shares(a, system, i, found);
        found[0] += closed.background - closed.self * q;
        for (int d = 0; d < 3; d++) {
            const double x = number_at(a, a.positions, atom * a.stride + d);
            found[0] += 2 * closed.sphere * moments[DIPOLE + d] * x;
            found[1 + d] -= 2 * closed.sphere * moments[DIPOLE + d];
            put_number(a, a.forces, 3 * atom + d, a.coulomb * q * found[1 + d]);
        }
        energy[0] += 0.5 * q * found[0];
        put_number(a, a.potentials, atom, a.coulomb * found[0]);
    }
    block_sum(energy, room);
    if (a.virials && threadIdx.x < 6) put_virial(a, system, closed, moments, s, threadIdx.x);
    if (threadIdx.x > 0) return;
    put_number(a, a.energies, s, a.coulomb * energy[0]);
    if (a.surroundings != 0 && fabs(moments[CHARGE]) > a.neutral * moments[MAGNITUDE])
        atomicMin(&a.record->net, (unsigned long long)s);
}

#endif
