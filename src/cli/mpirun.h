/* mpirun.h - whether mpirun has started this program. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_CLI_MPIRUN_H
#define ENUF_CLI_MPIRUN_H

/** Number of ranks according to the environment of mpirun, mpiexec or srun; 0: started without
 * them. It is 1 for starters that set only the rank's number. */
int cli_mpirun_ranks(void);

#endif
