/*
 * lattice.cuh - sums over the pixels of a grid whose phase separates: exp(2 pi i k . r) is E(j, x)
 * of a sample and a place along axis 1, times F(j, row) of the sample and a row along that axis.
 *
 *   forward   values[j]     = sum_row F(j, row) sum_x E(j, x) image[x, row]
 *   adjoint   image[x, row] = sum_j E(j, x) (F(j, row) values[j])
 *
 * Both have a product of complex matrices inside. A block of THREADS threads owns a tile of it,
 * SIDE by SIDE: samples by rows in forward, rows by places in adjoint. A thread owns EACH * EACH
 * elements in registers; a warp is 2 by 16 threads of 16 by 16. The block tabulates E, and in
 * adjoint F times the values, in shared memory, DEPTH terms of the inner sum at a time: an entry
 * takes one sine and cosine, and serves SIDE elements. So the inner loop has complex
 * multiplications alone: 4 FFMA or DFMA a pair, and 4 loads of 16 bytes (double: 8) for EACH * EACH
 * pairs. The tables add a fifth to that. FFMA bounds it: 32 pairs a cycle of a multiprocessor, 16
 * in double. Pairs a second, predicted / measured (H100, device memory, November 2026):
 * float 6.2e12 / 3.7e12, to 4.3e12 where the inner sum is long; double 3.1e12 / 1.3e12.
 *
 * Vectors of a batch are further blocks, which tabulate again.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_LATTICE_CUH
#define ENUF_DIRECT_LATTICE_CUH

#include "partial.cuh"

namespace
{

/* 2 blocks fit a multiprocessor by their registers: three rounds of them. */
enum { THREADS = 256, EACH = 4, SIDE = 16 * EACH, DEPTH = 16, RUN = 128, BLOCKS_WANTED = 6 };

/* A row of a table is 16 bytes longer, so that a column is not in one bank. */
template <typename T> using table = complex<T>[DEPTH][SIDE + 2];

template <typename T> struct node_of;
template <> struct node_of<float> {
    typedef enuf_split type;
};
template <> struct node_of<double> {
    typedef double type;
};
template <typename T> using node = typename node_of<T>::type;

template <typename T> struct lattice_job {
    int64_t n, nx, ny, rows; /* samples; places along axes 1 and 2; rows along axis 1 */
    int64_t length;          /* rows of a part, in adjoint samples */
    int sign;
    const word<T> *samples;
    const node<T> *nodes[3];
    const complex<T> *input;
    const T *factor;     /* adjoint: of the samples, or NULL */
    complex<T> *partial; /* [parts][batch][outputs] */
};

__device__ __forceinline__ void set_axis(member<float> *m, int d, enuf_split node)
{
    m->whole[d] = (uint32_t)node.whole;
    m->part[d] = node.part;
}

__device__ __forceinline__ void set_axis(member<double> *m, int d, double node)
{
    m->turn[d] = node;
}

/* A sample with its sign; past the last sample the last one. */
template <typename T>
__device__ __forceinline__ member<T> sample_of(const lattice_job<T> &job, int64_t j)
{
    member<T> m;
    load<0>(job.samples, job.n, j < job.n ? j : job.n - 1, &m);
    scale(&m, job.sign);
    return m;
}

/* exp(2 pi i k_x r_x) */
template <typename T>
__device__ __forceinline__ complex<T> along(const member<T> &sample, node<T> x)
{
    member<T> pixel;
    complex<T> e;
    set_axis(&pixel, 0, x);
    phase_of<0, 1>(sample, pixel, &e.x, &e.y);
    return e;
}

/* The places of a row along axes 2 and 3; past the last row those of the last. */
template <typename T> struct row_nodes {
    node<T> y, z;
};

template <typename T>
__device__ __forceinline__ row_nodes<T> nodes_of(const lattice_job<T> &job, int64_t row)
{
    if (row >= job.rows) row = job.rows - 1;
    return {job.nodes[1][row % job.ny], job.nodes[2][row / job.ny]};
}

/* exp(2 pi i (k_y r_y + k_z r_z)) */
template <typename T>
__device__ __forceinline__ complex<T> across(const member<T> &sample, const row_nodes<T> &row)
{
    member<T> pixel;
    complex<T> e;
    set_axis(&pixel, 1, row.y);
    set_axis(&pixel, 2, row.z);
    phase_of<1, 3>(sample, pixel, &e.x, &e.y);
    return e;
}

template <typename T> __device__ __forceinline__ complex<T> product(complex<T> a, complex<T> b)
{
    complex<T> c;
    c.x = a.x * b.x - a.y * b.y;
    c.y = a.x * b.y + a.y * b.x;
    return c;
}

