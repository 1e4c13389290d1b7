/*
 * held_steps.h - the steps of sets of charges at held positions, each in the file named. All work
 * goes to the streams `work` and, pairs, `side`. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_CUDA_HELD_STEPS_H
#define ENUF_EWALD_CUDA_HELD_STEPS_H

#include "cuda/cuda_ewald.h"
#include "held_kernels.h"

typedef struct enuf_cuda_held_work {
    enuf_ewald *ewald;
    enuf_cuda_ewald *cuda;
    enuf_cuda_held_room *room;
    enuf_cuda_sets sets;
    enuf_nufft *plan;
    int each; /* vectors that the plan takes at once */
} enuf_cuda_held_work;

/** Two calls with equal keys enqueue the same kernels. */
typedef struct enuf_cuda_sets_key {
    enuf_cuda_sets sets;
    const enuf_nufft *plan;
    int64_t each, made, allocations;
} enuf_cuda_sets_key;

/* held_cells.c: makes cells and values of the exclusions, and waits; errors of the positions. */
enuf_status enuf_cuda_make_held_pairs(enuf_ewald *ewald);
/* held_cells.c: the sums of pairs and exclusions. */
enuf_status enuf_cuda_enqueue_held_pairs(const enuf_cuda_held_work *w, cudaStream_t stream);

/* held_matrix.c: makes the matrix of the pairs, if there is room; it is not for deterministic sums,
 * whose order of pairs may not depend on memory, nor where memory has a limit. */
enuf_status enuf_cuda_make_held_matrix(enuf_ewald *ewald);
/* held_matrix.c: the matrix as kernels take it. */
enuf_cuda_held_matrix enuf_cuda_describe_held_matrix(const enuf_cuda_held_room *room);

/* held_mesh.c: makes the plan that serves so many lanes, at first use, and the weights. *each: the
 * vectors that it takes at once. */
enuf_status enuf_cuda_find_held_plan(enuf_ewald *ewald, int lanes, enuf_nufft **plan, int *each);
/* held_mesh.c: strengths to values. */
enuf_status enuf_cuda_enqueue_held_mesh(const enuf_cuda_held_work *w);
/* held_mesh.c: waits for all plans, and clears and returns the first error of their data. */
enuf_status enuf_cuda_check_held_plans(const enuf_ewald *ewald);

#endif
