/*
 * lines_registers.cu - lines of a Gram operator whose length is a product of two radices: a thread
 * has the numbers of one radix in registers, and numbers go through shared memory once, from one
 * radix to the other, instead of once a stage.
 *
 * A line of `large` x `small` numbers. Forward: thread j transforms numbers j + large q, q < small,
 * to cells [j][q]; thread k takes cells [j][k] of all j times exp(-2 pi i j k/length), and
 * transforms them to frequencies k + small q. Backward, the same way back: thread k starts with
 * frequencies k + small q, so that the second axis, which goes forward and back, has its
 * frequencies in registers.
 *
 * Both parts of an axis come from the same numbers. The ramp of part 1 at a place j + large q is
 * exp(-i pi j/length), which the factors of the cells contain, times exp(-i pi q/small), which does
 * not depend on the thread; and -1 where the mode is negative. Sums of parts are made in registers.
 *
 * Source: Van Loan, Computational Frameworks for the Fast Fourier Transform, SIAM (1992), section
 * 3.3 (four steps). SPDX-License-Identifier: BSD-3-Clause
 */
#include "lines.cuh"

#include <math.h>

/* Threads side by side have LANES neighbouring columns, 128 bytes of numbers, or neighbouring
 * numbers of ROWS rows. THREADS: for the largest radix, of one part. So many blocks of them are to
 * fit on a multiprocessor: 64 registers a thread in float, 128 in double. */
template <class T> struct line_block {
    enum { LANES = 128 / (2 * sizeof(T)), ROWS = LANES / 2, THREADS = 16 * LANES, BLOCKS = 4 };
};

/* body<R>(arguments) of a radix */
#define BY_RADIX(radix, body, ...)                                                                 \
    switch (radix) {                                                                               \
        LINE_RADIX(8, body, __VA_ARGS__)                                                           \
        LINE_RADIX(9, body, __VA_ARGS__)                                                           \
        LINE_RADIX(10, body, __VA_ARGS__)                                                          \
        LINE_RADIX(12, body, __VA_ARGS__)                                                          \
        LINE_RADIX(14, body, __VA_ARGS__)                                                          \
        LINE_RADIX(15, body, __VA_ARGS__)                                                          \
    default:                                                                                       \
        body<16>(__VA_ARGS__);                                                                     \
        break;                                                                                     \
    }

static const int radices[] = {LINE_MOST_RADIX, 15, 14, 12, 10, 9, 8};

template <class T> static __device__ __forceinline__ enuf_complex<T> *shared_cells()
{
    extern __shared__ __align__(16) unsigned char memory[];
    return (enuf_complex<T> *)memory;
}

/* Registers times every step-th factor, or in a SIGN of 1 its conjugate. The first one is 1 but of
 * part 1. */
template <int R, int SIGN, class T>
static __device__ __forceinline__ void turn(const enuf_complex<T> *factors, int step,
                                            enuf_complex<T> v[R])
{
#pragma unroll
    for (int q = 0; q < R; q++) {
        const enuf_complex<T> w = __ldg(factors + q * step);
        v[q] = line_times<T>(v[q], SIGN < 0 ? w : line_conjugate<T>(w));
    }
}

/* The factors of the cells of a part, [large][small], or [small][large] of rows that go back. */
template <class T>
static __device__ __forceinline__ const enuf_complex<T> *factors_of(const enuf_cuda_gram_line &line,
                                                                    int part, int back)
{
    return (const enuf_complex<T> *)line.twiddle + (2 * back + part) * line.length;
}

/* Numbers at places j + large q to those of part 1, up to the factors of the cells, or in a SIGN of
 * 1 back. */
template <int R, int SIGN, class T>
static __device__ __forceinline__ void
to_part_1(const lines_parameters<T> &p, const enuf_cuda_gram_axis &axis, int j,
          const enuf_complex<T> from[R], enuf_complex<T> v[R])
{
    v[0] = from[0];
#pragma unroll
    for (int q = 1; q < R; q++) {
        const T c = p.shift[q].x, s = SIGN < 0 ? p.shift[q].y : -p.shift[q].y;
        v[q] = enuf_make_complex<T>(from[q].x * c - from[q].y * s, from[q].x * s + from[q].y * c);
    }
    if (axis.low == axis.n) return;
#pragma unroll
    for (int q = 0; q < R; q++)
        if (j + q * p.line.large >= axis.low) v[q] = enuf_make_complex<T>(-v[q].x, -v[q].y);
}

