/* probe.h - whether this build holds code for the current device. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef ENUF_CUDA_PROBE_H
#define ENUF_CUDA_PROBE_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C"
#endif
    /** cudaSuccess if it does. */
    cudaError_t
    enuf_cuda_probe(void);

#endif
