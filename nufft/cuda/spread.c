/* spread.c - which way points are spread. SPDX-License-Identifier: BSD-3-Clause */
#include "strategies.h"

int enuf_cuda_tiled(const enuf_nufft *plan, const enuf_target *target)
{
    if (plan->options.dim != 3 || plan->method.fit.width > ENUF_CUDA_TILED_WIDTH) return 0;
    for (int d = 0; d < 3; d++)
        if (!target->wraps[d] || target->count[d] < ENUF_CUDA_LEAST_GRID ||
            target->count[d] > INT32_MAX / 2)
            return 0;
    /* places in a plane have 32 bits; a brick's rows may be further apart than its planes */
    return target->stride[1] <= INT32_MAX / target->count[1];
}

enuf_cuda_strategy enuf_cuda_spread_choice(const enuf_nufft *plan, const enuf_target *target)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const size_t shared = (size_t)cuda->shared_bytes_per_block;
    int fits = enuf_cuda_tiled(plan, target);
    switch (cuda->spread_strategy) {
    case ENUF_CUDA_AUTO:
    case ENUF_CUDA_OD:
        return fits ? ENUF_CUDA_OD : ENUF_CUDA_GM_SORT;
    case ENUF_CUDA_GM:
        return fits ? ENUF_CUDA_GM : ENUF_CUDA_GM_SORT;
    case ENUF_CUDA_SM:
        fits = fits && enuf_cuda_spread_sm_shared(plan) <= shared;
        return fits ? ENUF_CUDA_SM : ENUF_CUDA_GM_SORT;
    case ENUF_CUDA_WARP:
        fits = fits && enuf_cuda_spread_warp_shared(plan) <= shared;
        return fits ? ENUF_CUDA_WARP : ENUF_CUDA_GM_SORT;
    default:
        return ENUF_CUDA_GM_SORT;
    }
}

enuf_status enuf_cuda_spread(enuf_nufft *plan, const enuf_spread_job *job)
{
    if (enuf_cuda_of(plan)->points.n == 0) return ENUF_SUCCESS;
    switch (enuf_cuda_spread_choice(plan, &job->target)) {
    case ENUF_CUDA_GM:
        return enuf_cuda_spread_gm(plan, job);
    case ENUF_CUDA_SM:
        return enuf_cuda_spread_sm(plan, job);
    case ENUF_CUDA_OD:
        return enuf_cuda_spread_od(plan, job);
    case ENUF_CUDA_WARP:
        return enuf_cuda_spread_warp(plan, job);
    default:
        return enuf_cuda_spread_gm_sort(plan, job);
    }
}
