/*
 * slab.h - the fine grid in slabs, one for each device: declarations that the files slab*.c share.
 * Ranks lead one device each; all arrays are in device memory.
 *
 * Steps of an evaluation: 1. Points go to the devices that hold their cells (slab_transfer.c). 2.
 * These devices spread them onto their planes. 3. Halos are added to the cells (slab_halo.c). 4.
 * Planes are transformed along x and y, modes go to the devices that hold their lines, and lines
 * are transformed (slab_fft.c). 5. Lines are summed and multiplied. 6. The same steps in reverse
 * lead to values at the points. Devices send frequencies of modes only. The host waits twice: for
 * the numbers of points that devices exchange, and for the energy. Arrays follow in the order of
 * the stream. Source of the scheme: docs/theory.md, section 8.
 *
 * The memory of a device falls as the number of devices grows. The last bits of sums depend on the
 * layout. So `deterministic` uses replicated modes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_SLAB_H
#define ENUF_SLAB_H

#include "cuda/device_array.h"
#include "mpi/devices/transports/device_ranks.h"
#include "mpi/mesh/pencils/distributed_halo.h"
#include "mpi/mesh/reciprocal.h"
#include "slab_kernels.h"

#include "enuf/nufft_stages.h"

/** cuFFT's plans, all in place, with one work area. */
typedef struct enuf_slab_fft {
    int planes_forward, planes_backward; /* x and y of all planes: R2C, C2R */
    int lines;                           /* z of all columns, both directions */
    int has_planes_forward, has_planes_backward, has_lines;
    enuf_device_array work;
} enuf_slab_fft;

/** The exchange of points between the devices of their atoms and the devices of their cells. */
typedef struct enuf_slab_transfer {
    enuf_slab_fold fold;
    enuf_exchange points;          /* without points that stay on their device */
    int64_t n_home, n_own, n_here; /* at home; at home and staying; of this device's cells */
    int begun;
    enuf_status status; /* of begin(), with its text */
    char text[512];
    enuf_device_array start, counts; /* of enuf_slab_count_points() */
    enuf_device_array out, in; /* [n_home], [n_here] points: first own ones, then received ones */
    enuf_device_array sent_as; /* [n_home] */
} enuf_slab_transfer;

typedef struct enuf_slab {
    enuf_mesh_request request;
    cudaStream_t stream;
    enuf_layout layout; /* one block of y */
    enuf_share share;
    int single; /* mesh in float */
    enuf_parameters made_for;
    enuf_device_memory memory;
    /* Cells of this device with halos: [z][y][x], rows padded for the transform in place. The plan
     * treats them as a small periodic grid, so that it can use all its kernels. No window reaches
     * the ends. */
    enuf_nufft *plan; /* NULL on a rank without cells */
    int64_t reserved; /* points that the plan has room for */
    int64_t planes;   /* halos included */
    int64_t row, plane;
    enuf_device_array cells;
    enuf_halo halo;
    enuf_slab_fft fft;
    enuf_slab_planes modes; /* of the planes, without halos */
    enuf_slab_lines lines;
    enuf_exchange to_lines; /* modes, among the slabs, in complex numbers */
    /* sent and received data, in turn; between transforms: halos */
    enuf_device_array buffer[2];
    enuf_device_array inverse; /* of the window's transform, as in enuf_slab_weigh() */
    enuf_device_array weights, partial, sums;
    enuf_device_array kept; /* spectrum of the lines, to which several multipliers are applied */
    enuf_slab_transfer transfer;
    enuf_device_array charges, values, gradients, came_back; /* of points */
    void *host_copy;          /* page-locked: [slabs + 1] of points, or [ENUF_SLAB_SUMS] sums */
    cudaEvent_t reached_host; /* after the copy to host_copy */
} enuf_slab;

static inline size_t enuf_slab_number(const enuf_slab *slab)
{
    return slab->single ? sizeof(float) : sizeof(double);
}

/** Bytes of a complex number. */
static inline size_t enuf_slab_complex(const enuf_slab *slab)
{
    return 2 * enuf_slab_number(slab);
}

/* Collective functions take part in the communication also after a failure on this rank. The caller
 * agrees on their status at the end. */

/* slab_memory.c */
/** Local: bytes of device memory. */
int64_t enuf_slab_bytes(const enuf_slab *slab);
/** Local: ENUF_OUT_OF_MEMORY if the slab holds more than memory_limit. */
enuf_status enuf_slab_check_limit(const enuf_slab *slab);

/* slab_evaluate.c */
/** Collective, with the status agreed on: the table's compute, on the current device. */
enuf_status enuf_slab_evaluate(enuf_slab *slab, const enuf_mesh_points *points,
                               enuf_mesh_sums *sums);

/* slab_transfer.c */
enuf_status enuf_slab_transfer_create(enuf_slab *slab);
void enuf_slab_transfer_release(enuf_slab *slab);
/** Local: counts and packs points; the next call reports errors. */
void enuf_slab_points_begin(enuf_slab *slab, const enuf_mesh_points *points);
/** Collective, with the status agreed on: exchanges the numbers of points. Then makes room for the
 * points, in the plan too, and in slab->charges, values, gradients and came_back for the wanted
 * arrays of `sums`. Waits for the counts. */
enuf_status enuf_slab_points_count(enuf_slab *slab, const enuf_mesh_points *points,
                                   const enuf_mesh_sums *sums);
/** Collective: sends points to the devices of their cells. Their order there is not the
 * caller's. */
enuf_status enuf_slab_points_go(enuf_slab *slab);
/** Collective: sends the interpolated results back, into the caller's order. */
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
/** Collective: lines before their backward transform, to cells. */
enuf_status enuf_slab_backward(enuf_slab *slab);
/** The array of the lines. */
void *enuf_slab_lines_at(const enuf_slab *slab);

#endif
