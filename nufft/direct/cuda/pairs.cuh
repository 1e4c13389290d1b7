/*
 * pairs.cuh - sums over pairs anywhere, with the terms of field, decay and voxel.
 *
 * A thread owns OUTPUTS outputs, each with up to four sums: vectors of the batch, or a value and
 * its slopes. Their members stay in registers. A block of THREADS threads owns THREADS * OUTPUTS
 * outputs and a part of the inputs, which it brings to shared memory in tiles; all threads read the
 * same input at a time, 2 or 3 words of 16 bytes, and so no bank is read twice. Runs of RUN inputs
 * are summed plainly; in float runs are added as pairs of floats, so that an error does not grow
 * with the number of inputs.
 *
 * Operations a pair in float: IMAD and FFMA one for each axis and one for the field, 4 for the
 * fraction, the angle and its turns, 2 special functions, 4 FFMA for each sum; 18 with a field. One
 * load of shared memory serves OUTPUTS pairs. A multiprocessor of an H200 issues 128 operations a
 * cycle, 16 of them special: 7 pairs a cycle by the former bound, 8 by the latter. A decay adds one
 * special function and 3 operations, a voxel 13 operations for each axis and one special function.
 * In double: 5 operations for each product, sincospi(), 4 for each sum: about 52 with a field, at
 * 64 operations a cycle.
 *
 * Pairs a second, predicted / measured (H100, device memory, November 2026): field in float 1.6e12
 * / 1.2e12, in double 2.9e11 / 2.5e11; field and gradients in 3D, float 5.2e11 / 3.2e11.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_PAIRS_CUH
#define ENUF_DIRECT_PAIRS_CUH

#include "partial.cuh"

namespace
{

/* 6 blocks of a float kernel fit a multiprocessor by their registers: two to three rounds of them.
 */
enum { THREADS = 128, TILE = 128, RUN = 64, BLOCKS_WANTED = 16 };

template <typename T> struct pairs_job {
    const word<T> *to, *from;
    int64_t n_to, n_from, length; /* inputs of a part */
    int dim, sign, vectors;       /* of the batch in this pass */
    T edge[3];                    /* of a voxel over 2 pi sign, for slopes */
    const enuf_direct_extent *extent;
    const complex<T> *input; /* [sums, of slopes 1][n_from] */
    const T *factor;         /* [n_from] of the inputs, or NULL */
    complex<T> *partial;     /* [parts][SUMS][n_to] */
};

/* Outputs of a thread. */
template <typename T, int SUMS>
constexpr int OUTPUTS_OF = (sizeof(T) == sizeof(float) ? 2 : 1) * (SUMS == 1 ? 2 : 1);

/* Words of a member that the terms need. */
template <typename T, int TERMS>
constexpr int WORDS_OF = TERMS == 0 || (sizeof(T) == sizeof(float) && TERMS == TERM_FIELD) ? 2
                         : sizeof(T) == sizeof(float) || !(TERMS & TERM_VOXEL)             ? 3
                                                                                           : 5;

/* Inputs begin to begin + TILE, zeros past `end`. */
template <typename T, int WORDS, int VECTORS>
__device__ __forceinline__ void load_tile(const pairs_job<T> &job, int64_t begin, int64_t end,
                                          word<T> words[WORDS][TILE],
                                          complex<T> values[VECTORS][TILE])
{
    for (int k = threadIdx.x; k < TILE; k += THREADS) {
        const int64_t i = begin + k;
        const bool inside = i < end;
        const T factor = inside && job.factor ? job.factor[i] : 1;
#pragma unroll
        for (int w = 0; w < WORDS; w++)
            words[w][k] = inside ? job.from[w * job.n_from + i] : word<T>{};
#pragma unroll
        for (int b = 0; b < VECTORS; b++) {
            complex<T> x = inside && b < job.vectors ? job.input[b * job.n_from + i] : complex<T>{};
            x.x *= factor;
            x.y *= factor;
            values[b][k] = x;
        }
    }
}

__device__ __forceinline__ float place_of(const member<float> &m, int d)
{
    return m.part[d];
}

__device__ __forceinline__ double place_of(const member<double> &m, int d)
{
    return m.turn[d];
}

