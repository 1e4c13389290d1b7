/*
 * engine.h - the object of direct sums, and the table of functions that a backend fills.
 *
 * create.c, set.c, sums.c check arguments, and data in host memory, and call these; nothing else
 * knows of a backend. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_ENGINE_H
#define ENUF_DIRECT_ENGINE_H

#include "points.h"
#include "enuf/direct.h"

/** Pixels on a grid. Host memory. */
typedef struct enuf_direct_grid {
    int64_t counts[3]; /* 1 past dim */
    double first[3], spacing[3];
} enuf_direct_grid;

/** The place of node i along an axis. */
static inline double enuf_direct_node(const enuf_direct_grid *grid, int axis, int64_t i)
{
    return grid->first[axis] + (double)i * grid->spacing[axis];
}

/** Arguments of set_field. */
typedef struct enuf_direct_field {
    const double *omega, *decay, *gradient[3]; /* NULL: none; past dim NULL */
    double voxel[3];                           /* 0: none */
} enuf_direct_field;

typedef struct enuf_direct_engine enuf_direct_engine;

/** Arrays are in the memory that the options name. A function that fails leaves what was set. */
struct enuf_direct_engine {
    enuf_status (*create)(enuf_direct *sums);
    void (*destroy)(enuf_direct *sums);
    enuf_status (*set_samples)(enuf_direct *sums, const enuf_direct_points *places,
                               const double *times);
    /* both remove the field */
    enuf_status (*set_pixels)(enuf_direct *sums, const enuf_direct_points *places);
    enuf_status (*set_pixel_grid)(enuf_direct *sums, const enuf_direct_grid *grid);
    enuf_status (*set_field)(enuf_direct *sums, const enuf_direct_field *field);
    enuf_status (*forward)(enuf_direct *sums, const void *image, void *values, void *gradients);
    enuf_status (*adjoint)(enuf_direct *sums, const void *values, void *image);
    enuf_status (*check)(enuf_direct *sums, int64_t *first_bad);
};

extern const enuf_direct_engine enuf_direct_engine_cpu, enuf_direct_engine_cuda;

struct enuf_direct {
    enuf_direct_options options;
    enuf_isa isa; /* of the cpu backend */
    int threads;
    int64_t n_samples, n_pixels; /* -1: not set */
    int has_times;               /* of the samples; without samples 1 */
    int has_maps;                /* set_field has set a map: samples need times */
    const enuf_direct_engine *engine;
    void *workspace; /* the engine's */
};

/** Bytes of a number in the precision of the options. */
static inline size_t enuf_direct_number_size(const enuf_direct *sums)
{
    return sums->options.precision == ENUF_FLOAT ? sizeof(float) : sizeof(double);
}

#endif
