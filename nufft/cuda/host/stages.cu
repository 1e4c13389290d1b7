/*
 * stages.cu - the stages on a box of the caller's spectrum, a thread an element; clearing a brick.
 *
 * Bytes: each element once in and once out. The bound is memory, or the divisions that find an
 * element's modes. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/block_sum.cuh"
#include "cuda/precision.cuh"

enum { MOMENTS = ENUF_REDUCE_MOMENTS, THREADS = 256 };
static const int64_t MOST_BLOCKS = ENUF_REDUCE_BLOCKS;

/* A block owns rows of x. */
template <class T> __global__ void zero_kernel(enuf_target target, int per_cell, T *cells)
{
    int64_t rows = target.count[1] * target.count[2];
    for (int64_t r = blockIdx.x; r < rows; r += gridDim.x) {
        int64_t z = r / target.count[1], y = r - z * target.count[1];
        T *row = cells + z * target.stride[2] + y * target.stride[1];
        for (int64_t x = threadIdx.x; x < target.count[0] * per_cell; x += blockDim.x) row[x] = 0;
    }
}

template <class T> static void zero(const enuf_nufft *plan, const enuf_target *target, void *cells)
{
    zero_kernel<T><<<enuf_cuda_blocks(plan, target->count[1] * target->count[2], 1), THREADS, 0,
                     enuf_cuda_of(plan)->stream>>>(*target, plan->real ? 1 : 2, (T *)cells);
}

/* A brick without space between its rows is one piece of memory. In 1D the kernel has one
 * block: with it spreading of 8.4e6 points on as many cells takes 1.96 ms (H200, November 2026). */
enuf_status enuf_cuda_zero_brick(enuf_nufft *plan, const enuf_target *target, void *cells)
{
    int64_t numbers = plan->real ? 1 : 2;
    for (int d = 0; d < 3; d++) numbers *= target->count[d];
    if (numbers == enuf_target_span(plan, target)) {
        ENUF_CUDA_TRY(cudaMemsetAsync(cells, 0, (size_t)numbers * enuf_cuda_number(plan),
                                      enuf_cuda_of(plan)->stream),
                      "clearing a brick");
        return ENUF_SUCCESS;
    }
    ENUF_CUDA_BY_PRECISION(plan, zero, plan, target, cells);
    return enuf_cuda_launched("clearing a brick");
}

/* A box and the plan's factors, by value. */
typedef struct boxed {
    enuf_spectral_box box;
    int dim, real;
    int64_t count;
    const double *inverse_of[3];
} boxed;

/* An element of the box: mode numbers, 1/w (0: no mode), 2 off the plane m = 0. */
typedef struct place {
    double mode[3], inverse;
    int weight;
} place;

static boxed boxed_of(const enuf_nufft *plan, const enuf_spectral_box *box)
{
    boxed b = {};
    b.box = *box;
    b.dim = plan->options.dim;
    b.real = plan->real;
    b.count = 1;
    for (int d = 0; d < b.dim; d++) {
        b.count *= box->n[d];
        b.inverse_of[d] = enuf_cuda_of(plan)->axis[d].inverse_of;
    }
    return b;
}

/* Mode number and 1/w of frequency f on axis d. */
static __device__ inline double on_axis(const boxed &b, int d, int64_t f, double *mode)
{
    int64_t grid = b.box.global_grid[d], modes = b.box.modes[d];
    /* the unpaired mode -n/2 exists for complex strengths only */
    int64_t most = (modes - 1) / 2, least = b.real ? -most : -(modes / 2), down = f - grid;
    *mode = 0;
    if (modes > 0 && f <= most) {
        *mode = (double)f;
        return b.inverse_of[d][f];
    }
    if (modes > 0 && down >= least && d != b.box.half_axis) {
        *mode = (double)down;
        return b.inverse_of[d][-down];
    }
    return 0;
}

static __device__ inline place place_at(const boxed &b, int64_t index)
{
    place p = {{0, 0, 0}, 1, 1};
    for (int k = b.dim - 1; k >= 0; k--) {
        int d = b.box.axis_order[k];
        int64_t rest = index / b.box.n[d], f = b.box.lo[d] + index - rest * b.box.n[d];
        index = rest;
        p.inverse *= on_axis(b, d, f, &p.mode[d]);
        if (d == b.box.half_axis && f > 0) p.weight = 2;
    }
    return p;
}

/* record: the zeroth frequency comes first, and is looked at; or NULL. */
template <class T>
__global__ void deconvolve_kernel(boxed b, enuf_complex<T> *values, enuf_cuda_record *record)
{
    int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < b.count; i += step) {
        T scale = (T)place_at(b, i).inverse;
        enuf_complex<T> v = values[i];
        if (i == 0 && record && (!isfinite(v.x) || !isfinite(v.y))) record->bad_strength = 1;
        /* 0 also where a caller left a NaN */
        values[i] = scale != 0 ? enuf_make_complex<T>(v.x * scale, v.y * scale)
                               : enuf_make_complex<T>(0, 0);
    }
}

