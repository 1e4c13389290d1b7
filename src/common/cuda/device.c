/* device.c - see device.h. SPDX-License-Identifier: BSD-3-Clause */
#include "device.h"
#include "fp64_rate.h"
#include "probe.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 512, MOST_DEVICES = 64, LEAST_MAJOR = 8 };

/* Results of the tests of each device. The text of a usable device never changes. */
static struct {
    int known, usable;
    char text[TEXT];
} devices[MOST_DEVICES];
static pthread_mutex_t devices_lock = PTHREAD_MUTEX_INITIALIZER;

/* Number of GPUs. If it is 0, *reason says why. */
static int count_devices(const char **reason)
{
    static _Thread_local char text[TEXT];
    int n = 0, driver = 0, runtime = 0;
    cudaError_t error = cudaGetDeviceCount(&n);
    if (error == cudaSuccess && n > 0) return n;
    cudaGetLastError();
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    if (driver == 0)
        snprintf(text, sizeof text,
                 "no NVIDIA driver here (libcuda.so.1): a GPU and its driver are needed");
    else if (error == cudaErrorInsufficientDriver)
        snprintf(
            text, sizeof text,
            "the NVIDIA driver serves CUDA %d.%d, this enuf was built with CUDA %d.%d: a newer "
            "driver is needed for the GPU",
            driver / 1000, driver % 100 / 10, runtime / 1000, runtime % 100 / 10);
    else if (error == cudaSuccess || error == cudaErrorNoDevice)
        snprintf(text, sizeof text,
                 "the NVIDIA driver finds no GPU here (is CUDA_VISIBLE_DEVICES set?)");
    else
        snprintf(text, sizeof text, "CUDA finds no GPU here: %s (%s)", cudaGetErrorString(error),
                 cudaGetErrorName(error));
    *reason = text;
    return 0;
}

/* Returns 1 if this build has code for `device`, the current device. Writes the device's name or
 * the failure to `text`. */
static int look_at_current(int device, char *text)
{
    int major = 0, minor = 0, usable = 0, slow = 0, ratio = 1;
    struct cudaDeviceProp properties;
    cudaError_t error = cudaGetDeviceProperties(&properties, device);
    if (error != cudaSuccess) {
        cudaGetLastError();
        snprintf(text, TEXT, "GPU %d cannot be used: %s", device, cudaGetErrorString(error));
        return 0;
    }
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    error = enuf_cuda_probe();
    if (major < LEAST_MAJOR) {
        snprintf(text, TEXT,
                 "the GPU %s has compute capability %d.%d: enuf needs %d.0 (A100, RTX 30) or newer",
                 properties.name, major, minor, LEAST_MAJOR);
    } else if (error == cudaSuccess) {
        char rate[TEXT / 2];
        usable = 1;
        /* a wrong ENUF_FP64 is an error of each plan, not of the device */
        if (enuf_cuda_fp64_slow(device, &slow, &ratio) != ENUF_SUCCESS)
            snprintf(rate, sizeof rate, "%s", enuf_last_error());
        else
            snprintf(rate, sizeof rate, "FP64 at 1/%d of FP32, taken as %s", ratio,
                     slow ? "slow" : "full rate");
        snprintf(text, TEXT, "%.100s, %.1f GB, compute capability %d.%d, %s", properties.name,
                 (double)properties.totalGlobalMem / 1e9, major, minor, rate);
    } else if (error == cudaErrorNoKernelImageForDevice ||
               error == cudaErrorInvalidDeviceFunction || error == cudaErrorUnsupportedPtxVersion) {
        snprintf(
            text, TEXT,
            "the GPU %.100s has compute capability %d.%d, this enuf holds code for %s: build it "
            "with -DCMAKE_CUDA_ARCHITECTURES=%d%d",
            properties.name, major, minor, ENUF_CUDA_BUILT_FOR, major, minor);
    } else {
        snprintf(text, TEXT, "the GPU %s cannot be used: %s (%s)", properties.name,
                 cudaGetErrorString(error), cudaGetErrorName(error));
    }
    cudaGetLastError();
    return usable;
}