/* sum[a][b] += left[k][a] right[k][b] for DEPTH terms, of this thread's columns of both tables. */
template <typename T>
__device__ __forceinline__ void multiply(const table<T> &left, const table<T> &right,
                                         complex<T> sum[EACH][EACH])
{
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
#pragma unroll 4
    for (int k = 0; k < DEPTH; k++) {
        complex<T> l[EACH], r[EACH];
#pragma unroll
        for (int a = 0; a < EACH; a++) {
            l[a] = left[k][ty * EACH + a];
            r[a] = right[k][tx * EACH + a];
        }
#pragma unroll
        for (int a = 0; a < EACH; a++)
#pragma unroll
            for (int b = 0; b < EACH; b++) {
                sum[a][b].x += l[a].x * r[b].x;
                sum[a][b].x -= l[a].y * r[b].y;
                sum[a][b].y += l[a].x * r[b].y;
                sum[a][b].y += l[a].y * r[b].x;
            }
    }
}

/* Samples by rows. blockIdx: samples, a part of the rows, the vector of the batch. */
template <typename T>
__global__ void __launch_bounds__(THREADS) lattice_forward_kernel(const lattice_job<T> job)
{
    __shared__ alignas(16) table<T> left, right;
    __shared__ member<T> samples[SIDE];
    __shared__ row_nodes<T> rows[SIDE];
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16, column = threadIdx.x % SIDE;
    const int64_t first = (int64_t)blockIdx.x * SIDE, batch = blockIdx.z;
    const int64_t begin = blockIdx.y * job.length;
    const int64_t end = begin + job.length < job.rows ? begin + job.length : job.rows;
    const complex<T> *image = job.input + batch * job.nx * job.rows;
    const member<T> sample = sample_of(job, first + column);
    if (threadIdx.x < SIDE) samples[column] = sample;
    total<T> re[EACH] = {}, im[EACH] = {};
    for (int64_t row = begin; row < end; row += SIDE) {
        __syncthreads();
        if (threadIdx.x < SIDE) rows[column] = nodes_of(job, row + column);
        for (int64_t run = 0; run < job.nx; run += RUN) {
            complex<T> sum[EACH][EACH] = {};
            for (int64_t x = run; x < run + RUN && x < job.nx; x += DEPTH) {
                __syncthreads();
                for (int k = threadIdx.x / SIDE; k < DEPTH; k += THREADS / SIDE)
                    left[k][column] =
                        along<T>(sample, job.nodes[0][x + k < job.nx ? x + k : job.nx - 1]);
                for (int r = threadIdx.x / DEPTH; r < SIDE; r += THREADS / DEPTH) {
                    const int k = threadIdx.x % DEPTH;
                    const bool inside = x + k < job.nx && row + r < end;
                    right[k][r] = inside ? image[(row + r) * job.nx + x + k] : complex<T>{};
                }
                __syncthreads();
                multiply<T>(left, right, sum);
            }
#pragma unroll
            for (int a = 0; a < EACH; a++)
#pragma unroll
                for (int b = 0; b < EACH; b++) {
                    const complex<T> e = across<T>(samples[ty * EACH + a], rows[tx * EACH + b]);
                    const complex<T> term = product<T>(sum[a][b], e);
                    re[a] = enuf_added(re[a], term.x);
                    im[a] = enuf_added(im[a], term.y);
                }
        }
    }
    /* the 16 threads of a sample */
#pragma unroll
    for (int a = 0; a < EACH; a++) {
        complex<T> value;
        value.x = value_of(re[a]);
        value.y = value_of(im[a]);
        for (int k = 8; k > 0; k /= 2) {
            value.x += __shfl_xor_sync(~0u, value.x, k);
            value.y += __shfl_xor_sync(~0u, value.y, k);
        }
        const int64_t j = first + ty * EACH + a;
        if (tx == 0 && j < job.n) job.partial[(blockIdx.y * gridDim.z + batch) * job.n + j] = value;
    }
}

