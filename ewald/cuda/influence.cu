/*
 * influence.cu - the weights of the modes, as ewald/evaluate/influence.c: a thread a mode. A new
 * cell costs one pass over the modes. SPDX-License-Identifier: BSD-3-Clause
 */
#include "influence.cuh"
#include "terms.cuh"

template <class Real>
static __global__ void fill(const __grid_constant__ enuf_cuda_influence f, Real *weights)
{
    const int64_t at = this_atom(), count = f.h1 * f.n2 * f.n3;
    if (at >= count) return;
    const double m[3] = {(double)(at % f.h1), (double)(at / f.h1 % f.n2 - f.n2 / 2),
                         (double)(at / f.h1 / f.n2 - f.n3 / 2)};
    double weight[2];
    influence_of_mode(f, m, weight);
    weights[at] = (Real)weight[0];
    weights[count + at] = (Real)weight[1];
}

extern "C" enuf_status enuf_cuda_fill_influence(const enuf_cuda_influence *f, int single,
                                                void *weights, cudaStream_t stream)
{
    const unsigned blocks = atom_blocks(f->h1 * f->n2 * f->n3);
    if (blocks == 0) return ENUF_SUCCESS;
    if (single)
        fill<<<blocks, atom_threads, 0, stream>>>(*f, (float *)weights);
    else
        fill<<<blocks, atom_threads, 0, stream>>>(*f, (double *)weights);
    return enuf_cuda_launched("influence of the modes");
}
