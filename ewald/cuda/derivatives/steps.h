/*
 * steps.h - the steps of second derivatives on a GPU, each in the file named. Work goes to the
 * object's streams `work` and, where a stream is an argument, `side`. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_SLOPE_STEPS_H
#define ENUF_EWALD_CUDA_SLOPE_STEPS_H

#include "cuda/cuda_ewald.h"
#include "derivatives/slope_sums.h"
#include "slope_kernels.h"

typedef struct enuf_cuda_slope_work {
    enuf_ewald *ewald;
    enuf_cuda_ewald *cuda;
    enuf_cuda_slope_room *room;
    enuf_cuda_moving_atoms atoms;
    int wanted;
    enuf_closed_forms forms;
    enuf_cuda_slope_outcome *outcome; /* of the device, after a wait */
    /* of the mesh: the plan, its vectors, and how many of them a transform takes */
    enuf_nufft *plan;
    int vectors, each;
} enuf_cuda_slope_work;

/** Two products with equal keys enqueue the same kernels up to the delivery. Kernels read charges
 * and exclusions from the same arrays. */
typedef struct enuf_cuda_slope_key {
    enuf_motion motion;
    enuf_closed_forms forms;
    double cell[9];
    const void *lists; /* of exclusions: two sets of arrays take turns */
    const enuf_nufft *plan;
    int64_t method_changes, number_changes, allocations, n_excluded;
    int64_t wanted;
} enuf_cuda_slope_key;

/* take.c: positions and direction of a motion on the device, where take() has put them. */
enuf_motion enuf_cuda_motion_of(const enuf_ewald *ewald, const enuf_motion *motion);
/* take.c: arrays of the host, and those of objects without charges, are looked at here, and the
 * host waits. *recharges: 0 in all other cases. */
enuf_status enuf_cuda_take_motion(enuf_ewald *ewald, const enuf_motion *motion, int *recharges);
/* take.c: looks for numbers that are not finite, and sends what it finds to the outcome; once the
 * stream has ended, the error of them. */
enuf_status enuf_cuda_enqueue_look(const enuf_cuda_ewald *cuda, const enuf_cuda_moving_atoms *atoms,
                                   cudaStream_t stream);
enuf_status enuf_cuda_report_direction(const enuf_cuda_ewald *cuda, const enuf_motion *motion);

/* Steps make room first, and send what kernels read; enqueueing neither allocates nor waits, nor
 * copies from the host. */

/* pairs.c: sums of pairs; the record is clear before. After the stream has ended, errors of the
 * data, and the totals. */
enuf_status enuf_cuda_prepare_pair_slopes(enuf_cuda_slope_work *w);
enuf_status enuf_cuda_enqueue_pair_slopes(enuf_cuda_slope_work *w, cudaStream_t stream);
enuf_status enuf_cuda_report_pair_slopes(enuf_cuda_slope_work *w);
void enuf_cuda_add_pair_totals(const enuf_cuda_slope_work *w, enuf_slope_sums *sums);

/* mesh_plan.c: finds or makes the plan, with room for the points. Plans of another method are
 * released first. */
enuf_status enuf_cuda_find_slope_plan(enuf_cuda_slope_work *w);

/* mesh.c: the points of the plan; sums of the mesh, after the survey has settled; after the stream
 * has ended, errors of the data, and the totals. */
enuf_status enuf_cuda_prepare_mesh_slopes(enuf_cuda_slope_work *w);
enuf_status enuf_cuda_enqueue_slope_points(enuf_cuda_slope_work *w);
enuf_status enuf_cuda_enqueue_mesh_slopes(enuf_cuda_slope_work *w);
enuf_status enuf_cuda_report_mesh_slopes(const enuf_cuda_slope_work *w);
void enuf_cuda_add_mesh_totals(const enuf_cuda_slope_work *w, enuf_slope_sums *sums);

#endif
