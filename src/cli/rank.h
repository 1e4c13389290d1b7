/*
 * rank.h - which of the ranks started by mpirun this process is: the first one speaks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_RANK_H
#define ENUF_CLI_RANK_H

/** 0 without mpirun. */
int cli_rank(void);
void cli_set_rank(int rank);

#endif
