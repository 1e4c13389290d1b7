/*
 * lines.cuh - what the kernels of a Gram operator's lines have in common: gram_lines.cu calls
 * them. Both ways of an axis do the same: lines_registers.cu where the length is a product of two
 * radices, lines_stages.cu else. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_LINES_CUH
#define ENUF_CUDA_LINES_CUH

#include "gram_axis.cuh"
#include "cuda/fft/line_butterfly.cuh"

enum { LINE_MOST_RADIX = 16 }; /* of lines_registers.cu */

template <class T> struct lines_parameters {
    enuf_cuda_gram_cells cells;
    enuf_cuda_gram_line line; /* of the kernel's axis */
    const enuf_complex<T> *in;
    enuf_complex<T> *out;
    enuf_complex<T> *rows;                  /* [2][planes][n_2][l_1]: parts of the first axis */
    int part;                               /* of the last axis, in 3D */
    int first, planes;                      /* of the planes in rows */
    int64_t lines;                          /* of the kernel: columns, or rows of modes */
    enuf_complex<T> shift[LINE_MOST_RADIX]; /* of lines_registers.cu: exp(-i pi q/small) */
};

/** The kernels of a step, by the axis that is transformed. */
typedef enum lines_step {
    LINES_COLUMNS_FORWARD,  /* last axis in 3D: modes [n_3][lines] to frequencies [l_3][lines] of
                               the part */
    LINES_COLUMNS_BACKWARD, /* back: to the result of part 0, added to that of part 1 */
    LINES_ROWS_FORWARD,     /* first axis: rows [lines][n_1] to frequencies [2][lines][l_1] */
    LINES_ROWS_BACKWARD,    /* back: the sum of both parts; in 2D the result */
    LINES_COLUMNS_BOTH      /* second axis: columns of rows, in both of its parts, forward, times
                               the spectrum, and back: the sum of both parts */
} lines_step;

/* ---- lines_stages.cu ---- */

/** 1 if it serves; then fills the stages. */
int enuf_cuda_lines_stages_find(const enuf_nufft *base, enuf_cuda_gram_line *line);
/** Only enqueues. T is float or double. */
template <class T>
enuf_status enuf_cuda_lines_stages_run(const enuf_nufft *base, lines_step step,
                                       const lines_parameters<T> &p);

/* ---- lines_registers.cu: the same ---- */

int enuf_cuda_lines_registers_find(const enuf_nufft *base, enuf_cuda_gram_line *line);
template <class T>
enuf_status enuf_cuda_lines_registers_run(const enuf_nufft *base, lines_step step,
                                          const lines_parameters<T> &p);

static inline unsigned int lines_tiles(int64_t lines, int of_block)
{
    return (unsigned int)((lines + of_block - 1) / of_block);
}

template <class T>
static __device__ __forceinline__ enuf_complex<T> ramp_at(const enuf_cuda_gram_axis &axis, int part,
                                                          int mode)
{
    return part ? ((const enuf_complex<T> *)axis.ramp)[mode] : enuf_make_complex<T>(1, 0);
}

template <class T>
static __device__ __forceinline__ void look_at(const enuf_cuda_gram_cells &cells, enuf_complex<T> v)
{
    if (!(isfinite(v.x) && isfinite(v.y))) *cells.bad_result = 1;
}

#endif
