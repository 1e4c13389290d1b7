/* spread_slide_plain.cu - see spread_slide.cuh: float plans without double.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "spread_slide.cuh"

extern "C" enuf_status enuf_cuda_spread_slide_plain(enuf_nufft *plan, const enuf_spread_job *job,
                                                    int vectors)
{
    const spread_parameters a = spread_parameters_of(plan, job);
    return plan->real ? slide_of_width<float, float, 1>(plan, a, vectors)
                      : slide_of_width<float, float, 2>(plan, a, vectors);
}
