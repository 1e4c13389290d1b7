/* mode_arrays_cpu.c - see mode_arrays.h. SPDX-License-Identifier: BSD-3-Clause */
#include "arguments.h"
#include "mode_arrays.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static const char *begin(const char *program)
{
    (void)program;
    return "mpi";
}

static double *copy(const double *host, int64_t n)
{
    double *array = malloc((size_t)(n > 0 ? n : 1) * sizeof *array);
    if (!array) bench_die("nufft_ranks", "not enough memory for %lld numbers", (long long)n);
    if (host) memcpy(array, host, (size_t)n * sizeof *array);
    return array;
}

static void release(double *array)
{
    free(array);
}

static void fetch(double *host, const double *array, int64_t n)
{
    memcpy(host, array, (size_t)n * sizeof *host);
}

static void wait(void)
{
}

static void sum(double *array, int64_t n)
{
    MPI_Allreduce(MPI_IN_PLACE, array, (int)n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

const bench_mode_arrays bench_mode_arrays_cpu = {
    ENUF_BACKEND_CPU, begin, copy, release, fetch, wait, sum};
