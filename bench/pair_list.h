/*
 * pair_list.h - pairs as a molecular dynamics code keeps them on a GPU: a list of neighbours,
 * column by column, and a kernel with a thread an atom that reads its neighbours' positions and a
 * table. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_PAIR_LIST_H
#define BENCH_PAIR_LIST_H

#include "salt.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Arrays in device memory. */
typedef struct bench_pair_list {
    int n, most; /* atoms; rows of `neighbour` */
    double edge, cutoff;
    int *count, *neighbour; /* [n]; [most][n] */
    double *table;          /* [4][4096], of zeros */
    double *forces;         /* [n][3] */
} bench_pair_list;

/** Lists pairs up to the cutoff and a skin. x: device memory. 0: it failed, for want of memory, or
 * because the box is not three times as long as both. */
int bench_pair_list_make(const bench_salt *salt, const double *x, double cutoff, double skin,
                         bench_pair_list *list);
void bench_pair_list_free(bench_pair_list *list);

/** Adds forces of Lennard-Jones' potential and of charges, whose function the table has, in double:
 * the work of lj/cut/coul/long/kk of LAMMPS. x, q: device memory. Says whether it was launched. */
cudaError_t bench_pair_list_run(const bench_pair_list *list, const double *x, const double *q,
                                cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
