/*
 * spread.cuh - what the ways of spreading in 3D share: their parameters, a point's strength and
 * weights, the padded tile that stands in shared memory and its way into the grid, the launch.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_SPREAD_CUH
#define ENUF_NUFFT_CUDA_SPREAD_CUH

#include "cuda/point.cuh"

struct spread_parameters {
    sorted_view points;
    window_view window;
    const void *strengths, *factors;
    void *cells;
    int parts; /* numbers of a strength and of a cell: 1 real, 2 complex */
    int64_t row, plane;
    unsigned *counters; /* of shares that are taken, work_share.cuh */
};

static inline spread_parameters spread_parameters_of(const enuf_nufft *plan,
                                                     const enuf_spread_job *job)
{
    spread_parameters a;
    a.points = sorted_view_of(plan);
    a.window = window_view_of(plan);
    a.strengths = job->strengths;
    a.factors = job->factors;
    a.cells = job->cells;
    a.parts = plan->real ? 1 : 2;
    a.row = job->target.stride[1];
    a.plane = job->target.stride[2];
    a.counters = enuf_cuda_of(plan)->shares_taken;
    return a;
}

/** The window's coefficients as load_window() puts them, in bytes: a multiple of 16. */
static inline size_t window_bytes(const window_view &w, size_t number)
{
    return (size_t)w.n * (size_t)w.step * number;
}

/** One part (re or im) of a point's strength; index is the caller's. */
template <typename real>
__device__ __forceinline__ real strength_of(const spread_parameters &a, int64_t index, int part)
{
    const real strength = ((const real *)a.strengths)[index * a.parts + part];
    return a.factors ? strength * ((const real *)a.factors)[index] : strength;
}

/** A point's weights along an axis by one thread, zeros from width to the next multiple of four.
 * ROOM is known to the compiler, so that `to` may stay in registers. */
template <int ROOM, typename real>
__device__ __forceinline__ void point_weights(const window_view &window, const real *coefficients,
                                              real t, real (&to)[ROOM])
{
#pragma unroll
    for (int p = 0; p < ROOM; p += 4)
        if (p < window.width) four_weights(coefficients + p, window.n, window.step, t, to + p);
}

/**
 * A tile with its margin in shared memory, x fastest, for windows up to WIDTH cells. Rows of 16
 * would begin in two banks only; four numbers more, and warps meet few conflicts.
 */
template <int ACROSS_CELLS, int ALONG_CELLS, int WIDTH> struct padded_tile {
    enum {
        ACROSS = ACROSS_CELLS, /* along x and z */
        ALONG = ALONG_CELLS,   /* along y */
        MOST = WIDTH,
        ROOM = (WIDTH + 3) / 4 * 4,
        ROW = ACROSS == 16 ? 20 : ACROSS,
        PLANE = ROW * ALONG,
        COUNT = PLANE * ACROSS /* numbers, between rows too */
    };
    __device__ static __forceinline__ int place(int x, int y, int z)
    {
        return z * PLANE + y * ROW + x;
    }
};

typedef padded_tile<ENUF_CUDA_SMALL, ENUF_CUDA_SMALL_Y, ENUF_CUDA_SMALL_WIDTH> small_tile;
typedef padded_tile<ENUF_CUDA_MIDDLE, ENUF_CUDA_MIDDLE_Y, ENUF_CUDA_MIDDLE_WIDTH> middle_tile;
typedef padded_tile<ENUF_CUDA_LARGE, ENUF_CUDA_LARGE_Y, ENUF_CUDA_TILED_WIDTH> large_tile;

/** Numbers of the padded tile that windows of `width` take. */
static inline size_t padded_tile_count(int width)
{
    if (width <= ENUF_CUDA_SMALL_WIDTH) return small_tile::COUNT;
    if (width <= ENUF_CUDA_MIDDLE_WIDTH) return middle_tile::COUNT;
    return large_tile::COUNT;
}

/** Adds a tile to the grid and clears it, by all threads of the block, each its cells: the caller
 * synchronises before and after. Cells nobody has touched cost no reduction. */
template <typename real, class tile>
__device__ __forceinline__ void add_tile(const spread_parameters &a, uint32_t number, int part,
                                         real *cells)
{
    const int nx = (int)a.points.grid[0], ny = (int)a.points.grid[1], nz = (int)a.points.grid[2];
    int64_t origin[3];
    tile_origin(a.points, number, origin);
    for (int i = threadIdx.x; i < tile::ACROSS * tile::ALONG * tile::ACROSS; i += blockDim.x) {
        const int x = i % tile::ACROSS, rest = i / tile::ACROSS;
        const int y = rest % tile::ALONG, z = rest / tile::ALONG, here = tile::place(x, y, z);
        const real value = cells[here];
        if (value == 0) continue; /* a NaN is not */
        cells[here] = 0;
        atomicAdd((real *)a.cells + part + folded_once((int)origin[2] + z, nz) * a.plane +
                      folded_once((int)origin[1] + y, ny) * a.row +
                      (int64_t)folded_once((int)origin[0] + x, nx) * a.parts,
                  value);
    }
}

typedef void (*spread_kernel)(const spread_parameters);

/** As many blocks as the device holds at once, each of which walks on; `parts` times, blockIdx.y.
 */
static inline enuf_status launch_spreading(const enuf_nufft *plan, const spread_parameters &a,
                                           spread_kernel kernel, int threads, size_t bytes,
                                           int parts, const char *what)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    int resident = 0;
    ENUF_CUDA_TRY(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
        "shared memory for spreading");
    /* else there may be less shared memory than the occupancy below takes for granted */
    ENUF_CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared),
                  "shared memory for spreading");
    ENUF_CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, bytes),
                  "blocks for spreading");
    const dim3 blocks((unsigned)(resident * cuda->multiprocessors), (unsigned)parts);
    kernel<<<blocks, (unsigned)threads, bytes, cuda->stream>>>(a);
    return enuf_cuda_launched(what);
}

#endif
