/*
 * terms.h - the terms that exp(-(i omega + decay) t) B has become: at samples and in pixels. Read
 * by C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_TERMS_H
#define ENUF_ENCODING_TERMS_H

#include "interpolators.h"

/** At samples, of one place in a voxel: interpolators of their times, times
 * exp(-(i omega + decay)(t - time)) weight exp(i wave . k) prod_d sinc(edge_d k_d). */
typedef struct enuf_sample_terms {
    enuf_interpolators at;
    double omega, decay, time;
    double weight, wave[3], edge[3];
    int dim;
    enuf_maps times;      /* [n], as a map `omega` */
    const double *places; /* [dim][n] k */
} enuf_sample_terms;

/** In pixels, at one place of their voxels: interpolators of frequency and decay, times
 * exp(-(i omega + decay) time). */
typedef struct enuf_pixel_terms {
    enuf_interpolators at;
    double time, slope[3];
    enuf_maps maps;
} enuf_pixel_terms;

ENUF_INTERPOLATE double enuf_sinc(double x)
{
    const double angle = 3.14159265358979323846 * x;
    return x == 0 ? 1 : sin(angle) / angle;
}

/** The factor that all interpolators of a sample have in common. */
ENUF_INTERPOLATE void enuf_sample_factor(const enuf_sample_terms *terms, int64_t j, double t,
                                         double factor[2])
{
    const double distance = t - terms->time;
    double angle = -terms->omega * distance;
    double size = terms->weight * exp(-terms->decay * distance);
    for (int d = 0; d < terms->dim; d++) {
        const double k = terms->places[d * terms->times.n + j];
        angle += terms->wave[d] * k;
        size *= enuf_sinc(terms->edge[d] * k);
    }
    factor[0] = size * cos(angle);
    factor[1] = size * sin(angle);
}

/** The same of a pixel. */
ENUF_INTERPOLATE void enuf_pixel_factor(const enuf_pixel_terms *terms, const double value[2],
                                        double factor[2])
{
    const double size = exp(-value[1] * terms->time), angle = -value[0] * terms->time;
    factor[0] = size * cos(angle);
    factor[1] = size * sin(angle);
}

#endif
