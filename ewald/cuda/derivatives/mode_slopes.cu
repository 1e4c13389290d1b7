/*
 * mode_slopes.cu - the sums over modes, as ewald/derivatives/mode_slopes.c: a thread a mode. Bound
 * by memory; where the cell changes, by the Legendre series of the prolate splitting.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/influence.cuh"
#include "slope_totals.cuh"

/* Scales are powers of two, so that their inverses are exact. */
static __global__ void unscale_modes(int64_t n, int single, const double *scale, void *modes)
{
    const int64_t at = this_atom();
    if (at < n) set_real(modes, single, at, 1 / *scale * real_at(modes, single, at));
}

extern "C" enuf_status enuf_cuda_unscale_modes(int64_t n, int single, const double *scale,
                                               void *modes, cudaStream_t stream)
{
    if (n == 0) return ENUF_SUCCESS;
    unscale_modes<<<atom_blocks(2 * n), atom_threads, 0, stream>>>(2 * n, single, scale, modes);
    return enuf_cuda_launched("scale of modes");
}

/* k of a stored mode; whether it is its own conjugate's copy. */
static __device__ __forceinline__ bool wave_at(const enuf_cuda_influence &f, int64_t at,
                                               double k[3])
{
    const double m[3] = {(double)(at % f.h1), (double)(at / f.h1 % f.n2 - f.n2 / 2),
                         (double)(at / f.h1 / f.n2 - f.n3 / 2)};
    wave_of_mode(f.inverse, m, k);
    return at % f.h1 == 0;
}

static __global__ void fill_fields(const __grid_constant__ enuf_cuda_slope_modes m, void *fields)
{
    const int64_t at = this_atom(), count = m.influence.h1 * m.influence.n2 * m.influence.n3;
    if (at >= count) return;
    const double w0 = 2 * real_at(m.weights, m.single, at);
    const double re = w0 * real_at(m.modes.charges, m.single, 2 * at),
                 im = w0 * real_at(m.modes.charges, m.single, 2 * at + 1);
    double k[3];
    if (!m.motion.moves) {
        set_real(fields, m.single, 2 * at, re);
        set_real(fields, m.single, 2 * at + 1, im);
        return;
    }
    wave_at(m.influence, at, k);
    for (int axis = 0; axis < 3; axis++) {
        set_real(fields, m.single, 2 * (axis * count + at), -k[axis] * im);
        set_real(fields, m.single, 2 * (axis * count + at) + 1, k[axis] * re);
    }
}

extern "C" enuf_status enuf_cuda_fill_field_modes(const enuf_cuda_slope_modes *m, void *fields,
                                                  cudaStream_t stream)
{
    const unsigned blocks = atom_blocks(m->influence.h1 * m->influence.n2 * m->influence.n3);
    if (blocks > 0) fill_fields<<<blocks, atom_threads, 0, stream>>>(*m, fields);
    return enuf_cuda_launched("modes of the fields");
}

static __device__ double weight_2(const enuf_cuda_influence &f, const double k[3])
{
    const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    double chi, chi_d;
    const double bend = influence_bend(f, k2, &chi, &chi_d);
    return f.scale * enuf_bend_weight(chi, chi_d, bend, k2);
}

/* dS of a stored mode. */
static __device__ void structure_slope(const enuf_cuda_slope_modes &m, int64_t at,
                                       const double k[3], double slope[2])
{
    double dipole[3][2];
    for (int c = 0; c < 2; c++)
        slope[c] = m.modes.changes ? real_at(m.modes.changes, m.single, 2 * at + c) : 0;
    if (!m.modes.dipoles[0]) return;
    for (int a = 0; a < 3; a++)
        for (int c = 0; c < 2; c++)
            dipole[a][c] = real_at(m.modes.dipoles[a], m.single, 2 * at + c);
    enuf_add_dipole_slope(k, dipole, slope);
}

static __device__ void add_mode(const enuf_cuda_slope_modes &m, int64_t at, int64_t count,
                                enuf_mode_slopes *sums, double to[2])
{
    double weight[3] = {real_at(m.weights, m.single, at), real_at(m.weights, m.single, count + at),
                        0};
    double k[3], s[2], s_slope[2];
    to[0] = to[1] = 0;
    if (weight[0] == 0) return; /* outside the sphere */
    const double copies = wave_at(m.influence, at, k) ? 1 : 2;
    if (m.motion.strains) weight[2] = weight_2(m.influence, k);
    structure_slope(m, at, k, s_slope);
    for (int c = 0; c < 2; c++) s[c] = real_at(m.modes.charges, m.single, 2 * at + c);
    enuf_add_mode_slope(&m.motion, k, copies, weight, s, s_slope, sums, to);
}

static __global__ void __launch_bounds__(atom_threads)
    sum_modes(const __grid_constant__ enuf_cuda_slope_modes m, void *potential_slope,
              double *partial)
{
    const int64_t count = m.influence.h1 * m.influence.n2 * m.influence.n3;
    enuf_mode_slopes sums = {};
    for (int64_t at = this_atom(); at < count; at += atom_step()) {
        double to[2];
        add_mode(m, at, count, &sums, to);
        for (int c = 0; c < 2; c++) set_real(potential_slope, m.single, 2 * at + c, to[c]);
    }
    double shares[MODE_TOTALS];
    shares[0] = sums.energy;
    for (int c = 0; c < 6; c++) {
        shares[1 + c] = sums.virial[c];
        shares[7 + c] = sums.virial_slope[c];
    }
    sum_block(shares, partial);
}

extern "C" enuf_status enuf_cuda_sum_mode_slopes(const enuf_cuda_slope_modes *m,
                                                 void *potential_slope, double *partial,
                                                 double *totals, cudaStream_t stream)
{
    const unsigned blocks = summing_blocks(m->influence.h1 * m->influence.n2 * m->influence.n3);
    sum_modes<<<blocks, atom_threads, 0, stream>>>(*m, potential_slope, partial);
    ENUF_TRY(enuf_cuda_launched("slopes of the modes"));
    return enuf_cuda_sum_partial(partial, blocks, MODE_TOTALS, MODE_TOTALS, totals + TOTAL_MODES,
                                 stream);
}
