/*
 * slab_lines.cu - the modes of z lines: their weights, the sums of energy and virial, the products.
 * Each thread takes a column and goes along z. Neighbour threads take neighbour columns, so that
 * reads are whole cache lines. Memory is the limit, except for the weights, which change with the
 * cell only.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/influence.cuh"
#include "lattice/tensor.h"
#include "slab_kernels.h"

static const int THREADS = 128, WARPS = THREADS / 32;
static const unsigned ENOUGH_BLOCKS = 1024;

/* Blocks along x take columns; blocks along y share z. */
static dim3 blocks_of(int64_t columns, int64_t z)
{
    const int64_t across = (columns + THREADS - 1) / THREADS;
    const unsigned x = (unsigned)(across < ENOUGH_BLOCKS ? across : ENOUGH_BLOCKS);
    const int64_t along = ENOUGH_BLOCKS / (x > 0 ? x : 1);
    return dim3(x, (unsigned)(along < 1 ? 1 : along < z ? along : z));
}

/* Numbers of a column's modes. */
static __device__ __forceinline__ void modes_of_column(const enuf_slab_lines &l, int64_t column,
                                                       int64_t m[3])
{
    const int64_t k = l.y_lo + column / l.modes_x;
    m[0] = column % l.modes_x;
    m[1] = k <= l.modes_y / 2 ? k : k - l.modes_y;
}

/* The k-th mode of z: its number, and its frequency. */
static __device__ __forceinline__ int64_t number_of(const enuf_slab_lines &l, int64_t k)
{
    return k <= l.modes_z / 2 ? k : k - l.modes_z;
}

static __device__ __forceinline__ int64_t frequency_of(const enuf_slab_lines &l, int64_t m)
{
    return m < 0 ? m + l.grid_z : m;
}

static __device__ __forceinline__ int64_t size_of(int64_t m)
{
    return m < 0 ? -m : m;
}

template <class Real>
static __global__ void weigh(const enuf_slab_lines l, const __grid_constant__ enuf_cuda_influence f,
                             const double *inverse, Real *weights)
{
    const int64_t step = (int64_t)gridDim.x * THREADS, count = l.columns * l.modes_z;
    const double *inverse_y = inverse + l.modes_x, *inverse_z = inverse_y + l.modes_y / 2 + 1;
    for (int64_t c = (int64_t)blockIdx.x * THREADS + threadIdx.x; c < l.columns; c += step)
        for (int64_t k = blockIdx.y; k < l.modes_z; k += gridDim.y) {
            int64_t m[3];
            modes_of_column(l, c, m);
            m[2] = number_of(l, k);
            const double at[3] = {(double)m[0], (double)m[1], (double)m[2]};
            const double window =
                inverse[m[0]] * inverse_y[size_of(m[1])] * inverse_z[size_of(m[2])];
            double weight[2];
            influence_of_mode(f, at, weight);
            for (int w = 0; w < 2; w++)
                weights[w * count + k * l.columns + c] = (Real)(weight[w] * window * window);
        }
}

extern "C" enuf_status enuf_slab_weigh(const enuf_slab_lines *l, const enuf_cuda_influence *f,
                                       const double *inverse, int single, void *weights,
                                       cudaStream_t stream)
{
    const dim3 blocks = blocks_of(l->columns, l->modes_z);
    if (l->columns == 0) return ENUF_SUCCESS;
    if (single)
        weigh<<<blocks, THREADS, 0, stream>>>(*l, *f, inverse, (float *)weights);
    else
        weigh<<<blocks, THREADS, 0, stream>>>(*l, *f, inverse, (double *)weights);
    return enuf_cuda_launched("influence of a slab's modes");
}

/* Sums over the block's threads, in thread 0. */
static __device__ __forceinline__ double block_sum(double value)
{
    __shared__ double of_warp[WARPS];
    for (int k = 16; k > 0; k /= 2) value += __shfl_down_sync(~0u, value, k);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < WARPS; w++) value += of_warp[w];
    __syncthreads();
    return value;
}

/* A mode with m_1 != 0 counts twice, for its opposite mode. */
template <class Real, class Complex, int MOMENTS>
static __global__ void __launch_bounds__(THREADS)
    reduce(const enuf_slab_lines l, const Real *weights, const Complex *spectrum, double *partial)
{
    const int64_t step = (int64_t)gridDim.x * THREADS, count = l.columns * l.modes_z;
    double sums[ENUF_SLAB_SUMS] = {0};
    for (int64_t c = (int64_t)blockIdx.x * THREADS + threadIdx.x; c < l.columns; c += step) {
        int64_t m[3];
        modes_of_column(l, c, m);
        const double twice = m[0] > 0 ? 2 : 1, x = (double)m[0], y = (double)m[1];
        double energy = 0, u_0 = 0, u_1 = 0, u_2 = 0;
        for (int64_t k = blockIdx.y; k < l.modes_z; k += gridDim.y) {
            const int64_t m_3 = number_of(l, k);
            const Complex s = spectrum[frequency_of(l, m_3) * l.columns + c];
            const double square = (double)s.x * s.x + (double)s.y * s.y, z = (double)m_3;
            energy += square * (double)weights[k * l.columns + c];
            if (!MOMENTS) continue;
            const double u = square * (double)weights[count + k * l.columns + c];
            u_0 += u;
            u_1 += u * z;
            u_2 += u * z * z;
        }
        sums[0] += twice * energy;
        sums[1] += twice * u_0 * x * x;
        sums[2] += twice * u_0 * y * y;
        sums[3] += twice * u_2;
        sums[4] += twice * u_0 * x * y;
        sums[5] += twice * u_1 * x;
        sums[6] += twice * u_1 * y;
    }
    double *of_block = partial + (blockIdx.y * gridDim.x + blockIdx.x) * ENUF_SLAB_SUMS;
    for (int k = 0; k < ENUF_SLAB_SUMS; k++) {
        const double sum = block_sum(sums[k]);
        if (threadIdx.x == 0) of_block[k] = sum;
    }
}

