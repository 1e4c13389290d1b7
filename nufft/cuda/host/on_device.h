/* on_device.h - the plan's device, current during a call. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_CUDA_ON_DEVICE_H
#define ENUF_CUDA_ON_DEVICE_H

#include "cuda/cuda.h"

/** Calls it on the plan's device and returns its status. */
#define ON_DEVICE(plan, call)                                                                      \
    do {                                                                                           \
        int callers, device = enuf_cuda_of(plan)->device;                                          \
        ENUF_TRY(enuf_cuda_enter(device, &callers));                                               \
        enuf_status status = (call);                                                               \
        enuf_cuda_leave(device, callers);                                                          \
        return status;                                                                             \
    } while (0)

#endif
