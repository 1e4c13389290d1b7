/*
 * lines_stages.cu - lines of a Gram operator by any number of stages in shared memory, between two
 * buffers: lengths up to 1024 without a prime factor above 7.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lines.cuh"
#include "line_fft.cuh"

/* Rows of threads of a block. BUTTERFLY: numbers of a line for each, about those of a butterfly. */
enum { LEAST_ROWS = 8, MOST_ROWS = 32, BUTTERFLY = 8, MOST_THREADS = 512 };

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

template <class T>
enuf_status enuf_cuda_lines_stages_run(const enuf_nufft *base, lines_step step,
                                       const lines_parameters<T> &p)
{
    enum { LANES = line_lanes<T>::N, HALF = LANES / 2 };
    const dim3 columns(lines_tiles(p.lines, LANES)), rows(lines_tiles(p.lines, HALF));
    switch (step) {
    case LINES_COLUMNS_FORWARD:
        return launch<T>(base, columns_forward<T>, p, columns);
    case LINES_COLUMNS_BACKWARD:
        return launch<T>(base, columns_backward<T>, p, columns);
    case LINES_ROWS_FORWARD:
        return launch<T>(base, rows_forward<T>, p, rows);
    case LINES_ROWS_BACKWARD:
        return launch<T>(base, rows_backward<T>, p, rows);
    default:
        return launch<T>(
            base, columns_both<T>, p,
            dim3(lines_tiles(p.cells.axis[0].length, HALF), (unsigned int)p.planes, 2));
    }
}

template enuf_status enuf_cuda_lines_stages_run<float>(const enuf_nufft *, lines_step,
                                                       const lines_parameters<float> &);
template enuf_status enuf_cuda_lines_stages_run<double>(const enuf_nufft *, lines_step,
                                                        const lines_parameters<double> &);

/* Stages of few radices, large ones first. */
int enuf_cuda_lines_stages_find(const enuf_nufft *base, enuf_cuda_gram_line *line)
{
    static const int radices[] = {8, 7, 5, 4, 3, 2};
    const size_t bytes = ENUF_CUDA_BY_PRECISION(base, space_bytes, line->length);
    int rest = line->length;
    if (rest > ENUF_CUDA_LONGEST_LINE || bytes > (size_t)enuf_cuda_of(base)->shared_bytes_per_block)
        return 0;
    line->stages = 0;
    for (size_t k = 0; k < sizeof radices / sizeof *radices; k++)
        for (; rest % radices[k] == 0; rest /= radices[k]) line->radix[line->stages++] = radices[k];
    return rest == 1;
}
