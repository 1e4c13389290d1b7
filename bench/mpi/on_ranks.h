/* on_ranks.h - shared by the programs of this folder: ends the program after a failure, allocates,
 * reduces a number over the ranks. SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_ON_RANKS_H
#define BENCH_ON_RANKS_H

#include "arguments.h"

#include "enuf/status.h"

#include <mpi.h>
#include <stdlib.h>

static inline void bench_must(const char *program, enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(program, "%s", enuf_last_error());
}

static inline double *bench_room(const char *program, int64_t n)
{
    double *at = malloc((size_t)(n > 0 ? n : 1) * sizeof *at);
    if (!at) bench_die(program, "not enough memory for %lld numbers", (long long)n);
    return at;
}

static inline double bench_over_ranks(double value, MPI_Op op)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
    return value;
}

#endif
