/*
 * fft_cost.c - how the time of a transform depends on the factors of its lengths, beyond their
 * size: what plan/cost.c leaves out.
 *
 * Factors are those of FFTW's estimated plans in 3D (Xeon, Sapphire Rapids class, shared with other
 * work, 28 November 2026): fitted to cubes of 40 to 200 cells, both precisions, upsamplings of 1.5
 * and 2; RMS deviation 23 % with them, 36 % without. Of powers of two 64 takes 0.4, 128 0.7.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "tuning.h"

#include <math.h>

static const double POWER_OF_TWO = 0.53, NINE = 1.27, TWICE_ODD = 1.21;

static double of_length(int64_t n)
{
    if ((n & (n - 1)) == 0) return POWER_OF_TWO;
    return (n % 9 == 0 ? NINE : 1) * (n % 4 == 2 ? TWICE_ODD : 1);
}

double enuf_fft_length_factor(const enuf_nufft_options *o, const int64_t grid[3])
{
    enuf_fft library;
    double product = 1;
    if (enuf_tuning_on_gpu(o) || o->dim < 3 || o->fft_effort != ENUF_FFT_ESTIMATE) return 1;
    if (enuf_fft_find(o->fft, &library) != ENUF_SUCCESS || library != ENUF_FFT_FFTW) return 1;
    for (int d = 0; d < 3; d++) product *= of_length(grid[d]);
    return cbrt(product);
}
