/*
 * exclusions.cu - subtracts (1 - w) q_i q_j / r of excluded pairs, at their nearest images. A
 * thread an atom; as ewald/cpu/exclusions.c, sums of an atom and of all atoms in integers.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lattice/tensor.h"
#include "nearest_image.cuh"
#include "plain_float.cuh"
#include "terms.cuh"

namespace
{

/* The exclusions' sums of one atom. */
enum { POTENTIAL, FIELD, VIRIAL = FIELD + 3, PARTS = VIRIAL + 6 };

__device__ void pair_terms(const enuf_cuda_atoms &atoms, const enuf_cuda_exclusions &x, int64_t i,
                           int64_t p, double terms[PARTS])
{
    const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
    const int64_t j = x.partner[p];
    const double *at_i = atoms.positions + i * atoms.stride,
                 *at_j = atoms.positions + j * atoms.stride;
    double d[3];
    nearest_image(x, at_i, at_j, d);
    const double r2 = norm2(d);
    /* at r = 0 one of the two has no charge: the pair sum refuses two charges at one place */
    const double potential =
        r2 > 0 ? __ddiv_rn(-__dmul_rn(x.removed[p], atoms.q[j]), __dsqrt_rn(r2)) : 0;
    const double field = r2 > 0 ? __ddiv_rn(potential, r2) : 0;
    terms[POTENTIAL] = potential;
    for (int a = 0; a < 3; a++) terms[FIELD + a] = __dmul_rn(field, d[a]);
    for (int c = 0; c < 6; c++)
        terms[VIRIAL + c] = __dmul_rn(__dmul_rn(field, d[row[c]]), d[column[c]]);
}

/* Sum of the terms over the partners of atom i. */
__device__ void atom_terms(const enuf_cuda_atoms &atoms, const enuf_cuda_exclusions &x, int64_t i,
                           double sums[PARTS])
{
    const int64_t begin = x.first[i], end = x.first[i + 1], n = end - begin;
    double terms[PARTS], largest[PARTS];
    long long integers[PARTS];
    for (int t = 0; t < PARTS; t++) {
        sums[t] = largest[t] = 0;
        integers[t] = 0;
    }
    if (n == 1) pair_terms(atoms, x, i, begin, sums);
    if (n < 2) return;
    for (int64_t p = begin; p < end; p++) {
        pair_terms(atoms, x, i, p, terms);
        for (int t = 0; t < PARTS; t++)
            largest[t] = isfinite(terms[t]) ? fmax(largest[t], fabs(terms[t])) : INFINITY;
    }
    int unit[PARTS];
    for (int t = 0; t < PARTS; t++)
        unit[t] = term_unit(n, (unsigned long long)__double_as_longlong(largest[t]));
    for (int64_t p = begin; p < end; p++) {
        pair_terms(atoms, x, i, p, terms);
        for (int t = 0; t < PARTS; t++)
            if (largest[t] > 0 && isfinite(largest[t]))
                integers[t] += __double2ll_rn(ldexp(terms[t], -unit[t]));
    }
    for (int t = 0; t < PARTS; t++)
        if (largest[t] > 0)
            sums[t] = isfinite(largest[t]) ? ldexp((double)integers[t], unit[t]) : nan("");
}

__device__ void add_to_atom(const enuf_cuda_atom_sums &sums, int64_t i, double q,
                            const double off[PARTS])
{
    if (sums.potential) sums.potential[i] += off[POTENTIAL];
    if (sums.atom_energy) sums.atom_energy[i] += 0.5 * q * off[POTENTIAL];
    for (int d = 0; d < 3; d++) {
        if (sums.forces) sums.forces[3 * i + d] += q * off[FIELD + d];
        if (sums.field) sums.field[3 * i + d] += off[FIELD + d];
    }
    for (int c = 0; c < 6 && sums.atom_virial; c++)
        sums.atom_virial[6 * i + c] += 0.5 * q * off[VIRIAL + c];
}

/* ---- In float, where double is slow. Of a pair in double: the difference of the positions, its
 * conversion, the charge; nine more behind a face of the cell ---- */

/* r_j - r_i at the nearest image. */
__device__ __forceinline__ void nearest_image(const enuf_cuda_exclusions &x, const double to[3],
                                              const double from[3], float image[3])
{
    double d[3];
    for (int a = 0; a < 3; a++) {
        d[a] = to[a] - from[a];
        image[a] = (float)d[a];
    }
    const auto far = [&]() {
        return image[0] * image[0] + image[1] * image[1] + image[2] * image[2] >= x.safe_float;
    };
    if (!far()) return;
    const float *m = x.inverse_float;
    float n[3];
    for (int c = 0; c < 3; c++)
        n[c] = rintf(image[0] * m[c] + image[1] * m[3 + c] + image[2] * m[6 + c]);
    for (int a = 0; a < 3; a++) {
        double left = d[a];
        for (int r = 0; r < 3; r++) left = fma(-enuf_widened(n[r]), x.rows_high[3 * r + a], left);
        image[a] = (float)left;
    }
    if (!far()) return;
    nearest_image(x, to, from, d);
    for (int a = 0; a < 3; a++) image[a] = (float)d[a];
}