/* The size of a pair's term, and what the mean over the voxel adds to its slopes. */
template <typename T, int TERMS, bool SLOPES>
__device__ __forceinline__ T size_of(const member<T> &sample, const member<T> &pixel, int dim,
                                     const T edge[3], T slope[3])
{
    T size = 1;
    if constexpr ((TERMS & TERM_VOXEL) != 0) {
        sinc_parts<T> sinc[3];
        T bottom = 1;
#pragma unroll
        for (int d = 0; d < 3; d++) {
            if (d >= dim) continue;
            sinc[d] = sinc_of<T, SLOPES>(sample.voxel[d] + sample.decay * pixel.voxel[d]);
            size *= sinc[d].top;
            bottom *= sinc[d].bottom;
        }
        size = quotient(size, bottom);
        if constexpr (SLOPES)
#pragma unroll
            for (int d = 0; d < 3; d++) {
                if (d >= dim) continue;
                slope[d] = edge[d] * sinc[d].slope;
#pragma unroll
                for (int e = 0; e < 3; e++)
                    if (e != d && e < dim) slope[d] *= quotient(sinc[e].top, sinc[e].bottom);
            }
    }
    if constexpr ((TERMS & TERM_DECAY) != 0) {
        const T decay = power_of_two(sample.decay * pixel.decay);
        size *= decay;
        for (int d = 0; d < 3; d++) slope[d] *= decay;
    }
    return size;
}

template <typename T>
__device__ __forceinline__ void add_term(T c, T s, T re, T im, T *sum_re, T *sum_im)
{
    *sum_re += re * c;
    *sum_re -= im * s;
    *sum_im += re * s;
    *sum_im += im * c;
}

template <typename T, bool FORWARD, int TERMS, int SUMS, bool SLOPES>
__global__ void __launch_bounds__(THREADS) pairs_kernel(const pairs_job<T> job)
{
    constexpr int OUTPUTS = OUTPUTS_OF<T, SUMS>, WORDS = WORDS_OF<T, TERMS>;
    constexpr int VECTORS = SLOPES ? 1 : SUMS;
    __shared__ word<T> words[WORDS][TILE];
    __shared__ complex<T> values[VECTORS][TILE];
    const int64_t begin = blockIdx.y * job.length;
    const int64_t end = begin + job.length < job.n_from ? begin + job.length : job.n_from;
    const int64_t output = (int64_t)blockIdx.x * THREADS * OUTPUTS + threadIdx.x;
    T edge[3] = {};
    if constexpr (SLOPES)
        for (int d = 0; d < 3; d++) edge[d] = job.edge[d] / unit_of_axis<T>(job.extent, d);

    member<T> out[OUTPUTS];
    total<T> re[OUTPUTS][SUMS] = {}, im[OUTPUTS][SUMS] = {};
#pragma unroll
    for (int p = 0; p < OUTPUTS; p++) {
        const int64_t o = output + p * THREADS;
        load<TERMS>(job.to, job.n_to, o < job.n_to ? o : job.n_to - 1, &out[p]);
        scale(&out[p], job.sign);
    }
    for (int64_t first = begin; first < end; first += TILE) {
        __syncthreads();
        load_tile<T, WORDS, VECTORS>(job, first, end, words, values);
        __syncthreads();
        for (int run = 0; run < TILE; run += RUN) {
            T sum_re[OUTPUTS][SUMS] = {}, sum_im[OUTPUTS][SUMS] = {};
#pragma unroll 2
            for (int k = run; k < run + RUN; k++) {
                member<T> in;
                load<TERMS>(&words[0][0], TILE, k, &in);
#pragma unroll
                for (int p = 0; p < OUTPUTS; p++) {
                    T c, s, slope[3] = {};
                    phase_of<0, (TERMS & TERM_FIELD) ? 4 : 3>(out[p], in, &c, &s);
                    if constexpr ((TERMS & (TERM_DECAY | TERM_VOXEL)) != 0) {
                        const T size = size_of<T, TERMS, SLOPES>(
                            FORWARD ? out[p] : in, FORWARD ? in : out[p], job.dim, edge, slope);
                        if constexpr (SLOPES && (TERMS & TERM_VOXEL) != 0)
#pragma unroll
                            for (int d = 0; d < 3; d++) /* minus i times the term */
                                add_term(slope[d] * c, slope[d] * s, values[0][k].y,
                                         -values[0][k].x, &sum_re[p][1 + d], &sum_im[p][1 + d]);
                        c *= size;
                        s *= size;
                    }
#pragma unroll
                    for (int b = 0; b < VECTORS; b++)
                        add_term(c, s, values[b][k].x, values[b][k].y, &sum_re[p][b],
                                 &sum_im[p][b]);
                    if constexpr (SLOPES)
#pragma unroll
                        for (int d = 0; d < 3; d++) {
                            const T place = place_of(in, d);
                            add_term(c, s, place * values[0][k].x, place * values[0][k].y,
                                     &sum_re[p][1 + d], &sum_im[p][1 + d]);
                        }
                }
            }
#pragma unroll
            for (int p = 0; p < OUTPUTS; p++)
#pragma unroll
                for (int b = 0; b < SUMS; b++) {
                    re[p][b] = enuf_added(re[p][b], sum_re[p][b]);
                    im[p][b] = enuf_added(im[p][b], sum_im[p][b]);
                }
        }
    }
#pragma unroll
    for (int p = 0; p < OUTPUTS; p++) {
        const int64_t o = output + p * THREADS;
        if (o >= job.n_to) continue;
#pragma unroll
        for (int b = 0; b < SUMS; b++) {
            complex<T> x;
            x.x = value_of(re[p][b]);
            x.y = value_of(im[p][b]);
            job.partial[(blockIdx.y * SUMS + b) * job.n_to + o] = x;
        }
    }
}

