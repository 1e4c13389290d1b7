/*
 * slab.h - the fine grid in slabs, one for each device: what the files slab*.c share. The table is
 * one of ranks that lead a device, with all arrays in device memory.
 *
 * One evaluation: points go to the devices that hold their cells (slab_transfer.c), which spread
 * them onto their planes; halos are added up (slab_halo.c); planes are transformed along x and y,
 * modes go to the devices that hold their lines, and lines are transformed (slab_fft.c), summed and
 * multiplied; and all the way back. Frequencies that belong to no mode are never sent. The host
 * waits twice: for the numbers of points that go between devices, and for the energy; arrays follow
 * in the order of the stream. Source of the
 * scheme: docs/theory.md, section 8.
 *
 * Memory of a device falls as the number of devices grows. Sums over cells depend on how they are
 * dealt out, in their last bits: `deterministic` is served by replicated modes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_SLAB_H
#define ENUF_SLAB_H

#include "device_array.h"
#include "device_ranks.h"
#include "distributed_halo.h"
#include "reciprocal.h"
#include "slab_kernels.h"

#include "enuf/nufft_stages.h"

/** cuFFT's plans, all in place, and one work area for them. */
typedef struct enuf_slab_fft {
    int planes_forward, planes_backward; /* x and y of all planes: R2C, C2R */
    int lines;                           /* z of all columns, both directions */
    int has_planes_forward, has_planes_backward, has_lines;
    enuf_device_array work;
} enuf_slab_fft;

/** Points between the devices of their homes and those of their cells. */
typedef struct enuf_slab_transfer {
    enuf_slab_fold fold;
    enuf_exchange points;          /* without those that stay on their device */
    int64_t n_home, n_own, n_here; /* at home; of them, those that stay; of this device's cells */
    int begun;
    enuf_status status; /* of what has begun, and its text */
    char text[512];
    enuf_device_array start, counts; /* of enuf_slab_count_points() */
    enuf_device_array out, in;       /* [n_home], [n_here] points: own ones, then those that came */
    enuf_device_array sent_as;       /* [n_home] */
} enuf_slab_transfer;

typedef struct enuf_slab {
    enuf_mesh_request request;
    cudaStream_t stream;
    enuf_layout layout; /* one block of y */
    enuf_share share;
    int single; /* mesh in float */
    enuf_parameters made_for;
    enuf_device_memory memory;
    /* Cells of this device, halos included: [z][y][x], rows padded for the transform in place. The
     * plan that spreads onto them takes them for a small periodic grid of their own, so that all of
     * its kernels serve; no window reaches its ends. */
    enuf_nufft *plan; /* NULL on a rank that holds no cells */
    int64_t reserved; /* points that the plan has room for */
    int64_t planes;   /* halos included */
    int64_t row, plane;
    enuf_device_array cells;
    enuf_halo halo;
    enuf_slab_fft fft;
    enuf_slab_planes modes; /* of the planes without halos */
    enuf_slab_lines lines;
    enuf_exchange to_lines; /* modes, among the slabs, in complex numbers */
    /* what is sent and what has come, in turn; between transforms the halos' */
    enuf_device_array buffer[2];
    enuf_device_array inverse; /* of the window's transform, as enuf_slab_weigh() has it */
    enuf_device_array weights, partial, sums;
    enuf_device_array kept; /* the lines' spectrum, where several multipliers are applied to it */
    enuf_slab_transfer transfer;
    enuf_device_array charges, values, gradients, came_back; /* of points */
    void *host_copy;          /* page-locked: [slabs + 1] of points, or [ENUF_SLAB_SUMS] sums */
    cudaEvent_t reached_host; /* these have */
} enuf_slab;

extern const enuf_reciprocal_table enuf_reciprocal_slabs;

static inline size_t enuf_slab_number(const enuf_slab *slab)
{
    return slab->single ? sizeof(float) : sizeof(double);
}

/** Bytes of a complex number. */
static inline size_t enuf_slab_complex(const enuf_slab *slab)
{
    return 2 * enuf_slab_number(slab);
}

/* Functions that are collective take part in the communication whatever has failed here before;
 * what they return is agreed on at the end. */

/* slab_memory.c */
/** Local: on the device. */
int64_t enuf_slab_bytes(const enuf_slab *slab);
/** Local: ENUF_OUT_OF_MEMORY where more is held than memory_limit allows. */
enuf_status enuf_slab_check_limit(const enuf_slab *slab);

/* slab_evaluate.c */
/** Collective, with the status agreed on: the table's compute, on the device that is current. */
enuf_status enuf_slab_evaluate(enuf_slab *slab, const enuf_mesh_points *points,
                               enuf_mesh_sums *sums);

/* slab_transfer.c */
enuf_status enuf_slab_transfer_create(enuf_slab *slab);
void enuf_slab_transfer_release(enuf_slab *slab);
/** Local: counts and packs points; the next call reports errors. */
void enuf_slab_points_begin(enuf_slab *slab, const enuf_mesh_points *points);
/** Collective, with the status agreed on: how many points go where. After it there is room for
 * them, in the plan too, and in slab->charges, values, gradients and came_back for what is wanted
 * of `sums`. Waits for the counts. */
enuf_status enuf_slab_points_count(enuf_slab *slab, const enuf_mesh_points *points,
                                   const enuf_mesh_sums *sums);
/** Collective: points here are those of this device's cells, in an order of their own. */
enuf_status enuf_slab_points_go(enuf_slab *slab);
/** Collective: what was interpolated, here, to where the points are at home. */
enuf_status enuf_slab_values_back(enuf_slab *slab, void *home);
enuf_status enuf_slab_gradients_back(enuf_slab *slab, void *home);

/* slab_halo.c: collective */
enuf_status enuf_slab_halo_add(enuf_slab *slab);
enuf_status enuf_slab_halo_fill(enuf_slab *slab);

/* slab_fft.c */
enuf_status enuf_slab_fft_create(enuf_slab *slab);
void enuf_slab_fft_destroy(enuf_slab *slab);
/** Collective: cells to lines of z, transformed. */
enuf_status enuf_slab_forward(enuf_slab *slab);
/** Collective: lines, not yet transformed back, to cells. */
enuf_status enuf_slab_backward(enuf_slab *slab);
/** Where the lines stand. */
void *enuf_slab_lines_at(const enuf_slab *slab);

#endif
