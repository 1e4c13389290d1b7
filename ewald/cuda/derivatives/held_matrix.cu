/*
 * held_matrix.cu - the pairs of held positions as a matrix: found and evaluated once, by the walk
 * of pair_walk.cuh, and multiplied by each set of charges. A product reads 8 bytes a pair in float,
 * 12 in double, and the charges of all its sets.
 *
 * A cluster's entries are a slice of rows of 32. Lane l of a row has a pair of atom l % 8: the four
 * lanes of an atom share its pairs, in the order in which the walk meets them, so that rows are
 * full but for the differences between the atoms of a cluster. A block multiplies a slice, its
 * warps by turns of rows. Sums add up in a fixed order. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/pair_kernel.cuh"
#include "held_kernels.h"
#include "lane_charges.cuh"

static_assert(ENUF_CUDA_CLUSTER == 8 && ENUF_CUDA_LANES_J == 4, "rows of 32 lanes");

static __device__ __forceinline__ enuf_cuda_held_matrix &
matrix_of(const enuf_cuda_pair_arguments &a)
{
    return *(enuf_cuda_held_matrix *)a.slopes;
}

/** The warp's cluster in walk_pairs(). */
static __device__ __forceinline__ int cluster_of_warp()
{
    return blockIdx.x * PAIR_WARPS + threadIdx.x / 32;
}

/** What counting and filling have in common. */
template <class Real_> struct matrix_walk {
    typedef Real_ Real;
    struct alignas(16) Entry {
        Real x, y, z;
        int atom;
    };
    enum { HALF = 0, GHOSTS = 0, PLAIN = 0, BLOCKS = 1, LIST = sizeof(Real) == 4 ? 256 : 160 };
    static constexpr double SLACK = sizeof(Real) == 4 ? 4e-6 : 1e-12;
    static constexpr double BEYOND = 1 + 2 * SLACK;

    Real x, y, z;
    bool valid; /* not the repetition of a short cluster's last atom */

    __device__ __forceinline__ matrix_walk(const real4<Real> &at, int index)
        : x(at.x), y(at.y), z(at.z)
    {
        const int before = __shfl_up_sync(~0u, index, 1, ENUF_CUDA_CLUSTER);
        valid = threadIdx.x % ENUF_CUDA_CLUSTER == 0 || before != index;
    }

    static __device__ __forceinline__ Entry entry(const enuf_cuda_pair_arguments &,
                                                  const real4<Real> &place, Real, int index)
    {
        return {place.x, place.y, place.z, index};
    }

    static __device__ __forceinline__ Entry far()
    {
        return {(Real)nowhere, (Real)nowhere, (Real)nowhere, 0};
    }

    __device__ __forceinline__ Real square(const Entry &j) const
    {
        const Real dx = x - j.x, dy = y - j.y, dz = z - j.z;
        return multiply_add(dz, dz, multiply_add(dy, dy, dx * dx));
    }

    __device__ __forceinline__ void flush(const enuf_cuda_pair_arguments &)
    {
    }
};

/** Finds room for each slice, behind those that came before. */
template <class Real> struct matrix_count : matrix_walk<Real> {
    typedef typename matrix_walk<Real>::Entry Entry;
    int count = 0;

    __device__ __forceinline__ matrix_count(const enuf_cuda_pair_arguments &, const real4<Real> &at,
                                            int index)
        : matrix_walk<Real>(at, index)
    {
    }

    __device__ __forceinline__ void pair(const enuf_cuda_pair_arguments &, const Entry &j,
                                         bool allowed)
    {
        count += this->square(j) <= 1 && allowed;
    }

    __device__ __forceinline__ void finish(const enuf_cuda_pair_arguments &a, int lane, bool valid,
                                           int)
    {
        int most = count;
        for (int by = ENUF_CUDA_CLUSTER; by < 32; by *= 2) most += __shfl_xor_sync(~0u, most, by);
        if (!valid) most = 0;
        for (int by = 1; by < ENUF_CUDA_CLUSTER; by *= 2)
            most = max(most, __shfl_xor_sync(~0u, most, by));
        if (lane > 0) return;
        enuf_cuda_held_matrix &m = matrix_of(a);
        const int rows = (most + ENUF_CUDA_LANES_J - 1) / ENUF_CUDA_LANES_J;
        m.slice[cluster_of_warp()] = {atomicAdd(&m.rows, (unsigned long long)rows), rows};
    }
};

