/*
 * small_filter.cu - the filter of a small grid in 3D: transform, multiplication of the modes and
 * transform back in three launches, where cuFFT and filter_kernel take seven. Of a small grid, the
 * time is that of the launches and of the latencies in them; of a batch of larger ones, that of
 * memory, which numbers pass six times here, and less often where there is no mode.
 *
 * Blocks own planes of z, then columns along z, then planes again; between the launches the numbers
 * are columns [z][mode of y][mode of x], without frequencies that have no mode.
 *
 * An axis is a line of `large` x `small` numbers, two radices, as in gram/lines_registers.cu. To
 * frequencies: thread j transforms numbers j + large q, q < small, to cells [j][k]; thread k takes
 * cells [j][k] of all j times exp(-2 pi i j k/n), and transforms them to frequencies k + small q.
 * Back the same way: thread k starts with its frequencies, so a column's modes are multiplied in
 * registers. Source: Van Loan, Computational Frameworks for the Fast Fourier Transform, SIAM
 * (1992), section 3.3 (four steps). SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/device_memory.h"
#include "small_planes.cuh"
#include "small_planes_complex.cuh"

/* Columns of a block: 64 bytes of numbers side by side. */
template <class T> struct column_block {
    enum { COLUMNS = 64 / (2 * sizeof(T)) };
};

/* ---- Columns along z: to modes, and back ---- */

/* A thread's column, or the last one again; j, or k. */
template <class T> struct small_column {
    enuf_complex<T> *data, *cells; /* [z][all columns]; [large][small][COLUMNS] */
    const enuf_complex<T> *by_z;
    int own, all, j;
    bool here;
};

/* What happens to modes. */
template <class T> struct mode_factors {
    const T *multiplier;
    enuf_complex<T> *spectrum;
    T imaginary, imaginary_back;
    enuf_cuda_record *record;
};

/* Of a thread's frequencies along z; 0 where there is no mode. They are read before the columns:
 * one wait for memory in place of three. */
template <class T> struct column_factors {
    T scale[MOST_RADIX], by[MOST_RADIX];
};

template <int R, class T, class N>
static __device__ __forceinline__ void
read_scales(const small_filter<T> &a, const small_column<T> &c, N, column_factors<T> &f)
{
    const int mx = a.modes[0], ky = c.own / mx, kx = c.own - ky * mx;
    const N factor = enuf_inverse<N>(a.axis[0])[kx] * enuf_inverse<N>(a.axis[1])[ky];
#pragma unroll
    for (int q = 0; q < R; q++) {
        const int kz = c.j < a.small[2] ? stored_at(a.places[2], c.j + q * a.small[2]) : -1;
        f.scale[q] = kz >= 0 ? (T)(factor * enuf_inverse<N>(a.axis[2])[kz]) : 0;
    }
}

template <int R, class T>
static __device__ __forceinline__ void
read_multipliers(const small_filter<T> &a, const small_column<T> &c, const mode_factors<T> &to,
                 column_factors<T> &f)
{
#pragma unroll
    for (int q = 0; q < R; q++) {
        const int kz = c.j < a.small[2] ? stored_at(a.places[2], c.j + q * a.small[2]) : -1;
        f.by[q] = kz >= 0 ? to.multiplier[(int64_t)kz * c.all + c.own] : 0;
    }
}

template <int R, class T>
static __device__ __forceinline__ void column_in(const small_filter<T> &a, const small_column<T> &c)
{
    enum { COLUMNS = column_block<T>::COLUMNS };
    enuf_complex<T> v[R];
    line_get<R, T>(c.data + c.j * c.all, (int64_t)a.large[2] * c.all, v);
    line_butterfly<R, -1, T>::run(v);
    line_put<R, T>(c.cells + c.j * R * COLUMNS, COLUMNS, v);
}

template <int R, class T>
static __device__ __forceinline__ void multiply(const small_filter<T> &a, const small_column<T> &c,
                                                const mode_factors<T> &to,
                                                const column_factors<T> &f, enuf_complex<T> v[R])
{
#pragma unroll
    for (int q = 0; q < R; q++) {
        const int kz = stored_at(a.places[2], c.j + q * a.small[2]);
        const T scale = f.scale[q], back = f.by[q] * scale;
        const enuf_complex<T> value =
            enuf_make_complex<T>(v[q].x * scale, v[q].y * scale * to.imaginary);
        if (kz >= 0 && blockIdx.x == 0 && !(isfinite(v[q].x) && isfinite(v[q].y)))
            to.record->bad_strength = 1;
        if (kz >= 0 && c.here) to.spectrum[(int64_t)kz * c.all + c.own] = value;
        v[q] = enuf_make_complex<T>(0, 0);
        if (scale != 0) /* an unpaired mode is ignored */
            v[q] = enuf_make_complex<T>(value.x * back, value.y * back * to.imaginary_back);
    }
}

