/* imaging_gpu_missing.c - device_clock.h and cuFINUFFT without CUDA.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "device_clock.h"
#include "imaging_peers.h"

void bench_device_begin(void)
{
}

double bench_device_end(void)
{
    return -1;
}

const char *imaging_cufinufft_open(void)
{
    return "cuFINUFFT needs a build with CUDA";
}

int imaging_cufinufft_time(const imaging_case *c, imaging_direction direction, double asked,
                           const imaging_clock *clock, imaging_peer *row)
{
    (void)c;
    (void)direction;
    (void)asked;
    (void)clock;
    (void)row;
    return 0;
}