/* Modes at places j + large q of the axis: 0 where there is none. */
template <int R, class T>
static __device__ __forceinline__ void
get_modes(const lines_parameters<T> &p, const enuf_cuda_gram_axis &axis, int j,
          const enuf_complex<T> *from, int stride, enuf_complex<T> v[R])
{
#pragma unroll
    for (int q = 0; q < R; q++) {
        const int mode = mode_at(axis, j + q * p.line.large);
        v[q] = enuf_make_complex<T>(0, 0);
        if (mode >= 0) v[q] = from[mode * stride];
    }
}

template <int R, class T>
static __device__ __forceinline__ void
put_modes(const lines_parameters<T> &p, const enuf_cuda_gram_axis &axis, int j, enuf_complex<T> *to,
          int stride, const enuf_complex<T> v[R])
{
#pragma unroll
    for (int q = 0; q < R; q++) {
        const int mode = mode_at(axis, j + q * p.line.large);
        if (mode >= 0) to[mode * stride] = v[q];
    }
}

template <int R, class T>
static __device__ __forceinline__ void add(const enuf_complex<T> v[R], enuf_complex<T> sum[R])
{
#pragma unroll
    for (int q = 0; q < R; q++) sum[q] = enuf_make_complex<T>(sum[q].x + v[q].x, sum[q].y + v[q].y);
}

/* Looks at numbers that are modes. */
template <int R, class T>
static __device__ __forceinline__ void look_at_modes(const lines_parameters<T> &p,
                                                     const enuf_cuda_gram_axis &axis, int j,
                                                     const enuf_complex<T> v[R])
{
    int bad = 0;
#pragma unroll
    for (int q = 0; q < R; q++)
        bad |= !(isfinite(v[q].x) && isfinite(v[q].y)) && mode_at(axis, j + q * p.line.large) >= 0;
    if (bad) *p.cells.bad_result = 1;
}

/* ---- The last axis in 3D: a block LANES columns. Cells [large][small][LANES] ---- */

/* A thread's column, or the last one again; j, or k. */
template <class T> struct last_axis_place {
    int column, inside, j;
    enuf_complex<T> *cells;
};

template <class T>
static __device__ __forceinline__ last_axis_place<T> last_axis_here(const lines_parameters<T> &p)
{
    enum { LANES = line_block<T>::LANES };
    last_axis_place<T> at;
    const int lane = threadIdx.x % LANES, column = blockIdx.x * LANES + lane, lines = (int)p.lines;
    at.j = threadIdx.x / LANES;
    at.inside = column < lines;
    at.column = min(column, lines - 1);
    at.cells = shared_cells<T>() + lane;
    return at;
}

template <int R, class T>
static __device__ __forceinline__ void column_modes(const lines_parameters<T> &p,
                                                    const last_axis_place<T> &at)
{
    enum { LANES = line_block<T>::LANES };
    const enuf_cuda_gram_axis &axis = p.cells.axis[2];
    enuf_complex<T> v[R];
    get_modes<R, T>(p, axis, at.j, p.in + at.column, (int)p.lines, v);
    if (p.part) to_part_1<R, -1, T>(p, axis, at.j, v, v);
    line_butterfly<R, -1, T>::run(v);
    line_put<R, T>(at.cells + at.j * R * LANES, LANES, v);
}

template <int R, class T>
static __device__ __forceinline__ void column_frequencies(const lines_parameters<T> &p,
                                                          const last_axis_place<T> &at)
{
    enum { LANES = line_block<T>::LANES };
    const int small = p.line.small, k = at.j, lines = (int)p.lines;
    enuf_complex<T> v[R];
    line_get<R, T>(at.cells + k * LANES, small * LANES, v);
    turn<R, -1, T>(factors_of<T>(p.line, p.part, 0) + k, small, v);
    line_butterfly<R, -1, T>::run(v);
    if (at.inside) line_put<R, T>(p.out + k * lines + at.column, small * lines, v);
}

