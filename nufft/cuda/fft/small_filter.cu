/*
 * small_filter.cu - the filter of a small grid of real numbers in 3D: transform, multiplication of
 * the modes and transform back in three launches, where cuFFT and filter_kernel take seven.
 *
 * The transform along an axis is a product with the matrix exp(-2 pi i f x / n) of the frequencies
 * f that have a mode, about half of them. A small grid takes few operations even so, and its time
 * is that of the launches and of the latencies in them. Any length of an axis does.
 *
 * Blocks own planes of z, then columns along z, then planes again; between the launches the numbers
 * are columns [z][mode of y][mode of x]. Matrices and data of a block stand in shared memory. A
 * thread makes one sum at a time, in four parts: four products are under way at once, and rounding
 * errors add up over a quarter of the terms.
 *
 * Operations: for n^3 cells and m of n frequencies about 2 n^3 m + 4 n^2 m^2 + 4 n m^3
 * multiply-adds where x has m / 2 modes. SPDX-License-Identifier: BSD-3-Clause
 */
#include "chain.cuh"
#include "cuda/device_memory.h"
#include "cuda/precision.cuh"
#include "mode_places.cuh"

#include <cuda_pipeline_primitives.h>

static const int THREADS = 256;
static const int COLUMNS = 2; /* of a block along z */

/* With more multiply-adds in one direction cuFFT is faster. Reciprocal part of 10,000 ions, 36^3
 * cells, 2e6 multiply-adds: 60 us, by cuFFT 67; of 110,592 ions, 48^3 cells, 7e6: 101 both; 72^3
 * cells: 146, by cuFFT 125 (H100, November 2026). */
static const double MOST_OPERATIONS = 5e6;

/* What the three kernels share, by value. */
template <class T> struct small_filter {
    enuf_cuda_axis axis[3];
    int n[3], modes[3];               /* cells and modes of an axis */
    const enuf_complex<T> *matrix[3]; /* [n][modes] */
    enuf_complex<T> *columns;         /* [batch][z][modes of y][modes of x] */
    T *grid;
    int64_t row, plane, batch_cells; /* of the grid, in numbers */
};

/* Rows of an odd number of elements begin in different banks. */
static __host__ __device__ __forceinline__ int odd(int n)
{
    return n | 1;
}

static __host__ __device__ __forceinline__ int shares(int n, int parts)
{
    return (n + parts - 1) / parts;
}

/* The sum of terms k = 0 .. n - 1 in four parts; add(sum, k) adds a term. */
template <class S, class Add> static __device__ __forceinline__ S sum_of(int n, const Add &add)
{
    S part[4] = {};
    int k = 0;
    for (; k + 4 <= n; k += 4)
#pragma unroll
        for (int e = 0; e < 4; e++) add(part[e], k + e);
    for (; k < n; k++) add(part[0], k);
    return (part[0] + part[1]) + (part[2] + part[3]);
}

/* A complex sum with the operators that sum_of() needs. */
template <class T> struct complex_sum {
    T x = 0, y = 0;
    __device__ __forceinline__ complex_sum operator+(const complex_sum &o) const
    {
        complex_sum s;
        s.x = x + o.x;
        s.y = y + o.y;
        return s;
    }
    __device__ __forceinline__ void add(enuf_complex<T> a, enuf_complex<T> b) /* a b */
    {
        x += a.x * b.x - a.y * b.y;
        y += a.x * b.y + a.y * b.x;
    }
    __device__ __forceinline__ void add_conjugate(enuf_complex<T> a, enuf_complex<T> b)
    {
        x += a.x * b.x + a.y * b.y; /* conj(a) b */
        y += a.x * b.y - a.y * b.x;
    }
    __device__ __forceinline__ enuf_complex<T> value() const
    {
        return enuf_make_complex<T>(x, y);
    }
};

/* Starts a copy to shared memory; arrived() waits for all of them. */
template <class V> static __device__ __forceinline__ void fetch(V *to, const V *from)
{
    __pipeline_memcpy_async(to, from, sizeof(V));
}

