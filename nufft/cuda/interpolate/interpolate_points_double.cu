/* interpolate_points_double.cu - see interpolate_points.cuh. SPDX-License-Identifier: BSD-3-Clause
 */
#include "interpolate_points_real.cuh"

extern "C" enuf_status
enuf_cuda_interpolate_points_double(enuf_nufft *plan, const enuf_interpolate_job *job, int vectors)
{
    return interpolate_points<double>(plan, job, vectors);
}
