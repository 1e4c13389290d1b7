/*
 * deconvolve.cu - between the transform of the fine grid and the modes: division by the window's
 * transform, both ways, and the spectrum that stays in the plan.
 *
 * A warp owns a row of modes (or of frequencies) along x, or a part of it where rows are few: reads
 * and writes are whole lines, and the factors of y and z are found once a row. Bytes: each mode
 * once in and once out, and on the way back every frequency of the grid written once: memory bounds
 * both. SPDX-License-Identifier: BSD-3-Clause
 */
#include "chain.cuh"
#include "cuda/weights/weights.cuh"
#include "mode_places.cuh"

enum {
    LANES = 32,
    ROWS_PER_BLOCK = 8,
    THREADS = LANES * ROWS_PER_BLOCK,
    EACH = 8 /* numbers of a row for each thread, before blocks share it */
};

typedef struct axes {
    enuf_cuda_axis x, y, z;
} axes;

static axes axes_of(const enuf_nufft *plan)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    axes a = {cuda->axis[0], cuda->axis[1], cuda->axis[2]};
    return a;
}

/* Blocks for rows (x) and for the parts of long rows (y). */
static dim3 blocks_of(int64_t rows, int64_t length, dim3 threads, int each)
{
    const int64_t blocks = (rows + threads.y - 1) / threads.y, most = 1 << 20;
    const int64_t span = (int64_t)threads.x * each, parts = (length + span - 1) / span;
    return dim3((unsigned int)(blocks < most ? blocks : most),
                (unsigned int)(parts < 65535 ? (parts > 0 ? parts : 1) : 65535));
}

/* The blocks of a kernel and their threads. Few rows, as in 1D: more threads share a row, so that
 * enough of them wait for memory. */
typedef struct row_launch {
    dim3 blocks, threads;
} row_launch;

static row_launch launch_of(int64_t rows, int64_t length)
{
    unsigned int at_once = 1;
    while (at_once < rows && at_once < ROWS_PER_BLOCK) at_once *= 2;
    row_launch l;
    l.threads = dim3(THREADS / at_once, at_once);
    l.blocks = blocks_of(rows, length, l.threads, at_once < ROWS_PER_BLOCK ? EACH / 4 : EACH);
    return l;
}

/* A row of modes or of frequencies: its vector, and its places along y and z. */
typedef struct row_place {
    int64_t vector, in_vector, y, z;
} row_place;

static __device__ __forceinline__ row_place place_of_row(int64_t row, int64_t ny, int64_t nz)
{
    row_place p = {row, 0, 0, 0};
    if (ny * nz == 1) return p; /* 1D: divisions would cost more than the rest */
    p.vector = row / (ny * nz);
    p.in_vector = row - p.vector * ny * nz;
    p.z = p.in_vector / ny;
    p.y = p.in_vector - p.z * ny;
    return p;
}