static __global__ void __launch_bounds__(THREADS)
    add_partials(int n, const double *partial, double *sums)
{
    for (int k = 0; k < ENUF_SLAB_SUMS; k++) {
        double sum = 0;
        for (int i = threadIdx.x; i < n; i += THREADS) sum += partial[i * ENUF_SLAB_SUMS + k];
        sum = block_sum(sum);
        if (threadIdx.x == 0) sums[k] = sum;
    }
}

template <class Real, class Complex>
static void launch_reduce(const enuf_slab_lines *l, dim3 blocks, const void *weights, int moments,
                          const void *spectrum, double *partial, cudaStream_t stream)
{
    const Real *w = (const Real *)weights;
    const Complex *s = (const Complex *)spectrum;
    if (moments)
        reduce<Real, Complex, 1><<<blocks, THREADS, 0, stream>>>(*l, w, s, partial);
    else
        reduce<Real, Complex, 0><<<blocks, THREADS, 0, stream>>>(*l, w, s, partial);
}

extern "C" enuf_status enuf_slab_reduce(const enuf_slab_lines *l, const void *weights, int single,
                                        int moments, const void *spectrum, double *partial,
                                        double *sums, cudaStream_t stream)
{
    const dim3 blocks = blocks_of(l->columns, l->modes_z);
    const int n = l->columns > 0 ? (int)(blocks.x * blocks.y) : 0; /* at most ENOUGH_BLOCKS */
    if (n > 0 && single)
        launch_reduce<float, float2>(l, blocks, weights, moments, spectrum, partial, stream);
    else if (n > 0)
        launch_reduce<double, double2>(l, blocks, weights, moments, spectrum, partial, stream);
    add_partials<<<1, THREADS, 0, stream>>>(n, partial, sums);
    return enuf_cuda_launched("sums over a slab's modes");
}

struct virial_component {
    double inverse[9];
    int index, row, column; /* index -1: weight 0 alone */
};

template <class Real, class Complex>
static __global__ void __launch_bounds__(THREADS)
    multiply(const enuf_slab_lines l, const Real *weights, const virial_component v,
             const Complex *from, Complex *to)
{
    const int64_t step = (int64_t)gridDim.x * THREADS, count = l.columns * l.modes_z;
    for (int64_t c = (int64_t)blockIdx.x * THREADS + threadIdx.x; c < l.columns; c += step) {
        int64_t m[3];
        modes_of_column(l, c, m);
        for (int64_t f = blockIdx.y; f < l.grid_z; f += gridDim.y) {
            Complex s = from[f * l.columns + c];
            const bool below = f <= l.modes_z / 2, above = f >= l.grid_z - l.modes_z / 2;
            const int64_t k = below ? f : l.modes_z - (l.grid_z - f), at = k * l.columns + c;
            Real factor = 0;
            if (below || above) factor = v.index < 0 || v.row == v.column ? weights[at] : (Real)0;
            if ((below || above) && v.index >= 0) {
                double wave[3];
                const double mode[3] = {(double)m[0], (double)m[1], (double)number_of(l, k)};
                wave_of_mode(v.inverse, mode, wave);
                factor = (Real)((double)factor +
                                (double)weights[count + at] * wave[v.row] * wave[v.column]);
            }
            s.x = below || above ? s.x * factor : 0;
            s.y = below || above ? s.y * factor : 0;
            to[f * l.columns + c] = s;
        }
    }
}

extern "C" enuf_status enuf_slab_multiply(const enuf_slab_lines *l, const void *weights,
                                          const double inverse[9], int component, int single,
                                          const void *from, void *to, cudaStream_t stream)
{
    static const int row[6] = ENUF_TENSOR_ROWS, column[6] = ENUF_TENSOR_COLUMNS;
    virial_component v = {{0}, component, 0, 0};
    for (int k = 0; k < 9; k++) v.inverse[k] = inverse[k];
    if (component >= 0) {
        v.row = row[component];
        v.column = column[component];
    }
    const dim3 blocks = blocks_of(l->columns, l->grid_z);
    if (l->columns == 0) return ENUF_SUCCESS;
    if (single)
        multiply<<<blocks, THREADS, 0, stream>>>(*l, (const float *)weights, v,
                                                 (const float2 *)from, (float2 *)to);
    else
        multiply<<<blocks, THREADS, 0, stream>>>(*l, (const double *)weights, v,
                                                 (const double2 *)from, (double2 *)to);
    return enuf_cuda_launched("weighing a slab's modes");
}
