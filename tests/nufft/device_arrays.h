/*
 * device_arrays.h - what tests of device memory share: arrays on the GPU, and a main that skips
 * where there is none. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DEVICE_ARRAYS_H
#define ENUF_DEVICE_ARRAYS_H

#include "conformance.h"

#include <cuda_runtime_api.h>

/** The CUDA call succeeds. */
#define CHECK_CUDA(call) CHECK((call) == cudaSuccess)

/** Runs the law where a GPU is usable, else skips. */
int device_main(void (*law)(void));

/** Default options of a plan on the GPU, in device memory. */
enuf_nufft_options device_options(int dim, int64_t n1, int64_t n2, int64_t n3);

/** n numbers of a precision on the GPU: copied from the host, or (NULL) each one a NaN. */
void *device_make(enuf_precision precision, int64_t n, const void *from);

/** A new copy on the host; waits for all that the GPU does. */
void *device_read(enuf_precision precision, int64_t n, const void *array);

/** Fills an array on the GPU with NaN, so that a later test finds unwritten elements. */
void device_spoil(enuf_precision precision, int64_t n, void *array);

void device_free(void *array);

/** A transform's points, strengths and modes on the GPU, and room for what comes out. */
typedef struct device_transform {
    double *points;
    void *strengths, *spectrum, *modes, *values, *gradients;
} device_transform;

device_transform device_transform_make(const transform *t);
void device_transform_free(device_transform *d);

/** The frame and the points on the GPU into a plan. */
enuf_status device_transform_points(const transform *t, const device_transform *d,
                                    enuf_nufft *plan);

#endif