template <class T>
__global__ void __launch_bounds__(line_block<T>::THREADS, line_block<T>::BLOCKS)
    columns_forward(const __grid_constant__ lines_parameters<T> p)
{
    const last_axis_place<T> at = last_axis_here<T>(p);
    BY_RADIX(p.line.small, column_modes, p, at);
    __syncthreads();
    if (at.j < p.line.small) BY_RADIX(p.line.large, column_frequencies, p, at);
}

template <int R, class T>
static __device__ __forceinline__ void column_frequencies_back(const lines_parameters<T> &p,
                                                               const last_axis_place<T> &at)
{
    enum { LANES = line_block<T>::LANES };
    const int small = p.line.small, k = at.j, lines = (int)p.lines;
    enuf_complex<T> v[R];
    line_get<R, T>(p.in + k * lines + at.column, small * lines, v);
    line_butterfly<R, 1, T>::run(v);
    line_put<R, T>(at.cells + k * LANES, small * LANES, v);
}

template <int R, class T>
static __device__ __forceinline__ void column_modes_back(const lines_parameters<T> &p,
                                                         const last_axis_place<T> &at)
{
    enum { LANES = line_block<T>::LANES };
    const enuf_cuda_gram_axis &axis = p.cells.axis[2];
    const int lines = (int)p.lines;
    enuf_complex<T> v[R], *out = p.out + at.column;
    line_get<R, T>(at.cells + at.j * R * LANES, LANES, v);
    turn<R, 1, T>(factors_of<T>(p.line, p.part, 0) + at.j * R, 1, v);
    line_butterfly<R, 1, T>::run(v);
    if (p.part) {
        enuf_complex<T> before[R];
        get_modes<R, T>(p, axis, at.j, out, lines, before);
        to_part_1<R, 1, T>(p, axis, at.j, v, v);
        add<R, T>(before, v);
        look_at_modes<R, T>(p, axis, at.j, v);
    }
    if (at.inside) put_modes<R, T>(p, axis, at.j, out, lines, v);
}

template <class T>
__global__ void __launch_bounds__(line_block<T>::THREADS, line_block<T>::BLOCKS)
    columns_backward(const __grid_constant__ lines_parameters<T> p)
{
    const last_axis_place<T> at = last_axis_here<T>(p);
    if (at.j < p.line.small) BY_RADIX(p.line.large, column_frequencies_back, p, at);
    __syncthreads();
    BY_RADIX(p.line.small, column_modes_back, p, at);
}

/* ---- The first axis: a block ROWS rows, in both parts. Cells [ROWS][2][large][small] with gaps,
 * so that threads side by side meet different banks along both radices ---- */

static __host__ __device__ __forceinline__ int row_pitch(const enuf_cuda_gram_line &line)
{
    return line.small | 1;
}

/* Numbers from a part to the next one. */
template <class T>
static __host__ __device__ __forceinline__ int part_pitch(const enuf_cuda_gram_line &line)
{
    enum { LANES = line_block<T>::LANES };
    const int most = line.large * row_pitch(line) - line.small + LANES - 1;
    return most / LANES * LANES + line.small;
}

/* The `which`-th of the block's rows, or the last one again. */
template <class T>
static __device__ __forceinline__ int row_of(const lines_parameters<T> &p, int which, int *inside)
{
    const int row = blockIdx.x * line_block<T>::ROWS + which, rows = (int)p.lines;
    *inside = row < rows;
    return min(row, rows - 1);
}

template <int R, class T>
static __device__ __forceinline__ void row_modes(const lines_parameters<T> &p)
{
    const enuf_cuda_gram_axis &axis = p.cells.axis[0];
    const int large = p.line.large, which = threadIdx.x / large, j = threadIdx.x - which * large;
    int inside;
    const int row = row_of<T>(p, which, &inside), part = part_pitch<T>(p.line);
    enuf_complex<T> *cells = shared_cells<T>() + 2 * which * part + j * row_pitch(p.line);
    enuf_complex<T> v[R], w[R];
    get_modes<R, T>(p, axis, j, p.in + row * axis.n, 1, v);
    to_part_1<R, -1, T>(p, axis, j, v, w);
    line_butterfly<R, -1, T>::run(v);
    line_put<R, T>(cells, 1, v);
    line_butterfly<R, -1, T>::run(w);
    line_put<R, T>(cells + part, 1, w);
}