static __device__ __forceinline__ void arrived(void)
{
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
}

/* Fetches rows [first, end) of a matrix of an axis, columns [c0, c1). */
template <class T>
static __device__ __forceinline__ void fetch_matrix(const small_filter<T> &a, int d, int first,
                                                    int end, int c0, int c1, enuf_complex<T> *to,
                                                    int row)
{
    const int width = c1 - c0;
    for (int k = threadIdx.x; k < (end - first) * width; k += THREADS) {
        const int j = k / width, c = k - j * width;
        fetch(to + j * row + c, a.matrix[d] + (first + j) * a.modes[d] + c0 + c);
    }
}

/* ---- The matrices ---- */

template <class T>
static __global__ void fill_matrix(int n, int modes, const enuf_mode_places places,
                                   enuf_complex<T> *to)
{
    const int k = blockIdx.x * THREADS + threadIdx.x;
    if (k >= n * modes) return;
    const int j = k / modes;
    const int64_t turn = frequency_of(places, k - j * modes) * j % n;
    double sine, cosine;
    sincospi(-2.0 * (double)turn / n, &sine, &cosine);
    to[k] = enuf_make_complex<T>((T)cosine, (T)sine);
}

/* ---- The three passes ---- */

/* Block (z, share of the modes of x, vector): x, then y. Shared memory: the plane; the two
 * matrices; the plane after x, [mode of x][y]. */
template <class T> static __global__ void __launch_bounds__(THREADS) planes_in(small_filter<T> a)
{
    extern __shared__ double space[];
    const int nx = a.n[0], ny = a.n[1], my = a.modes[1], mx = a.modes[0];
    const int each = shares(mx, gridDim.y), x0 = blockIdx.y * each, x1 = min(x0 + each, mx);
    const int line = odd(nx), width = x1 - x0;
    enuf_complex<T> *by_x = (enuf_complex<T> *)space, *by_y = by_x + nx * each;
    enuf_complex<T> *half = by_y + ny * my;
    T *cells = (T *)(half + each * ny);
    const T *from = a.grid + blockIdx.z * a.batch_cells + blockIdx.x * a.plane;
    if (width <= 0) return;
    fetch_matrix(a, 0, 0, nx, x0, x1, by_x, width);
    fetch_matrix(a, 1, 0, ny, 0, my, by_y, my);
    enuf_chain_wait();
    for (int k = threadIdx.x; k < nx * ny; k += THREADS) {
        const int y = k / nx, x = k - y * nx;
        fetch(cells + y * line + x, from + y * a.row + x);
    }
    arrived();
    for (int k = threadIdx.x; k < width * ny; k += THREADS) {
        const int m = k / ny, y = k - m * ny;
        const complex_sum<T> sum = sum_of<complex_sum<T>>(nx, [&](complex_sum<T> &s, int x) {
            const T cell = cells[y * line + x];
            const enuf_complex<T> w = by_x[x * width + m];
            s.x += cell * w.x;
            s.y += cell * w.y;
        });
        half[m * ny + y] = sum.value();
    }
    __syncthreads();
    enuf_complex<T> *to = a.columns + ((int64_t)blockIdx.z * a.n[2] + blockIdx.x) * my * mx + x0;
    for (int k = threadIdx.x; k < width * my; k += THREADS) {
        const int m = k / my, c = k - m * my;
        const complex_sum<T> sum = sum_of<complex_sum<T>>(
            ny, [&](complex_sum<T> &s, int y) { s.add(by_y[y * my + c], half[m * ny + y]); });
        to[c * mx + m] = sum.value();
    }
}

/* Block (COLUMNS columns, 1, vector): z, the modes, and z back. Shared memory: the matrix; the
 * columns; their modes. Modes of x stand for their conjugates too, and count twice. */
