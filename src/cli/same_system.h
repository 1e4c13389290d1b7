/*
 * same_system.h - whether two frames show one system, so that parameters chosen for the first serve
 * the second. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_SAME_SYSTEM_H
#define ENUF_CLI_SAME_SYSTEM_H

#include "structure.h"

/* The properties that identify a system. */
typedef struct cli_system {
    int file; /* number of the input: each file holds another system */
    double coulomb;
    int64_t n, n_charged;
    uint64_t species; /* a hash of the names and how often each occurs, in any order of the ions */
    double sum_q2;
} cli_system;

cli_system cli_system_of(const enuf_structure *structure, int file, double coulomb);

/** Charges may fluctuate: their mean square may differ by 10 %. */
int cli_is_same_system(const cli_system *a, const cli_system *b);

#endif
