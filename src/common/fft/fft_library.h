/*
 * fft_library.h - what a library of FFTs does: a table that fftw.c, ducc0.c, mkl.c fill, or the
 * stub of a library that is not built in. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_FFT_LIBRARY_H
#define ENUF_FFT_LIBRARY_H

#include "error.h"
#include "fft_batch.h"

/** A transform and what the library made for it. */
typedef struct enuf_fft_line {
    enuf_fft_batch batch;
    void *plan; /* NULL: no lines */
} enuf_fft_line;

typedef struct enuf_fft_lines enuf_fft_lines;

typedef struct enuf_fft_library {
    const char *title; /* for error texts: "FFTW" */
    /* 1 if usable here; *detail is the library's version, or what is missing */
    int (*usable)(const char **detail);
    /* plans of all lines; what it leaves NULL after an error is not destroyed */
    enuf_status (*make)(const enuf_fft_planning *how, enuf_fft_lines *lines);
    void (*execute)(const enuf_fft_lines *lines, const enuf_fft_line *line, void *in, void *out,
                    int thread);
    void (*destroy)(enuf_fft_lines *lines); /* the plans that are not NULL */
} enuf_fft_library;

struct enuf_fft_lines {
    const enuf_fft_library *library;
    const void *functions; /* the library's own, set when it makes the plans */
    void *scratch;         /* [threads][scratch_bytes], if the library needs it */
    int64_t scratch_bytes;
    int *lacked; /* DUCC0: set by an execution that lacks memory */
    int threads, single;
    int turns; /* FFTW: 1 if long lines side by side are copied (fftw_turned.c) */
    int n;
    enuf_fft_line line[]; /* [n] */
};

extern const enuf_fft_library enuf_fft_library_fftw, enuf_fft_library_ducc0, enuf_fft_library_mkl;

#endif
