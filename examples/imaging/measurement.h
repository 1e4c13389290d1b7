/*
 * measurement.h - samples with their data, and what a phantom gives there.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef IMAGING_MEASUREMENT_H
#define IMAGING_MEASUREMENT_H

#include "phantom.h"
#include "sampling.h"

typedef struct measurement {
    int64_t side;         /* pixels along an axis of the image */
    int64_t frames;       /* images */
    int64_t coils;        /* that see each of them */
    int64_t trajectories; /* 1: the same for all frames; or frames */
    int64_t samples;      /* of a frame and a coil */
    double *k;            /* [trajectories][samples][2], cycles per field of view */
    double complex *data; /* [frames][coils][samples] */
    double *weights;      /* [trajectories][samples], see density.h */
    double complex *maps; /* [coils][side][side]; NULL: none */
} measurement;

/**
 * The data of a phantom at these samples, with weights of the form and maps. The measurement copies
 * the samples. The frames share a beat of the heart, and each readout sees the heart at its time.
 *
 * noise  standard deviation of the noise of a sample, over the RMS of the data
 * seed   of the noise: equal seeds give equal noise
 */
measurement measurement_make(const sampling *samples, phantom object, int64_t coils, double noise,
                             uint64_t seed);
void measurement_free(measurement *m);

/** The middle of a frame, in beats. */
double measurement_time(int64_t frame, int64_t frames);

#endif
