/*
 * gram_lines.cu - a Gram operator by kernels that transform lines in shared memory: ramps, zeros,
 * the spectrum and the sums over parts cost no pass over memory of their own.
 *
 * In 2D rows are transformed to both parts of the first axis; columns to both parts of the second
 * one, times the spectrum and back, in one kernel; then rows back. In 3D the last axis is
 * transformed before that and after it, one part at a time. Its planes take turns in `rows`, so
 * many as stay in the second cache. So memory reads and writes, in arrays of the modes: in 2D one
 * and one, and the spectrum; in 3D, of both parts together, 13 and the spectrum's 4. 158^3 modes in
 * float: see bench/results/gram_*.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "gram_axis.cuh"
#include "line_fft.cuh"

/* Bytes of planes that take turns: half of the second cache of an H100 or H200. */
static const int64_t PLANE_BYTES = 24 << 20;

/* Rows of threads of a block. BUTTERFLY: numbers of a line for each, about those of a butterfly. */
enum { LEAST_ROWS = 8, MOST_ROWS = 32, BUTTERFLY = 8, MOST_THREADS = 512 };

template <class T> struct lines_parameters {
    enuf_cuda_gram_cells cells;
    enuf_cuda_gram_line line; /* of the kernel's axis */
    const enuf_complex<T> *in;
    enuf_complex<T> *out;
    enuf_complex<T> *rows; /* [2][planes][n_2][l_1]: parts of the first axis */
    int part;              /* of the last axis, in 3D */
    int first, planes;     /* of the planes in rows */
    int64_t lines;         /* of the kernel: columns, or rows of modes */
};

/* A block's shared memory. */
template <class T> struct lines_space {
    enuf_complex<T> *twiddle, *a, *b;
};

template <class T>
static __device__ __forceinline__ lines_space<T> space_of(const enuf_cuda_gram_line &line)
{
    extern __shared__ __align__(16) unsigned char memory[];
    lines_space<T> s;
    s.twiddle = (enuf_complex<T> *)memory;
    s.a = s.twiddle + line.length;
    s.b = s.a + line.length * line_lanes<T>::PITCH;
    for (int k = threadIdx.x; k < line.length; k += blockDim.x)
        s.twiddle[k] = ((const enuf_complex<T> *)line.twiddle)[k];
    return s;
}

