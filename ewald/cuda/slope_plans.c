/* slope_plans.c - what becomes of the plans of second derivatives. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "cuda_ewald.h"

void enuf_cuda_release_slope_plans(enuf_cuda_slope_room *room)
{
    for (int k = 0; k < ENUF_CUDA_SLOPE_PLANS; k++) {
        enuf_nufft_destroy(&room->plans[k]);
        room->too_large[k] = 0;
    }
}

int64_t enuf_cuda_slope_plan_bytes(const enuf_cuda_slope_room *room)
{
    int64_t bytes = 0;
    for (int k = 0; k < ENUF_CUDA_SLOPE_PLANS; k++) {
        enuf_nufft_report report = {.struct_size = sizeof report};
        if (room->plans[k] && enuf_nufft_get_report(room->plans[k], &report) == ENUF_SUCCESS)
            bytes += report.bytes;
    }
    return bytes;
}
