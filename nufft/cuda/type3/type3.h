/*
 * type3.h - the GPU's passes over points and targets of type 3, on device pointers; nothing waits.
 * Read by C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_TYPE3_H
#define ENUF_NUFFT_CUDA_TYPE3_H

#include "cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ENUF_CUDA_EXTENT_BLOCKS = 128 };

/** Of coordinates: what each block has seen. On the device. */
typedef struct enuf_cuda_extent {
    double high[3][ENUF_CUDA_EXTENT_BLOCKS];
    double minus_low[3][ENUF_CUDA_EXTENT_BLOCKS];
    unsigned long long bad; /* the lowest index that is not finite; ENUF_CUDA_NONE */
} enuf_cuda_extent;

/** Coordinates to packed [dim][n] (or NULL), which they may be already; and their extent, whose
 * `bad` the caller has set. Axes past dim are left out. */
enuf_status enuf_cuda_type3_pack(enuf_nufft *plan, const enuf_coordinates *from, double *packed,
                                 enuf_cuda_extent *extent);
enuf_status enuf_cuda_type3_factors(enuf_nufft *plan, int64_t n, const double *packed,
                                    const enuf_type3_factors *spec, void *factors);
enuf_status enuf_cuda_type3_multiply(enuf_nufft *plan, const enuf_type3_product *product);

#ifdef __cplusplus
}
#endif
#endif
