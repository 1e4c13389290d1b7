/* chain.h - whether a GPU's kernels can be chained, chain.cuh. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_CUDA_CHAIN_H
#define ENUF_CUDA_CHAIN_H

#ifdef __cplusplus
extern "C" {
#endif

/** 1 if the current device has programmatic dependent launch (compute capability 9.0 and later) and
 * the driver records it in graphs (CUDA 12.4 and later). 0 also if the driver does not answer. */
int enuf_cuda_chains(void);

#ifdef __cplusplus
}
#endif
#endif