template <class Real> struct matrix_fill : matrix_walk<Real> {
    typedef typename matrix_walk<Real>::Entry Entry;
    enuf_cuda_held_slice slice;
    int filled = 0; /* entries of the atom */

    __device__ __forceinline__ matrix_fill(const enuf_cuda_pair_arguments &a, const real4<Real> &at,
                                           int index)
        : matrix_walk<Real>(at, index), slice(matrix_of(a).slice[cluster_of_warp()])
    {
    }

    __device__ __forceinline__ void put(const enuf_cuda_pair_arguments &a, int which, Real value,
                                        int atom) const
    {
        enuf_cuda_held_matrix &m = matrix_of(a);
        const int row = which / ENUF_CUDA_LANES_J, turn = which % ENUF_CUDA_LANES_J;
        const int64_t at = 32 * (int64_t)(slice.first + row) + ENUF_CUDA_CLUSTER * turn +
                           threadIdx.x % ENUF_CUDA_CLUSTER;
        if (row < slice.rows) {
            ((Real *)m.values)[at] = value;
            m.columns[at] = atom;
        } else {
            m.lost = 1; /* a pair at the cutoff that was not counted */
        }
    }

    __device__ __forceinline__ void pair(const enuf_cuda_pair_arguments &a, const Entry &j,
                                         bool allowed)
    {
        const int lane = threadIdx.x % 32;
        const Real s = this->square(j);
        const bool near = s <= 1 && allowed && this->valid;
        const unsigned of_atom =
            __ballot_sync(~0u, near) & (0x01010101u << lane % ENUF_CUDA_CLUSTER);
        if (near)
            put(a, filled + __popc(of_atom & ((1u << lane) - 1)),
                less_polynomial<0>(inverse_root(s), (Real)ENUF_PAIR_FIT_CENTRE - s,
                                   energy_fit(a, (Real)0), a.n_fit),
                j.atom);
        filled += __popc(of_atom);
    }

    /* The rest of the slice is filled with zeros. */
    __device__ __forceinline__ void finish(const enuf_cuda_pair_arguments &a, int lane, bool,
                                           int index)
    {
        for (int which = filled + lane / ENUF_CUDA_CLUSTER; which < ENUF_CUDA_LANES_J * slice.rows;
             which += ENUF_CUDA_LANES_J)
            put(a, which, 0, index);
    }
};

enum { PRODUCT_WARPS = 4 };

/** How lanes share the charges of an atom: 16 bytes each, so that a load of a warp meets as few
 * lines as there are atoms in it. A lane a whole atom: each load meets 32, and takes as many turns
 * of the first cache. */
template <class Real, int LANES> struct charge_parts {
    enum {
        BYTES = LANES * (int)sizeof(Real),
        PARTS = BYTES <= 16 ? 1 : BYTES / 16,
        OWN = LANES / PARTS,               /* charges of a lane */
        ATOMS = 32 / PARTS,                /* entries that a warp takes at once */
        SPREAD = PARTS * ENUF_CUDA_CLUSTER /* lanes of one turn of the cluster's atoms */
    };
    typedef lane_charges<Real, OWN> Part;

    /** What the lane of an entry has read of it. */
    template <class T> static __device__ __forceinline__ T of_entry(T mine, int entry)
    {
        return PARTS == 1 ? mine : __shfl_sync(~0u, mine, entry);
    }
};