static int look_at(int device, char *text)
{
    int callers;
    cudaError_t error = cudaGetDevice(&callers);
    if (error == cudaSuccess && callers != device) error = cudaSetDevice(device);
    if (error != cudaSuccess) {
        cudaGetLastError();
        snprintf(text, TEXT, "GPU %d cannot be used: %s", device, cudaGetErrorString(error));
        return 0;
    }
    int usable = look_at_current(device, text);
    enuf_cuda_leave(device, callers);
    return usable;
}

static int device_usable(int device, const char **reason)
{
    if (device >= MOST_DEVICES) {
        *reason = "no more than 64 GPUs are counted";
        return 0;
    }
    pthread_mutex_lock(&devices_lock);
    if (!devices[device].known) {
        devices[device].usable = look_at(device, devices[device].text);
        devices[device].known =
            devices[device].usable; /* the next call tests a failed device again */
    }
    int usable = devices[device].usable;
    pthread_mutex_unlock(&devices_lock);
    *reason = devices[device].text;
    return usable;
}

int enuf_cuda_device_usable(const char **reason)
{
    const char *others = "";
    int current, n = count_devices(reason);
    if (n == 0) return 0;
    if (cudaGetDevice(&current) != cudaSuccess) {
        cudaGetLastError();
        *reason = "CUDA tells no current device";
        return 0;
    }
    if (device_usable(current, reason)) return 1;
    /* options can select another device than the current one */
    for (int device = 0; device < n; device++) {
        if (device == current || !device_usable(device, &others)) continue;
        *reason = others;
        return 1;
    }
    return 0;
}

enuf_status enuf_cuda_device_find(int ordinal, int *device)
{
    const char *reason = "";
    int n = count_devices(&reason);
    if (n == 0) return enuf_fail(ENUF_NO_BACKEND, "%s", reason);
    if (ordinal < -1 || ordinal >= n)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "device %d: this machine has %d GPU%s, use 0 to %d, or -1 for the current "
                         "one",
                         ordinal, n, n == 1 ? "" : "s", n - 1);
    int slow;
    *device = ordinal;
    if (ordinal == -1) ENUF_CUDA_TRY(cudaGetDevice(device), "asking for the current device");
    ENUF_TRY(enuf_cuda_fp64_slow(*device, &slow, NULL));
    if (!device_usable(*device, &reason)) return enuf_fail(ENUF_NO_BACKEND, "%s", reason);
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_enter(int device, int *callers)
{
    ENUF_CUDA_TRY(cudaGetDevice(callers), "asking for the current device");
    if (*callers != device) ENUF_CUDA_TRY(cudaSetDevice(device), "making the plan's GPU current");
    return ENUF_SUCCESS;
}

void enuf_cuda_leave(int device, int callers)
{
    /* clear the error: the check after the next kernel launch would report it */
    if (callers != device && cudaSetDevice(callers) != cudaSuccess) cudaGetLastError();
}

/* Errors after which every call of the process fails. */
static int is_sticky(cudaError_t error)
{
    switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
#if CUDART_VERSION >= 12080
    case cudaErrorContained:
    case cudaErrorTensorMemoryLeak:
#endif
    case cudaErrorMpsClientTerminated:
    case cudaErrorContextIsDestroyed:
        return 1;
    default:
        return 0;
    }
}

enuf_status enuf_cuda_status(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return ENUF_SUCCESS;
    cudaGetLastError(); /* clear the error: the caller's next check would report it */
    if (is_sticky(error))
        return enuf_fail(ENUF_INTERNAL,
                         "%s: %s (%s): the CUDA context of this process is lost, with all data on "
                         "the GPU; use the cpu backend, or start a new process",
                         what, cudaGetErrorString(error), cudaGetErrorName(error));
    if (error == cudaErrorMemoryAllocation)
        return enuf_fail(ENUF_OUT_OF_MEMORY, "%s: the GPU has no memory left", what);
    if (error == cudaErrorStreamCaptureUnsupported || error == cudaErrorStreamCaptureImplicit)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: this call waits or allocates and cannot be captured in a CUDA graph: "
                         "reserve and create before the capture, check after it",
                         what);
    return enuf_fail(ENUF_INTERNAL, "%s: %s (%s)", what, cudaGetErrorString(error),
                     cudaGetErrorName(error));
}
