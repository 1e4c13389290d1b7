/*
 * partial.cuh - partial sums of blocks that share outputs, added up in a fixed order.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_PARTIAL_CUH
#define ENUF_DIRECT_PARTIAL_CUH

#include "phase.cuh"

/** Inputs are cut into `splits` parts of `length`. */
struct parts {
    int64_t splits, length;
};

/** As many parts as give a few blocks to each multiprocessor, but none shorter than `least`; their
 * length is a multiple of it. */
static inline parts parts_of(const enuf_direct_cuda *cuda, int64_t blocks, int64_t inputs,
                             int64_t least)
{
    const int64_t wanted = (int64_t)cuda->multiprocessors * 16;
    int64_t splits = (wanted + blocks - 1) / (blocks > 0 ? blocks : 1);
    const int64_t most = (inputs + least - 1) / least;
    if (splits > most) splits = most;
    if (splits > 65535) splits = 65535;
    if (splits < 1) splits = 1;
    const int64_t length = (most + splits - 1) / splits * least;
    parts p;
    p.length = length > 0 ? length : least;
    p.splits = inputs > 0 ? (inputs + p.length - 1) / p.length : 1;
    return p;
}

/** Where the sums of a pass go. */
template <typename T> struct results {
    int64_t n, splits;
    int sums, stride, slopes, dim, sign;
    const complex<T> *partial; /* [splits][stride][n], sums of them */
    const T *factor;           /* [n] of the outputs, or NULL */
    complex<T> *output;        /* [sums, of slopes 1][n], or NULL */
    complex<T> *gradients;     /* [n][dim] */
    const enuf_direct_extent *extent;
    unsigned long long *bad;
};

/** A thread adds up one sum of an output. Memory bounds it. */
template <typename T> __global__ void __launch_bounds__(256) add_parts_kernel(const results<T> r)
{
    const int64_t o = (int64_t)blockIdx.x * 256 + threadIdx.x;
    const int q = (int)blockIdx.y;
    if (o >= r.n) return;
    total<T> re = {}, im = {};
    for (int64_t split = 0; split < r.splits; split++) {
        const complex<T> x = r.partial[(split * r.stride + q) * r.n + o];
        re = enuf_added(re, x.x);
        im = enuf_added(im, x.y);
    }
    complex<T> sum;
    sum.x = value_of(re);
    sum.y = value_of(im);
    if (r.factor) sum.x *= r.factor[o], sum.y *= r.factor[o];
    complex<T> *to = r.output ? r.output + q * r.n + o : NULL;
    if (r.slopes && q > 0) { /* 2 pi i sign times the sum */
        const T unit = (T)(6.28318530717958647693 * r.sign) * unit_of_axis<T>(r.extent, q - 1);
        const T part = sum.x;
        sum.x = -unit * sum.y;
        sum.y = unit * part;
        to = r.gradients + o * r.dim + q - 1;
    }
    if (!to) return;
    if (!isfinite(sum.x) || !isfinite(sum.y)) atomicMin(r.bad, (unsigned long long)o);
    *to = sum;
}

/** Adds up the parts of a pass, `stride` sums of an output in each. */
template <typename T>
static enuf_status add_parts(const enuf_direct *sums, const enuf_direct_pass *pass, int64_t splits,
                             int stride)
{
    const enuf_direct_cuda *cuda = enuf_direct_cuda_of(sums);
    results<T> r;
    r.n = pass->forward ? sums->n_samples : sums->n_pixels;
    r.splits = splits;
    r.sums = pass->sums;
    r.stride = stride;
    r.slopes = pass->slopes;
    r.dim = sums->options.dim;
    r.sign = sums->options.sign;
    r.partial = (const complex<T> *)cuda->partial.at;
    r.factor = pass->forward && !pass->slopes && enuf_direct_voxel_separates(cuda)
                   ? (const T *)cuda->factor
                   : NULL;
    r.output = (complex<T> *)pass->output;
    r.gradients = (complex<T> *)pass->gradients;
    r.extent = cuda->extent;
    r.bad = &cuda->record->bad[ENUF_DIRECT_RESULT];
    const dim3 blocks((unsigned int)((r.n + 255) / 256), (unsigned int)r.sums);
    add_parts_kernel<T><<<blocks, 256, 0, cuda->stream>>>(r);
    return enuf_cuda_launched("adding up parts of direct sums");
}

#endif
