/*
 * real.h - the precision a kernel file is compiled for, and its vectors.
 *
 * Vectors are the compiler's own (GCC and clang), as wide as the machine the file is compiled for.
 * A load or store may be unaligned.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_REAL_H
#define ENUF_NUFFT_REAL_H

#if defined(__AVX512F__)
#define ENUF_VECTOR_BYTES 64
#elif defined(__AVX2__)
#define ENUF_VECTOR_BYTES 32
#else
#define ENUF_VECTOR_BYTES 16
#endif

#ifdef ENUF_SINGLE
typedef float real;
#define ENUF_STAGE(name) name##_f32
#define FFTW(name)       fftwf_##name
#else
typedef double real;
#define ENUF_STAGE(name) name##_f64
#define FFTW(name)       fftw_##name
#endif

typedef real vreal
    __attribute__((vector_size(ENUF_VECTOR_BYTES), aligned(sizeof(real)), may_alias));

enum { LANES = ENUF_VECTOR_BYTES / (int)sizeof(real) };

static inline vreal vload(const real *from)
{
    return *(const vreal *)from;
}

static inline void vstore(real *to, vreal value)
{
    *(vreal *)to = value;
}

/* Room for a window row of the largest width, complex, padded. */
enum { ROW_MAX = 2 * 32 + ENUF_VECTOR_BYTES };

#endif