template <int R, class T>
static __device__ __forceinline__ void
column_through(const small_filter<T> &a, const small_column<T> &c, const mode_factors<T> &to,
               const column_factors<T> &f)
{
    enum { COLUMNS = column_block<T>::COLUMNS };
    const int small = a.small[2];
    enuf_complex<T> *cells = c.cells + c.j * COLUMNS, v[R];
    if (c.j >= small) return;
    line_get<R, T>(cells, small * COLUMNS, v);
    turn<R, -1, T>(c.by_z + c.j, small, v);
    line_butterfly<R, -1, T>::run(v);
    multiply<R, T>(a, c, to, f, v);
    line_butterfly<R, 1, T>::run(v);
    turn<R, 1, T>(c.by_z + c.j, small, v);
    line_put<R, T>(cells, small * COLUMNS, v);
}

template <int R, class T>
static __device__ __forceinline__ void column_out(const small_filter<T> &a,
                                                  const small_column<T> &c)
{
    enum { COLUMNS = column_block<T>::COLUMNS };
    enuf_complex<T> v[R];
    line_get<R, T>(c.cells + c.j * R * COLUMNS, COLUMNS, v);
    line_butterfly<R, 1, T>::run(v);
    if (c.here) line_put<R, T>(c.data + c.j * c.all, (int64_t)a.large[2] * c.all, v);
}

/* Block (COLUMNS columns, vector); COLUMNS x large threads. */
template <class T, class N>
static __global__ void __launch_bounds__(MOST_RADIX *column_block<T>::COLUMNS)
    columns_through(const __grid_constant__ small_filter<T> a, mode_factors<T> to)
{
    extern __shared__ __align__(16) unsigned char memory[];
    enum { COLUMNS = column_block<T>::COLUMNS };
    enuf_complex<T> *by_z = (enuf_complex<T> *)memory;
    const int lane = threadIdx.x % COLUMNS, own = blockIdx.x * COLUMNS + lane;
    small_column<T> c;
    c.all = a.modes[1] * a.modes[0];
    c.here = own < c.all;
    c.own = min(own, c.all - 1);
    c.j = threadIdx.x / COLUMNS;
    c.by_z = by_z;
    c.cells = by_z + a.n[2] + lane;
    c.data = a.columns + (int64_t)blockIdx.y * a.n[2] * c.all + c.own;
    to.spectrum += (int64_t)blockIdx.y * a.modes[2] * c.all;
    fetch<T>(a.n[2], a.twiddle[2], by_z);
    column_factors<T> factors = {};
    BY_RADIX(a.large[2], read_scales, a, c, N(), factors);
    enuf_chain_wait();
    BY_RADIX(a.large[2], read_multipliers, a, c, to, factors);
    BY_RADIX(a.small[2], column_in, a, c);
    arrived();
    BY_RADIX(a.large[2], column_through, a, c, to, factors);
    __syncthreads();
    BY_RADIX(a.small[2], column_out, a, c);
}

/* ---- Launches ---- */

/* The larger radix of a length whose two are next to each other; 0: it has none. */
static int large_radix(int64_t n)
{
    for (int small = MOST_RADIX; small > 1; small--)
        for (int large = small; large <= MOST_RADIX; large++)
            if (large * small == n && small != 11 && large != 11) return large;
    return 0;
}

/* Bytes of shared memory of the passes, and threads of those of planes; complex numbers: lines on
 * their way, 0: there is no room. */
struct small_sizes {
    size_t in, through, out;
    int threads, lines;
};

/* Complex lines of a plane that are on their way at once, all in equal parts: as many as fit, if
 * a quarter does, beside a second block of the multiprocessor. */
