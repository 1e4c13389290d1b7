/*
 * device_arrays.h - what tests of device memory share: arrays on the GPU, and a main function that
 * skips the test on a machine without a GPU.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DEVICE_ARRAYS_H
#define ENUF_DEVICE_ARRAYS_H

#include "conformance.h"
#include "to_device.h"

#include <cuda_runtime_api.h>

/** The CUDA call succeeds. */

/** Runs the law where a GPU is usable, else skips. */
int device_main(void (*law)(void));

/** Default options of a plan on the GPU, in device memory. */
enuf_nufft_options device_options(int dim, int64_t n1, int64_t n2, int64_t n3);

/** A new array of n numbers on the GPU: a copy of the host array `from`, or NaN if `from` is NULL.
 * */
void *device_make(enuf_precision precision, int64_t n, const void *from);

/** A new copy on the host. Waits first until the GPU has done all its work. */
void *device_read(enuf_precision precision, int64_t n, const void *array);

/** Fills an array on the GPU with NaN, so that a comparison finds elements that were not written.
 * */
void device_spoil(enuf_precision precision, int64_t n, void *array);

void device_free(void *array);

/** Points, strengths and modes of a transform on the GPU, and arrays for its results. */
typedef struct device_transform {
    double *points;
    void *strengths, *spectrum, *modes, *values, *gradients;
} device_transform;

device_transform device_transform_make(const transform *t);
void device_transform_free(device_transform *d);

/** Sets the frame and the points on the GPU in a plan. */
enuf_status device_transform_points(const transform *t, const device_transform *d,
                                    enuf_nufft *plan);

#endif
