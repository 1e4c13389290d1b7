/* device_clock.c - see device_clock.h. SPDX-License-Identifier: BSD-3-Clause */
#include "device_clock.h"

#include <cuda_runtime_api.h>

static cudaEvent_t begun, ended;
static cudaError_t error;

void bench_device_begin(void)
{
    error = cudaSuccess;
    if (!begun) error = cudaEventCreate(&begun);
    if (!ended && error == cudaSuccess) error = cudaEventCreate(&ended);
    if (error == cudaSuccess) error = cudaEventRecord(begun, NULL);
}

double bench_device_end(void)
{
    float milliseconds = 0;
    if (error == cudaSuccess) error = cudaEventRecord(ended, NULL);
    if (error == cudaSuccess) error = cudaEventSynchronize(ended);
    if (error == cudaSuccess) error = cudaEventElapsedTime(&milliseconds, begun, ended);
    return error == cudaSuccess ? 1e-3 * (double)milliseconds : -1;
}
