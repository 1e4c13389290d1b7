/*
 * stages_cuda.h - the stages on the caller's bricks and boxes, in the plan's memory. Nothing waits:
 * results in host memory have arrived after the caller has waited for the stream.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_STAGES_H
#define ENUF_CUDA_STAGES_H

#include "cuda/cuda.h"

enuf_status enuf_cuda_brick_spread(enuf_nufft *plan, const void *strengths, const void *factors,
                                   const enuf_brick *brick, void *cells, int add);
enuf_status enuf_cuda_brick_interpolate(enuf_nufft *plan, const enuf_brick *brick,
                                        const void *cells, const void *factors, void *values,
                                        void *gradients, int add);
enuf_status enuf_cuda_box_deconvolve(enuf_nufft *plan, const enuf_spectral_box *box,
                                     void *spectrum);
enuf_status enuf_cuda_box_multiply(enuf_nufft *plan, const enuf_spectral_box *box,
                                   enuf_multiplier kind, const void *multiplier, void *spectrum);
enuf_status enuf_cuda_box_reduce(enuf_nufft *plan, const enuf_spectral_box *box, int n,
                                 const void *weights, int moments, const void *spectrum,
                                 double *sums);

#endif
