/*
 * exact_pairs.h - the kernel of exact pairs. Coordinates are sums high + low of two doubles, which
 * hold every digit of the host's long double. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_EXACT_PAIRS_H
#define ENUF_CUDA_EXACT_PAIRS_H

#include "device.h"

#include <limits.h>

/* terms as in verify/exact_backend.h */
enum { ENUF_EXACT_SUMS_OF_TARGET = 10, ENUF_EXACT_NO_CLASH = INT_MAX };

typedef struct enuf_exact_pair_arguments {
    double cell[9], cell_low[9]; /* rows */
    double alpha, cutoff2;
    int count[3], reach[3]; /* of the bins, verify/exact_backend.h */
    const int *start;       /* [bins + 1] */
    /* the charged atoms by bin */
    const double *at[3], *at_low[3]; /* [atoms] */
    const double *charges;
    /* targets; `parts` warps share the pairs of one */
    int n_targets, parts;
    const double *target, *target_low; /* [n_targets][3] */
    const int *home;                   /* [n_targets][3] the target's bin along each axis */
    const int *own;                    /* [n_targets] its place among the atoms; -1: no charge */
    double *found;                     /* [parts][n_targets][10] */
    int *clash; /* [n_targets] lowest atom at its place, or ENUF_EXACT_NO_CLASH, which is set */
} enuf_exact_pair_arguments;

#ifdef __cplusplus
extern "C"
#endif
    enuf_status
    enuf_exact_pairs_launch(const enuf_exact_pair_arguments *a, cudaStream_t stream);

#endif
