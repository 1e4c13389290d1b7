/* precision.h - the precision that a kernel of batches is compiled for. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef ENUF_BATCH_PRECISION_H
#define ENUF_BATCH_PRECISION_H

#include "kernels_of_set.h"

#ifdef ENUF_SINGLE
#define REAL                vf
#define REAL_IS_FLOAT       1
#define ENUF_SUFFIXED(name) name##_f32
#else
#define REAL                vd
#define REAL_IS_FLOAT       0
#define ENUF_SUFFIXED(name) name##_f64
#endif

#include "cpu/pairs_function.h"
#include "cpu/simd_pack.h"

enum { LANES = (int)(SIMD_BYTES / sizeof(real)) };

#endif
