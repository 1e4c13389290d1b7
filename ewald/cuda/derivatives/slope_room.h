/*
 * slope_room.h - what second derivatives keep on the device between calls.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_SLOPE_ROOM_H
#define ENUF_EWALD_CUDA_SLOPE_ROOM_H

#include "cuda/pairs.h"
#include "cuda/recordings.h"
#include "evaluate/pair_bend.h"

/* X(array): device arrays, without the arrays of the pairs */
#define ENUF_CUDA_SLOPE_ARRAYS(X)                                                                  \
    X(positions)                                                                                   \
    X(displacements)                                                                               \
    X(changes)                                                                                     \
    X(found)                                                                                       \
    X(forces)                                                                                      \
    X(potential)                                                                                   \
    X(record)                                                                                      \
    X(functions)                                                                                   \
    X(place)                                                                                       \
    X(charge)                                                                                      \
    X(original)                                                                                    \
    X(direction)                                                                                   \
    X(mesh_forces)                                                                                 \
    X(mesh_potential)                                                                              \
    X(mesh_partial)                                                                                \
    X(strengths) X(values) X(gradients) X(modes) X(fields) X(partial) X(totals)

/** Plans that transform all vectors of a direction at once: at rest, moving, moving with changes of
 * charges. */
enum { ENUF_CUDA_SLOPE_PLANS = 3 };

/** Pairs have cells of their own, so that those of evaluations stay. */
typedef struct enuf_cuda_slope_room {
    enuf_cuda_pairs pairs;
    enuf_pair_bend bend;
    enuf_bend_fit bend_fit;
    struct enuf_cuda_slope_outcome *outcome; /* page-locked */
    enuf_cuda_recordings recordings;
    enuf_nufft *plans[ENUF_CUDA_SLOPE_PLANS]; /* NULL: not made yet, or no memory for it */
    int too_large[ENUF_CUDA_SLOPE_PLANS];     /* 1: there was no memory for it */
    int64_t plan_changes;                     /* of the method that they are of */
#define ENUF_X(name) enuf_device_array name;
    ENUF_CUDA_SLOPE_ARRAYS(ENUF_X)
#undef ENUF_X
} enuf_cuda_slope_room;

#endif
