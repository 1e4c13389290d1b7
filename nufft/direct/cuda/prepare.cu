/*
 * prepare.cu - what the sums read, made from what the caller has set: a thread a sample, pixel or
 * node. Memory bounds these kernels; all of them are small beside the sums.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "phase.cuh"

enum { THREADS = 256 };

static unsigned int blocks_of(const enuf_direct_cuda *cuda, int64_t n)
{
    const int64_t most = (int64_t)cuda->multiprocessors * 32, blocks = (n + THREADS - 1) / THREADS;
    return (unsigned int)(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

#define FOR_EACH(i, n)                                                                             \
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < (n);                         \
         i += (int64_t)gridDim.x * THREADS)

/* ---- What the caller sets ---- */

/* The bits of doubles that are not negative are in their order. */
static __device__ void raise(unsigned long long *most, double size)
{
    for (int k = 16; k > 0; k /= 2) size = fmax(size, __shfl_xor_sync(~0u, size, k));
    if (most && threadIdx.x % 32 == 0)
        atomicMax(most, (unsigned long long)__double_as_longlong(size));
}

__global__ void __launch_bounds__(THREADS)
    pack_kernel(int64_t n, const double *from, int64_t stride, double *to, unsigned long long *bad,
                unsigned long long *most)
{
    double size = 0;
    FOR_EACH(i, n)
    {
        const double x = from[i * stride];
        to[i] = x;
        if (isfinite(x))
            size = fmax(size, fabs(x));
        else
            atomicMin(bad, (unsigned long long)i);
    }
    raise(most, size);
}

enuf_status enuf_direct_pack(const enuf_direct *sums, int64_t n, const double *from, int64_t stride,
                             double *to, enuf_direct_array array, unsigned long long *most)
{
    const enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    if (n == 0) return ENUF_SUCCESS;
    pack_kernel<<<blocks_of(cuda, n), THREADS, 0, cuda->stream>>>(n, from, stride, to,
                                                                  &cuda->record->bad[array], most);
    return enuf_cuda_launched("packing samples and pixels");
}

/* Rounded as on the host. */
__global__ void __launch_bounds__(THREADS)
    nodes_kernel(int64_t n, double first, double spacing, double *to, unsigned long long *most)
{
    double size = 0;
    FOR_EACH(i, n)
    {
        const double x = __dadd_rn(first, __dmul_rn((double)i, spacing));
        to[i] = x;
        size = fmax(size, fabs(x));
    }
    raise(most, size);
}

enuf_status enuf_direct_pack_nodes(const enuf_direct *sums)
{
    const enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    for (int d = 0; d < 3; d++) {
        const int64_t n = cuda->grid.counts[d];
        nodes_kernel<<<blocks_of(cuda, n), THREADS, 0, cuda->stream>>>(
            n, cuda->grid.first[d], cuda->grid.spacing[d], cuda->pixel[d], &cuda->extent->most[d]);
        ENUF_TRY(enuf_cuda_launched("the pixels of a grid"));
    }
    return ENUF_SUCCESS;
}

/* ---- Words: phase.cuh ---- */

int64_t enuf_direct_word_bytes(const enuf_direct *sums)
{
    const int in_float = sums->options.precision == ENUF_FLOAT;
    return 16 * (in_float ? (int)complex_of<float>::WORDS : (int)complex_of<double>::WORDS);
}

/* A member's numbers in double. NULL: zeros. */
struct numbers {
    double turn[4], low, decay, voxel[3];
};

static __device__ double at(const double *array, int64_t i)
{
    return array ? array[i] : 0;
}

static __device__ float4 split_word(enuf_split a, enuf_split b)
{
    return make_float4(__int_as_float(a.whole), a.part, __int_as_float(b.whole), b.part);
}

/* Of a sample the axes are factors and the field is a fraction, of a pixel the reverse. */
static __device__ enuf_split split_of(const numbers &m, const enuf_direct_extent *extent, int d,
                                      bool fraction)
{
    const double unit = (double)unit_of_axis<float>(extent, d);
    if (fraction) return enuf_split_fraction(m.turn[d] / unit);
    return enuf_split_factor(m.turn[d] * unit, d == 3 ? m.low * unit : 0);
}

static __device__ void put(const numbers &m, const enuf_direct_extent *extent, bool pixel,
                           int64_t n, int64_t i, float4 *words)
{
    words[i] = split_word(split_of(m, extent, 0, pixel), split_of(m, extent, 1, pixel));
    words[n + i] = split_word(split_of(m, extent, 2, pixel), split_of(m, extent, 3, !pixel));
    words[2 * n + i] =
        make_float4((float)m.decay, (float)m.voxel[0], (float)m.voxel[1], (float)m.voxel[2]);
}

static __device__ void put(const numbers &m, const enuf_direct_extent *, bool, int64_t n, int64_t i,
                           double2 *words)
{
    words[i] = make_double2(m.turn[0], m.turn[1]);
    words[n + i] = make_double2(m.turn[2], m.turn[3]);
    words[2 * n + i] = make_double2(m.low, m.decay);
    words[3 * n + i] = make_double2(m.voxel[0], m.voxel[1]);
    words[4 * n + i] = make_double2(m.voxel[2], 0);
}