/* A thread's first place along x, and the way to its next. */
static __device__ __forceinline__ int64_t first_of_thread()
{
    return (int64_t)blockIdx.y * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ int64_t step_of_thread()
{
    return (int64_t)gridDim.y * blockDim.x;
}

template <class T, class N>
__global__ void deconvolve_kernel(axes a, int batch, const T *grid, int64_t row, int64_t plane,
                                  int64_t batch_cells, T imaginary, weight_table weights,
                                  enuf_complex<T> *modes, enuf_cuda_record *record)
{
    const int64_t all = a.y.n * a.z.n * batch, step = (int64_t)gridDim.x * blockDim.y;
    enuf_chain_wait();
    if (record && blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.y == 0)
        for (int b = threadIdx.x; b < batch; b += blockDim.x) {
            const T *zeroth =
                grid + b * batch_cells; /* a bad imaginary part may show in its own sum only */
            if (!isfinite(zeroth[0]) || !isfinite(zeroth[1])) record->bad_strength = 1;
        }
    for (int64_t r = (int64_t)blockIdx.x * blockDim.y + threadIdx.y; r < all; r += step) {
        const row_place p = place_of_row(r, a.y.n, a.z.n);
        const enuf_complex<T> *from =
            (const enuf_complex<T> *)(grid + p.vector * batch_cells +
                                      frequency_of(a.z.places, p.z) * plane +
                                      frequency_of(a.y.places, p.y) * row);
        const N factor = enuf_inverse<N>(a.y)[p.y] * enuf_inverse<N>(a.z)[p.z];
        enuf_complex<T> *to = modes + r * a.x.n;
        for (int64_t x = first_of_thread(); x < a.x.n; x += step_of_thread()) {
            enuf_complex<T> value = from[frequency_of(a.x.places, x)];
            const T scale = (T)(factor * enuf_inverse<N>(a.x)[x]);
            value = enuf_make_complex<T>(value.x * scale, value.y * scale * imaginary);
            to[x] = weighted<T>(weights, p.vector, p.in_vector * a.x.n + x, value);
        }
    }
}

/* Adds the modes of all vectors, which are complex, to one. */
template <class T, class N>
__global__ void add_terms_kernel(axes a, int batch, const T *grid, int64_t row, int64_t plane,
                                 int64_t batch_cells, weight_table weights, enuf_complex<T> *modes,
                                 enuf_cuda_record *record)
{
    const int64_t rows = a.y.n * a.z.n, step = (int64_t)gridDim.x * blockDim.y;
    for (int64_t r = (int64_t)blockIdx.x * blockDim.y + threadIdx.y; r < rows; r += step) {
        const row_place p = place_of_row(r, a.y.n, a.z.n);
        const T *from =
            grid + frequency_of(a.z.places, p.z) * plane + frequency_of(a.y.places, p.y) * row;
        const N factor = enuf_inverse<N>(a.y)[p.y] * enuf_inverse<N>(a.z)[p.z];
        for (int64_t x = first_of_thread(); x < a.x.n; x += step_of_thread()) {
            const int64_t frequency = frequency_of(a.x.places, x);
            const T scale = (T)(factor * enuf_inverse<N>(a.x)[x]);
            enuf_complex<T> sum = modes[r * a.x.n + x];
            for (int b = 0; b < batch; b++) {
                enuf_complex<T> value =
                    ((const enuf_complex<T> *)(from + b * batch_cells))[frequency];
                value = enuf_make_complex<T>(value.x * scale, value.y * scale);
                value = weighted<T>(weights, b, r * a.x.n + x, value);
                sum.x += value.x;
                sum.y += value.y;
            }
            if (!isfinite(sum.x) || !isfinite(sum.y)) record->bad_strength = 1;
            modes[r * a.x.n + x] = sum;
        }
    }
}

template <class T, class N> static void add_terms(const enuf_nufft *plan, void *modes)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const row_launch l = launch_of(cuda->axis[1].n * cuda->axis[2].n, cuda->axis[0].n);
    add_terms_kernel<T, N><<<l.blocks, l.threads, 0, cuda->stream>>>(
        axes_of(plan), plan->options.batch, (const T *)cuda->grid, cuda->row, cuda->plane,
        cuda->batch_cells, weight_table_of(plan, &plan->mode_weights), (enuf_complex<T> *)modes,
        cuda->record);
}

template <class T, class N> static void deconvolve(const enuf_nufft *plan, void *modes)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    /* the forward real-to-complex transform has sign -1; the other sign is its conjugate */
    T imaginary = plan->real && plan->forward_sign == 1 ? -1 : 1;
    const int64_t rows = cuda->axis[1].n * cuda->axis[2].n * plan->options.batch;
    const row_launch l = launch_of(rows, cuda->axis[0].n);
    enuf_chain(cuda->stream, deconvolve_kernel<T, N>, l.blocks, l.threads, 0, axes_of(plan),
               plan->options.batch, (const T *)cuda->grid, cuda->row, cuda->plane,
               cuda->batch_cells, imaginary, weight_table_of(plan, &plan->mode_weights),
               (enuf_complex<T> *)modes, cuda->record);
}

enuf_status enuf_cuda_deconvolve(enuf_nufft *plan, void *modes)
{
    if (plan->n_modes == 0) return ENUF_SUCCESS;
    if (plan->terms)
        ENUF_CUDA_BY_PRECISIONS(plan, add_terms, plan, modes);
    else
        ENUF_CUDA_BY_PRECISIONS(plan, deconvolve, plan,
                                modes ? modes : enuf_cuda_of(plan)->spectrum);
    return enuf_cuda_launched("deconvolve");
}

enum { NO_MULTIPLIER, REAL_MULTIPLIER, COMPLEX_MULTIPLIER };