/* Rows by places. blockIdx: tiles of places and of rows, a part of the samples, the vector. */
template <typename T>
__global__ void __launch_bounds__(THREADS, 2) lattice_adjoint_kernel(const lattice_job<T> job)
{
    __shared__ alignas(16) table<T> left, right;
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16, column = threadIdx.x % SIDE;
    const int64_t tiles = (job.nx + SIDE - 1) / SIDE, batch = blockIdx.z;
    const int64_t first = blockIdx.x % tiles * SIDE, row = blockIdx.x / tiles * SIDE;
    const int64_t begin = blockIdx.y * job.length;
    const int64_t end = begin + job.length < job.n ? begin + job.length : job.n;
    const complex<T> *values = job.input + batch * job.n;
    /* of this thread's column of both tables */
    const node<T> place = job.nodes[0][first + column < job.nx ? first + column : job.nx - 1];
    const row_nodes<T> nodes = nodes_of(job, row + column);
    total<T> re[EACH][EACH] = {}, im[EACH][EACH] = {};
    for (int64_t run = begin; run < end; run += RUN) {
        complex<T> sum[EACH][EACH] = {};
        for (int64_t j = run; j < run + RUN && j < end; j += DEPTH) {
            __syncthreads();
            for (int k = threadIdx.x / SIDE; k < DEPTH; k += THREADS / SIDE) {
                const bool inside = j + k < end;
                const member<T> sample = sample_of(job, j + k);
                complex<T> value = inside ? values[j + k] : complex<T>{};
                if (inside && job.factor) {
                    value.x *= job.factor[j + k];
                    value.y *= job.factor[j + k];
                }
                left[k][column] = product<T>(value, across<T>(sample, nodes));
                right[k][column] = along<T>(sample, place);
            }
            __syncthreads();
            multiply<T>(left, right, sum);
        }
#pragma unroll
        for (int a = 0; a < EACH; a++)
#pragma unroll
            for (int b = 0; b < EACH; b++) {
                re[a][b] = enuf_added(re[a][b], sum[a][b].x);
                im[a][b] = enuf_added(im[a][b], sum[a][b].y);
            }
    }
#pragma unroll
    for (int a = 0; a < EACH; a++)
#pragma unroll
        for (int b = 0; b < EACH; b++) {
            const int64_t x = first + tx * EACH + b, y = row + ty * EACH + a;
            if (x >= job.nx || y >= job.rows) continue;
            complex<T> value;
            value.x = value_of(re[a][b]);
            value.y = value_of(im[a][b]);
            job.partial[((blockIdx.y * gridDim.z + batch) * job.rows + y) * job.nx + x] = value;
        }
}

inline int64_t tiles_of(int64_t n)
{
    return (n + SIDE - 1) / SIDE;
}

/* Blocks without the parts. */
inline int64_t lattice_blocks(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    const enuf_direct_grid *grid = &enuf_direct_cuda_of(sums)->grid;
    if (pass->forward) return tiles_of(sums->n_samples);
    return tiles_of(grid->counts[0]) * tiles_of(grid->counts[1] * grid->counts[2]);
}

inline parts lattice_parts(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    const enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    const int64_t rows = cuda->grid.counts[1] * cuda->grid.counts[2];
    return parts_of(cuda, lattice_blocks(sums, pass) * pass->sums,
                    pass->forward ? rows : sums->n_samples, pass->forward ? SIDE : RUN,
                    BLOCKS_WANTED);
}

inline int64_t lattice_partial(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    const int64_t outputs = pass->forward ? sums->n_samples : sums->n_pixels;
    return lattice_parts(sums, pass).splits * pass->sums * outputs;
}

template <typename T> enuf_status sum_lattice(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    const enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    const parts p = lattice_parts(sums, pass);
    lattice_job<T> job;
    job.n = sums->n_samples;
    job.nx = cuda->grid.counts[0];
    job.ny = cuda->grid.counts[1];
    job.rows = cuda->grid.counts[1] * cuda->grid.counts[2];
    job.length = p.length;
    job.sign = pass->forward ? sums->options.sign : -sums->options.sign;
    job.samples = (const word<T> *)cuda->sample_words;
    for (int d = 0; d < 3; d++) job.nodes[d] = (const node<T> *)cuda->node_words[d];
    job.input = (const complex<T> *)pass->input;
    job.factor = enuf_direct_voxel_separates(cuda) ? (const T *)cuda->factor : NULL;
    job.partial = (complex<T> *)cuda->partial.at;
    const dim3 blocks((unsigned int)lattice_blocks(sums, pass), (unsigned int)p.splits,
                      (unsigned int)pass->sums);
    if (pass->forward)
        lattice_forward_kernel<T><<<blocks, THREADS, 0, cuda->stream>>>(job);
    else
        lattice_adjoint_kernel<T><<<blocks, THREADS, 0, cuda->stream>>>(job);
    ENUF_TRY(enuf_cuda_launched("direct sums over a lattice"));
    return add_parts<T>(sums, pass, p.splits, pass->sums);
}

} // namespace

#endif
