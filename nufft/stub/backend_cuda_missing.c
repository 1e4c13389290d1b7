/* backend_cuda_missing.c - stands where the CUDA backend would. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "plan/backend.h"

static int usable(const char **reason)
{
    *reason = "this enuf was built without GPU support: configure with -DENUF_CUDA=ON";
    return 0;
}

const enuf_nufft_backend enuf_nufft_backend_cuda = {
    .name = "cuda", .kind = ENUF_BACKEND_CUDA, .usable = usable};