template <class T> static void deconvolve(const enuf_nufft *plan, const boxed &b, void *spectrum)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    deconvolve_kernel<T><<<enuf_cuda_blocks(plan, b.count, THREADS), THREADS, 0, cuda->stream>>>(
        b, (enuf_complex<T> *)spectrum,
        enuf_box_begins_at_zero(plan, &b.box) ? cuda->record : NULL);
}

enuf_status enuf_cuda_stage_deconvolve(enuf_nufft *plan, const enuf_spectral_box *box,
                                       void *spectrum)
{
    boxed b = boxed_of(plan, box);
    if (b.count == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, deconvolve, plan, b, spectrum);
    return enuf_cuda_launched("deconvolving a box");
}

template <class T, int COMPLEX>
__global__ void multiply_kernel(int64_t n, const T *factor, enuf_complex<T> *values)
{
    int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        enuf_complex<T> v = values[i];
        if (COMPLEX) {
            enuf_complex<T> f = ((const enuf_complex<T> *)factor)[i];
            values[i] = enuf_make_complex<T>(v.x * f.x - v.y * f.y, v.x * f.y + v.y * f.x);
        } else {
            values[i] = enuf_make_complex<T>(v.x * factor[i], v.y * factor[i]);
        }
    }
}

template <class T>
static void multiply(const enuf_nufft *plan, int64_t n, enuf_multiplier kind, const void *factor,
                     void *spectrum)
{
    cudaStream_t stream = enuf_cuda_of(plan)->stream;
    unsigned int blocks = enuf_cuda_blocks(plan, n, THREADS);
    if (kind == ENUF_COMPLEX)
        multiply_kernel<T, 1>
            <<<blocks, THREADS, 0, stream>>>(n, (const T *)factor, (enuf_complex<T> *)spectrum);
    else
        multiply_kernel<T, 0>
            <<<blocks, THREADS, 0, stream>>>(n, (const T *)factor, (enuf_complex<T> *)spectrum);
}

enuf_status enuf_cuda_stage_multiply(enuf_nufft *plan, const enuf_spectral_box *box,
                                     enuf_multiplier kind, const void *multiplier, void *spectrum)
{
    int64_t n = boxed_of(plan, box).count;
    if (n == 0) return ENUF_SUCCESS;
    ENUF_CUDA_BY_PRECISION(plan, multiply, plan, n, kind, multiplier, spectrum);
    return enuf_cuda_launched("multiplying a box");
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    reduce_kernel(boxed b, const enuf_complex<T> *values, const T *weights, int per,
                  double *partial, unsigned int *arrived, double *sums)
{
    double sum[MOMENTS] = {0};
    int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < b.count; i += step) {
        place p = place_at(b, i);
        if (p.inverse == 0) continue;
        double re = values[i].x, im = values[i].y;
        double term = (re * re + im * im) * p.weight * (double)weights[i];
        sum[0] += term;
        sum[1] += term * p.mode[0] * p.mode[0];
        sum[2] += term * p.mode[1] * p.mode[1];
        sum[3] += term * p.mode[2] * p.mode[2];
        sum[4] += term * p.mode[0] * p.mode[1];
        sum[5] += term * p.mode[0] * p.mode[2];
        sum[6] += term * p.mode[1] * p.mode[2];
    }
    for (int k = 0; k < per; k++) {
        double total = enuf_block_sum<THREADS, enuf_plus>(sum[k]);
        if (threadIdx.x == 0) partial[blockIdx.x * MOMENTS + k] = total;
    }
    if (!enuf_last_block(arrived, gridDim.x)) return;
    for (int k = 0; k < per; k++) {
        double total = 0;
        for (int64_t block = threadIdx.x; block < gridDim.x; block += THREADS)
            total += partial[block * MOMENTS + k];
        total = enuf_block_sum<THREADS, enuf_plus>(total);
        if (threadIdx.x == 0) sums[k] = total;
    }
}

template <class T>
static void reduce(const enuf_nufft *plan, const boxed &b, const void *weight, int moments,
                   const void *spectrum, double *sums)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    int64_t blocks = (b.count + THREADS - 1) / THREADS;
    blocks = blocks < 1 ? 1 : blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS; /* not the GPU's own */
    reduce_kernel<T><<<(unsigned int)blocks, THREADS, 0, cuda->stream>>>(
        b, (const enuf_complex<T> *)spectrum, (const T *)weight, moments ? MOMENTS : 1,
        cuda->partial, cuda->arrived, sums);
}

enuf_status enuf_cuda_stage_reduce(enuf_nufft *plan, const enuf_spectral_box *box,
                                   const void *weight, int moments, const void *spectrum,
                                   double *sums)
{
    boxed b = boxed_of(plan, box);
    ENUF_CUDA_BY_PRECISION(plan, reduce, plan, b, weight, moments, spectrum, sums);
    return enuf_cuda_launched("reducing a box");
}