template <class Real, int LANES>
static __global__ void __launch_bounds__(PRODUCT_WARPS * 32)
    multiply(const __grid_constant__ enuf_cuda_pair_arguments a,
             const __grid_constant__ enuf_cuda_held_matrix m)
{
    typedef charge_parts<Real, LANES> parts;
    typedef typename parts::Part Part;
    __shared__ double of_warp[PRODUCT_WARPS][LANES][ENUF_CUDA_CLUSTER];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, which = blockIdx.x;
    const int entry = lane / parts::PARTS, part = lane % parts::PARTS;
    if (which >= *a.cells.n_clusters) return;
    const enuf_cuda_held_slice slice = m.slice[which];
    const Real *__restrict__ values = (const Real *)m.values + 32 * (int64_t)slice.first + lane;
    const int *__restrict__ columns = m.columns + 32 * (int64_t)slice.first + lane;
    const Part *__restrict__ charges = (const Part *)a.cells.charge + part;
    Real sum[parts::OWN] = {};
#pragma unroll(parts::PARTS > 2 ? 2 : 4)
    for (int row = warp; row < slice.rows; row += PRODUCT_WARPS) {
        const Real value = __ldcs(values + 32 * row);
        const int column = __ldcs(columns + 32 * row);
#pragma unroll
        for (int p = 0; p < parts::PARTS; p++) {
            const int from = p * parts::ATOMS + entry;
            const Part q = charges[(int64_t)parts::PARTS * parts::of_entry(column, from)];
            const Real factor = parts::of_entry(value, from);
#pragma unroll
            for (int v = 0; v < parts::OWN; v++) sum[v] = multiply_add(factor, q.of[v], sum[v]);
        }
    }
#pragma unroll
    for (int v = 0; v < parts::OWN; v++) {
        double all = sum[v];
        for (int by = parts::SPREAD; by < 32; by *= 2) all += __shfl_xor_sync(~0u, all, by);
        if (lane < parts::SPREAD) of_warp[warp][part * parts::OWN + v][entry] = all;
    }
    __syncthreads();
    const int4 cluster = a.cells.cluster[which];
    const int mine = threadIdx.x % ENUF_CUDA_CLUSTER, v = threadIdx.x / ENUF_CUDA_CLUSTER;
    if (v >= LANES || mine >= cluster.y) return;
    double all = 0;
#pragma unroll
    for (int w = 0; w < PRODUCT_WARPS; w++) all += of_warp[w][v][mine];
    a.out.potential[LANES * (int64_t)(cluster.x + mine) + v] = a.per_cutoff * all;
}

extern "C" enuf_status enuf_cuda_count_held_matrix(const enuf_cuda_pair_arguments *a, int single,
                                                   int64_t most, cudaStream_t stream)
{
    const int blocks = (int)((most + PAIR_WARPS - 1) / PAIR_WARPS);
    if (single)
        walk_pairs<matrix_count<float>><<<blocks, PAIR_WARPS * 32, 0, stream>>>(*a);
    else
        walk_pairs<matrix_count<double>><<<blocks, PAIR_WARPS * 32, 0, stream>>>(*a);
    return enuf_cuda_launched("counting the pairs of held positions");
}

extern "C" enuf_status enuf_cuda_fill_held_matrix(const enuf_cuda_pair_arguments *a, int single,
                                                  int64_t most, cudaStream_t stream)
{
    const int blocks = (int)((most + PAIR_WARPS - 1) / PAIR_WARPS);
    if (single)
        walk_pairs<matrix_fill<float>><<<blocks, PAIR_WARPS * 32, 0, stream>>>(*a);
    else
        walk_pairs<matrix_fill<double>><<<blocks, PAIR_WARPS * 32, 0, stream>>>(*a);
    return enuf_cuda_launched("the pairs of held positions");
}

template <class Real>
static void launch_product(const enuf_cuda_pair_arguments *a, const enuf_cuda_held_matrix *m,
                           int lanes, unsigned blocks, cudaStream_t stream)
{
    switch (lanes) {
    case 1:
        multiply<Real, 1><<<blocks, PRODUCT_WARPS * 32, 0, stream>>>(*a, *m);
        break;
    case 2:
        multiply<Real, 2><<<blocks, PRODUCT_WARPS * 32, 0, stream>>>(*a, *m);
        break;
    case 4:
        multiply<Real, 4><<<blocks, PRODUCT_WARPS * 32, 0, stream>>>(*a, *m);
        break;
    default:
        multiply<Real, 8><<<blocks, PRODUCT_WARPS * 32, 0, stream>>>(*a, *m);
    }
}

extern "C" enuf_status enuf_cuda_multiply_held_matrix(const enuf_cuda_pair_arguments *a,
                                                      const enuf_cuda_held_matrix *m, int single,
                                                      int lanes, int64_t most, cudaStream_t stream)
{
    if (single)
        launch_product<float>(a, m, lanes, (unsigned)most, stream);
    else
        launch_product<double>(a, m, lanes, (unsigned)most, stream);
    return enuf_cuda_launched("pairs of sets of charges");
}
