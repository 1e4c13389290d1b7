/*
 * turns.h - phases of any size. Read by C and by CUDA files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_TURNS_H
#define ENUF_NUFFT_TURNS_H

#include <math.h>

#ifdef __CUDACC__
#define ENUF_TURNS static __host__ __device__ inline
#else
#define ENUF_TURNS static inline
#endif

/** a x / (2 pi) less its nearest integer, to 1e-16 up to a x of 1e15: the roundings of both
 * products are added. */
ENUF_TURNS double enuf_turns_of_product(double a, double x)
{
    const double turn = 0.15915494309189535, rest = -9.839338337591243e-18; /* 1/(2 pi) in two */
    const double product = a * x, lost = fma(a, x, -product);
    const double whole = rint(product * turn);
    return fma(product, turn, -whole) + (product * rest + lost * turn);
}

#endif