/* A thread's row, or the last one again, part, and k. */
template <class T> struct row_place {
    int inside, part, k;
    enuf_complex<T> *frequencies, *cells;
};

template <class T>
static __device__ __forceinline__ row_place<T> row_here(const lines_parameters<T> &p)
{
    row_place<T> at;
    const int line = threadIdx.x / p.line.small, row = row_of<T>(p, line / 2, &at.inside);
    at.part = line % 2;
    at.k = threadIdx.x - line * p.line.small;
    at.frequencies = p.rows + (at.part * (int)p.lines + row) * p.line.length + at.k;
    at.cells = shared_cells<T>() + line * part_pitch<T>(p.line) + at.k;
    return at;
}

template <int R, class T>
static __device__ __forceinline__ void row_frequencies(const lines_parameters<T> &p)
{
    const row_place<T> at = row_here<T>(p);
    enuf_complex<T> v[R];
    line_get<R, T>(at.cells, row_pitch(p.line), v);
    turn<R, -1, T>(factors_of<T>(p.line, at.part, 0) + at.k, p.line.small, v);
    line_butterfly<R, -1, T>::run(v);
    if (at.inside) line_put<R, T>(at.frequencies, p.line.small, v);
}

template <class T>
__global__ void __launch_bounds__(line_block<T>::THREADS, line_block<T>::BLOCKS)
    rows_forward(const __grid_constant__ lines_parameters<T> p)
{
    enum { ROWS = line_block<T>::ROWS };
    if (threadIdx.x < ROWS * p.line.large) BY_RADIX(p.line.small, row_modes, p);
    __syncthreads();
    if (threadIdx.x < 2 * ROWS * p.line.small) BY_RADIX(p.line.large, row_frequencies, p);
}

template <int R, class T>
static __device__ __forceinline__ void row_frequencies_back(const lines_parameters<T> &p)
{
    const row_place<T> at = row_here<T>(p);
    enuf_complex<T> v[R];
    line_get<R, T>(at.frequencies, p.line.small, v);
    line_butterfly<R, 1, T>::run(v);
    line_put<R, T>(at.cells, row_pitch(p.line), v);
}

template <int R, class T>
static __device__ __forceinline__ void row_modes_back(const lines_parameters<T> &p)
{
    const enuf_cuda_gram_axis &axis = p.cells.axis[0];
    const int large = p.line.large, which = threadIdx.x / large, j = threadIdx.x - which * large;
    int inside;
    const int row = row_of<T>(p, which, &inside), part = part_pitch<T>(p.line);
    const enuf_complex<T> *cells = shared_cells<T>() + 2 * which * part + j * row_pitch(p.line);
    enuf_complex<T> v[R], w[R];
    line_get<R, T>(cells + part, 1, w);
    turn<R, 1, T>(factors_of<T>(p.line, 1, 1) + j, large, w);
    line_butterfly<R, 1, T>::run(w);
    to_part_1<R, 1, T>(p, axis, j, w, w);
    line_get<R, T>(cells, 1, v);
    turn<R, 1, T>(factors_of<T>(p.line, 0, 1) + j, large, v);
    line_butterfly<R, 1, T>::run(v);
    add<R, T>(w, v);
    if (p.cells.dim == 2) look_at_modes<R, T>(p, axis, j, v);
    if (inside) put_modes<R, T>(p, axis, j, p.out + row * axis.n, 1, v);
}

template <class T>
__global__ void __launch_bounds__(line_block<T>::THREADS, line_block<T>::BLOCKS)
    rows_backward(const __grid_constant__ lines_parameters<T> p)
{
    enum { ROWS = line_block<T>::ROWS };
    if (threadIdx.x < 2 * ROWS * p.line.small) BY_RADIX(p.line.large, row_frequencies_back, p);
    __syncthreads();
    if (threadIdx.x < ROWS * p.line.large) BY_RADIX(p.line.small, row_modes_back, p);
}

/* ---- The second axis: a block LANES columns of a plane, in both parts. Cells
 * [2][large][small][LANES] ---- */

