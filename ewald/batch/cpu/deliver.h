/* deliver.h - results of a system from the sums of its shares. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_BATCH_DELIVER_H
#define ENUF_BATCH_DELIVER_H

#include "batch/numbers.h"

/** What a share finds besides the sums of atoms. */
typedef struct enuf_batch_found {
    double virial[6];
    int64_t clash[2]; /* atoms of the system at one place; -1: none */
} enuf_batch_found;

/**
 * Adds the shares and the closed forms, and writes the results of system s.
 *
 * sums   [sums of all systems][4]: of each share potential and field, each [n]
 * found  [slots of all systems]
 */
void enuf_batch_deliver(const enuf_ewald_batch *batch, const enuf_batch_arrays *arrays,
                        const enuf_batch_system *system, const double *sums,
                        const enuf_batch_found *found, int64_t s);

#endif
