/* fp64_rate.c - see fp64_rate.h. SPDX-License-Identifier: BSD-3-Clause */
#include "fp64_rate.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OF_FULL_RATE = 4 };

enuf_status enuf_cuda_fp64_slow(int device, int *slow, int *ratio)
{
    const char *name = getenv("ENUF_FP64");
    int of_device = 1;
    const cudaError_t error =
        cudaDeviceGetAttribute(&of_device, cudaDevAttrSingleToDoublePrecisionPerfRatio, device);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return enuf_fail(ENUF_INTERNAL, "asking GPU %d for its rate in double: %s", device,
                         cudaGetErrorString(error));
    }
    if (ratio) *ratio = of_device;
    *slow = of_device > MOST_OF_FULL_RATE;
    if (!name || !*name) return ENUF_SUCCESS;
    *slow = strcmp(name, "slow") == 0;
    if (*slow || strcmp(name, "full") == 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "ENUF_FP64 is '%s': it has to be slow or full, or not set for the rate of the "
                     "GPU",
                     name);
}
