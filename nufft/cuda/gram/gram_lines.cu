/*
 * gram_lines.cu - a Gram operator by kernels that transform lines on a multiprocessor: ramps,
 * zeros, the spectrum and the sums over parts cost no pass over memory of their own.
 *
 * In 2D rows are transformed to both parts of the first axis; columns to both parts of the second
 * one, times the spectrum and back, in one kernel; then rows back. In 3D the last axis is
 * transformed before that and after it, one part at a time. Its planes take turns in `rows`, so
 * many at once as stay in the second cache. So memory reads and writes, in arrays of the modes: in
 * 2D one and one, and the spectrum; in 3D, of both parts together, 13 and the spectrum's 4. 158^3
 * modes in float: see bench/results/gram_*. SPDX-License-Identifier: BSD-3-Clause
 */
#include "lines.cuh"

/* Bytes of planes that take turns: half of the second cache of an H100 or H200. */
static const int64_t PLANE_BYTES = 24 << 20;

template <class T>
static enuf_status run(const enuf_nufft *base, lines_step step, const lines_parameters<T> &p)
{
    return p.line.large ? enuf_cuda_lines_registers_run<T>(base, step, p)
                        : enuf_cuda_lines_stages_run<T>(base, step, p);
}

/* Planes of the first two axes, from [lines][n_1] to the same array or to another one. */
template <class T>
static enuf_status planes_of(const enuf_nufft *base, const enuf_cuda_gram_lines *with,
                             lines_parameters<T> p)
{
    p.lines = (int64_t)p.planes * p.cells.axis[1].n;
    p.line = with->line[0];
    ENUF_TRY(run<T>(base, LINES_ROWS_FORWARD, p));
    p.line = with->line[1];
    ENUF_TRY(run<T>(base, LINES_COLUMNS_BOTH, p));
    p.line = with->line[0];
    return run<T>(base, LINES_ROWS_BACKWARD, p);
}

template <class T>
static enuf_status apply(const enuf_nufft *base, const enuf_cuda_gram_cells *cells,
                         const enuf_cuda_gram_lines *with, const void *in, void *out)
{
    const enuf_cuda_gram_axis *axis = cells->axis;
    const int64_t slab = (int64_t)axis[0].n * axis[1].n;
    lines_parameters<T> p = {};
    p.cells = *cells;
    p.rows = (enuf_complex<T> *)with->rows;
    p.in = (const enuf_complex<T> *)in;
    p.out = (enuf_complex<T> *)out;
    p.planes = 1;
    if (cells->dim == 2) return planes_of<T>(base, with, p);
    enuf_complex<T> *work = (enuf_complex<T> *)cells->work;
    for (p.part = 0; p.part < 2; p.part++) {
        p.line = with->line[2];
        p.lines = slab;
        p.in = (const enuf_complex<T> *)in;
        p.out = work;
        ENUF_TRY(run<T>(base, LINES_COLUMNS_FORWARD, p));
        for (p.first = 0; p.first < axis[2].length; p.first += with->planes) {
            const int left = axis[2].length - p.first;
            p.planes = left < with->planes ? left : with->planes;
            p.in = p.out = work + p.first * slab;
            ENUF_TRY(planes_of<T>(base, with, p));
        }
        p.line = with->line[2];
        p.lines = slab;
        p.in = work;
        p.out = (enuf_complex<T> *)out;
        ENUF_TRY(run<T>(base, LINES_COLUMNS_BACKWARD, p));
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_gram_lines_apply(const enuf_nufft *base, const enuf_cuda_gram_cells *cells,
                                       const enuf_cuda_gram_lines *lines, const void *in, void *out)
{
    return ENUF_CUDA_BY_PRECISION(base, apply, base, cells, lines, in, out);
}

int enuf_cuda_gram_lines_find(const enuf_nufft *base, const enuf_cuda_gram_cells *cells,
                              enuf_cuda_gram_lines *lines)
{
    const size_t number = enuf_cuda_number(base);
    if (cells->dim < 2) return 0;
    for (int d = 0; d < cells->dim; d++) {
        enuf_cuda_gram_line *line = &lines->line[d];
        line->length = cells->axis[d].length;
        if (!enuf_cuda_lines_registers_find(base, line) && !enuf_cuda_lines_stages_find(base, line))
            return 0;
    }
    const int64_t plane = 2 * (int64_t)cells->axis[1].n * cells->axis[0].length;
    const int64_t fit = PLANE_BYTES / (plane * 2 * (int64_t)number);
    const int length = cells->axis[2].length;
    const int turns = (int)(fit < 1 ? length : (length + fit - 1) / fit);
    lines->planes = (length + turns - 1) / turns;
    lines->numbers = 2 * plane * lines->planes;
    return 1;
}
