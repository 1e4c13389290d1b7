/*
 * gpu_share.h - the GPU and the leader of each rank.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_GPU_SHARE_H
#define ENUF_EWALD_MPI_GPU_SHARE_H

#include "mpi/messages/ranks.h"

/** The GPU of a rank's atoms, and its leader. */
typedef struct enuf_gpu_share {
    int device;         /* its number on this rank */
    int devices;        /* GPUs in use on all ranks */
    int leads;          /* 1: this rank is the leader */
    int alone;          /* 1: every GPU has one leader */
    enuf_ranks group;   /* ranks with the same leader; rank 0 leads */
    enuf_ranks leaders; /* comm is MPI_COMM_NULL on a rank that does not lead */
} enuf_gpu_share;

/**
 * Collective. Ranks of a machine take its GPUs round robin, or GPU `device` (-1: round robin). If
 * rank 0's environment sets ENUF_LEADERS_PER_DEVICE, so many ranks lead a GPU (default 1): see
 * docs/library.md. Errors: ENUF_NO_BACKEND if a rank sees no GPU.
 */
enuf_status enuf_gpu_share_find(enuf_ranks *ranks, int device, enuf_gpu_share *share);
void enuf_gpu_share_release(enuf_gpu_share *share);

#endif
