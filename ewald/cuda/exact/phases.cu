/*
 * phases.cu - phases of exact sums over modes: exp(2 pi i m s) along each axis. s is a fraction in
 * units of 2^-64, so that integer overflow reduces m s exactly. Each phase has a sine and a cosine
 * of its own; a recurrence would accumulate errors. About 60 instructions a phase: 0.1 ms for 1e5
 * points with 50 phases along each axis, once in a call. SPDX-License-Identifier: BSD-3-Clause
 */
#include "exact_modes.h"

namespace
{

enum { THREADS = 256 };

/* Threads have points j of one m. */
__global__ void fill(const uint64_t *s, const double *weights, int n, int d, int64_t entries,
                     int points, double2 *phase)
{
    const int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at >= entries) return;
    const int j = (int)(at % points);
    const uint64_t m = (uint64_t)(at / points);
    double2 z = {0, 0};
    if (j < n) {
        const double weight = weights ? weights[j] : 1;
        sincospi((double)(int64_t)(m * s[3 * j + d]) * 0x1p-63, &z.y, &z.x);
        z.x *= weight;
        z.y *= weight;
    }
    phase[at] = z;
}

} // namespace

extern "C" enuf_status enuf_exact_phases_launch(const uint64_t *s, const double *weights, int n,
                                                int d, int largest, int points, double2 *phase,
                                                cudaStream_t stream)
{
    const int64_t entries = ((int64_t)largest + 1) * points;
    const unsigned blocks = (unsigned)((entries + THREADS - 1) / THREADS);
    fill<<<blocks, THREADS, 0, stream>>>(s, weights, n, d, entries, points, phase);
    return enuf_cuda_launched("phases of exact modes");
}