template <class T, class N>
static __global__ void __launch_bounds__(THREADS)
    columns_through(small_filter<T> a, const T *multiplier, enuf_complex<T> *spectrum, T imaginary,
                    T imaginary_back, enuf_cuda_record *record)
{
    extern __shared__ double space[];
    const int nz = a.n[2], mz = a.modes[2], mx = a.modes[0], all = a.modes[1] * mx, row = odd(mz);
    const int first = blockIdx.x * COLUMNS;
    enuf_complex<T> *by_z = (enuf_complex<T> *)space, *column = by_z + nz * row;
    enuf_complex<T> *mode = column + nz * COLUMNS;
    enuf_complex<T> *data = a.columns + (int64_t)blockIdx.z * nz * all + first;
    const int c = threadIdx.x % COLUMNS, own = first + c;
    const bool here = own < all;
    fetch_matrix(a, 2, 0, nz, 0, mz, by_z, row);
    enuf_chain_wait();
    for (int k = threadIdx.x; k < nz * COLUMNS; k += THREADS)
        if (here)
            fetch(column + k, (const enuf_complex<T> *)data + (int64_t)(k / COLUMNS) * all + c);
        else
            column[k] = enuf_make_complex<T>(0, 0);
    arrived();
    const int ky = min(own, all - 1) / mx, kx = min(own, all - 1) - ky * mx;
    const N factor = enuf_inverse<N>(a.axis[0])[kx] * enuf_inverse<N>(a.axis[1])[ky];
    const int64_t fx = frequency_of(a.axis[0].places, kx);
    const T twice = fx == 0 || 2 * fx == a.n[0] ? 1 : 2;
    for (int k = threadIdx.x; k < mz * COLUMNS; k += THREADS) {
        const int kz = k / COLUMNS;
        const complex_sum<T> sum = sum_of<complex_sum<T>>(nz, [&](complex_sum<T> &s, int z) {
            s.add(by_z[z * row + kz], column[z * COLUMNS + c]);
        });
        if (blockIdx.x == 0 && !(isfinite(sum.x) && isfinite(sum.y))) record->bad_strength = 1;
        const T scale = (T)(factor * enuf_inverse<N>(a.axis[2])[kz]);
        const enuf_complex<T> value =
            enuf_make_complex<T>(sum.x * scale, sum.y * scale * imaginary);
        enuf_complex<T> back = enuf_make_complex<T>(0, 0);
        if (here) {
            const int64_t m = (int64_t)kz * all + own;
            spectrum[(int64_t)blockIdx.z * mz * all + m] = value;
            if (scale != 0) { /* an unpaired mode is ignored */
                const T by = multiplier[m] * scale * twice;
                back = enuf_make_complex<T>(value.x * by, value.y * by * imaginary_back);
            }
        }
        mode[k] = back;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < nz * COLUMNS && here; k += THREADS) {
        const int z = k / COLUMNS;
        const complex_sum<T> sum = sum_of<complex_sum<T>>(mz, [&](complex_sum<T> &s, int kz) {
            s.add_conjugate(by_z[z * row + kz], mode[kz * COLUMNS + c]);
        });
        data[(int64_t)z * all + c] = sum.value();
    }
}

/* Block (z, share of the rows of y, vector): y, then x. Shared memory: the plane of modes; the two
 * matrices; the rows after y. */
