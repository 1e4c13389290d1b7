/*
 * kept.h - level WEIGHTS: the window's values of the points, and the ways between points and cells
 * that read them. Read by C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_KEPT_H
#define ENUF_NUFFT_CUDA_KEPT_H

#include "cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Fills kept.weights from the points that the last sort has left. keep_weights.cu */
enuf_status enuf_cuda_keep_weights(enuf_nufft *plan);

/** As enuf_cuda_spread(), enuf_cuda_spread_fixed(). spread_kept.cu */
enuf_status enuf_cuda_spread_kept(enuf_nufft *plan, const enuf_spread_job *job, int vectors);
enuf_status enuf_cuda_spread_kept_fixed(enuf_nufft *plan, const enuf_spread_job *job);

/** As enuf_cuda_interpolate(), values only. interpolate_kept.cu */
enuf_status enuf_cuda_interpolate_kept(enuf_nufft *plan, const enuf_interpolate_job *job,
                                       int vectors);

#ifdef __cplusplus
}
#endif
#endif
