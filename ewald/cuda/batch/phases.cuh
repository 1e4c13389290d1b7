/*
 * phases.cuh - what the modes of a batch have in shared memory: tiles of rows, and the phases of a
 * chunk of atoms. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_BATCH_PHASES_CUH
#define ENUF_BATCH_PHASES_CUH

#include "block.cuh"

enum { COLUMNS = 4, TILES = THREADS };

/** Modes (middle +- d, m2, m3), d = first ... first + 3, up to reach. */
struct mode_tile {
    int m2, m3, middle;
    short first, reach;
};

/** A(d) = factor conj(S): sums and differences of both sides. */
template <class Real> struct tile_factors {
    complex_of<Real> plus[COLUMNS], minus[COLUMNS];
};

/** Shared memory of the modes. */
template <class Real> struct mode_room {
    mode_tile tiles[2 * TILES];
    tile_factors<Real> factors[TILES];
    Real charges[THREADS];
    double found[4][THREADS];
};

/** exp(2 pi i m s_d) of the atoms of a chunk, at[offset[d] + m * pitch + atom]. An odd pitch
 * spreads the m over the banks. */
template <class Real> struct phase_table {
    complex_of<Real> *at;
    int offset[3];
    int pitch, atoms, chunks;
};

static __device__ __forceinline__ int rows_of_table(const enuf_batch_system &system)
{
    return enuf_batch_columns(&system) + system.modes[1] + 1 + system.modes[2] + 1;
}

/* Chunks of atoms whose phases fit into the shared memory, and whose atoms have a thread each. */
template <class Real>
static __device__ phase_table<Real> plan_table(const enuf_batch_system &system,
                                               mode_room<Real> *room, int bytes)
{
    const int rows = rows_of_table(system);
    const int most = (bytes - (int)sizeof(mode_room<Real>)) / (int)sizeof(complex_of<Real>) / rows;
    const int odd = most % 2 ? most : most - 1, atoms = min(min(odd, system.n), (int)THREADS);
    phase_table<Real> table;
    table.at = (complex_of<Real> *)(room + 1);
    table.chunks = (system.n + atoms - 1) / atoms;
    table.atoms = (system.n + table.chunks - 1) / table.chunks;
    table.pitch = table.atoms | 1;
    table.offset[0] = 0;
    table.offset[1] = enuf_batch_columns(&system) * table.pitch;
    table.offset[2] = table.offset[1] + (system.modes[1] + 1) * table.pitch;
    return table;
}

/* Phases and charges of a chunk: a thread has an atom and an axis. Powers by products in double. */
template <class Real>
static __device__ void fill_table(const enuf_batch_arguments &a, const enuf_batch_system &system,
                                  const phase_table<Real> &table, int chunk, mode_room<Real> *room)
{
    const int first = chunk * table.atoms, atoms = min(table.atoms, system.n - first);
    __syncthreads();
    for (int k = threadIdx.x; k < 3 * atoms; k += THREADS) {
        const int j = k % atoms, d = k / atoms;
        const int counts = d == 0 ? enuf_batch_columns(&system) : system.modes[d] + 1;
        const batch_atom atom = folded_atom(a, system, first + j);
        const double s = atom.high[0] * system.inverse[d] + atom.high[1] * system.inverse[3 + d] +
                         atom.high[2] * system.inverse[6 + d];
        complex_of<Real> *at = table.at + table.offset[d] + j;
        double sine, cosine, re = 1, im = 0;
        sincospi(2 * (s - rint(s)), &sine, &cosine);
        for (int m = 0; m < counts; m++) {
            at[m * table.pitch] = {(Real)re, (Real)im};
            const double next = re * cosine - im * sine;
            im = im * cosine + re * sine;
            re = next;
        }
        if (d == 0) room->charges[j] = (Real)atom.charge;
    }
    __syncthreads();
}

template <class Real>
static __device__ __forceinline__ complex_of<Real> phase_of(const phase_table<Real> &table, int d,
                                                            int m, int j)
{
    complex_of<Real> z = table.at[table.offset[d] + abs(m) * table.pitch + j];
    if (m < 0) z.im = -z.im;
    return z;
}

template <class Real>
static __device__ __forceinline__ complex_of<Real> times(complex_of<Real> a, complex_of<Real> b)
{
    return {a.re * b.re - a.im * b.im, a.im * b.re + a.re * b.im};
}

/** exp(2 pi i (middle s_1 + m2 s_2 + m3 s_3)) */
template <class Real>
static __device__ __forceinline__ complex_of<Real> middle_phase(const phase_table<Real> &table,
                                                                const mode_tile &tile, int j)
{
    return times(times(phase_of(table, 0, tile.middle, j), phase_of(table, 1, tile.m2, j)),
                 phase_of(table, 2, tile.m3, j));
}

#endif
