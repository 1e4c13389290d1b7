/*
 * modes.cuh - the modes of a share of a batch: a block works on tiles of rows. A tile is four
 * columns d of a row of modes, on both sides of the row's middle: eight modes.
 *
 * Structure factors: a thread has a tile and sums over the atoms, whose phases are in shared
 * memory. Potentials: a thread has an atom and every `slices`th tile. As many tiles as threads are
 * worked on together. Operations: 26 for an atom and a tile, then 60. Shared memory delivers 7
 * complex numbers for the former, mostly the same for all lanes, and 7 and the tile for the latter.
 *
 * Lengths are in cutoffs, so that floats do not overflow. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_BATCH_MODES_CUH
#define ENUF_BATCH_MODES_CUH

#include "phases.cuh"

/* Adds tiles of the share to the list until there is one for each thread. `next` counts the tiles
 * of the box. */
template <class Real>
static __device__ void find_tiles(const enuf_batch_system &system, int part, int64_t *next,
                                  int *length, mode_room<Real> *room)
{
    const int of_row = (system.modes[0] + 1 + COLUMNS) / COLUMNS;
    const int64_t rows = (enuf_batch_rows(&system) - part + system.parts - 1) / system.parts;
    while (*length < TILES && *next < rows * of_row) {
        const int64_t k = *next + threadIdx.x;
        const int first = (int)(k % of_row) * COLUMNS;
        enuf_batch_row row = {0, 0, 0, -1, {0, 0, 0}};
        if (k < rows * of_row) row = enuf_batch_row_at(&system, part + (k / of_row) * system.parts);
        const bool has_one = first <= row.reach;
        const int place = place_in_list(has_one, length);
        if (has_one)
            room->tiles[place] = {row.m2, row.m3, row.middle, (short)first, (short)row.reach};
        *next += THREADS;
    }
    __syncthreads();
}

/* Sums of the products of (Re, Im of q w) and (Re, Im of z^d). */
template <class Real> struct tile_sums {
    Real uc[COLUMNS], vs[COLUMNS], us[COLUMNS], vc[COLUMNS];
};

template <class Real>
static __device__ void add_structure(const phase_table<Real> &table, const mode_room<Real> *room,
                                     const mode_tile &tile, int columns, int atoms,
                                     tile_sums<Real> *sums)
{
    for (int j = 0; j < atoms; j++) {
        const complex_of<Real> w = middle_phase(table, tile, j);
        const Real u = room->charges[j] * w.re, v = room->charges[j] * w.im;
#pragma unroll
        for (int i = 0; i < COLUMNS; i++) {
            const complex_of<Real> z = table.at[min(tile.first + i, columns - 1) * table.pitch + j];
            sums->uc[i] += u * z.re;
            sums->vs[i] += v * z.im;
            sums->us[i] += u * z.im;
            sums->vc[i] += v * z.re;
        }
    }
}

/* The potential's factor of a mode, 2/V 4 pi exp(-k^2/4 alpha^2)/k^2, in cutoffs; adds its virial.
 */
template <class Real>
static __device__ __forceinline__ Real weigh_mode(Real scale, Real per_alpha2, const Real (&k)[3],
                                                  Real gaussian, complex_of<Real> s,
                                                  double (&virial)[6])
{
    const Real k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    if (!(k2 > 0)) return 0;
    const Real factor = scale * gaussian / k2, energy = factor * (s.re * s.re + s.im * s.im) / 2;
    const Real slope = energy * (2 / k2 + 2 * per_alpha2);
    for (int a = 0; a < 3; a++) virial[a] += (double)(energy - slope * k[a] * k[a]);
    virial[3] -= (double)(slope * k[0] * k[1]);
    virial[4] -= (double)(slope * k[0] * k[2]);
    virial[5] -= (double)(slope * k[1] * k[2]);
    return factor;
}

/* Both sides of a tile. Along a row exp(-k^2/4 alpha^2) changes by a ratio, which itself changes by
 * a ratio that is the same everywhere. */
template <class Real>
static __device__ void weigh(const enuf_batch_system &system, const mode_tile &tile,
                             const tile_sums<Real> &sums, tile_factors<Real> *factors,
                             double (&virial)[6])
{
    const double unit = system.cutoff, per_unit = 1 / unit;
    const Real per_alpha2 = (Real)(0.25 * (per_unit / system.alpha) * (per_unit / system.alpha));
    const Real scale = (Real)(25.1327412287183459 * unit * unit * unit / system.volume) *
                       (Real)(tile.m2 == 0 && tile.m3 == 0 ? 0.5 : 1);
    Real step[3], up[3], down[3], step2 = 0, up2 = 0, down2 = 0, up_along = 0, down_along = 0;
    for (int a = 0; a < 3; a++) {
        const double wave = unit * enuf_batch_wave(&system, 0, a);
        const double middle =
            tile.middle * wave + unit * (tile.m2 * enuf_batch_wave(&system, 1, a) +
                                         tile.m3 * enuf_batch_wave(&system, 2, a));
        step[a] = (Real)wave;
        up[a] = (Real)(middle + tile.first * wave);
        down[a] = (Real)(middle - tile.first * wave);
        step2 += step[a] * step[a];
        up2 += up[a] * up[a];
        down2 += down[a] * down[a];
        up_along += up[a] * step[a];
        down_along -= down[a] * step[a];
    }
    Real above = exp(-per_alpha2 * up2), below = exp(-per_alpha2 * down2);
    Real above_ratio = exp(-per_alpha2 * (2 * up_along + step2));
    Real below_ratio = exp(-per_alpha2 * (2 * down_along + step2));
    const Real change = exp(-2 * per_alpha2 * step2);
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) {
        const complex_of<Real> s_up = {sums.uc[i] - sums.vs[i], sums.us[i] + sums.vc[i]};
        const complex_of<Real> s_down = {sums.uc[i] + sums.vs[i], sums.vc[i] - sums.us[i]};
        const bool counts = tile.first + i <= tile.reach;
        const Real p = counts ? weigh_mode(scale, per_alpha2, up, above, s_up, virial) : 0;
        const Real m = counts && tile.first + i > 0
                           ? weigh_mode(scale, per_alpha2, down, below, s_down, virial)
                           : 0;
        factors->plus[i] = {p * s_up.re + m * s_down.re, -(p * s_up.im + m * s_down.im)};
        factors->minus[i] = {p * s_up.re - m * s_down.re, -(p * s_up.im - m * s_down.im)};
        for (int a = 0; a < 3; a++) {
            up[a] += step[a];
            down[a] -= step[a];
        }
        above *= above_ratio;
        below *= below_ratio;
        above_ratio *= change;
        below_ratio *= change;
    }
}