template <class T> static __global__ void __launch_bounds__(THREADS) planes_out(small_filter<T> a)
{
    extern __shared__ double space[];
    const int nx = a.n[0], ny = a.n[1], my = a.modes[1], mx = a.modes[0], row = odd(mx);
    const int each = shares(ny, gridDim.y), y0 = blockIdx.y * each, y1 = min(y0 + each, ny);
    enuf_complex<T> *by_x = (enuf_complex<T> *)space, *by_y = by_x + nx * row;
    enuf_complex<T> *modes = by_y + each * my, *half = modes + my * mx;
    const enuf_complex<T> *from = a.columns + ((int64_t)blockIdx.z * a.n[2] + blockIdx.x) * my * mx;
    if (y1 <= y0) return;
    fetch_matrix(a, 0, 0, nx, 0, mx, by_x, row);
    fetch_matrix(a, 1, y0, y1, 0, my, by_y, my);
    enuf_chain_wait();
    for (int k = threadIdx.x; k < my * mx; k += THREADS) fetch(modes + k, from + k);
    arrived();
    for (int k = threadIdx.x; k < (y1 - y0) * mx; k += THREADS) {
        const int y = k / mx, m = k - y * mx;
        const complex_sum<T> sum = sum_of<complex_sum<T>>(my, [&](complex_sum<T> &s, int c) {
            s.add_conjugate(by_y[y * my + c], modes[c * mx + m]);
        });
        half[k] = sum.value();
    }
    __syncthreads();
    T *to = a.grid + blockIdx.z * a.batch_cells + blockIdx.x * a.plane;
    for (int k = threadIdx.x; k < (y1 - y0) * nx; k += THREADS) {
        const int y = k / nx, x = k - y * nx;
        to[(y0 + y) * a.row + x] =
            sum_of<T>(mx, [&](T &s, int m) { /* real part of conj(w) h */
                                             const enuf_complex<T> w = by_x[x * row + m],
                                                                   h = half[y * mx + m];
                                             s += w.x * h.x + w.y * h.y;
            });
    }
}

/* ---- Launches ---- */

/* Blocks of a plane, so that planes fill the device. */
static int parts_of_plane(const enuf_cuda *cuda, int planes, int most)
{
    const int parts = shares(cuda->multiprocessors, planes);
    return parts < most ? parts : most;
}

/* Blocks of a plane and bytes of shared memory of the passes. */
struct small_sizes {
    int in_parts, out_parts;
    size_t in, through, out;
};

static small_sizes sizes_of(const enuf_nufft *plan)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const int64_t *n = plan->method.grid;
    const size_t number = enuf_cuda_number(plan), pair = 2 * number;
    const int nx = (int)n[0], ny = (int)n[1], nz = (int)n[2], planes = nz * plan->options.batch;
    const int mx = (int)cuda->axis[0].n, my = (int)cuda->axis[1].n, mz = (int)cuda->axis[2].n;
    small_sizes s;
    s.in_parts = parts_of_plane(cuda, planes, mx);
    s.out_parts = parts_of_plane(cuda, planes, ny);
    const int each_x = shares(mx, s.in_parts), each_y = shares(ny, s.out_parts);
    s.in = pair * (size_t)(nx * each_x + ny * my + each_x * ny) + number * (size_t)(ny * odd(nx));
    s.through = pair * (size_t)(nz * odd(mz) + nz * COLUMNS + mz * COLUMNS);
    s.out = pair * (size_t)(nx * odd(mx) + each_y * my + my * mx + each_y * mx);
    return s;
}

/* Multiply-adds of one direction. */
static double operations(const enuf_nufft *plan)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const int64_t *g = plan->method.grid;
    const double n[3] = {(double)g[0], (double)g[1], (double)g[2]};
    const double m[3] = {(double)cuda->axis[0].n, (double)cuda->axis[1].n, (double)cuda->axis[2].n};
    return plan->options.batch * n[2] *
           (2 * n[0] * n[1] * m[0] + 4 * m[0] * n[1] * m[1] + 4 * m[0] * m[1] * m[2]);
}

template <class T, class N> static enuf_status allow_shared(int bytes)
{
    const cudaFuncAttribute most = cudaFuncAttributeMaxDynamicSharedMemorySize;
    ENUF_CUDA_TRY(cudaFuncSetAttribute(planes_in<T>, most, bytes), "a small filter");
    ENUF_CUDA_TRY(cudaFuncSetAttribute((columns_through<T, N>), most, bytes), "a small filter");
    ENUF_CUDA_TRY(cudaFuncSetAttribute(planes_out<T>, most, bytes), "a small filter");
    return ENUF_SUCCESS;
}

