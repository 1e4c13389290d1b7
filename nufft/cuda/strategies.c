/* strategies.c - see strategies.h. SPDX-License-Identifier: BSD-3-Clause */
#include "strategies.h"

int enuf_cuda_tiled(const enuf_nufft *plan, const enuf_target *target)
{
    if (plan->method.fit.width > ENUF_CUDA_TILED_WIDTH) return 0;
    const int64_t least = plan->options.dim == 3 ? ENUF_CUDA_LEAST_GRID : 1;
    for (int d = 0; d < 3; d++)
        if (!target->wraps[d] || target->count[d] < least || target->count[d] > INT32_MAX / 2)
            return 0;
    if (plan->options.dim < 3) return 1;
    /* places in a plane have 32 bits; a brick's rows may be further apart than its planes */
    return target->stride[1] <= INT32_MAX / target->count[1];
}
