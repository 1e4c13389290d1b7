/*
 * pairs.h - pair sums on the device: the data kept between calls, and the request.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_PAIRS_H
#define ENUF_EWALD_CUDA_PAIRS_H

#include "object/backend.h"
#include "device_array.h"
#include "pair_sums.h"
#include "private.h"

/* X(array): device arrays: the arrays of enuf_cuda_cells, and others */
#define ENUF_CUDA_PAIR_ARRAYS(X)                                                                   \
    X(count)                                                                                       \
    X(first)                                                                                       \
    X(home)                                                                                        \
    X(rank)                                                                                        \
    X(original)                                                                                    \
    X(place)                                                                                       \
    X(charge) X(turn) X(sorted) X(cluster) X(n_clusters) X(scan) X(totals) X(closest_pair) X(near)

typedef struct enuf_cuda_pairs {
#define ENUF_X(name) enuf_device_array name;
    ENUF_CUDA_PAIR_ARRAYS(ENUF_X)
#undef ENUF_X
    enuf_cuda_grid grid;
    enuf_pair_fit fit;
    enuf_cuda_pair_arguments arguments; /* of the latest sums */
    int64_t most_clusters;
    /* arguments of the present grid and fit */
    double cell[9], cutoff;
    int64_t n;
    int keep_axes, has_grid;
    enuf_splitting splitting;
    double fit_error;
    int single, has_fit;
} enuf_cuda_pairs;

/** Positions, charges, totals and record on the device. */
typedef struct enuf_cuda_pair_request {
    const double *cell; /* [9] rows; periodic in all directions */
    int64_t n;
    const double *positions; /* [n][stride] */
    int64_t stride;
    const double *charges; /* [n][charge_stride] */
    int64_t charge_stride;
    int64_t n_ghosts; /* the last n_ghosts atoms; pairs of two ghosts and images of ghosts may be
                         missing */
    const enuf_splitting *splitting;
    double fit_error; /* largest absolute error of Q and R */
    int single;       /* pairs in float */
    int fp64_slow;    /* of the device: pairs in float then avoid double */
    int deterministic;
    int half_pairs;    /* each pair is summed once: see enuf_cuda_pair_outputs
                        */
    int64_t n_charged; /* charges that are not 0, of all ranks, and the sum of their squares */
    double sum_q2, largest_charge;
    double close;               /* as in enuf_pair_request */
    enuf_cuda_pair_outputs out; /* all but totals and sorted */
    double *totals;             /* [ENUF_CUDA_TOTALS] energy, virial: overwritten */
    long long *integers;        /* see enuf_cuda_pairs_total(); NULL: not wanted */
    enuf_cuda_pair_record *record;
} enuf_cuda_pair_request;

/** Makes room, cuts the cell, fits the polynomials. It may wait and allocate; the sums do not. */
ENUF_PRIVATE enuf_status enuf_cuda_pairs_prepare(enuf_device_memory *memory, enuf_cuda_pairs *pairs,
                                                 const enuf_cuda_pair_request *request);
/** The field that the sums of half pairs leave. */
ENUF_PRIVATE enuf_cuda_sorted_field enuf_cuda_pairs_field(const enuf_cuda_pairs *pairs);
/** Enqueues cells and sums. */
ENUF_PRIVATE enuf_status enuf_cuda_pairs_sum(enuf_cuda_pairs *pairs,
                                             const enuf_cuda_pair_request *request,
                                             cudaStream_t stream);
/**
 * The status of the host copy of a record; positions that are not finite or too far away are the
 * caller's to check. If sums are suspicious, it searches for two charges in one place, and waits.
 * look_up gives number and position (NaN: not known) of an atom for the text.
 */
typedef enuf_status (*enuf_cuda_look_up)(const void *context, int64_t i, int64_t *number,
                                         double x[3]);
ENUF_PRIVATE enuf_status enuf_cuda_pairs_report(enuf_cuda_pairs *pairs,
                                                const enuf_cuda_pair_record *host_copy,
                                                cudaStream_t stream, enuf_cuda_look_up look_up,
                                                const void *context);
void enuf_cuda_pairs_release(enuf_device_memory *memory, enuf_cuda_pairs *pairs);

#endif
