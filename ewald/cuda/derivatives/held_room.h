/*
 * held_room.h - what held positions keep on the device. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_HELD_ROOM_H
#define ENUF_EWALD_CUDA_HELD_ROOM_H

#include "cuda/pairs.h"
#include "cuda/recordings.h"

/* X(array): device arrays, without the arrays of the pairs. Up to the weights they follow from
 * positions, method and exclusions; the others are of the latest sets. */
#define ENUF_CUDA_HELD_ARRAYS(X)                                                                   \
    X(given)                                                                                       \
    X(place)                                                                                       \
    X(positions)                                                                                   \
    X(excluded)                                                                                    \
    X(matrix)                                                                                      \
    X(slices)                                                                                      \
    X(entries)                                                                                     \
    X(columns)                                                                                     \
    X(weights)                                                                                     \
    X(record)                                                                                      \
    X(charges)                                                                                     \
    X(strengths) X(values) X(sums) X(partial) X(moments) X(given_charges) X(results)

/** Cells of their own, so that those of evaluations stay. `place` and the cells' `home` are in the
 * steady order, the other arrays of the cells as the sort has left them. */
typedef struct enuf_cuda_held_room {
    enuf_cuda_pairs pairs;
    int64_t made; /* how often positions, method or exclusions have changed */
    enuf_cuda_recordings recordings;
    int has_weights;                    /* 1: `weights` are those of the method */
    int has_matrix;                     /* 1: `matrix` is that of the pairs */
    int most_lanes;                     /* for more the device had no memory */
    struct enuf_cuda_sets_found *found; /* page-locked; kernels write it if there is an error */
#define ENUF_X(name) enuf_device_array name;
    ENUF_CUDA_HELD_ARRAYS(ENUF_X)
#undef ENUF_X
} enuf_cuda_held_room;

#endif
