/*
 * element.h - what a pixel adds to a sample, but for the phase of its place. Read by C and by CUDA
 * files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_ELEMENT_H
#define ENUF_ENCODING_ELEMENT_H

#include <math.h>
#include <stdint.h>

#ifdef __CUDACC__
#define ENUF_EVERYWHERE static __host__ __device__ inline
#else
#define ENUF_EVERYWHERE static inline
#endif

/** Samples: times, NULL: 0, and places [dim][n] in cycles per field of view, which the edges of a
 * voxel turn into cycles per voxel. */
typedef struct enuf_samples {
    int64_t n;
    int dim;
    const double *times, *places;
    double edge[3]; /* 0: B is 1 */
} enuf_samples;

/** Maps of pixels; NULL: 0. */
typedef struct enuf_maps {
    int64_t n;
    double turn; /* 1 or -1, of omega */
    const double *omega, *decay, *gradient[3];
} enuf_maps;

typedef struct enuf_sample {
    double time, turns[3]; /* turns: k_d v_d */
} enuf_sample;

typedef struct enuf_pixel {
    double omega, decay, gradient[3];
} enuf_pixel;

ENUF_EVERYWHERE enuf_sample enuf_sample_at(const enuf_samples *samples, int64_t j)
{
    enuf_sample s = {samples->times ? samples->times[j] : 0, {0, 0, 0}};
    for (int d = 0; d < samples->dim; d++)
        s.turns[d] = samples->edge[d] * samples->places[d * samples->n + j];
    return s;
}

ENUF_EVERYWHERE enuf_pixel enuf_pixel_at(const enuf_maps *maps, int64_t k)
{
    enuf_pixel p = {
        maps->omega ? maps->turn * maps->omega[k] : 0, maps->decay ? maps->decay[k] : 0, {0, 0, 0}};
    for (int d = 0; d < 3; d++)
        if (maps->gradient[d]) p.gradient[d] = maps->gradient[d][k];
    return p;
}

ENUF_EVERYWHERE double enuf_sinc(double x)
{
    const double angle = 3.14159265358979323846 * x;
    return x == 0 ? 1 : sin(angle) / angle;
}

/** exp(-(i omega + decay) t) B. */
ENUF_EVERYWHERE void enuf_element(int dim, const enuf_sample *s, const enuf_pixel *p,
                                  double element[2])
{
    const double angle = -p->omega * s->time;
    double size = exp(-p->decay * s->time);
    for (int d = 0; d < dim; d++) size *= enuf_sinc(s->turns[d] + p->gradient[d] * s->time);
    element[0] = size * cos(angle);
    element[1] = size * sin(angle);
}

#endif
