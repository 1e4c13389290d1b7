/* workspace.h - making and freeing the CUDA backend's workspace. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef ENUF_CUDA_WORKSPACE_H
#define ENUF_CUDA_WORKSPACE_H

#include "cuda.h"

/** Everything that does not depend on the points. After a failure enuf_cuda_workspace_free() cleans
 * up. The plan's device is current. */
enuf_status enuf_cuda_workspace_make(enuf_nufft *plan);

/** The plan's axes, copied to the device. */
enuf_status enuf_cuda_workspace_axes(enuf_nufft *plan);

void enuf_cuda_workspace_free(enuf_nufft *plan);

/** Room for max_points; a failure leaves what was there. */
enuf_status enuf_cuda_workspace_reserve(enuf_nufft *plan, int64_t max_points);

/** Bytes on the device and, of staging, on the host. */
int64_t enuf_cuda_workspace_bytes(const enuf_nufft *plan);

/** ENUF_OUT_OF_MEMORY where so many bytes more, on the device or of staging on the host, are beyond
 * memory_limit. */
enuf_status enuf_cuda_check_limit(const enuf_nufft *plan, double bytes, const char *what);

#endif
