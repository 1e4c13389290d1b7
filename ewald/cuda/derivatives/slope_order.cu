/*
 * slope_order.cu - the atoms of the cells of second derivatives in the caller's order, with the
 * direction of each: a thread an atom, bound by memory. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/chain.cuh"
#include "cuda/real.cuh"
#include "slope_kernels.h"
#include "steady_place.cuh"

static const int threads = 256;

template <class Real>
static __global__ void steady_order(const __grid_constant__ enuf_cuda_pair_arguments a,
                                    const __grid_constant__ enuf_cuda_moving_atoms atoms,
                                    const __grid_constant__ enuf_cuda_steady_cells to)
{
    const int at = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    enuf_chain_wait();
    if (at >= a.cells.first[a.grid.n_cells]) return;
    const int i = a.cells.original[at], place = steady_place(a, at);
    double v[3] = {0, 0, 0}, *direction = to.direction + 4 * (int64_t)place;
    if (atoms.motion.moves) enuf_motion_moved(&atoms.motion, i, v);
    for (int k = 0; k < 3; k++) {
        const double *axis = a.grid.to_frame + 3 * k;
        direction[k] = axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
    }
    direction[3] = enuf_motion_charge(&atoms.motion, i);
    ((real4<Real> *)to.place)[place] = ((const real4<Real> *)a.cells.place)[at];
    ((Real *)to.charge)[place] = ((const Real *)a.cells.charge)[at];
    to.original[place] = i;
}

extern "C" enuf_status enuf_cuda_steady_order(const enuf_cuda_pair_arguments *a, int single,
                                              const enuf_cuda_moving_atoms *atoms,
                                              const enuf_cuda_steady_cells *to, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((atoms->n + threads - 1) / threads);
    enuf_chain(stream, single ? steady_order<float> : steady_order<double>, dim3(blocks), threads,
               0, *a, *atoms, *to);
    return enuf_cuda_launched("order of the atoms of cells");
}

extern "C" int64_t enuf_cuda_pair_rows(int64_t n, int64_t n_columns)
{
    return n / ENUF_CUDA_CLUSTER + n_columns + 1;
}
