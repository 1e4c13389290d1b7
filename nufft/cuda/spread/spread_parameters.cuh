/*
 * spread_parameters.cuh - common parts of the ways of spreading in 3D: their parameters, a point's
 * strength, the launch. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_SPREAD_PARAMETERS_CUH
#define ENUF_NUFFT_CUDA_SPREAD_PARAMETERS_CUH

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

/** One part (re or im) of a point's strength; index is the caller's. */
template <typename real>
__device__ __forceinline__ real strength_of(const spread_parameters &a, int64_t index, int part)
{
    const real strength = ((const real *)a.strengths)[index * a.parts + part];
    return a.factors ? strength * ((const real *)a.factors)[index] : strength;
}

typedef void (*spread_kernel)(const spread_parameters);

/** Launches as many blocks as the device holds at once, for each of `parts` (blockIdx.y). Each
 * block takes one share of work after another. */
static inline enuf_status launch_spreading(const enuf_nufft *plan, const spread_parameters &a,
                                           spread_kernel kernel, int threads, size_t bytes,
                                           int parts, const char *what)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    int resident = 0;
    ENUF_CUDA_TRY(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
        "shared memory for spreading");
    /* without it there may be less shared memory than the occupancy below assumes */
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