/* A thread's column, or the last one again; j, or k and part. Block (tile of columns, plane, part
 * of the first axis). */
template <class T> struct column_place {
    int row, inside, j; /* row: numbers from a row to the next one */
    enuf_complex<T> *rows, *cells;
    const T *spectrum;
};

template <class T>
static __device__ __forceinline__ column_place<T> column_here(const lines_parameters<T> &p)
{
    enum { LANES = line_block<T>::LANES };
    column_place<T> at;
    const int plane = blockIdx.y, first_part = blockIdx.z, row = p.cells.axis[0].length;
    const int lane = threadIdx.x % LANES, given = blockIdx.x * LANES + lane;
    const int column = min(given, row - 1);
    at.row = row;
    at.inside = given < row;
    at.j = threadIdx.x / LANES;
    at.rows = p.rows + ((int64_t)first_part * p.planes + plane) * p.cells.axis[1].n * row + column;
    at.cells = shared_cells<T>() + lane;
    at.spectrum = (const T *)p.cells.spectrum + (first_part + 4 * p.part) * p.cells.cells +
                  (int64_t)(p.first + plane) * p.line.length * row + column;
    return at;
}

template <int R, class T>
static __device__ __forceinline__ void both_modes(const lines_parameters<T> &p,
                                                  const column_place<T> &at)
{
    enum { LANES = line_block<T>::LANES };
    const enuf_cuda_gram_axis &axis = p.cells.axis[1];
    enuf_complex<T> v[R], w[R], *cells = at.cells + at.j * R * LANES;
    get_modes<R, T>(p, axis, at.j, at.rows, at.row, v);
    to_part_1<R, -1, T>(p, axis, at.j, v, w);
    line_butterfly<R, -1, T>::run(v);
    line_put<R, T>(cells, LANES, v);
    line_butterfly<R, -1, T>::run(w);
    line_put<R, T>(cells + p.line.length * LANES, LANES, w);
}

template <int R, class T>
static __device__ __forceinline__ void both_frequencies(const lines_parameters<T> &p,
                                                        const column_place<T> &at)
{
    enum { LANES = line_block<T>::LANES };
    const int small = p.line.small, part = at.j >= small, k = at.j - part * small;
    const T *spectrum = at.spectrum + 2 * part * p.cells.cells + k * at.row;
    enuf_complex<T> v[R], *cells = at.cells + (part * p.line.length + k) * LANES;
    T factor[R];
#pragma unroll
    for (int q = 0; q < R; q++) factor[q] = __ldg(spectrum + q * small * at.row);
    line_get<R, T>(cells, small * LANES, v);
    turn<R, -1, T>(factors_of<T>(p.line, part, 0) + k, small, v);
    line_butterfly<R, -1, T>::run(v);
#pragma unroll
    for (int q = 0; q < R; q++) v[q] = enuf_make_complex<T>(v[q].x * factor[q], v[q].y * factor[q]);
    line_butterfly<R, 1, T>::run(v);
    line_put<R, T>(cells, small * LANES, v);
}

template <int R, class T>
static __device__ __forceinline__ void both_modes_back(const lines_parameters<T> &p,
                                                       const column_place<T> &at)
{
    enum { LANES = line_block<T>::LANES };
    const enuf_cuda_gram_axis &axis = p.cells.axis[1];
    const enuf_complex<T> *cells = at.cells + at.j * R * LANES;
    enuf_complex<T> v[R], w[R];
    line_get<R, T>(cells + p.line.length * LANES, LANES, w);
    turn<R, 1, T>(factors_of<T>(p.line, 1, 0) + at.j * R, 1, w);
    line_butterfly<R, 1, T>::run(w);
    to_part_1<R, 1, T>(p, axis, at.j, w, w);
    line_get<R, T>(cells, LANES, v);
    turn<R, 1, T>(factors_of<T>(p.line, 0, 0) + at.j * R, 1, v);
    line_butterfly<R, 1, T>::run(v);
    add<R, T>(w, v);
    if (at.inside) put_modes<R, T>(p, axis, at.j, at.rows, at.row, v);
}

