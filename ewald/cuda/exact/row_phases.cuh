/*
 * row_phases.cuh - the factor of a row, exp(2 pi i (centre s1 + m2 s2 + m3 s3)), from the phases
 * along the axes. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ROW_PHASES_CUH
#define ENUF_ROW_PHASES_CUH

#include "exact_modes.h"

namespace
{

__device__ __forceinline__ double2 times(double2 a, double2 b)
{
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

/* The phase of any m with |m| <= largest. */
__device__ __forceinline__ double2 phase_along(const enuf_device_phases &of, int d, int m, int j)
{
    double2 z = of.phase[d][(int64_t)abs(m) * of.points + j];
    if (m < 0) z.y = -z.y;
    return z;
}

__device__ __forceinline__ double2 row_phase(const enuf_device_phases &of, const enuf_tile_row &row,
                                             int j)
{
    /* m3 >= 0: axis 2 may hold charges */
    return times(times(of.phase[2][(int64_t)row.m3 * of.points + j], phase_along(of, 1, row.m2, j)),
                 phase_along(of, 0, row.centre, j));
}

} // namespace

#endif
