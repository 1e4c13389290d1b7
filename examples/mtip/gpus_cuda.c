/* gpus_cuda.c - see gpus.h. SPDX-License-Identifier: BSD-3-Clause */
#include "gpus.h"

#include <cuda_runtime_api.h>

int gpus_here(void)
{
    int gpus = 0;
    return cudaGetDeviceCount(&gpus) == cudaSuccess ? gpus : 0;
}
