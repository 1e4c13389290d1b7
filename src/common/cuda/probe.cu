/* probe.cu - whether this build holds code for the current device. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "device.h"

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
