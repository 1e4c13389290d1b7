/* gpu_of_rank.h - the ranks of a machine take its GPUs in turn, as the library does it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_GPU_OF_RANK_H
#define BENCH_GPU_OF_RANK_H

#include "on_ranks.h"

#include <cuda_runtime_api.h>

static inline void bench_cuda(const char *program, cudaError_t error)
{
    if (error != cudaSuccess) bench_die(program, "CUDA: %s", cudaGetErrorString(error));
}

/** Collective. Makes this rank's GPU current; returns the number of GPUs of this machine. *alone: 1
 * if every rank has a GPU of its own. */
static inline int bench_take_gpu(const char *program, int *alone)
{
    MPI_Comm node;
    int here = 0, size = 0, gpus = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &here);
    MPI_Comm_size(node, &size);
    MPI_Comm_free(&node);
    bench_cuda(program, cudaGetDeviceCount(&gpus));
    bench_cuda(program, cudaSetDevice(here % gpus));
    *alone = size <= gpus;
    MPI_Allreduce(MPI_IN_PLACE, alone, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return gpus;
}

#endif
