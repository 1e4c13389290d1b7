/* interpolate_plane_plain.cu - see interpolate_plane.cuh: float plans without double.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "interpolate_plane.cuh"

extern "C" enuf_status
enuf_cuda_interpolate_plane_plain(enuf_nufft *plan, const enuf_interpolate_job *job, int vectors)
{
    return interpolate_in_plane<float, float>(plan, job, vectors);
}
