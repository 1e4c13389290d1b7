/*
 * terms.h - the terms that a field has become, at samples and in pixels. They are tabulated
 * functions of one time, or of one frequency and decay; or combinations of the elements of all
 * pixels with some drawn samples, and of all samples with some drawn pixels. Read by C and by CUDA
 * files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_TERMS_H
#define ENUF_ENCODING_TERMS_H

#include "interpolators.h"

/** Interpolators of the samples' times, times exp(-(i omega + decay)(t - time)) and B, which has no
 * gradient. */
typedef struct enuf_sample_terms {
    enuf_interpolators at;
    double omega, decay, time;
    enuf_samples samples;
} enuf_sample_terms;

/** Interpolators of frequency and decay, times exp(-(i omega + decay) time). */
typedef struct enuf_pixel_terms {
    enuf_interpolators at;
    double time;
    enuf_maps maps;
} enuf_pixel_terms;

enum { ENUF_MOST_DRAWN_TERMS = 512 };

/** At samples: combinations of their elements with drawn pixels; and the other way round. */
typedef struct enuf_drawn_sample_terms {
    enuf_samples samples;
    int n, count;
    const enuf_pixel *pixels; /* [n] */
    const double *matrix;     /* [n][2][count]: real parts, imaginary parts */
} enuf_drawn_sample_terms;

typedef struct enuf_drawn_pixel_terms {
    enuf_maps maps;
    int n, count;
    const enuf_sample *samples;
    const double *matrix;
    int dim;
} enuf_drawn_pixel_terms;

/** The factor that all interpolators of a sample have in common. */
ENUF_EVERYWHERE void enuf_sample_factor(const enuf_sample_terms *terms, const enuf_sample *s,
                                        double factor[2])
{
    const double distance = s->time - terms->time, angle = -terms->omega * distance;
    double size = exp(-terms->decay * distance);
    for (int d = 0; d < terms->samples.dim; d++) size *= enuf_sinc(s->turns[d]);
    factor[0] = size * cos(angle);
    factor[1] = size * sin(angle);
}

/** The same of a pixel. */
ENUF_EVERYWHERE void enuf_pixel_factor(const enuf_pixel_terms *terms, const enuf_pixel *p,
                                       double factor[2])
{
    const double size = exp(-p->decay * terms->time), angle = -p->omega * terms->time;
    factor[0] = size * cos(angle);
    factor[1] = size * sin(angle);
}

#endif
