/*
 * real.h - the precision a kernel file is compiled for, and its vectors (simd.h).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_REAL_H
#define ENUF_NUFFT_REAL_H

#include "simd.h"

#ifdef ENUF_SINGLE
typedef float real;
typedef vf vreal;
enum { LANES = VF_LANES };
#define vload            vf_load
#define vstore           vf_store
#define ENUF_STAGE(name) name##_f32
#define FFTW(name)       fftwf_##name
#else
typedef double real;
typedef vd vreal;
enum { LANES = VD_LANES };
#define vload            vd_load
#define vstore           vd_store
#define ENUF_STAGE(name) name##_f64
#define FFTW(name)       fftw_##name
#endif

/* Room for a window row of the largest width, complex, padded. */
enum { ROW_MAX = 2 * 32 + SIMD_BYTES };

#endif