static __device__ double sinc_value(double x)
{
    return fabs(x) < 0x1p-30 ? 1 : sinpi(x) / (3.14159265358979323846 * x);
}

template <typename T>
__global__ void __launch_bounds__(THREADS)
    samples_kernel(int64_t n, const enuf_direct_cuda cuda, word<T> *words, T *factor)
{
    FOR_EACH(i, n)
    {
        numbers m;
        double mean = 1;
        for (int d = 0; d < 3; d++) {
            m.turn[d] = at(cuda.place[d], i);
            m.voxel[d] = m.turn[d] * cuda.voxel[d];
            mean *= sinc_value(m.voxel[d]);
        }
        m.turn[3] = m.decay = m.low = at(cuda.times, i);
        put(m, cuda.extent, false, n, i, words);
        factor[i] = (T)mean;
    }
}

template <typename T>
__global__ void __launch_bounds__(THREADS)
    pixels_kernel(int64_t n, const enuf_direct_cuda cuda, word<T> *words)
{
    const double turn = 0.15915494309189535, rest = -9.839338317591243e-18; /* 1/(2 pi) */
    const double log2_e = 1.44269504088896340736;
    FOR_EACH(i, n)
    {
        const int64_t *counts = cuda.grid.counts;
        int64_t place[3] = {i, i, i};
        if (cuda.on_grid) {
            place[0] = i % counts[0];
            place[1] = i / counts[0] % counts[1];
            place[2] = i / counts[0] / counts[1];
        }
        const double omega = at(cuda.omega, i);
        numbers m;
        for (int d = 0; d < 3; d++) {
            m.turn[d] = at(cuda.pixel[d], place[d]);
            m.voxel[d] = at(cuda.gradient[d], i);
        }
        m.turn[3] = omega * turn;
        m.low = fma(omega, turn, -m.turn[3]) + omega * rest;
        m.decay = -log2_e * at(cuda.decay, i);
        put(m, cuda.extent, true, n, i, words);
    }
}

static __device__ void put_node(double x, double unit, enuf_split *word)
{
    *word = enuf_split_fraction(x / unit);
}

static __device__ void put_node(double x, double, double *word)
{
    *word = x;
}

template <typename N>
__global__ void __launch_bounds__(THREADS)
    node_words_kernel(int64_t n, const double *place, const enuf_direct_extent *extent, int d,
                      N *words)
{
    FOR_EACH(i, n) put_node(place[i], (double)unit_of_axis<float>(extent, d), &words[i]);
}

template <typename T, typename N> static enuf_status make_words(const enuf_direct *sums)
{
    const enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    const int64_t n = sums->n_samples, m = sums->n_pixels;
    if (n > 0)
        samples_kernel<T><<<blocks_of(cuda, n), THREADS, 0, cuda->stream>>>(
            n, *cuda, (word<T> *)cuda->sample_words, (T *)cuda->factor);
    if (m > 0 && cuda->words.at)
        pixels_kernel<T>
            <<<blocks_of(cuda, m), THREADS, 0, cuda->stream>>>(m, *cuda, (word<T> *)cuda->words.at);
    for (int d = 0; d < 3 && cuda->on_grid; d++)
        if (cuda->grid.counts[d] > 0)
            node_words_kernel<<<blocks_of(cuda, cuda->grid.counts[d]), THREADS, 0, cuda->stream>>>(
                cuda->grid.counts[d], cuda->pixel[d], cuda->extent, d, (N *)cuda->node_words[d]);
    return enuf_cuda_launched("samples and pixels");
}

enuf_status enuf_direct_make_words(const enuf_direct *sums)
{
    return sums->options.precision == ENUF_FLOAT ? make_words<float, enuf_split>(sums)
                                                 : make_words<double, double>(sums);
}

/* ---- Input ---- */

template <typename T>
__global__ void __launch_bounds__(THREADS)
    look_kernel(int64_t n, const complex<T> *numbers, unsigned long long *bad)
{
    FOR_EACH(i, n)
    if (!isfinite(numbers[i].x) || !isfinite(numbers[i].y)) atomicMin(bad, (unsigned long long)i);
}

enuf_status enuf_direct_look_at(const enuf_direct *sums, int64_t n, const void *numbers,
                                enuf_direct_array array)
{
    const enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    const int64_t all = n * sums->options.batch;
    unsigned long long *bad = &cuda->record->bad[array];
    if (all == 0) return ENUF_SUCCESS;
    if (sums->options.precision == ENUF_FLOAT)
        look_kernel<float>
            <<<blocks_of(cuda, all), THREADS, 0, cuda->stream>>>(all, (const float2 *)numbers, bad);
    else
        look_kernel<double><<<blocks_of(cuda, all), THREADS, 0, cuda->stream>>>(
            all, (const double2 *)numbers, bad);
    return enuf_cuda_launched("looking at the data");
}
