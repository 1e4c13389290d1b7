/* interpolate_plane_double.cu - see interpolate_plane.cuh. SPDX-License-Identifier: BSD-3-Clause */
#include "interpolate_plane.cuh"

extern "C" enuf_status
enuf_cuda_interpolate_plane_double(enuf_nufft *plan, const enuf_interpolate_job *job, int vectors)
{
    return interpolate_in_plane<double, double>(plan, job, vectors);
}