/* One mode of the source times the multiplier at its place. */
template <class T, int KIND>
static __device__ inline enuf_complex<T> multiplied(const enuf_complex<T> *source, const T *factor,
                                                    int64_t at)
{
    enuf_complex<T> c = source[at];
    if (KIND == NO_MULTIPLIER) return c;
    if (KIND == REAL_MULTIPLIER) return enuf_make_complex<T>(c.x * factor[at], c.y * factor[at]);
    enuf_complex<T> f = ((const enuf_complex<T> *)factor)[at];
    return enuf_make_complex<T>(c.x * f.x - c.y * f.y, c.x * f.y + c.y * f.x);
}

/* Writes every frequency of the grid: zero where no mode stands. */
template <class T, class N, int KIND, int REAL>
__global__ void amplify_kernel(axes a, int batch, const enuf_complex<T> *modes, const T *multiplier,
                               int64_t source_step, T *grid, int64_t row, int64_t plane,
                               int64_t batch_cells, T imaginary, weight_table weights)
{
    const int64_t all = a.y.n_frequency * a.z.n_frequency * batch;
    const int64_t step = (int64_t)gridDim.x * blockDim.y;
    enuf_chain_follow();
    enuf_chain_lead(); /* interpolation reads the points before it waits: they are sorted */
    for (int64_t r = (int64_t)blockIdx.x * blockDim.y + threadIdx.y; r < all; r += step) {
        const row_place p = place_of_row(r, a.y.n_frequency, a.z.n_frequency);
        const int64_t b = p.vector, y = stored_of(a.y.places, p.y), z = stored_of(a.z.places, p.z);
        const enuf_complex<T> *source = modes + b * source_step;
        enuf_complex<T> *to = (enuf_complex<T> *)(grid + b * batch_cells + p.z * plane + p.y * row);
        const int is_mode = y >= 0 && z >= 0;
        const N factor = is_mode ? enuf_inverse<N>(a.y)[y] * enuf_inverse<N>(a.z)[z] : 0;
        for (int64_t fx = first_of_thread(); fx < a.x.n_frequency; fx += step_of_thread()) {
            enuf_complex<T> out = enuf_make_complex<T>(0, 0);
            int64_t x = is_mode ? stored_of(a.x.places, fx) : -1;
            T scale = x >= 0 ? (T)(factor * enuf_inverse<N>(a.x)[x]) : 0;
            if (scale != 0) { /* an unpaired mode is ignored, even a NaN */
                int64_t m = (z * a.y.n + y) * a.x.n + x;
                out = weighted<T>(weights, b, m, multiplied<T, KIND>(source, multiplier, m));
                if (REAL && x == 0) {
                    /* the Hermitian part: (c(m) + conj c(-m))/2 */
                    int64_t opposite =
                        (opposite_of(a.z.places, z) * a.y.n + opposite_of(a.y.places, y)) * a.x.n;
                    enuf_complex<T> other = weighted<T>(
                        weights, b, opposite, multiplied<T, KIND>(source, multiplier, opposite));
                    out.x = (out.x + other.x) / 2;
                    out.y = (out.y - other.y) / 2;
                }
                out.x *= scale;
                out.y *= scale * imaginary;
            }
            to[fx] = out;
        }
    }
}

template <class T, class N, int KIND, int REAL>
static void amplify_kind(const enuf_nufft *plan, const void *modes, const void *multiplier)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    /* the complex-to-real transform has sign +1 */
    T imaginary = REAL && plan->backward_sign == -1 ? -1 : 1;
    const int64_t rows =
        cuda->axis[1].n_frequency * cuda->axis[2].n_frequency * plan->options.batch;
    const row_launch l = launch_of(rows, cuda->axis[0].n_frequency);
    enuf_chain(cuda->stream, amplify_kernel<T, N, KIND, REAL>, l.blocks, l.threads, 0,
               axes_of(plan), plan->options.batch, (const enuf_complex<T> *)modes,
               (const T *)multiplier, plan->terms ? 0 : plan->n_modes, (T *)cuda->grid, cuda->row,
               cuda->plane, cuda->batch_cells, imaginary,
               weight_table_of(plan, &plan->mode_weights));
}

