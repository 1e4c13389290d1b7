/* machine_cuda.c - see machine_cuda.h. SPDX-License-Identifier: BSD-3-Clause */
#include "machine_cuda.h"
#include "cufft_library.h"
#include "device_arguments.h"

#include <stdio.h>

enuf_status enuf_cuda_machine(const enuf_nufft_options *options, char *name, size_t size)
{
    struct cudaDeviceProp properties;
    const char *reason;
    int device, driver = 0, cufft = 0;
    if (!enuf_cufft_load(&reason)) return enuf_fail(ENUF_NO_BACKEND, "%s", reason);
    ENUF_TRY(enuf_cuda_device_choose("enuf_nufft_tune", options->device, options->stream, &device));
    ENUF_CUDA_TRY(cudaGetDeviceProperties(&properties, device), "asking for the GPU's name");
    ENUF_CUDA_TRY(cudaDriverGetVersion(&driver), "asking for the driver's version");
    enuf_cufft.cufftGetVersion(&cufft);
    snprintf(name, size, "%.100s, driver %d.%d, cuFFT %d.%d.%d", properties.name, driver / 1000,
             driver % 1000 / 10, cufft / 1000, cufft % 1000 / 100, cufft % 100);
    return ENUF_SUCCESS;
}
