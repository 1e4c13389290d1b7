/* distributed_real.h - the precision a file of the transform is compiled for.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_DISTRIBUTED_REAL_H
#define ENUF_DISTRIBUTED_REAL_H

#ifdef ENUF_SINGLE
typedef float real;
#define ENUF_SUFFIXED(name) name##_f32
enum { IS_SINGLE = 1 };
#else
typedef double real;
#define ENUF_SUFFIXED(name) name##_f64
enum { IS_SINGLE = 0 };
#endif

/** A complex number. */
typedef struct pair {
    real re, im;
} pair;

#endif
