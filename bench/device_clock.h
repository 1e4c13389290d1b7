/* device_clock.h - the time that a GPU works, by CUDA events on the default stream.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_DEVICE_CLOCK_H
#define BENCH_DEVICE_CLOCK_H

/** Begins a time. */
void bench_device_begin(void);

/** Waits for the work since the beginning. Its seconds; negative: it failed. */
double bench_device_end(void);

#endif
