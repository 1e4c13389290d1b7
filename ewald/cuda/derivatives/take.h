/* take.h - arrays of the caller, on the device. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_EWALD_CUDA_TAKE_H
#define ENUF_EWALD_CUDA_TAKE_H

#include "cuda/cuda_ewald.h"

/** The caller's arrays are on the device. */
static inline int enuf_cuda_arrays_are_there(const enuf_ewald *ewald)
{
    return ewald->options.memory == ENUF_DEVICE;
}

/** Copies n rows of `width` numbers, `stride` numbers apart, from host or device to a packed array,
 * on the stream `work`. from NULL: there are none. */
enuf_status enuf_cuda_take_rows(enuf_cuda_ewald *cuda, enuf_device_array *to, int64_t n,
                                int64_t width, int64_t stride, const double *from,
                                const char *what);

#endif
