/*
 * test_cuda_errors.c - requests that the GPU cannot serve are refused with a text that names the
 * request: a device that does not exist, more memory than the GPU has or memory_limit allows. Later
 * calls work, and the current device of the caller stays the same.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device_arrays.h"

#include <stdlib.h>

static void refused(const enuf_nufft_options *options, enuf_status status, const char *text)
{
    enuf_nufft *plan = NULL;
    CHECK_STATUS(enuf_nufft_create(options, &plan), status);
    CHECK(plan == NULL);
    CHECK_TEXT(text);
    enuf_nufft_destroy(&plan);
}

static void law(void)
{
    enuf_nufft_options options = device_options(3, 16, 16, 16);
    int devices = 0, before = -1, after = -2;
    CHECK_CUDA(cudaGetDeviceCount(&devices));
    options.device = devices;
    refused(&options, ENUF_BAD_ARGUMENT, "use 0 to");
    options.device = -2;
    refused(&options, ENUF_BAD_ARGUMENT, "-1 for the current");
    options.device = devices - 1;
    CHECK_CUDA(cudaSetDevice(0));
    CHECK_CUDA(cudaGetDevice(&before));
    enuf_nufft *plan = NULL;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_reserve(plan, 1000), ENUF_SUCCESS);
    CHECK_CUDA(cudaGetDevice(&after));
    CHECK(before == after);

    /* more points than any GPU holds; the plan stays as it was */
    CHECK_STATUS(enuf_nufft_reserve(plan, (int64_t)1 << 52), ENUF_OUT_OF_MEMORY);
    CHECK_STATUS(enuf_nufft_reserve(plan, (int64_t)1 << 38), ENUF_OUT_OF_MEMORY);
    CHECK_STATUS(enuf_nufft_reserve(plan, 2000), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);

    /* more modes than the GPU holds, then a plan that fits */
    options = device_options(3, 5000, 5000, 5000);
    refused(&options, ENUF_OUT_OF_MEMORY, "GB");
    CHECK_TEXT("free");
    options = device_options(3, 16, 16, 16);
    options.memory_limit = 100000;
    refused(&options, ENUF_OUT_OF_MEMORY, "memory_limit");
    options.memory_limit = 4000000;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_reserve(plan, 1000000), ENUF_OUT_OF_MEMORY);
    CHECK_TEXT("memory_limit");
    CHECK_STATUS(enuf_nufft_reserve(plan, 1000), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    options.memory_limit = 0;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);

    /* the library leaves no CUDA error behind */
    CHECK_CUDA(cudaGetLastError());
}

int main(void)
{
    return device_main(law);
}
