/*
 * reduce.cu - weighted sums of |S|^2 over the spectrum, with second moments of the mode numbers, in
 * double.
 *
 * A warp owns a row of modes; a block leaves its partial sums, the last block adds them in their
 * order. Bytes: spectrum and weights once; memory bounds it, on small spectra the launch does.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/block_sum.cuh"
#include "cuda/precision.cuh"

enum { MOMENTS = ENUF_REDUCE_MOMENTS, LANES = 32, ROWS = 8, THREADS = LANES * ROWS };

/* The number of blocks decides the order of the sum: it depends on the modes only. */
static const int64_t MOST_BLOCKS = ENUF_REDUCE_BLOCKS;

static int64_t blocks_of(const enuf_nufft *plan)
{
    int64_t rows = plan->axis[1].n * plan->axis[2].n, blocks = (rows + ROWS - 1) / ROWS;
    if (rows < ROWS) blocks = (plan->axis[0].n + THREADS - 1) / THREADS; /* long rows are shared */
    return blocks < 1 ? 1 : blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS;
}

int64_t enuf_cuda_reduce_partial(const enuf_nufft *plan)
{
    (void)plan;
    return MOST_BLOCKS * MOMENTS; /* of a box's, too */
}

/* Where sums are held in double, N is double; else pairs of floats hold them, in 8 bytes too. */
template <class N> struct held_sum {
    typedef double type;
};
template <> struct held_sum<float> {
    typedef enuf_float_pair type;
};

template <class T, class N>
__global__ void __launch_bounds__(THREADS)
    reduce_kernel(enuf_cuda_axis ax, enuf_cuda_axis ay, enuf_cuda_axis az, int half, int share_rows,
                  const enuf_complex<T> *spectrum, const T *weights, int per, double *partial,
                  unsigned int *arrived, double *sums)
{
    typedef typename held_sum<N>::type held;
    held sum[MOMENTS] = {}, *parts = (held *)partial;
    int64_t rows = ay.n * az.n, row_step = share_rows ? ROWS : (int64_t)gridDim.x * ROWS;
    int64_t first_row = share_rows ? threadIdx.y : (int64_t)blockIdx.x * ROWS + threadIdx.y;
    int64_t x_step = share_rows ? (int64_t)gridDim.x * LANES : LANES;
    int64_t first_x = share_rows ? (int64_t)blockIdx.x * LANES + threadIdx.x : threadIdx.x;
    for (int64_t r = first_row; r < rows; r += row_step) {
        int64_t z = r / ay.n, y = r - z * ay.n;
        /* unpaired modes do not count, for any weight */
        if (enuf_inverse<N>(ay)[y] == 0 || enuf_inverse<N>(az)[z] == 0) continue;
        N s0 = 0, s1 = 0, s2 = 0, my = enuf_number<N>(ay)[y], mz = enuf_number<N>(az)[z];
        for (int64_t x = first_x; x < ax.n; x += x_step) {
            enuf_complex<T> c = spectrum[r * ax.n + x];
            N re = c.x, im = c.y, m = enuf_number<N>(ax)[x];
            N term = (re * re + im * im) * (N)weights[r * ax.n + x];
            if (half && x > 0) term *= 2;
            s0 += term;
            s1 += term * m;
            s2 += term * m * m;
        }
        sum[0] = enuf_added(sum[0], s0);
        sum[1] = enuf_added(sum[1], s2);
        sum[2] = enuf_added(sum[2], s0 * my * my);
        sum[3] = enuf_added(sum[3], s0 * mz * mz);
        sum[4] = enuf_added(sum[4], s1 * my);
        sum[5] = enuf_added(sum[5], s1 * mz);
        sum[6] = enuf_added(sum[6], s0 * my * mz);
    }
    int thread = threadIdx.x + threadIdx.y * LANES;
    for (int k = 0; k < per; k++) {
        const held total = enuf_block_sum<THREADS, enuf_plus>(sum[k]);
        if (thread == 0) parts[blockIdx.x * MOMENTS + k] = total;
    }
    if (!enuf_last_block(arrived, gridDim.x)) return;
    for (int k = 0; k < per; k++) {
        held total = {};
        for (int64_t b = thread; b < gridDim.x; b += THREADS)
            total = enuf_added(total, parts[b * MOMENTS + k]);
        total = enuf_block_sum<THREADS, enuf_plus>(total);
        if (thread == 0) sums[k] = enuf_total(total);
    }
}

template <class T, class N>
static void reduce(const enuf_nufft *plan, int batch, const void *weight, int moments, double *sums)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    int share_rows = cuda->axis[1].n * cuda->axis[2].n < ROWS;
    reduce_kernel<T, N><<<(unsigned int)blocks_of(plan), dim3(LANES, ROWS), 0, cuda->stream>>>(
        cuda->axis[0], cuda->axis[1], cuda->axis[2], plan->real, share_rows,
        (const enuf_complex<T> *)cuda->spectrum + batch * plan->n_modes, (const T *)weight,
        moments ? MOMENTS : 1, cuda->partial, cuda->arrived, sums);
}

enuf_status enuf_cuda_reduce(enuf_nufft *plan, int batch, const void *weight, int moments,
                             double *sums)
{
    ENUF_CUDA_BY_PRECISIONS(plan, reduce, plan, batch, weight, moments, sums);
    return enuf_cuda_launched("reduce");
}
