/*
 * imaging_times.h - times of a transform of images by enuf: its stages alone, the whole, and frames
 * of several coils.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_IMAGING_TIMES_H
#define BENCH_IMAGING_TIMES_H

#include "arguments.h"
#include "imaging_case.h"

#include "enuf/nufft.h"

#include <time.h>

/** Calls that one time on a device has in it: a stream of frames hides their launches. */
enum { IMAGING_IN_A_ROW = 10 };

/** How times are taken. */
typedef struct imaging_clock {
    enuf_backend backend; /* cpu: arrays on the host; cuda: on the device, and CUDA events */
    int threads;          /* 1: processor time, which other work leaves alone; else wall time */
    double seconds;       /* that a measurement takes at least, in three turns or more */
    int n_coils;
    double coils[BENCH_MOST_VALUES]; /* that a frame has, 1 first */
} imaging_clock;

/** Seconds, and the method's width in cells of the fine grid, its upsampling and its error. */
typedef struct imaging_times {
    double convolution, fft, deapodisation; /* parts of `total` */
    double total;                           /* of one image, the samples set */
    double setting;                         /* of the samples, with their sorting */
    double still[BENCH_MOST_VALUES];        /* of a frame by number of coils, the samples set */
    double moving[BENCH_MOST_VALUES];       /* of a frame and the setting of its samples */
    int width;
    double upsampling, error;
} imaging_times;

/** Which clock times the CPU. */
clockid_t imaging_cpu_clock(const imaging_clock *clock);

/** Turns of a measurement whose call takes so many seconds. */
int imaging_turns(const imaging_clock *clock, double seconds);

typedef enum imaging_samples { IMAGING_STORED, IMAGING_COMPUTED, IMAGING_RUNS } imaging_samples;

/**
 * Measures one direction. On the CPU the parts are the shares of `total` by the least times that
 * the plan measures itself. In device memory convolution and deapodisation are the stages of
 * enuf/nufft_stages.h, each alone, over as many cells or frequencies as the plan's own; fft is the
 * rest of `total`.
 *
 * method  window, width and grid, or a tolerance
 * samples IMAGING_COMPUTED: each call computes them and sets them; `total` has that, `setting` is
 * 0. On the CPU alone. IMAGING_RUNS: they are set as runs, radial alone
 */
imaging_times imaging_measure(const imaging_case *c, imaging_direction direction,
                              const enuf_nufft_options *method, imaging_samples samples,
                              const imaging_clock *clock);

#endif
