/*
 * device_arguments.h - what options and arguments of an object say of a GPU: its device, and where
 * arrays live. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_DEVICE_ARGUMENTS_H
#define ENUF_CUDA_DEVICE_ARGUMENTS_H

#include "error.h"

#include <cuda_runtime_api.h>

/** The device of an object's options: `ordinal`; -1: the stream's, or the current one. `caller`
 * begins the error text if the stream belongs to another device. */
enuf_status enuf_cuda_device_choose(const char *caller, int ordinal, cudaStream_t stream,
                                    int *device);

/** Checks that an array of the caller's (NULL: none) is in the memory that `memory` names. A wrong
 * pointer would end the process' CUDA context. Errors: ENUF_BAD_MEMORY, which names the array. */
enuf_status enuf_cuda_check_place(const void *at, enuf_memory memory, int device, const char *name);

/** Finds where an array of the caller's lives: ENUF_DEVICE for memory of the device and for managed
 * memory, else ENUF_HOST. Errors: ENUF_BAD_MEMORY, which names the array, for the memory of another
 * device. */
enuf_status enuf_cuda_find_place(const void *at, int device, const char *name, enuf_memory *place);

#endif
