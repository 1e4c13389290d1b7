/*
 * fftw_interface.h - FFTW's interface as pointers to functions: of FFTW itself, or of MKL, which
 * has functions of the same names. They take void pointers, so that one type serves both
 * precisions, and a build without FFTW has no need of fftw3.h.
 * Source: FFTW 3.3.10 manual, sections 4.5 (guru interface) and 4.6 (new-array execute).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_FFTW_INTERFACE_H
#define ENUF_FFTW_INTERFACE_H

#include "fft_library.h"

/** fftw_iodim64: 64-bit, because strides of large grids leave the range of int. */
typedef struct enuf_fftw_dimension {
    ptrdiff_t n, in_stride, out_stride;
} enuf_fftw_dimension;

/* X(returned type, name without fftw_, arguments): the functions that both libraries have */
#define ENUF_FFTW_FUNCTIONS(X)                                                                     \
    X(void *, plan_guru64_dft,                                                                     \
      (int, const enuf_fftw_dimension *, int, const enuf_fftw_dimension *, void *, void *, int,    \
       unsigned))                                                                                  \
    X(void *, plan_guru64_dft_r2c,                                                                 \
      (int, const enuf_fftw_dimension *, int, const enuf_fftw_dimension *, void *, void *,         \
       unsigned))                                                                                  \
    X(void *, plan_guru64_dft_c2r,                                                                 \
      (int, const enuf_fftw_dimension *, int, const enuf_fftw_dimension *, void *, void *,         \
       unsigned))                                                                                  \
    X(void, execute_dft, (void *, void *, void *))                                                 \
    X(void, execute_dft_r2c, (void *, void *, void *))                                             \
    X(void, execute_dft_c2r, (void *, void *, void *))                                             \
    X(void, destroy_plan, (void *))

typedef struct enuf_fftw_functions {
#define ENUF_X(type, name, arguments) type(*name) arguments;
    ENUF_FFTW_FUNCTIONS(ENUF_X)
#undef ENUF_X
} enuf_fftw_functions;

/** Entries of enuf_fft_library that call `f`; enuf_fftw_make() keeps it in lines->functions. */
enuf_status enuf_fftw_make(const enuf_fftw_functions *f, unsigned flags, enuf_fft_lines *lines);
void enuf_fftw_execute(const enuf_fft_lines *lines, const enuf_fft_line *line, void *in, void *out,
                       int thread);
void enuf_fftw_destroy(enuf_fft_lines *lines);

#endif
