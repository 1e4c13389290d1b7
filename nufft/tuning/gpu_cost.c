/*
 * gpu_cost.c - the time that levels take on a GPU: what level_cost.c and gram_cost.c say of a CPU.
 *
 * Constants are nanoseconds of one H200 in November 2026: bench/results/levels_h200_*.csv (2D and
 * 3D, widths 4 to 10, 0.5 and 2 points a mode, batches of 1 and 8) and gram_h200_*.csv. Most of a
 * small transform are its launches. SPDX-License-Identifier: BSD-3-Clause
 */
#include "tuning.h"

#include <math.h>

/* The launches of set_points, and of a call. */
static const double SET = 24e3, CALL = 28e3;
/* A byte of a point's record is sorted. A point's weights on an axis are kept, a byte. */
static const double RECORD_BYTE = 0.0016, KEPT_BYTE = 0.001;
/* WEIGHTS: a warp takes a point, of each vector; a byte of an entry, in type 1 and type 2. In no
 * problem measured were WEIGHTS or MATRIX faster than sorted points: they are not predicted to be.
 */
static const double WEIGHTS_POINT[2] = {0.4, 0.6}, WEIGHTS_BYTE[2] = {0.0017, 0.0003};
/* MATRIX: its launches, a point and an entry are made; an entry is read, once for the batch; a
 * point of a vector and a byte of its entries. */
static const double MAKE = 75e3, MAKE_POINT = 1, MAKE_ENTRY = 0.06;
static const double READ_ENTRY[2] = {0.006, 0.003};
static const double PRODUCT_POINT = 0.2, PRODUCT_BYTE[2] = {0.0015, 0.0004};
/* The Gram operator: launches; by dimension, a byte of the circulant's spectrum. Making it: plans,
 * and a number of it. */
static const double GRAM_CALL = 33e3, GRAM_BYTE[3] = {0.006, 0.004, 0.0065};
static const double GRAM_PLANS = 2e6, GRAM_NUMBER = 0.25;

static double bytes_of(const enuf_nufft_options *o)
{
    return o->precision == ENUF_FLOAT ? 4 : 8;
}

enuf_level_cost enuf_gpu_level_cost(const enuf_nufft_options *o, const enuf_method *method)
{
    const double width = method->window.width, bytes = bytes_of(o);
    const double entries = pow(width, o->dim);
    const double parts = o->strengths == ENUF_REAL_STRENGTHS ? 0.5 : 1; /* of complex ones */
    const double all = enuf_method_cost(o, method), spreading = enuf_spreading_cost(o, method);
    double points = o->density, call[2];
    for (int d = 0; d < o->dim; d++) points *= (double)o->modes[d];
    enuf_level_cost cost = {.set = SET + points * 4 * bytes * RECORD_BYTE};
    for (int type = 0; type < 2; type++) {
        double of_points = o->batch * spreading;
        if (o->level == ENUF_LEVEL_WEIGHTS)
            of_points = o->batch * points *
                        (WEIGHTS_POINT[type] + WEIGHTS_BYTE[type] * bytes * entries * parts);
        if (o->level == ENUF_LEVEL_MATRIX)
            of_points = points *
                        (READ_ENTRY[type] * entries +
                         o->batch * (PRODUCT_POINT + PRODUCT_BYTE[type] * bytes * entries * parts));
        call[type] = CALL + fmax(of_points, o->batch * spreading) + o->batch * (all - spreading);
    }
    if (o->level == ENUF_LEVEL_WEIGHTS) cost.set += points * o->dim * width * bytes * KEPT_BYTE;
    if (o->level == ENUF_LEVEL_MATRIX)
        cost.set += MAKE + points * (MAKE_POINT + MAKE_ENTRY * entries);
    cost.type1 = call[0];
    cost.type2 = call[1];
    return cost;
}

void enuf_gpu_gram_cost(const enuf_nufft_options *o, double numbers, double *apply,
                        double *spectrum)
{
    *apply = GRAM_CALL + o->batch * numbers * bytes_of(o) * GRAM_BYTE[o->dim - 1];
    *spectrum = GRAM_PLANS + numbers * GRAM_NUMBER;
}
