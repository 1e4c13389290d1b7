/*
 * steps_cuda.h - the steps on the plan's own grid and spectrum, with the caller's arrays in the
 * plan's memory. Host memory is copied to the device and back, and each step waits until its data
 * is complete; device memory: nothing waits. The plan's device is current. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_CUDA_STEPS_H
#define ENUF_CUDA_STEPS_H

#include "cuda/cuda.h"

enuf_status enuf_cuda_step_set_points(enuf_nufft *plan, const enuf_coordinates *coordinates);
enuf_status enuf_cuda_step_keep_weights(enuf_nufft *plan, const void *from, int64_t count,
                                        void **numbers);
enuf_status enuf_cuda_step_make_terms(enuf_nufft *plan);
enuf_status enuf_cuda_step_spread(enuf_nufft *plan, const void *strengths);
enuf_status enuf_cuda_step_grid(enuf_nufft *plan, void **cells, int64_t *count,
                                enuf_cell_type *type);
enuf_status enuf_cuda_step_forward_fft(enuf_nufft *plan);
enuf_status enuf_cuda_step_backward_fft(enuf_nufft *plan);
enuf_status enuf_cuda_step_deconvolve(enuf_nufft *plan, void *modes);
enuf_status enuf_cuda_step_amplify(enuf_nufft *plan, const void *modes, enuf_multiplier kind,
                                   const void *multiplier);
enuf_status enuf_cuda_step_filter(enuf_nufft *plan, const void *multiplier);
enuf_status enuf_cuda_step_get_spectrum(enuf_nufft *plan, int64_t n, const int64_t *index,
                                        void *packed);
enuf_status enuf_cuda_step_put_spectrum(enuf_nufft *plan, int64_t n, const int64_t *index,
                                        const void *packed);
enuf_status enuf_cuda_step_reduce(enuf_nufft *plan, int n, const void *weights, int moments,
                                  double *sums);
enuf_status enuf_cuda_step_interpolate(enuf_nufft *plan, void *values, void *gradients);

#endif
