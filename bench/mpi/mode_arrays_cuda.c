/* mode_arrays_cuda.c - see mode_arrays.h. SPDX-License-Identifier: BSD-3-Clause */
#include "gpu_of_rank.h"
#include "mode_arrays.h"
#include "mpi/devices/transports/nccl_library.h"

#include <cuda_runtime_api.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static const char *program;
static enuf_nccl_comm comm; /* NULL: sums go through the host */

static void cuda(cudaError_t error)
{
    bench_cuda(program, error);
}

static void join(int rank, int ranks)
{
    const char *reason = "";
    enuf_nccl_id id;
    int here = enuf_nccl_load(&reason);
    MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!here) return;
    memset(&id, 0, sizeof id);
    if (rank == 0 && enuf_nccl.GetUniqueId(&id) != ENUF_NCCL_SUCCESS)
        bench_die(program, "NCCL could not make an identifier for the ranks");
    MPI_Bcast(&id, (int)sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (enuf_nccl.CommInitRankConfig(&comm, ranks, id, rank, NULL) != ENUF_NCCL_SUCCESS)
        bench_die(program, "NCCL could not connect the GPUs");
}

static const char *begin(const char *name)
{
    int rank = 0, ranks = 1, alone = 0;
    program = name;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bench_take_gpu(program, &alone);
    if (alone && ranks > 1) join(rank, ranks);
    return ranks == 1 ? "none" : comm ? "nccl" : "host";
}

static double *copy(const double *host, int64_t n)
{
    void *array = NULL;
    const size_t bytes = (size_t)n * sizeof *host;
    cuda(cudaMalloc(&array, bytes + 1));
    if (host) cuda(cudaMemcpy(array, host, bytes, cudaMemcpyHostToDevice));
    return array;
}

static void release(double *array)
{
    cuda(cudaFree(array));
}

static void fetch(double *host, const double *array, int64_t n)
{
    cuda(cudaMemcpy(host, array, (size_t)n * sizeof *host, cudaMemcpyDeviceToHost));
}

static void wait(void)
{
    cuda(cudaDeviceSynchronize());
}

static void sum_on_host(double *array, int64_t n)
{
    double *host = malloc((size_t)n * sizeof *host);
    if (!host) bench_die(program, "not enough memory for %lld numbers", (long long)n);
    fetch(host, array, n);
    MPI_Allreduce(MPI_IN_PLACE, host, (int)n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    cuda(cudaMemcpy(array, host, (size_t)n * sizeof *host, cudaMemcpyHostToDevice));
    free(host);
}

static void sum(double *array, int64_t n)
{
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks == 1) return;
    if (!comm) {
        sum_on_host(array, n);
        return;
    }
    if (enuf_nccl.AllReduce(array, array, (size_t)n, ENUF_NCCL_FLOAT64, ENUF_NCCL_SUM, comm,
                            NULL) != ENUF_NCCL_SUCCESS)
        bench_die(program, "a sum by NCCL failed");
    wait();
}

const bench_mode_arrays bench_mode_arrays_cuda = {
    ENUF_BACKEND_CUDA, begin, copy, release, fetch, wait, sum};
