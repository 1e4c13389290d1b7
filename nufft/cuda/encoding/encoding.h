/*
 * encoding.h - the GPU's passes over samples and pixels, on device pointers; nothing waits. Read by
 * C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_ENCODING_H
#define ENUF_NUFFT_CUDA_ENCODING_H

#include "cuda/cuda.h"

#include <math.h> /* not within extern "C" */

#ifdef __cplusplus
extern "C" {
#endif

#include "encoding/passes.h"

enuf_status enuf_cuda_sample_terms(enuf_nufft *plan, const enuf_sample_terms *terms, void *to);
enuf_status enuf_cuda_pixel_terms(enuf_nufft *plan, const enuf_pixel_terms *terms, void *to);
enuf_status enuf_cuda_drawn_sample_terms(enuf_nufft *plan, const enuf_drawn_sample_terms *terms,
                                         void *to);
enuf_status enuf_cuda_drawn_pixel_terms(enuf_nufft *plan, const enuf_drawn_pixel_terms *terms,
                                        void *to);
enuf_status enuf_cuda_multiply(enuf_nufft *plan, const enuf_complex_product *product);
enuf_status enuf_cuda_weigh(enuf_nufft *plan, int64_t n, const void *weights, const void *from,
                            void *to);
enuf_status enuf_cuda_combine(enuf_nufft *plan, int64_t n, double a, const void *x, double b,
                              const void *y, void *to);

/** *sum is on the device. */
enuf_status enuf_cuda_dot(enuf_nufft *plan, int64_t n, const void *x, const void *y, double **sum);

#ifdef __cplusplus
}
#endif
#endif