template <class T> static int lines_at_once(const small_filter<T> &a, size_t most)
{
    const int all = max(a.n[1], a.modes[0]);
    const size_t pair = sizeof(enuf_complex<T>), line = pair * (size_t)complex_line_numbers(a),
                 plane = pair * (size_t)complex_plane_numbers(a), reserved = 1024;
    for (size_t blocks = 2; blocks > 0; blocks--) {
        const size_t room = blocks == 1 ? most : most / blocks - reserved;
        const int fit = room > plane ? (int)((room - plane) / line) : 0;
        if (fit > 0 && (blocks == 1 || 4 * fit >= all)) return shares(all, shares(all, fit));
    }
    return 0;
}

template <class T> static small_sizes sizes_of_complex(const small_filter<T> &a, size_t most)
{
    const size_t pair = sizeof(enuf_complex<T>);
    small_sizes s;
    s.lines = lines_at_once(a, most);
    s.in = s.out = pair * (size_t)(complex_plane_numbers(a) + s.lines * complex_line_numbers(a));
    s.through = pair * (size_t)(a.n[2] * (1 + column_block<T>::COLUMNS));
    s.threads =
        min((int)MOST_THREADS, 32 * shares(max(1, s.lines) * max(a.large[0], a.large[1]), 32));
    return s;
}

template <class T> static small_sizes sizes_of_real(const small_filter<T> &a)
{
    const size_t pair = sizeof(enuf_complex<T>);
    const int cells = a.n[0] + a.n[1] + plane_cells(a), pairs = pairs_of_rows(a);
    const int items = max(pairs * a.large[0], a.modes[0] * a.large[1]);
    small_sizes s;
    s.in = pair * (size_t)(cells + pairs * odd(a.n[0]));
    s.through = pair * (size_t)(a.n[2] * (1 + column_block<T>::COLUMNS));
    s.out = pair * (size_t)(cells + a.n[1] * odd(a.modes[0]));
    s.threads = min((int)MOST_THREADS, 32 * shares(items, 32));
    s.lines = 0;
    return s;
}

template <class T> static small_sizes sizes_of(const enuf_nufft *plan, const small_filter<T> &a)
{
    return plan->real ? sizes_of_real(a)
                      : sizes_of_complex(a, (size_t)enuf_cuda_of(plan)->shared_bytes_per_block);
}

template <class T> static small_filter<T> small_filter_of(const enuf_nufft *plan)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    small_filter<T> a;
    for (int d = 0; d < 3; d++) {
        const enuf_mode_places *places = &cuda->axis[d].places;
        a.axis[d] = cuda->axis[d];
        a.places[d] = {(int)places->non_negative, (int)(places->cells - places->negative),
                       (int)places->zero, (int)(places->wrap - places->cells)};
        a.n[d] = (int)plan->method.grid[d];
        a.modes[d] = (int)cuda->axis[d].n;
        a.large[d] = large_radix(plan->method.grid[d]);
        a.small[d] = a.large[d] ? a.n[d] / a.large[d] : 0;
        a.twiddle[d] = (const enuf_complex<T> *)cuda->small.twiddle[d];
    }
    a.columns = (enuf_complex<T> *)cuda->small.columns;
    a.grid = (T *)cuda->grid;
    a.row = cuda->row;
    a.plane = cuda->plane;
    a.batch_cells = cuda->batch_cells;
    return a;
}

template <class T, class N> static enuf_status allow_shared(int bytes)
{
    const cudaFuncAttribute most = cudaFuncAttributeMaxDynamicSharedMemorySize;
    ENUF_CUDA_TRY(cudaFuncSetAttribute(planes_in<T>, most, bytes), "a small filter");
    ENUF_CUDA_TRY(cudaFuncSetAttribute((columns_through<T, N>), most, bytes), "a small filter");
    ENUF_CUDA_TRY(cudaFuncSetAttribute(planes_out<T>, most, bytes), "a small filter");
    ENUF_CUDA_TRY(cudaFuncSetAttribute(complex_planes_in<T>, most, bytes), "a small filter");
    ENUF_CUDA_TRY(cudaFuncSetAttribute(complex_planes_out<T>, most, bytes), "a small filter");
    return ENUF_SUCCESS;
}

