/*
 * device_copies.h - checks of the caller's pointers, and copies of arrays between host and device.
 * The plan's device is current. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_DEVICE_COPIES_H
#define ENUF_CUDA_DEVICE_COPIES_H

#include "cuda/cuda.h"

/** ENUF_BAD_MEMORY if an array is not in the memory that the plan's `memory` names; NULL passes. */
enuf_status enuf_cuda_check_memory(const enuf_nufft *plan, const void *array, const char *name);

/** Copies on the plan's stream. The result of copy_out has arrived after a wait for the stream. */
enuf_status enuf_cuda_copy_in(const enuf_nufft *plan, void *device, const void *host,
                              int64_t bytes);
enuf_status enuf_cuda_copy_out(const enuf_nufft *plan, void *host, const void *device,
                               int64_t bytes);

/** Waits for the stream; returns errors of earlier work. */
enuf_status enuf_cuda_wait(const enuf_nufft *plan);

/** Copies the host's coordinates, *bytes of them, into copied_points. Indexed points read their
 * coordinates again, so copied_coordinates gets room for as many bytes. */
enuf_status enuf_cuda_coordinates_in(enuf_nufft *plan, const enuf_coordinates *host,
                                     enuf_coordinates *device, int64_t *bytes);

/** Indexed points: makes room in copied_coordinates to keep so many bytes. The coordinates of the
 * present points move into it. */
enuf_status enuf_cuda_room_to_keep(enuf_nufft *plan, int64_t bytes);

/** Indexed points: moves the coordinates from coordinates_in to copied_coordinates. The points
 * read them there. */
enuf_status enuf_cuda_coordinates_keep(enuf_nufft *plan, const enuf_coordinates *copied,
                                       int64_t bytes);

/** Makes copied_cells hold `bytes`; its contents are lost. */
enuf_status enuf_cuda_copied_cells(enuf_nufft *plan, int64_t bytes);

/** Offset behind `bytes`, where the next array of the same buffer may begin. */
static inline int64_t enuf_cuda_behind(int64_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

#endif