__device__ void atom_terms(const enuf_cuda_atoms &atoms, const enuf_cuda_exclusions &x, int64_t i,
                           float sums[PARTS])
{
    const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
    for (int64_t p = x.first[i]; p < x.first[i + 1]; p++) {
        const int64_t j = x.partner[p];
        float d[3];
        nearest_image(x, atoms.positions + i * atoms.stride, atoms.positions + j * atoms.stride, d);
        const float r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], root = rsqrtf(r2);
        const float potential = r2 > 0 ? -(float)(x.removed[p] * atoms.q[j]) * root : 0;
        const float field = r2 > 0 ? potential * root * root : 0;
        sums[POTENTIAL] += potential;
        for (int a = 0; a < 3; a++) sums[FIELD + a] += field * d[a];
        for (int c = 0; c < 6; c++) sums[VIRIAL + c] += field * d[row[c]] * d[column[c]];
    }
}

__device__ void add_to_atom(const enuf_cuda_atom_sums &sums, int64_t i, float q,
                            const float off[PARTS])
{
    if (sums.potential) sums.potential[i] += enuf_widened(off[POTENTIAL]);
    if (sums.atom_energy) sums.atom_energy[i] += enuf_widened(0.5f * q * off[POTENTIAL]);
    for (int d = 0; d < 3; d++) {
        if (sums.forces) sums.forces[3 * i + d] += enuf_widened(q * off[FIELD + d]);
        if (sums.field) sums.field[3 * i + d] += enuf_widened(off[FIELD + d]);
    }
    for (int c = 0; c < 6 && sums.atom_virial; c++)
        sums.atom_virial[6 * i + c] += enuf_widened(0.5f * q * off[VIRIAL + c]);
}

/* The passes of exclude(). */
__global__ void exclude_plain(const __grid_constant__ enuf_cuda_atoms atoms,
                              const __grid_constant__ enuf_cuda_exclusions x,
                              const __grid_constant__ enuf_cuda_atom_sums sums, int pass,
                              enuf_cuda_scalars *scalars)
{
    enum { TOTALS = 7 };
    unsigned long long shares[TOTALS] = {};
    int exponent[TOTALS];
    for (int k = 0; k < TOTALS && pass == 1; k++)
        exponent[k] = term_exponent(scalars, TERM_EXCLUDED + k, atoms.n_all);
    for (int64_t i = this_atom(); i < atoms.n; i += atom_step()) {
        if (x.first[i] == x.first[i + 1]) continue;
        const float q = (float)atoms.q[i];
        float off[PARTS] = {};
        atom_terms(atoms, x, i, off);
        if (pass == 0) add_to_atom(sums, i, q, off);
        for (int k = 0; k < TOTALS; k++) {
            const float t = 0.5f * q * off[k == 0 ? POTENTIAL : VIRIAL + k - 1];
            if (pass == 0)
                shares[k] = max(shares[k], term_size(enuf_widened(t)));
            else if (exponent[k] != NO_EXPONENT)
                shares[k] += (unsigned long long)enuf_integer_of(t, -exponent[k]);
        }
    }
    if (pass == 0)
        raise_largest(scalars, TERM_EXCLUDED, shares);
    else
        add_terms(scalars, TERM_EXCLUDED, shares);
}

/* pass 0: arrays, and the largest shares of the totals; pass 1: the totals */
__global__ void exclude(const __grid_constant__ enuf_cuda_atoms atoms,
                        const __grid_constant__ enuf_cuda_exclusions x,
                        const __grid_constant__ enuf_cuda_atom_sums sums, int pass,
                        enuf_cuda_scalars *scalars)
{
    static_assert(TERM_VIRIAL == TERM_EXCLUDED + 1, "terms of one pass stand together");
    sum_terms<7>(atoms, TERM_EXCLUDED, pass, scalars, [&](int64_t i, double t[7]) {
        double off[PARTS] = {};
        if (x.first[i] < x.first[i + 1]) atom_terms(atoms, x, i, off);
        const double q = atoms.q[i];
        t[0] = 0.5 * q * off[POTENTIAL];
        for (int c = 0; c < 6; c++) t[1 + c] = 0.5 * q * off[VIRIAL + c];
        if (pass == 0 && x.first[i] < x.first[i + 1]) add_to_atom(sums, i, q, off);
    });
}

} // namespace

extern "C" enuf_status enuf_cuda_sum_exclusions(const enuf_cuda_atoms *atoms,
                                                const enuf_cuda_exclusions *x,
                                                const enuf_cuda_atom_sums *sums, int pass,
                                                enuf_cuda_scalars *scalars, cudaStream_t stream)
{
    if (atoms->n > 0)
        (x->avoids_fp64 ? exclude_plain
                        : exclude)<<<summing_blocks(atoms->n), atom_threads, 0, stream>>>(
            *atoms, *x, *sums, pass, scalars);
    return enuf_cuda_launched("exclusions");
}
