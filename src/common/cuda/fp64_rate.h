/*
 * fp64_rate.h - whether a GPU's double precision is slow, which decides about kernels and
 * arithmetic. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_FP64_RATE_H
#define ENUF_CUDA_FP64_RATE_H

#ifdef __cplusplus
extern "C" {
#endif

#include "error.h"

/**
 * *slow: 1 if the device's double precision is slow. ENUF_FP64=slow or full overrules the device.
 * Float plans and mixed arithmetic then keep to kernels with few instructions in double.
 *
 * GPUs run 2 instructions in float for one in double (A100, H100, B200), or 32 (compute capability
 * 7.5) or 64 (8.6, 8.9, 12.0), and only the former have matrix units of full rate in double: CUDA
 * C++ Programming Guide, "Throughput of Native Arithmetic Instructions". No number between 4 and 32
 * would draw the line elsewhere.
 *
 * ratio: instructions in float for one in double, as the driver says; may be NULL.
 * Errors: ENUF_BAD_ARGUMENT if ENUF_FP64 is neither; ENUF_INTERNAL if the driver does not answer.
 */
enuf_status enuf_cuda_fp64_slow(int device, int *slow, int *ratio);

#ifdef __cplusplus
}
#endif
#endif