template <typename T> int64_t blocks_of(int64_t outputs, int sums)
{
    const int64_t of_block = THREADS * (sums == 1 ? OUTPUTS_OF<T, 1> : OUTPUTS_OF<T, 4>);
    return (outputs + of_block - 1) / of_block;
}

template <typename T, bool FORWARD, int TERMS>
void launch(const pairs_job<T> &job, const enuf_direct_pass *pass, dim3 blocks, cudaStream_t stream)
{
    if constexpr (FORWARD)
        if (pass->slopes) {
            pairs_kernel<T, true, TERMS, 4, true><<<blocks, THREADS, 0, stream>>>(job);
            return;
        }
    if (pass->sums == 1)
        pairs_kernel<T, FORWARD, TERMS, 1, false><<<blocks, THREADS, 0, stream>>>(job);
    else
        pairs_kernel<T, FORWARD, TERMS, 4, false><<<blocks, THREADS, 0, stream>>>(job);
}

template <typename T, bool FORWARD>
void launch_terms(const pairs_job<T> &job, const enuf_direct_pass *pass, int terms, dim3 blocks,
                  cudaStream_t stream)
{
    if (terms == 0)
        launch<T, FORWARD, 0>(job, pass, blocks, stream);
    else if (terms == TERM_FIELD)
        launch<T, FORWARD, TERM_FIELD>(job, pass, blocks, stream);
    else if (terms & TERM_VOXEL)
        launch<T, FORWARD, TERM_FIELD | TERM_DECAY | TERM_VOXEL>(job, pass, blocks, stream);
    else
        launch<T, FORWARD, TERM_FIELD | TERM_DECAY>(job, pass, blocks, stream);
}

/* Sums of an output that a kernel makes. */
inline int stride_of(const enuf_direct_pass *pass)
{
    return pass->sums == 1 ? 1 : ENUF_DIRECT_MOST_SUMS;
}

template <typename T> parts parts_of_pass(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    const int64_t to = pass->forward ? sums->n_samples : sums->n_pixels;
    const int64_t from = pass->forward ? sums->n_pixels : sums->n_samples;
    return parts_of(enuf_direct_cuda_of(sums), blocks_of<T>(to, pass->sums), from, TILE,
                    BLOCKS_WANTED);
}

template <typename T> enuf_status sum_pairs(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    const enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    const bool forward = pass->forward, separates = enuf_direct_voxel_separates(cuda);
    const parts p = parts_of_pass<T>(sums, pass);
    const word<T> *samples = (const word<T> *)cuda->sample_words;
    const word<T> *pixels = (const word<T> *)cuda->words.at;
    pairs_job<T> job;
    int terms = 0;
    if (cuda->omega) terms |= TERM_FIELD;
    if (cuda->decay) terms |= TERM_FIELD | TERM_DECAY;
    if (cuda->gradient[0] || (separates && pass->slopes)) terms |= TERM_FIELD | TERM_VOXEL;
    job.to = forward ? samples : pixels;
    job.from = forward ? pixels : samples;
    job.n_to = forward ? sums->n_samples : sums->n_pixels;
    job.n_from = forward ? sums->n_pixels : sums->n_samples;
    job.length = p.length;
    job.dim = sums->options.dim;
    job.vectors = pass->slopes ? 1 : pass->sums;
    job.sign = forward ? sums->options.sign : -sums->options.sign;
    for (int d = 0; d < 3; d++)
        job.edge[d] = (T)(cuda->voxel[d] / (6.28318530717958647693 * job.sign));
    job.extent = cuda->extent;
    job.input = (const complex<T> *)pass->input;
    job.factor = !forward && separates ? (const T *)cuda->factor : NULL;
    job.partial = (complex<T> *)cuda->partial.at;
    const dim3 blocks((unsigned int)blocks_of<T>(job.n_to, pass->sums), (unsigned int)p.splits);
    if (forward)
        launch_terms<T, true>(job, pass, terms, blocks, cuda->stream);
    else
        launch_terms<T, false>(job, pass, terms, blocks, cuda->stream);
    ENUF_TRY(enuf_cuda_launched("direct sums over pairs"));
    return add_parts<T>(sums, pass, p.splits, stride_of(pass));
}

template <typename T> int64_t partial_of(const enuf_direct *sums, const enuf_direct_pass *pass)
{
    const int64_t outputs = pass->forward ? sums->n_samples : sums->n_pixels;
    return parts_of_pass<T>(sums, pass).splits * stride_of(pass) * outputs;
}

} // namespace

#endif