template <class T, class N> static enuf_status filter(const enuf_nufft *plan, const void *by)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const small_filter<T> a = small_filter_of<T>(plan);
    const small_sizes s = sizes_of(plan, a);
    const unsigned columns = column_block<T>::COLUMNS, all = (unsigned)(a.modes[0] * a.modes[1]);
    const unsigned batch = (unsigned)plan->options.batch, threads = columns * (unsigned)a.large[2];
    mode_factors<T> to;
    to.multiplier = (const T *)by;
    to.spectrum = (enuf_complex<T> *)cuda->spectrum;
    to.imaginary = (T)(plan->real && plan->options.sign == 1 ? -1 : 1);
    to.imaginary_back = (T)(plan->real && plan->type2_sign == -1 ? -1 : 1);
    to.record = cuda->record;
    ENUF_TRY((allow_shared<T, N>(cuda->shared_bytes_per_block)));
    const dim3 planes((unsigned)a.n[2], batch);
    if (plan->real)
        enuf_chain(cuda->stream, planes_in<T>, planes, (unsigned)s.threads, s.in, a);
    else
        enuf_chain(cuda->stream, complex_planes_in<T>, planes, (unsigned)s.threads, s.in, a,
                   s.lines);
    enuf_chain(cuda->stream, columns_through<T, N>, dim3((all + columns - 1) / columns, batch),
               threads, s.through, a, to);
    if (plan->real)
        enuf_chain(cuda->stream, planes_out<T>, planes, (unsigned)s.threads, s.out, a);
    else
        enuf_chain(cuda->stream, complex_planes_out<T>, planes, (unsigned)s.threads, s.out, a,
                   s.lines);
    return enuf_cuda_launched("the filter of a small grid");
}

extern "C" enuf_status enuf_cuda_small_filter(enuf_nufft *plan, const void *multiplier)
{
    return ENUF_CUDA_BY_PRECISIONS(plan, filter, plan, multiplier);
}

/* ---- The plan's part ---- */

template <class T> static bool fits(const enuf_nufft *plan)
{
    const size_t most = (size_t)enuf_cuda_of(plan)->shared_bytes_per_block;
    const small_filter<T> a = small_filter_of<T>(plan);
    const small_sizes s = sizes_of(plan, a);
    return (plan->real || s.lines > 0) && s.in <= most && s.through <= most && s.out <= most;
}

static bool serves(const enuf_nufft *plan)
{
    if (plan->options.dim != 3 || plan->n_modes == 0 || plan->options.no_grid) return false;
    /* of complex numbers there are kernels for one sign in each direction */
    if (!plan->real && (plan->options.sign != -1 || plan->type2_sign != 1)) return false;
    for (int d = 0; d < 3; d++)
        if (large_radix(plan->method.grid[d]) == 0) return false;
    if (plan->options.batch > 65535) return false;
    return ENUF_CUDA_BY_PRECISION(plan, fits, plan);
}

extern "C" enuf_status enuf_cuda_small_make(enuf_nufft *plan)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    const size_t pair = 2 * enuf_cuda_number(plan);
    if (!serves(plan)) return ENUF_SUCCESS;
    for (int d = 0; d < 3; d++)
        ENUF_TRY(enuf_cuda_allocate(plan, &cuda->small.twiddle[d], plan->method.grid[d], pair,
                                    "the factors of an axis"));
    return enuf_cuda_allocate(plan, &cuda->small.columns,
                              plan->options.batch * plan->method.grid[2] * cuda->axis[1].n *
                                  cuda->axis[0].n,
                              pair, "columns of modes");
}

template <class T> static __global__ void fill_twiddle(int n, int small, enuf_complex<T> *to)
{
    const int at = threadIdx.x, j = at / small, k = at - j * small;
    double sine, cosine;
    if (at >= n) return;
    sincospi(-2.0 * (j * k) / n, &sine, &cosine);
    to[at] = enuf_make_complex<T>((T)cosine, (T)sine);
}

template <class T> static void fill(const enuf_nufft *plan)
{
    const small_filter<T> a = small_filter_of<T>(plan);
    for (int d = 0; d < 3; d++)
        fill_twiddle<T><<<1, MOST_RADIX * MOST_RADIX, 0, enuf_cuda_of(plan)->stream>>>(
            a.n[d], a.small[d], (enuf_complex<T> *)enuf_cuda_of(plan)->small.twiddle[d]);
}

extern "C" enuf_status enuf_cuda_small_fill(enuf_nufft *plan)
{
    if (!enuf_cuda_of(plan)->small.columns) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, fill, plan);
    return enuf_cuda_launched("the factors of the axes");
}
