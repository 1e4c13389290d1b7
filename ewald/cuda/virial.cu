/*
 * virial.cu - the modes' share of the virials of atoms: six multipliers, six transforms.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lattice/tensor.h"
#include "terms.cuh"

struct inverse_cell {
    double at[9];
};

template <class Real>
static __global__ void multiply(const __grid_constant__ inverse_cell inverse, int64_t h1,
                                int64_t n2, int64_t n3, const Real *__restrict__ weights, int a,
                                int b, Real *multiplier)
{
    const double two_pi = 6.283185307179586476925;
    const int64_t at = this_atom(), count = h1 * n2 * n3;
    if (at >= count) return;
    const double m[3] = {(double)(at % h1), (double)(at / h1 % n2 - n2 / 2),
                         (double)(at / h1 / n2 - n3 / 2)};
    double k[3];
    for (int e = 0; e < 3; e++)
        k[e] = two_pi * (inverse.at[3 * e] * m[0] + inverse.at[3 * e + 1] * m[1] +
                         inverse.at[3 * e + 2] * m[2]);
    const double energy = a == b ? (double)weights[at] : 0;
    multiplier[at] = (Real)(energy + (double)weights[count + at] * k[a] * k[b]);
}

extern "C" enuf_status enuf_cuda_virial_multiplier(const double inverse[9], const int64_t modes[3],
                                                   int single, const void *weights, int c,
                                                   void *multiplier, cudaStream_t stream)
{
    const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
    const int64_t h1 = (modes[0] + 1) / 2;
    const unsigned blocks = atom_blocks(h1 * modes[1] * modes[2]);
    inverse_cell copy;
    for (int k = 0; k < 9; k++) copy.at[k] = inverse[k];
    if (single)
        multiply<<<blocks, atom_threads, 0, stream>>>(copy, h1, modes[1], modes[2],
                                                      (const float *)weights, row[c], column[c],
                                                      (float *)multiplier);
    else
        multiply<<<blocks, atom_threads, 0, stream>>>(copy, h1, modes[1], modes[2],
                                                      (const double *)weights, row[c], column[c],
                                                      (double *)multiplier);
    return enuf_cuda_launched("multiplier of the virial");
}

static __global__ void add_values(const __grid_constant__ enuf_cuda_atoms atoms, const void *values,
                                  int single, int c, double *atom_virial)
{
    const int64_t i = this_atom();
    if (i < atoms.n) atom_virial[6 * i + c] += atoms.q[i] * real_at(values, single, i);
}

extern "C" enuf_status enuf_cuda_add_virial(const enuf_cuda_atoms *atoms, const void *values,
                                            int single, int c, double *atom_virial,
                                            cudaStream_t stream)
{
    add_values<<<atom_blocks(atoms->n), atom_threads, 0, stream>>>(*atoms, values, single, c,
                                                                   atom_virial);
    return enuf_cuda_launched("virials of atoms");
}
