/* chain.c - see chain.h. SPDX-License-Identifier: BSD-3-Clause */
#include "chain.h"

#include <cuda_runtime_api.h>
#include <stdatomic.h>

enum { LEAST_MAJOR = 9, LEAST_DRIVER = 12040, MOST_DEVICES = 64 };

static int asked(int device)
{
    int major = 0, driver = 0;
    if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
        cudaDriverGetVersion(&driver) == cudaSuccess)
        return major >= LEAST_MAJOR && driver >= LEAST_DRIVER;
    cudaGetLastError();
    return 0;
}

int enuf_cuda_chains(void)
{
    static atomic_int known[MOST_DEVICES]; /* 0: not asked yet; 1: no; 2: yes */
    int device;
    if (cudaGetDevice(&device) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    if (device >= MOST_DEVICES) return asked(device);
    int answer = atomic_load(&known[device]);
    if (answer == 0) {
        answer = 1 + asked(device);
        atomic_store(&known[device], answer);
    }
    return answer == 2;
}
