/*
 * rank.h - this process's rank under mpirun; rank 0 prints. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_RANK_H
#define ENUF_CLI_RANK_H

/** The rank; 0 without mpirun. */
int cli_rank(void);
void cli_set_rank(int rank);

#endif
