/*
 * test_old_gpus.c - a GPU that enuf has no code for, and a driver that finds none, are not usable,
 * each with one line that says why; another GPU of the machine serves. The CUDA runtime is this
 * file's. SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "device.h"
#include "probe.h"

#include <stdio.h>
#include <string.h>

/* ---- The false runtime ---- */

static struct {
    int devices, current, driver;
    int major[2], minor[2];
    cudaError_t count, probe[2];
} machine;

cudaError_t cudaGetDeviceCount(int *n)
{
    *n = machine.devices;
    return machine.count;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = machine.driver;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = machine.current;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    machine.current = device;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    memset(properties, 0, sizeof *properties);
    snprintf(properties->name, sizeof properties->name, "Card %d", device);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr what, int device)
{
    *value =
        what == cudaDevAttrComputeCapabilityMajor ? machine.major[device] : machine.minor[device];
    return cudaSuccess;
}

cudaError_t enuf_cuda_probe(void)
{
    return machine.probe[machine.current];
}

cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t error)
{
    (void)error;
    return "the runtime's text";
}

const char *cudaGetErrorName(cudaError_t error)
{
    (void)error;
    return "its name";
}

/* ---- What enuf says ---- */

static void refused(const char *text)
{
    const char *reason = "";
    int device;
    CHECK(!enuf_cuda_device_usable(&reason));
    printf("%s\n", reason);
    CHECK(strstr(reason, text) && !strchr(reason, '\n'));
    CHECK_STATUS(enuf_cuda_device_find(-1, &device), ENUF_NO_BACKEND);
    CHECK_TEXT(text);
}

int main(void)
{
    const char *reason = "";
    int device = -1;
    machine.count = cudaErrorInsufficientDriver;
    refused("no NVIDIA driver here");
    machine.driver = 11040;
    refused("the NVIDIA driver serves CUDA 11.4, this enuf was built with CUDA");
    machine.driver = CUDART_VERSION;
    machine.count = cudaErrorNoDevice;
    refused("the NVIDIA driver finds no GPU here");

    machine.count = cudaSuccess;
    machine.devices = 1;
    machine.major[0] = 7;
    machine.minor[0] = 5;
    machine.probe[0] = cudaErrorNoKernelImageForDevice;
    refused("the GPU Card 0 has compute capability 7.5: enuf needs 8.0");
    machine.probe[0] = cudaErrorUnsupportedPtxVersion;
    refused("7.5: enuf needs 8.0");
    machine.major[0] = 12;
    machine.minor[0] = 1;
    refused("the GPU Card 0 has compute capability 12.1, this enuf holds code for 80, 90");
    CHECK_TEXT("-DCMAKE_CUDA_ARCHITECTURES=121");
    machine.probe[0] = cudaErrorDevicesUnavailable;
    refused("the GPU Card 0 cannot be used: the runtime's text");

    /* the other GPU serves, and the caller's stays current */
    machine.devices = 2;
    machine.major[1] = 9;
    CHECK(enuf_cuda_device_usable(&reason) && strstr(reason, "Card 1"));
    CHECK_STATUS(enuf_cuda_device_find(1, &device), ENUF_SUCCESS);
    CHECK(device == 1 && machine.current == 0);
    CHECK_STATUS(enuf_cuda_device_find(2, &device), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("this machine has 2 GPUs");
    return check_result();
}