template <class T>
__global__ void __launch_bounds__(2 * line_block<T>::THREADS, line_block<T>::BLOCKS / 2)
    columns_both(const __grid_constant__ lines_parameters<T> p)
{
    const column_place<T> at = column_here<T>(p);
    if (at.j < p.line.large) BY_RADIX(p.line.small, both_modes, p, at);
    __syncthreads();
    if (at.j < 2 * p.line.small) BY_RADIX(p.line.large, both_frequencies, p, at);
    __syncthreads();
    if (at.j < p.line.large) BY_RADIX(p.line.small, both_modes_back, p, at);
}

/* ---- Launches ---- */

template <class T> static size_t columns_bytes(const enuf_cuda_gram_line &line, int parts)
{
    return (size_t)parts * line_block<T>::LANES * line.length * sizeof(enuf_complex<T>);
}

template <class T> static size_t rows_bytes(const enuf_cuda_gram_line &line)
{
    return (size_t)line_block<T>::ROWS * 2 * part_pitch<T>(line) * sizeof(enuf_complex<T>);
}

template <class T>
static enuf_status launch(const enuf_nufft *base, void (*kernel)(const lines_parameters<T>),
                          const lines_parameters<T> &given, dim3 blocks, int threads, size_t bytes)
{
    lines_parameters<T> p = given;
    for (int q = 0; q < p.line.small; q++) {
        const double angle = -3.14159265358979323846 * q / p.line.small;
        p.shift[q] = enuf_make_complex<T>((T)cos(angle), (T)sin(angle));
    }
    ENUF_CUDA_TRY(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
        "shared memory of lines");
    kernel<<<blocks, threads, bytes, enuf_cuda_of(base)->stream>>>(p);
    return enuf_cuda_launched("lines of a Gram operator");
}

template <class T>
enuf_status enuf_cuda_lines_registers_run(const enuf_nufft *base, lines_step step,
                                          const lines_parameters<T> &p)
{
    enum { LANES = line_block<T>::LANES, ROWS = line_block<T>::ROWS };
    const dim3 columns(lines_tiles(p.lines, LANES)), rows(lines_tiles(p.lines, ROWS));
    const dim3 tiles(lines_tiles(p.cells.axis[0].length, LANES), (unsigned int)p.planes, 2);
    const size_t of_columns = columns_bytes<T>(p.line, 1), of_rows = rows_bytes<T>(p.line);
    const int large = p.line.large, both = large > 2 * p.line.small ? large : 2 * p.line.small;
    switch (step) {
    case LINES_COLUMNS_FORWARD:
        return launch<T>(base, columns_forward<T>, p, columns, large * LANES, of_columns);
    case LINES_COLUMNS_BACKWARD:
        return launch<T>(base, columns_backward<T>, p, columns, large * LANES, of_columns);
    case LINES_ROWS_FORWARD:
        return launch<T>(base, rows_forward<T>, p, rows, both * ROWS, of_rows);
    case LINES_ROWS_BACKWARD:
        return launch<T>(base, rows_backward<T>, p, rows, both * ROWS, of_rows);
    default:
        return launch<T>(base, columns_both<T>, p, tiles, both * LANES, 2 * of_columns);
    }
}

template enuf_status enuf_cuda_lines_registers_run<float>(const enuf_nufft *, lines_step,
                                                          const lines_parameters<float> &);
template enuf_status enuf_cuda_lines_registers_run<double>(const enuf_nufft *, lines_step,
                                                           const lines_parameters<double> &);

/* The pair whose radices are next to each other. */
int enuf_cuda_lines_registers_find(const enuf_nufft *base, enuf_cuda_gram_line *line)
{
    line->small = line->large = 0;
    for (size_t k = 0; k < sizeof radices / sizeof *radices; k++)
        for (size_t i = k; i < sizeof radices / sizeof *radices; i++)
            if (radices[k] * radices[i] == line->length) {
                line->large = radices[k];
                line->small = radices[i];
            }
    if (line->large == 0) return 0;
    const size_t bytes = ENUF_CUDA_BY_PRECISION(base, columns_bytes, *line, 2);
    if (bytes <= (size_t)enuf_cuda_of(base)->shared_bytes_per_block) return 1;
    line->small = line->large = 0;
    return 0;
}
