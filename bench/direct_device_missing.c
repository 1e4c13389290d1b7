/* direct_device_missing.c - direct_device.h without CUDA. SPDX-License-Identifier: BSD-3-Clause */
#include "direct_device.h"

int bench_device_built(void)
{
    return 0;
}

void *bench_device_array(size_t bytes, const void *from)
{
    (void)bytes;
    (void)from;
    return NULL;
}

void bench_device_read(void *to, const void *array, size_t bytes)
{
    (void)to;
    (void)array;
    (void)bytes;
}

void bench_device_free(void *array)
{
    (void)array;
}

double bench_plain_time(const bench_plain_sum *sum, int repeats)
{
    (void)sum;
    (void)repeats;
    return -1;
}
