/* spread_slide_float.cu - see spread_slide.cuh. SPDX-License-Identifier: BSD-3-Clause */
#include "spread_slide.cuh"

extern "C" enuf_status enuf_cuda_spread_slide_float(enuf_nufft *plan, const enuf_spread_job *job,
                                                    int vectors)
{
    const spread_parameters a = spread_parameters_of(plan, job);
    return plan->real ? slide_of_width<float, double, 1>(plan, a, vectors)
                      : slide_of_width<float, double, 2>(plan, a, vectors);
}
