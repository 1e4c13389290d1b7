/*
 * device_array.h - arrays on the device that only grow. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_DEVICE_ARRAY_H
#define ENUF_CUDA_DEVICE_ARRAY_H

#include "error.h"
#include "private.h"

#include <stddef.h>
#include <stdint.h>

typedef struct enuf_device_array {
    void *at;
    int64_t bytes;
} enuf_device_array;

/** Memory of all arrays of an object. */
typedef struct enuf_device_memory {
    int64_t held;        /* bytes */
    int64_t allocations; /* number of allocations and releases; a change means that pointers may be
                            stale */
} enuf_device_memory;

/** Makes room for count elements. An array that grows gets some spare room, loses its contents, and
 * waits for the device. Errors: ENUF_OUT_OF_MEMORY gives the requested and the free bytes. */
ENUF_PRIVATE enuf_status enuf_device_array_reserve(enuf_device_memory *memory,
                                                   enuf_device_array *array, int64_t count,
                                                   size_t size, const char *what);
ENUF_PRIVATE void enuf_device_array_release(enuf_device_memory *memory, enuf_device_array *array);

/** ENUF_OUT_OF_MEMORY that says how much the device has; `what` names the array. */
enuf_status enuf_cuda_no_memory(double bytes, const char *what);

#endif
