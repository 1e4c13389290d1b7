/* exact_cuda.h - the parts of exact sums on the GPU, see verify/exact_backend.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_EXACT_CUDA_H
#define ENUF_EXACT_CUDA_H

#include "verify/exact_backend.h"

/* pairs_on_device.c */
enuf_status enuf_exact_pairs_cuda(const enuf_exact_system *system, const enuf_exact_bins *bins,
                                  enuf_exact_target *found, int64_t clash[2]);

/* modes_on_device.c */
enuf_status enuf_exact_structure_cuda(const enuf_exact_system *system, const enuf_mode_rows *modes,
                                      double *factors);
enuf_status enuf_exact_gather_cuda(const enuf_exact_system *system, const enuf_mode_rows *modes,
                                   const double *factors, int64_t first, int64_t last, double *at);

#endif
