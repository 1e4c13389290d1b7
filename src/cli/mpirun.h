/* mpirun.h - whether mpirun has started this program. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_CLI_MPIRUN_H
#define ENUF_CLI_MPIRUN_H

/** The number of ranks that mpirun, mpiexec or srun says in the environment; 0: none of them. Of
 * some that tell each rank its number only, 1. */
int cli_mpirun_ranks(void);

#endif
