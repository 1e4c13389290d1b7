/*
 * fft_cost.c - how the time of a transform depends on the factors of its lengths, beyond their
 * size.
 *
 * Factors are those of FFTW's estimated plans in 3D (Debian's FFTW; Xeon, Sapphire Rapids class, 29
 * November 2026): fitted to cubes of 40 to 200 cells, both precisions, upsamplings of 1.5 and 2;
 * RMS deviation 23 % with them, 40 % without, of real strengths 17 and 27 %. Of 85 problems whose
 * grid they change, a type 1 and a type 2 take 1/1.13 of the time in the geometric mean.
 *
 * OF_RATE: all lengths, beside the time between points and cells: of 60 problems of 62^3 modes,
 * complex, 0.05 to 1.6 points a mode, the cheapest grid takes 1.011 times the least time in the
 * mean, 1.13 at most (1.022, 1.27 without; 0.5 to 0.8 serve alike; Xeon, 30 November 2026,
 * bench/results/tuning_grids_*). Real strengths were not measured again.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "plan.h"

#include <math.h>

/* Of complex and of real strengths. */
static const double POWER_OF_TWO[2] = {0.46, 0.56}, NINE[2] = {1.21, 1.09}, TWICE_ODD = 1.25;
static const double OF_RATE[2] = {0.75, 1};

static double of_length(int64_t n, int real)
{
    if ((n & (n - 1)) == 0) return POWER_OF_TWO[real];
    return (n % 9 == 0 ? NINE[real] : 1) * (n % 4 == 2 ? TWICE_ODD : 1);
}

double enuf_fft_length_factor(const enuf_nufft_options *o, const int64_t grid[3])
{
    enuf_fft library;
    const int real = o->strengths == ENUF_REAL_STRENGTHS;
    double product = 1;
    if (o->backend == ENUF_BACKEND_CUDA || o->dim < 3 || o->fft_effort != ENUF_FFT_ESTIMATE)
        return 1;
    if (enuf_fft_find(o->fft, &library) != ENUF_SUCCESS || library != ENUF_FFT_FFTW) return 1;
    for (int d = 0; d < 3; d++) product *= of_length(grid[d], real);
    return OF_RATE[real] * cbrt(product);
}
