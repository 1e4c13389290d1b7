/*
 * costs_slow_fp64.c - the shipped cost rates on GPUs whose double is slow: those of the H100, times
 * ratios of published rates. Not measured: no such GPU was at hand. `enuf tune --calibrate
 * --backend cuda` measures them there.
 *
 * GeForce RTX 4090 (NVIDIA, Ada GPU Architecture, 2022): 82.6 TFLOP/s in float, 1.29 in double,
 * 1008 GB/s. H100 SXM (NVIDIA, H100 data sheet, 2023): 67, 34, 3350. Float arithmetic is as fast;
 * grids, which memory bounds, take 3.3 times as long; pairs and points in double 26 times.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "costs.h"

static const double DOUBLE = 34 / 1.29, MEMORY = 3350 / 1008.0;

static void scale(double *rates, size_t bytes, double by)
{
    for (size_t k = 0; k < bytes / sizeof *rates; k++) rates[k] *= by;
}

void enuf_costs_on_slow_fp64(enuf_costs *costs)
{
    enuf_cost_rates *in_double = &costs->rates[0];
    scale(&in_double->pairs[0][0][0], sizeof in_double->pairs, DOUBLE);
    scale(&in_double->ion[0][0], sizeof in_double->ion, DOUBLE);
    for (int k = 0; k < 2; k++)
        scale(&costs->rates[k].transform[0][0], sizeof costs->rates[k].transform, MEMORY);
}