template <class T, class N>
static void amplify(const enuf_nufft *plan, const void *modes, enuf_multiplier kind,
                    const void *multiplier)
{
    if (!multiplier && plan->real)
        amplify_kind<T, N, NO_MULTIPLIER, 1>(plan, modes, multiplier);
    else if (!multiplier)
        amplify_kind<T, N, NO_MULTIPLIER, 0>(plan, modes, multiplier);
    else if (kind == ENUF_REAL && plan->real)
        amplify_kind<T, N, REAL_MULTIPLIER, 1>(plan, modes, multiplier);
    else if (kind == ENUF_REAL)
        amplify_kind<T, N, REAL_MULTIPLIER, 0>(plan, modes, multiplier);
    else if (plan->real)
        amplify_kind<T, N, COMPLEX_MULTIPLIER, 1>(plan, modes, multiplier);
    else
        amplify_kind<T, N, COMPLEX_MULTIPLIER, 0>(plan, modes, multiplier);
}

enuf_status enuf_cuda_amplify(enuf_nufft *plan, const void *modes, enuf_multiplier kind,
                              const void *multiplier)
{
    ENUF_CUDA_BY_PRECISIONS(plan, amplify, plan, modes ? modes : enuf_cuda_of(plan)->spectrum, kind,
                            multiplier);
    return enuf_cuda_launched("amplify");
}

/* ---- Both at once ---- */

/*
 * Filters the grid's frequencies in place: each is read, written as a mode of the spectrum,
 * multiplied and written back. Frequencies without a mode become zero. A multiplier that is even in
 * m needs no Hermitian part: the transform of real numbers has it. Bytes: the grid's frequencies
 * once in and once out, modes once out, multipliers once in, mostly in the second cache. A warp
 * owns a row of frequencies, and starts all reads of the row before it uses the first. 96^3 cells:
 * 7.6 us, in two steps 12.4 (H100, November 2026).
 */
template <class T, class N>
__global__ void __launch_bounds__(THREADS)
    filter_kernel(const axes a, int batch, unsigned parts, const T *multiplier, T *grid,
                  int64_t row, int64_t plane, int64_t batch_cells, enuf_complex<T> *spectrum,
                  T imaginary, T imaginary_back, enuf_cuda_record *record)
{
    const int64_t n_modes = a.x.n * a.y.n * a.z.n;
    const int64_t part = blockIdx.x % parts, rows_at_once = gridDim.x / parts * ROWS_PER_BLOCK;
    const int64_t first_x = part * LANES + threadIdx.x, x_step = (int64_t)parts * LANES;
    for (int64_t b = blockIdx.z; b < batch; b += gridDim.z)
        for (int64_t fz = blockIdx.y; fz < a.z.n_frequency; fz += gridDim.y) {
            const int64_t z = stored_of(a.z.places, fz);
            for (int64_t fy = blockIdx.x / parts * ROWS_PER_BLOCK + threadIdx.y;
                 fy < a.y.n_frequency; fy += rows_at_once) {
                const int64_t y = stored_of(a.y.places, fy);
                const bool is_mode = y >= 0 && z >= 0;
                const N factor = is_mode ? enuf_inverse<N>(a.y)[y] * enuf_inverse<N>(a.z)[z] : 0;
                const int64_t m0 = is_mode ? (z * a.y.n + y) * a.x.n : 0;
                enuf_complex<T> *at =
                    (enuf_complex<T> *)(grid + b * batch_cells + fz * plane + fy * row);
#pragma unroll 4
                for (int64_t fx = first_x; fx < a.x.n_frequency; fx += x_step) {
                    enuf_complex<T> value = at[fx], out = enuf_make_complex<T>(0, 0);
                    const int64_t x = is_mode ? stored_of(a.x.places, fx) : -1;
                    if (fx + fy + fz == 0 && record && (!isfinite(value.x) || !isfinite(value.y)))
                        record->bad_strength = 1;
                    if (x >= 0) {
                        const T scale = (T)(factor * enuf_inverse<N>(a.x)[x]);
                        value.x *= scale;
                        value.y *= scale * imaginary;
                        spectrum[b * n_modes + m0 + x] = value;
                        if (scale != 0) { /* an unpaired mode is ignored */
                            const T back = multiplier[m0 + x] * scale;
                            out.x = value.x * back;
                            out.y = value.y * back * imaginary_back;
                        }
                    }
                    at[fx] = out;
                }
            }
        }
}