template <class T> static size_t space_bytes(int length)
{
    return (size_t)length * (1 + 2 * line_lanes<T>::PITCH) * sizeof(enuf_complex<T>);
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

/* ---- The last axis in 3D: a block LANES columns ---- */

/* Modes [n_3][lines] to frequencies [l_3][lines] of the part. */
template <class T>
__global__ void __launch_bounds__(MOST_THREADS)
    columns_forward(const __grid_constant__ lines_parameters<T> p)
{
    enum { LANES = line_lanes<T>::N, PITCH = line_lanes<T>::PITCH };
    const enuf_cuda_gram_axis &axis = p.cells.axis[2];
    const lines_space<T> s = space_of<T>(p.line);
    const int lane = threadIdx.x % LANES, step = blockDim.x / LANES;
    const int64_t column = (int64_t)blockIdx.x * LANES + lane;
    for (int place = threadIdx.x / LANES; place < axis.length; place += step) {
        const int mode = mode_at(axis, place);
        enuf_complex<T> v = enuf_make_complex<T>(0, 0);
        if (mode >= 0 && column < p.lines)
            v = line_times<T>(p.in[mode * p.lines + column], ramp_at<T>(axis, p.part, mode));
        s.a[place * PITCH + lane] = v;
    }
    const enuf_complex<T> *found = line_transform<-1, T>(s.a, s.b, s.twiddle, p.line);
    if (column >= p.lines) return;
    for (int place = threadIdx.x / LANES; place < axis.length; place += step)
        p.out[place * p.lines + column] = found[place * PITCH + lane];
}

/* Back, to the result of part 0, added to that of part 1. */
template <class T>
__global__ void __launch_bounds__(MOST_THREADS)
    columns_backward(const __grid_constant__ lines_parameters<T> p)
{
    enum { LANES = line_lanes<T>::N, PITCH = line_lanes<T>::PITCH };
    const enuf_cuda_gram_axis &axis = p.cells.axis[2];
    const lines_space<T> s = space_of<T>(p.line);
    const int lane = threadIdx.x % LANES, step = blockDim.x / LANES;
    const int64_t column = (int64_t)blockIdx.x * LANES + lane;
    for (int place = threadIdx.x / LANES; place < axis.length; place += step)
        s.a[place * PITCH + lane] =
            column < p.lines ? p.in[place * p.lines + column] : enuf_make_complex<T>(0, 0);
    const enuf_complex<T> *found = line_transform<1, T>(s.a, s.b, s.twiddle, p.line);
    if (column >= p.lines) return;
    for (int mode = threadIdx.x / LANES; mode < axis.n; mode += step) {
        const enuf_complex<T> ramp = line_conjugate<T>(ramp_at<T>(axis, p.part, mode));
        enuf_complex<T> v = line_times<T>(found[place_of(axis, mode) * PITCH + lane], ramp);
        enuf_complex<T> *to = p.out + mode * p.lines + column;
        if (p.part) {
            v.x += to->x;
            v.y += to->y;
            look_at<T>(p.cells, v);
        }
        *to = v;
    }
}

/* ---- The first axis: a block half as many rows, in both parts ---- */

/* Rows [lines][n_1] to frequencies [2][lines][l_1]. */
template <class T>
__global__ void __launch_bounds__(MOST_THREADS)
    rows_forward(const __grid_constant__ lines_parameters<T> p)
{
    enum { LANES = line_lanes<T>::N, ROWS = LANES / 2, PITCH = line_lanes<T>::PITCH };
    const enuf_cuda_gram_axis &axis = p.cells.axis[0];
    const lines_space<T> s = space_of<T>(p.line);
    const int warp = threadIdx.x / 32, warps = blockDim.x / 32, lane = threadIdx.x % 32;
    const int64_t first = (int64_t)blockIdx.x * ROWS;
    const int rows = (int)min((int64_t)ROWS, p.lines - first);
    for (int r = warp; r < ROWS; r += warps)
        for (int place = lane; place < axis.length; place += 32) {
            const int mode = mode_at(axis, place);
            enuf_complex<T> v = enuf_make_complex<T>(0, 0), turned = v;
            if (mode >= 0 && r < rows) {
                v = p.in[(first + r) * axis.n + mode];
                turned = line_times<T>(v, ramp_at<T>(axis, 1, mode));
            }
            s.a[place * PITCH + r] = v;
            s.a[place * PITCH + ROWS + r] = turned;
        }
    const enuf_complex<T> *found = line_transform<-1, T>(s.a, s.b, s.twiddle, p.line);
    for (int r = warp; r < LANES; r += warps) {
        if (r % ROWS >= rows) continue;
        enuf_complex<T> *to = p.rows + (r / ROWS * p.lines + first + r % ROWS) * axis.length;
        for (int place = lane; place < axis.length; place += 32)
            to[place] = found[place * PITCH + r];
    }
}

/* Back: the sum of both parts. In 2D the result. */
template <class T>
__global__ void __launch_bounds__(MOST_THREADS)
    rows_backward(const __grid_constant__ lines_parameters<T> p)
{
    enum { LANES = line_lanes<T>::N, ROWS = LANES / 2, PITCH = line_lanes<T>::PITCH };
    const enuf_cuda_gram_axis &axis = p.cells.axis[0];
    const lines_space<T> s = space_of<T>(p.line);
    const int warp = threadIdx.x / 32, warps = blockDim.x / 32, lane = threadIdx.x % 32;
    const int64_t first = (int64_t)blockIdx.x * ROWS;
    const int rows = (int)min((int64_t)ROWS, p.lines - first);
    for (int r = warp; r < LANES; r += warps) {
        const enuf_complex<T> *from =
            p.rows + (r / ROWS * p.lines + first + r % ROWS) * axis.length;
        for (int place = lane; place < axis.length; place += 32)
            s.a[place * PITCH + r] = r % ROWS < rows ? from[place] : enuf_make_complex<T>(0, 0);
    }
    const enuf_complex<T> *found = line_transform<1, T>(s.a, s.b, s.twiddle, p.line);
    for (int r = warp; r < rows; r += warps)
        for (int mode = lane; mode < axis.n; mode += 32) {
            const enuf_complex<T> *at = found + place_of(axis, mode) * PITCH + r;
            const enuf_complex<T> turned =
                line_times<T>(at[ROWS], line_conjugate<T>(ramp_at<T>(axis, 1, mode)));
            const enuf_complex<T> v = enuf_make_complex<T>(at[0].x + turned.x, at[0].y + turned.y);
            p.out[(first + r) * axis.n + mode] = v;
            if (p.cells.dim == 2) look_at<T>(p.cells, v);
        }
}

/* ---- The second axis: a block half as many columns, in both parts, forward and back ---- */

/* Block (tile of columns, plane, part of the first axis). */
template <class T>
__global__ void __launch_bounds__(MOST_THREADS)
    columns_both(const __grid_constant__ lines_parameters<T> p)
{
    enum { LANES = line_lanes<T>::N, COLUMNS = LANES / 2, PITCH = line_lanes<T>::PITCH };
    const enuf_cuda_gram_axis &axis = p.cells.axis[1];
    const int row = p.cells.axis[0].length, plane = blockIdx.y, first_part = blockIdx.z;
    const lines_space<T> s = space_of<T>(p.line);
    const int lane = threadIdx.x % LANES, part = lane / COLUMNS, step = blockDim.x / LANES;
    const int column = blockIdx.x * COLUMNS + lane % COLUMNS;
    enuf_complex<T> *rows = p.rows + ((int64_t)first_part * p.planes + plane) * axis.n * row;
    for (int place = threadIdx.x / LANES; place < axis.length; place += step) {
        const int mode = mode_at(axis, place);
        enuf_complex<T> v = enuf_make_complex<T>(0, 0);
        if (mode >= 0 && column < row)
            v = line_times<T>(rows[(int64_t)mode * row + column], ramp_at<T>(axis, part, mode));
        s.a[place * PITCH + lane] = v;
    }
    enuf_complex<T> *found = line_transform<-1, T>(s.a, s.b, s.twiddle, p.line);
    const int64_t which = first_part + 2 * part + 4 * p.part;
    const T *spectrum = (const T *)p.cells.spectrum + which * p.cells.cells +
                        (int64_t)(p.first + plane) * axis.length * row + column;
    for (int place = threadIdx.x / LANES; place < axis.length && column < row; place += step) {
        const T factor = spectrum[(int64_t)place * row];
        found[place * PITCH + lane].x *= factor;
        found[place * PITCH + lane].y *= factor;
    }
    found = line_transform<1, T>(found, found == s.a ? s.b : s.a, s.twiddle, p.line);
    if (part || column >= row) return;
    for (int mode = threadIdx.x / LANES; mode < axis.n; mode += step) {
        const enuf_complex<T> *at = found + place_of(axis, mode) * PITCH + lane;
        const enuf_complex<T> turned =
            line_times<T>(at[COLUMNS], line_conjugate<T>(ramp_at<T>(axis, 1, mode)));
        rows[(int64_t)mode * row + column] =
            enuf_make_complex<T>(at[0].x + turned.x, at[0].y + turned.y);
    }
}

/* ---- Launches ---- */

template <class T>
static enuf_status launch(const enuf_nufft *base, void (*kernel)(const lines_parameters<T>),
                          const lines_parameters<T> &p, dim3 blocks)
{
    int rows = p.line.length / BUTTERFLY / 4 * 4; /* whole warps of rows of either precision */
    rows = rows < LEAST_ROWS ? LEAST_ROWS : rows > MOST_ROWS ? MOST_ROWS : rows;
    const size_t bytes = space_bytes<T>(p.line.length);
    ENUF_CUDA_TRY(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
        "shared memory of lines");
    kernel<<<blocks, rows * line_lanes<T>::N, bytes, enuf_cuda_of(base)->stream>>>(p);
    return enuf_cuda_launched("lines of a Gram operator");
}

static unsigned int tiles(int64_t lines, int of_block)
{
    return (unsigned int)((lines + of_block - 1) / of_block);
}

/* Planes of the first two axes, from [lines][n_1] to the same array or to another one. */
template <class T>
static enuf_status planes_of(const enuf_nufft *base, const enuf_cuda_gram_lines *with,
                             lines_parameters<T> p)
{
    enum { HALF = line_lanes<T>::N / 2 };
    const enuf_cuda_gram_axis *axis = p.cells.axis;
    p.lines = (int64_t)p.planes * axis[1].n;
    p.line = with->line[0];
    ENUF_TRY(launch<T>(base, rows_forward<T>, p, dim3(tiles(p.lines, HALF))));
    p.line = with->line[1];
    ENUF_TRY(launch<T>(base, columns_both<T>, p,
                       dim3(tiles(axis[0].length, HALF), (unsigned int)p.planes, 2)));
    p.line = with->line[0];
    return launch<T>(base, rows_backward<T>, p, dim3(tiles(p.lines, HALF)));
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
        ENUF_TRY(launch<T>(base, columns_forward<T>, p, dim3(tiles(slab, line_lanes<T>::N))));
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
        ENUF_TRY(launch<T>(base, columns_backward<T>, p, dim3(tiles(slab, line_lanes<T>::N))));
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_gram_lines_apply(const enuf_nufft *base, const enuf_cuda_gram_cells *cells,
                                       const enuf_cuda_gram_lines *lines, const void *in, void *out)
{
    return ENUF_CUDA_BY_PRECISION(base, apply, base, cells, lines, in, out);
}

/* ---- Sizes ---- */

/* Stages of few radices, large ones first; 0 if the length has another prime factor. */
static int find_stages(int length, enuf_cuda_gram_line *line)
{
    static const int radices[] = {8, 7, 5, 4, 3, 2};
    line->length = length;
    line->stages = 0;
    for (size_t k = 0; k < sizeof radices / sizeof *radices; k++)
        for (; length % radices[k] == 0; length /= radices[k])
            line->radix[line->stages++] = radices[k];
    return length == 1;
}

int enuf_cuda_gram_lines_find(const enuf_nufft *base, const enuf_cuda_gram_cells *cells,
                              enuf_cuda_gram_lines *lines)
{
    const size_t room = (size_t)enuf_cuda_of(base)->shared_bytes_per_block;
    const size_t number = enuf_cuda_number(base);
    if (cells->dim < 2) return 0;
    for (int d = 0; d < cells->dim; d++) {
        const int length = cells->axis[d].length;
        const size_t bytes = ENUF_CUDA_BY_PRECISION(base, space_bytes, length);
        if (length > ENUF_CUDA_LONGEST_LINE || bytes > room) return 0;
        if (!find_stages(length, &lines->line[d])) return 0;
    }
    const int64_t plane = 2 * (int64_t)cells->axis[1].n * cells->axis[0].length;
    const int64_t fit = PLANE_BYTES / (plane * 2 * (int64_t)number);
    const int length = cells->axis[2].length;
    lines->planes = (int)(fit < 1 ? 1 : fit < length ? fit : length);
    lines->numbers = 2 * plane * lines->planes;
    return 1;
}