/* Adds a tile at atom j: potential, and what slopes along s_d sum up. */
template <class Real>
static __device__ __forceinline__ void
gather_tile(const phase_table<Real> &table, const mode_tile &tile, int columns,
            const tile_factors<Real> &factors, int j, Real (&found)[4])
{
    const complex_of<Real> w = middle_phase(table, tile, j);
    complex_of<Real> value = {0, 0}, slope = {0, 0};
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) {
        const complex_of<Real> z = table.at[min(tile.first + i, columns - 1) * table.pitch + j];
        const complex_of<Real> plus = factors.plus[i], minus = factors.minus[i];
        const Real d = (Real)(tile.first + i);
        value.re += plus.re * z.re - minus.im * z.im;
        value.im += minus.re * z.im + plus.im * z.re;
        slope.re += d * (minus.re * z.re - plus.im * z.im);
        slope.im += d * (plus.re * z.im + minus.im * z.re);
    }
    const Real turned = value.re * w.im + value.im * w.re;
    found[0] += value.re * w.re - value.im * w.im;
    found[1] += (Real)tile.middle * turned + (slope.re * w.im + slope.im * w.re);
    found[2] += (Real)tile.m2 * turned;
    found[3] += (Real)tile.m3 * turned;
}

/* Potential and field of all tiles at the atoms of a chunk, added to the sums of the share. */
template <class Real>
static __device__ void gather(const enuf_batch_system &system, const phase_table<Real> &table,
                              int tiles, int chunk, mode_room<Real> *room, double *sums)
{
    const int first = chunk * table.atoms, atoms = min(table.atoms, system.n - first);
    const int slices = THREADS / atoms, j = threadIdx.x % atoms, slice = threadIdx.x / atoms;
    const int columns = enuf_batch_columns(&system);
    const double per_cutoff = 1 / system.cutoff;
    Real found[4] = {0, 0, 0, 0};
    for (int t = slice; t < tiles && slice < slices; t += slices)
        gather_tile(table, room->tiles[t], columns, room->factors[t], j, found);
    for (int k = 0; k < 4; k++) room->found[k][threadIdx.x] = (double)found[k];
    __syncthreads();
    if (threadIdx.x < atoms) {
        double total[4] = {0, 0, 0, 0};
        for (int k = 0; k < 4; k++)
            for (int g = 0; g < slices; g++) total[k] += room->found[k][g * atoms + j];
        sums += first + j;
        sums[0] += per_cutoff * total[0];
        for (int a = 0; a < 3; a++)
            for (int d = 0; d < 3; d++)
                sums[(1 + a) * (int64_t)system.n] +=
                    per_cutoff * enuf_batch_wave(&system, d, a) * total[1 + d];
    }
    __syncthreads();
}

/** All modes of a share; called by all threads of the block. sums [4][n] of the share. */
template <class Real>
static __device__ void add_modes(const enuf_batch_arguments &a, const enuf_batch_system &system,
                                 int part, mode_room<Real> *room, double *sums, double (&virial)[6])
{
    const phase_table<Real> table = plan_table(system, room, a.shared);
    const int columns = enuf_batch_columns(&system);
    int64_t next = 0;
    int length = 0;
    if (table.chunks == 1) fill_table(a, system, table, 0, room);
    for (;;) {
        find_tiles(system, part, &next, &length, room);
        if (length == 0) break;
        const int tiles = min(length, (int)TILES), mine = threadIdx.x;
        tile_sums<Real> of_tile = {};
        for (int chunk = 0; chunk < table.chunks; chunk++) {
            if (table.chunks > 1) fill_table(a, system, table, chunk, room);
            const int atoms = min(table.atoms, system.n - chunk * table.atoms);
            if (mine < tiles)
                add_structure(table, room, room->tiles[mine], columns, atoms, &of_tile);
        }
        if (mine < tiles) weigh(system, room->tiles[mine], of_tile, &room->factors[mine], virial);
        __syncthreads();
        for (int chunk = 0; chunk < table.chunks; chunk++) {
            if (table.chunks > 1) fill_table(a, system, table, chunk, room);
            gather(system, table, tiles, chunk, room, sums);
        }
        length -= tiles;
        const mode_tile moved = room->tiles[TILES + mine]; /* used if mine < length */
        __syncthreads();
        room->tiles[mine] = moved;
        __syncthreads();
    }
}

#endif
