/* probe.cu - see probe.h. SPDX-License-Identifier: BSD-3-Clause */
#include "probe.h"

__global__ void probe_kernel()
{
}

cudaError_t enuf_cuda_probe(void)
{
    cudaFuncAttributes attributes;
    cudaError_t error = cudaFuncGetAttributes(&attributes, probe_kernel);
    if (error != cudaSuccess) cudaGetLastError(); /* clear the error: it is returned */
    return error;
}