template <class T, class N> static void filter(const enuf_nufft *plan, const void *multiplier)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const T imaginary = plan->real && plan->options.sign == 1 ? -1 : 1;
    const T imaginary_back = plan->real && plan->type2_sign == -1 ? -1 : 1;
    const int64_t most = 65535, nz = cuda->axis[2].n_frequency, batch = plan->options.batch;
    const dim3 threads(LANES, ROWS_PER_BLOCK);
    const dim3 of_plane =
        blocks_of(cuda->axis[1].n_frequency, cuda->axis[0].n_frequency, threads, EACH);
    const dim3 blocks(of_plane.x * of_plane.y, (unsigned)(nz < most ? nz : most),
                      (unsigned)(batch < most ? batch : most));
    filter_kernel<T, N><<<blocks, threads, 0, cuda->stream>>>(
        axes_of(plan), plan->options.batch, of_plane.y, (const T *)multiplier, (T *)cuda->grid,
        cuda->row, cuda->plane, cuda->batch_cells, (enuf_complex<T> *)cuda->spectrum, imaginary,
        imaginary_back, cuda->record);
}

enuf_status enuf_cuda_filter(enuf_nufft *plan, const void *multiplier)
{
    if (plan->n_modes == 0) return enuf_cuda_amplify(plan, NULL, ENUF_REAL, multiplier); /* zeros */
    ENUF_CUDA_BY_PRECISIONS(plan, filter, plan, multiplier);
    return enuf_cuda_launched("filter");
}

/* ---- The spectrum out and in ---- */

template <class T>
__global__ void get_kernel(int64_t n, const int64_t *index, int64_t n_modes, int batch,
                           const enuf_complex<T> *spectrum, enuf_complex<T> *packed,
                           enuf_cuda_record *record)
{
    int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n * batch; i += step) {
        int64_t b = i / n, k = i - b * n, mode = index ? index[k] : k;
        if (mode < 0 || mode >= n_modes)
            atomicMin(&record->bad_index, (unsigned long long)k);
        else
            packed[i] = spectrum[b * n_modes + mode];
    }
}

template <class T>
__global__ void put_kernel(axes a, int64_t n, const int64_t *index, int64_t n_modes, int batch,
                           enuf_complex<T> *spectrum, const enuf_complex<T> *packed,
                           enuf_cuda_record *record)
{
    int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n * batch; i += step) {
        int64_t b = i / n, k = i - b * n, mode = index ? index[k] : k;
        if (mode < 0 || mode >= n_modes) {
            atomicMin(&record->bad_index, (unsigned long long)k);
            continue;
        }
        /* unpaired modes of real strengths take no part */
        int64_t r = mode / a.x.n;
        if (a.y.inverse[r % a.y.n] != 0 && a.z.inverse[r / a.y.n] != 0)
            spectrum[b * n_modes + mode] = packed[i];
    }
}

template <class T>
static void get(const enuf_nufft *plan, int64_t n, const int64_t *index, void *packed)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    get_kernel<T><<<enuf_cuda_blocks(plan, n * plan->options.batch, 256), 256, 0, cuda->stream>>>(
        n, index, plan->n_modes, plan->options.batch, (const enuf_complex<T> *)cuda->spectrum,
        (enuf_complex<T> *)packed, cuda->record);
}

template <class T>
static void put(const enuf_nufft *plan, int64_t n, const int64_t *index, const void *packed)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    put_kernel<T><<<enuf_cuda_blocks(plan, n * plan->options.batch, 256), 256, 0, cuda->stream>>>(
        axes_of(plan), n, index, plan->n_modes, plan->options.batch,
        (enuf_complex<T> *)cuda->spectrum, (const enuf_complex<T> *)packed, cuda->record);
}

enuf_status enuf_cuda_get_spectrum(enuf_nufft *plan, int64_t n, const int64_t *index, void *packed)
{
    if (!index) n = plan->n_modes;
    if (n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, get, plan, n, index, packed);
    return enuf_cuda_launched("get_spectrum");
}

enuf_status enuf_cuda_put_spectrum(enuf_nufft *plan, int64_t n, const int64_t *index,
                                   const void *packed)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    size_t bytes = 2 * enuf_cuda_number(plan) * (size_t)(plan->n_modes * plan->options.batch);
    ENUF_CUDA_TRY(cudaMemsetAsync(cuda->spectrum, 0, bytes, cuda->stream), "put_spectrum");
    if (!index) n = plan->n_modes;
    if (n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, put, plan, n, index, packed);
    return enuf_cuda_launched("put_spectrum");
}
