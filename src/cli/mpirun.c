/*
 * mpirun.c - see mpirun.h. Open MPI sets OMPI_COMM_WORLD_SIZE, MPICH and Intel MPI PMI_SIZE, PMIx
 * starters (srun --mpi=pmix) PMIX_RANK; a lone srun without MPI sets none of them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mpirun.h"

#include <stdlib.h>

int cli_mpirun_ranks(void)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    static const char *const ranks[] = {"PMIX_RANK", "PMI_RANK"};
    for (int k = 0; k < 2; ++k) {
        const char *size = getenv(sizes[k]);
        if (size && atoi(size) > 0) return atoi(size);
    }
    for (int k = 0; k < 2; ++k)
        if (getenv(ranks[k])) return 1;
    return 0;
}
