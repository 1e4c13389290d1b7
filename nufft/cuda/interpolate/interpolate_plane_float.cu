/* interpolate_plane_float.cu - see interpolate_plane.cuh. SPDX-License-Identifier: BSD-3-Clause */
#include "interpolate_plane.cuh"

extern "C" enuf_status
enuf_cuda_interpolate_plane_float(enuf_nufft *plan, const enuf_interpolate_job *job, int vectors)
{
    return interpolate_in_plane<float, double>(plan, job, vectors);
}
