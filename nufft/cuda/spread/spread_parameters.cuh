/*
 * spread_parameters.cuh - common parts of the ways of spreading from tiles: their parameters, a
 * point's strength, adding to a cell, the launch. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_SPREAD_PARAMETERS_CUH
#define ENUF_NUFFT_CUDA_SPREAD_PARAMETERS_CUH

#include "chain.cuh"
#include "cuda/point.cuh"
#include "cuda/occupancy.cuh"

struct spread_parameters {
    sorted_view points;
    window_view window;
    const void *strengths, *factors;
    void *cells;
    int parts; /* numbers of a strength and of a cell: 1 real, 2 complex */
    int whole; /* 1: strengths are aligned to all their parts */
    int64_t row, plane;
    /* of vectors taken together in 3D, blockIdx.z, which have no factors: strengths of a vector,
     * numbers of the grid from one to the next */
    int64_t n, cells_between;
    int brief;           /* 1: the next kernel starts meanwhile */
    unsigned *counters;  /* of shares that are taken, work_share.cuh */
    const double *scale; /* deterministic: enuf_cuda.fixed_scale */
};

/* Spreading takes a few launches' time. Of more points the next kernel would wait for long, in the
 * place of kernels on other streams. */
static const int64_t BRIEF_POINTS = 30000;

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
    a.whole = is_whole(plan, job->strengths);
    a.row = job->target.stride[1];
    a.plane = job->target.stride[2];
    a.n = plan->n_points;
    a.cells_between = enuf_cuda_of(plan)->batch_cells;
    a.brief = enuf_cuda_of(plan)->points.n <= BRIEF_POINTS;
    a.counters = enuf_cuda_of(plan)->shares_taken;
    a.scale = enuf_cuda_of(plan)->fixed_scale;
    return a;
}

/** Before points and cells are read. All threads call it. */
__device__ __forceinline__ void join_chain(const spread_parameters &a)
{
    enuf_chain_follow();
    if (a.brief) enuf_chain_lead();
}

/** blockIdx.z, read anew each time: kernels have no registers to keep it in. */
__device__ __forceinline__ unsigned vector_of_block()
{
    unsigned z;
    asm volatile("mov.u32 %0, %%ctaid.z;" : "=r"(z));
    return z;
}

/** What comes before the strengths, and before the cells, of the block's vector. */
__device__ __forceinline__ int64_t strengths_before(const spread_parameters &a)
{
    return vector_of_block() * a.n;
}

__device__ __forceinline__ int64_t cells_before(const spread_parameters &a)
{
    return vector_of_block() * a.cells_between;
}

/** One part (re or im) of a point's strength; index is the caller's. */
template <typename real>
__device__ __forceinline__ real strength_of(const spread_parameters &a, int64_t index, int part)
{
    const real strength = ((const real *)a.strengths)[index * a.parts + part];
    return a.factors ? strength * ((const real *)a.factors)[index] : strength;
}

/** All parts of a point's strength; both numbers of a complex one at once, where they may be: at
 * random places a load of each would take twice the time. */
template <typename real, int PARTS>
__device__ __forceinline__ void fetch_strength(const spread_parameters &a, int64_t index,
                                               real q[PARTS])
{
    if constexpr (PARTS > 1) {
        if (a.whole) {
            typedef point_value<real, PARTS> all_parts;
            const real factor = a.factors ? ((const real *)a.factors)[index] : (real)1;
            const all_parts all = ((const all_parts *)a.strengths)[index];
            for (int p = 0; p < PARTS; p++) q[p] = all.part[p] * factor;
            return;
        }
    }
    for (int p = 0; p < PARTS; p++) q[p] = strength_of<real>(a, index, p);
}

/** Adds a number to a cell unless it is 0; a NaN is added. A predicate saves a branch; a layer
 * would have eight. */
__device__ __forceinline__ void add_number(float *to, float value)
{
    asm volatile("{ .reg .pred p; setp.neu.f32 p, %1, 0f00000000; @p red.global.add.f32 [%0], %1; }"
                 :
                 : "l"(__cvta_generic_to_global(to)), "f"(value)
                 : "memory");
}

__device__ __forceinline__ void add_number(double *to, double value)
{
    asm volatile(
        "{ .reg .pred p; setp.neu.f64 p, %1, 0d0000000000000000; @p red.global.add.f64 [%0], %1; }"
        :
        : "l"(__cvta_generic_to_global(to)), "d"(value)
        : "memory");
}

template <typename real, int PARTS>
__device__ __forceinline__ void add_cell(real *to, const real value[PARTS])
{
#pragma unroll
    for (int p = 0; p < PARTS; p++) add_number(to + p, value[p]);
}

template <> __device__ __forceinline__ void add_cell<float, 2>(float *to, const float value[2])
{
    if (value[0] == 0 && value[1] == 0) return;
#if __CUDA_ARCH__ >= 900
    if ((uintptr_t)to % sizeof(float2) == 0) {
        atomicAdd((float2 *)to, make_float2(value[0], value[1]));
        return;
    }
#endif
    atomicAdd(to, value[0]);
    atomicAdd(to + 1, value[1]);
}

/** Blocks that a multiprocessor holds, at least: 16 where the compute capability is 8.6 or 8.7. */
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870)
enum { SPREAD_MOST_BLOCKS = 16 };
#else
enum { SPREAD_MOST_BLOCKS = 24 };
#endif

/** Launches, chained, as many blocks as the device holds at once, for each of `parts` (blockIdx.y),
 * shared by `vectors` (blockIdx.z). Each block takes one share of work after another. A few blocks
 * more than are held would begin when the others end, and take as long: 135 blocks of five vectors
 * at width 12, where 132 are held, 753 us (H200, November 2026). */
template <class parameters>
static enuf_status launch_spreading(const enuf_nufft *plan, const parameters &a,
                                    void (*kernel)(const parameters), int threads, size_t bytes,
                                    int parts, int vectors, const char *what)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    int each = 0;
    ENUF_TRY(blocks_per_multiprocessor(plan, kernel, threads, bytes, "shared memory for spreading",
                                       &each));
    const int held = each * cuda->multiprocessors;
    const dim3 blocks((unsigned)(held < vectors ? 1 : held / vectors), (unsigned)parts,
                      (unsigned)vectors);
    enuf_chain(cuda->stream, kernel, blocks, (unsigned)threads, bytes, a);
    return enuf_cuda_launched(what);
}

#endif
