/*
 * exact_device.h - a device, a stream and arrays for one part of exact sums.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EXACT_DEVICE_H
#define ENUF_EXACT_DEVICE_H

#include "cuda/device_array.h"
#include "device.h"

typedef struct enuf_exact_device {
    int device, callers; /* in use, and to be made current again */
    int is_open;
    cudaStream_t stream;
    enuf_device_memory memory;
} enuf_exact_device;

/** Makes the device (-1: the caller's current one) current. Close it after an error too, when its
 * arrays are released. */
enuf_status enuf_exact_device_open(int device, enuf_exact_device *made);
void enuf_exact_device_close(enuf_exact_device *device);

/** Makes room for count elements and copies them to the device. The caller may free them then. */
enuf_status enuf_exact_upload(enuf_exact_device *device, enuf_device_array *to, const void *from,
                              int64_t count, size_t size, const char *what);
/** Copies bytes to the host and waits for all work of the stream. */
enuf_status enuf_exact_download(enuf_exact_device *device, const enuf_device_array *from, void *to,
                                size_t bytes, const char *what);

#endif
