/*
 * slab_planes.cu - adds halos to planes of cells; sorts planes of frequencies by the slabs of their
 * lines. Each warp takes one row of x at a time, so that reads and writes are whole cache lines.
 * Each number is moved once.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "slab_kernels.h"

static const int THREADS = 256, ROWS = THREADS / 32;
static const int64_t MOST_BLOCKS = 4096;

static unsigned blocks_of(int64_t n, int64_t each)
{
    const int64_t blocks = (n + each - 1) / each;
    return (unsigned)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
}

template <class Real> static __global__ void add(int64_t n, const Real *from, Real *to)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        to[i] += from[i];
}

extern "C" enuf_status enuf_slab_add(int64_t n, int single, const void *from, void *to,
                                     cudaStream_t stream)
{
    if (n == 0) return ENUF_SUCCESS;
    if (single)
        add<<<blocks_of(n, THREADS), THREADS, 0, stream>>>(n, (const float *)from, (float *)to);
    else
        add<<<blocks_of(n, THREADS), THREADS, 0, stream>>>(n, (const double *)from, (double *)to);
    return enuf_cuda_launched("adding halos");
}

/* First place of mode k of y of plane z in the packed array; blocks of modes as in
 * enuf_block_start(). */
static __device__ __forceinline__ int64_t packed_row(const enuf_slab_planes &p, int64_t z,
                                                     int64_t k)
{
    const int64_t slab = (p.slabs * (k + 1) - 1) / p.modes_y;
    const int64_t first = p.modes_y * slab / p.slabs, next = p.modes_y * (slab + 1) / p.slabs;
    return (first * p.planes + z * (next - first) + k - first) * p.modes_x;
}

template <class Complex>
static __global__ void pack_modes(const enuf_slab_planes p, const Complex *spectrum,
                                  Complex *packed)
{
    const int64_t rows = p.planes * p.modes_y, step = (int64_t)gridDim.x * ROWS;
    for (int64_t r = (int64_t)blockIdx.x * ROWS + threadIdx.x / 32; r < rows; r += step) {
        const int64_t z = r / p.modes_y, k = r - z * p.modes_y;
        const int64_t y = k <= p.modes_y / 2 ? k : p.grid_y - (p.modes_y - k);
        const Complex *from = spectrum + (z * p.grid_y + y) * p.row;
        Complex *to = packed + packed_row(p, z, k);
        for (int64_t x = threadIdx.x % 32; x < p.modes_x; x += 32) to[x] = from[x];
    }
}

template <class Complex>
static __global__ void unpack_modes(const enuf_slab_planes p, const Complex *packed,
                                    Complex *spectrum)
{
    const int64_t rows = p.planes * p.grid_y, step = (int64_t)gridDim.x * ROWS;
    const int64_t half = p.modes_y / 2;
    Complex zero;
    zero.x = zero.y = 0;
    for (int64_t r = (int64_t)blockIdx.x * ROWS + threadIdx.x / 32; r < rows; r += step) {
        const int64_t z = r / p.grid_y, y = r - z * p.grid_y;
        const bool is_mode = y <= half || y >= p.grid_y - half;
        const int64_t k = y <= half ? y : p.modes_y - (p.grid_y - y);
        const int64_t kept = is_mode ? p.modes_x : 0;
        const Complex *from = packed + (is_mode ? packed_row(p, z, k) : 0);
        Complex *to = spectrum + r * p.row;
        for (int64_t x = threadIdx.x % 32; x < p.row; x += 32) to[x] = x < kept ? from[x] : zero;
    }
}

extern "C" enuf_status enuf_slab_pack_modes(const enuf_slab_planes *p, int single,
                                            const void *spectrum, void *packed, cudaStream_t stream)
{
    const unsigned blocks = blocks_of(p->planes * p->modes_y, ROWS);
    if (blocks == 0) return ENUF_SUCCESS;
    if (single)
        pack_modes<<<blocks, THREADS, 0, stream>>>(*p, (const float2 *)spectrum, (float2 *)packed);
    else
        pack_modes<<<blocks, THREADS, 0, stream>>>(*p, (const double2 *)spectrum,
                                                   (double2 *)packed);
    return enuf_cuda_launched("sorting modes by slab");
}

extern "C" enuf_status enuf_slab_unpack_modes(const enuf_slab_planes *p, int single,
                                              const void *packed, void *spectrum,
                                              cudaStream_t stream)
{
    const unsigned blocks = blocks_of(p->planes * p->grid_y, ROWS);
    if (blocks == 0) return ENUF_SUCCESS;
    if (single)
        unpack_modes<<<blocks, THREADS, 0, stream>>>(*p, (const float2 *)packed,
                                                     (float2 *)spectrum);
    else
        unpack_modes<<<blocks, THREADS, 0, stream>>>(*p, (const double2 *)packed,
                                                     (double2 *)spectrum);
    return enuf_cuda_launched("modes back to their planes");
}
