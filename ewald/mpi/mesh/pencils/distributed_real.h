/* distributed_real.h - the precision a file of the transform is compiled for.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_DISTRIBUTED_REAL_H
#define ENUF_DISTRIBUTED_REAL_H

#ifdef ENUF_SINGLE
typedef float real;
#define ENUF_SUFFIXED(name) name##_f32
#define FFTW(name)          fftwf_##name
enum { IS_SINGLE = 1 };
#else
typedef double real;
#define ENUF_SUFFIXED(name) name##_f64
#define FFTW(name)          fftw_##name
enum { IS_SINGLE = 0 };
#endif

/** A complex number in FFTW's layout. */
typedef struct pair {
    real re, im;
} pair;

#endif