template <class T> static small_filter<T> small_filter_of(const enuf_nufft *plan)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    small_filter<T> a;
    for (int d = 0; d < 3; d++) {
        a.axis[d] = cuda->axis[d];
        a.n[d] = (int)plan->method.grid[d];
        a.modes[d] = (int)cuda->axis[d].n;
        a.matrix[d] = (const enuf_complex<T> *)cuda->small.matrix[d];
    }
    a.columns = (enuf_complex<T> *)cuda->small.columns;
    a.grid = (T *)cuda->grid;
    a.row = cuda->row;
    a.plane = cuda->plane;
    a.batch_cells = cuda->batch_cells;
    return a;
}

template <class T, class N> static enuf_status filter(const enuf_nufft *plan, const void *by)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const small_sizes s = sizes_of(plan);
    const small_filter<T> a = small_filter_of<T>(plan);
    const T imaginary = plan->options.sign == 1 ? -1 : 1, back = plan->type2_sign == -1 ? -1 : 1;
    const unsigned planes = (unsigned)a.n[2], batch = (unsigned)plan->options.batch;
    const unsigned columns = (unsigned)shares(a.modes[0] * a.modes[1], COLUMNS);
    ENUF_TRY((allow_shared<T, N>(cuda->shared_bytes_per_block)));
    enuf_chain(cuda->stream, planes_in<T>, dim3(planes, (unsigned)s.in_parts, batch), THREADS, s.in,
               a);
    enuf_chain(cuda->stream, columns_through<T, N>, dim3(columns, 1, batch), THREADS, s.through, a,
               (const T *)by, (enuf_complex<T> *)cuda->spectrum, imaginary, back, cuda->record);
    enuf_chain(cuda->stream, planes_out<T>, dim3(planes, (unsigned)s.out_parts, batch), THREADS,
               s.out, a);
    return enuf_cuda_launched("the filter of a small grid");
}

extern "C" enuf_status enuf_cuda_small_filter(enuf_nufft *plan, const void *multiplier)
{
    return ENUF_CUDA_BY_PRECISIONS(plan, filter, plan, multiplier);
}

/* ---- The plan's part ---- */

static bool serves(const enuf_nufft *plan)
{
    const size_t most = (size_t)enuf_cuda_of(plan)->shared_bytes_per_block;
    if (plan->options.dim != 3 || !plan->real || plan->n_modes == 0 || plan->options.no_grid)
        return false;
    if (operations(plan) > MOST_OPERATIONS) return false;
    const small_sizes s = sizes_of(plan);
    return s.in <= most && s.through <= most && s.out <= most;
}

extern "C" enuf_status enuf_cuda_small_make(enuf_nufft *plan)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    const size_t pair = 2 * enuf_cuda_number(plan);
    if (!serves(plan)) return ENUF_SUCCESS;
    for (int d = 0; d < 3; d++)
        ENUF_TRY(enuf_cuda_allocate(plan, &cuda->small.matrix[d],
                                    plan->method.grid[d] * cuda->axis[d].n, pair,
                                    "the matrix of an axis"));
    return enuf_cuda_allocate(plan, &cuda->small.columns,
                              plan->options.batch * plan->method.grid[2] * cuda->axis[1].n *
                                  cuda->axis[0].n,
                              pair, "columns of modes");
}

template <class T> static void fill(const enuf_nufft *plan, int d)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const int n = (int)plan->method.grid[d], modes = (int)cuda->axis[d].n;
    fill_matrix<T><<<shares(n * modes, THREADS), THREADS, 0, cuda->stream>>>(
        n, modes, cuda->axis[d].places, (enuf_complex<T> *)cuda->small.matrix[d]);
}

extern "C" enuf_status enuf_cuda_small_fill(enuf_nufft *plan)
{
    if (!enuf_cuda_of(plan)->small.columns) return ENUF_SUCCESS;
    for (int d = 0; d < 3; d++) ENUF_CUDA_BY_PRECISION(plan, fill, plan, d);
    return enuf_cuda_launched("the matrices of the axes");
}
