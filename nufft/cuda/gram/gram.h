/*
 * gram.h - a Gram operator on the GPU.
 *
 * A part p is the transform of length l of the modes times their ramps, as gram/object.h says.
 * Memory bounds an application. In 2D and 3D, where all lengths are at most 1024 without a prime
 * factor above 7 and lines fit into shared memory, kernels of gram_lines.cu transform them there.
 * Else cuFFT transforms parts: of a small operator all of them at once, so that few kernels run; of
 * a large one a single part, so that one copy of the modes is held. Of each part the cells are then
 * written and read by scatter and gather, read and written by the product, and by two transforms;
 * each time the modes are read or the result is read and written besides. Read by C and by CUDA
 * files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_GRAM_H
#define ENUF_CUDA_GRAM_H

#include "cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An axis, with the fields of enuf_gram_axis; the ramp is on the device. */
typedef struct enuf_cuda_gram_axis {
    int n, length, low;
    const void *ramp; /* [n] complex */
} enuf_cuda_gram_axis;

/** What kernels read; all arrays are on the device. */
typedef struct enuf_cuda_gram_cells {
    enuf_cuda_gram_axis axis[3];
    int dim, parts;  /* 2^dim; bit d of a part is that of axis d */
    int64_t cells;   /* l_1 l_2 l_3 */
    void *spectrum;  /* [parts][cells] */
    void *work;      /* [at once][cells] complex; by lines [l_3][n_2][n_1], in 2D NULL */
    int *bad_result; /* 1: a result is not finite */
} enuf_cuda_gram_cells;

/** Transforms of so many parts, in place. */
typedef struct enuf_cuda_gram_fft {
    int handle, made, single;
    void *work;
} enuf_cuda_gram_fft;

enum {
    ENUF_CUDA_LONGEST_LINE = 1024, /* of lines_stages.cu */
    ENUF_CUDA_LINE_STAGES = 10
};

/** The transform of a line: small x large numbers of lines_registers.cu, or 0 and the stages of
 * lines_stages.cu. */
typedef struct enuf_cuda_gram_line {
    int length, small, large, stages, radix[ENUF_CUDA_LINE_STAGES];
    /* On the device. Stages: [length] exp(-2 pi i k/length). Radices: of both parts p
     * [large][small] exp(-i pi j (2 k + p)/length), and the same as [small][large]. */
    const void *twiddle;
} enuf_cuda_gram_line;

typedef struct enuf_cuda_gram_lines {
    enuf_cuda_gram_line line[3];
    int planes;      /* of the last axis that take their turn at once */
    int64_t numbers; /* in rows */
    void *rows;      /* on the device */
} enuf_cuda_gram_lines;

typedef struct enuf_cuda_gram {
    enuf_cuda_gram_cells cells;
    int by_lines; /* 1: lines is used, 0: at_once and fft */
    enuf_cuda_gram_lines lines;
    int at_once;
    enuf_cuda_gram_fft fft;
    void *in, *out; /* host memory: a vector's copies on the device; else NULL */
} enuf_cuda_gram;

/* ---- gram_fft.c: the plan holds the work area; its stream is used ---- */

enuf_status enuf_cuda_gram_fft_make(enuf_nufft *base, const enuf_cuda_gram_cells *cells,
                                    int at_once, int single, enuf_cuda_gram_fft *fft);
enuf_status enuf_cuda_gram_fft_run(const enuf_cuda_gram_fft *fft, int backward, void *cells);
void enuf_cuda_gram_fft_free(enuf_nufft *base, enuf_cuda_gram_fft *fft);

/* ---- gram_lines.cu ---- */

/** 1 if it serves; then fills all but addresses. */
int enuf_cuda_gram_lines_find(const enuf_nufft *base, const enuf_cuda_gram_cells *cells,
                              enuf_cuda_gram_lines *lines);
/** One vector; only enqueues. in and out are on the device. */
enuf_status enuf_cuda_gram_lines_apply(const enuf_nufft *base, const enuf_cuda_gram_cells *cells,
                                       const enuf_cuda_gram_lines *lines, const void *in,
                                       void *out);

/* ---- gram_parts.cu ---- */

/** Modes times ramps into the cells of parts first ... first + count - 1; zero elsewhere. */
enuf_status enuf_cuda_gram_scatter(enuf_nufft *base, const enuf_cuda_gram_cells *gram, int first,
                                   int count, const void *modes);
/** The cells of these parts times the spectrum. */
enuf_status enuf_cuda_gram_multiply(enuf_nufft *base, const enuf_cuda_gram_cells *gram, int first,
                                    int count);
/** The cells of these parts over ramps: the result of part 0, added to that of the others. */
enuf_status enuf_cuda_gram_gather(enuf_nufft *base, const enuf_cuda_gram_cells *gram, int first,
                                  int count, void *result);

/* ---- gram_spectrum.cu: in double ---- */

/** T(m) exp(-i pi p m / l) of a part, m and m + l in one of the cells [cells] complex. kernel: as
 * enuf_gram_kernel has it. */
enuf_status enuf_cuda_gram_fold(enuf_nufft *base, const enuf_cuda_gram_cells *gram, int part,
                                const double *kernel, double *cells);
/** The real parts of the transformed cells, over the number of frequencies, into the spectrum. */
enuf_status enuf_cuda_gram_keep(enuf_nufft *base, const enuf_cuda_gram_cells *gram, int part,
                                const double *cells);
/** Weights [n] of the plan's precision, or NULL for 1, as doubles. */
enuf_status enuf_cuda_gram_weights(enuf_nufft *base, int64_t n, const void *weights,
                                   double *strengths);

#ifdef __cplusplus
}
#endif
#endif
