/* machine_cuda.h - the name of what times on a GPU depend on. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_MACHINE_CUDA_H
#define ENUF_CUDA_MACHINE_CUDA_H

#include "cuda/cuda.h"

/** "NVIDIA H200, driver 13.0, cuFFT 12.0.0": of the device that a plan of the options takes. */
enuf_status enuf_cuda_machine(const enuf_nufft_options *options, char *name, size_t size);

#endif
