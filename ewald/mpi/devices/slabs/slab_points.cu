/*
 * slab_points.cu - sends points to the slabs of their cells, and results back into the caller's
 * order. Each block takes a chunk of points and counts them by slab. After the sum of all counts it
 * writes each point to its place. Points are folded twice, because this takes less time than
 * storing the result.
 *
 * Bytes for each point: 24 to count, 32 read and 36 written to pack.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "slab_kernels.h"

static const int THREADS = 256, SCAN_THREADS = 1024;
static const int64_t LEAST_CHUNK = 1024;

extern "C" int enuf_slab_chunks(int64_t n)
{
    const int64_t chunks = (n + LEAST_CHUNK - 1) / LEAST_CHUNK, most = ENUF_SLAB_CHUNKS;
    return (int)(chunks < 1 ? 1 : chunks < most ? chunks : most);
}

/* Position in cells, with the same roundings as in the plans. Returns the slab, or -1 if the
 * position is not finite or too large. */
static __device__ __forceinline__ int fold(const enuf_slab_fold &f, const double *x, double u[3])
{
    bool good = true;
    for (int d = 0; d < 3; d++) {
        const double *T = f.frame + 3 * d;
        const double s = fma(T[0], x[0], fma(T[1], x[1], T[2] * x[2]));
        u[d] = (s - floor(s)) * f.grid[d];
        good = good && u[d] >= 0;          /* false for NaN */
        if (!(u[d] < f.grid[d])) u[d] = 0; /* s just below an integer may round up to it */
    }
    return good ? (int)((f.slabs * ((int64_t)u[2] + 1) - 1) / f.planes) : -1;
}

/* Adds 1 to count[slab] for each thread of the warp; returns the thread's place. All 32 threads
 * must call it. slab -1: counts nothing. */
static __device__ __forceinline__ unsigned long long take_place(int slab, unsigned long long *count)
{
    const unsigned same = __match_any_sync(~0u, (unsigned)slab);
    const int lane = threadIdx.x % 32, leader = __ffs((int)same) - 1;
    unsigned long long place = 0;
    if (lane == leader && slab >= 0)
        place = atomicAdd(&count[slab], (unsigned long long)__popc(same));
    place = __shfl_sync(~0u, place, leader);
    return place + (unsigned)__popc(same & ((1u << lane) - 1));
}

struct chunk {
    int64_t first, end; /* of the points */
};

static __device__ __forceinline__ chunk chunk_of(int64_t n)
{
    return {n * blockIdx.x / gridDim.x, n * (blockIdx.x + 1) / gridDim.x};
}

static __global__ void __launch_bounds__(THREADS)
    count_points(const enuf_slab_fold f, int64_t n, const double *positions, int64_t *start,
                 unsigned long long *bad)
{
    extern __shared__ unsigned long long count[];
    const chunk c = chunk_of(n);
    for (int s = threadIdx.x; s < f.slabs; s += THREADS) count[s] = 0;
    __syncthreads();
    for (int64_t first = c.first; first < c.end; first += THREADS) {
        const int64_t i = first + threadIdx.x;
        double u[3];
        int slab = -1;
        if (i < c.end) {
            slab = fold(f, positions + 3 * i, u);
            if (slab < 0) atomicMin(bad, (unsigned long long)i);
        }
        take_place(slab, count);
    }
    __syncthreads();
    for (int s = threadIdx.x; s < f.slabs; s += THREADS)
        start[(int64_t)s * gridDim.x + blockIdx.x] = (int64_t)count[s];
}

/* Replaces counts [slabs][chunks] by places, in one block; counts: sums of each slab. */
static __global__ void __launch_bounds__(SCAN_THREADS)
    find_starts(int slabs, int chunks, int64_t *start, int64_t *counts)
{
    __shared__ int64_t sum[SCAN_THREADS];
    const int64_t n = (int64_t)slabs * chunks, t = threadIdx.x;
    const int64_t first = n * t / SCAN_THREADS, end = n * (t + 1) / SCAN_THREADS;
    int64_t mine = 0;
    for (int64_t k = first; k < end; k++) mine += start[k];
    sum[t] = mine;
    __syncthreads();
    for (int step = 1; step < SCAN_THREADS; step *= 2) {
        const int64_t below = t >= step ? sum[t - step] : 0;
        __syncthreads();
        sum[t] += below;
        __syncthreads();
    }
    int64_t place = sum[t] - mine;
    for (int64_t k = first; k < end; k++) {
        const int64_t count = start[k];
        start[k] = place;
        place += count;
    }
    __syncthreads();
    for (int64_t s = t; s < slabs; s += SCAN_THREADS) {
        const int64_t next = s + 1 < slabs ? start[(s + 1) * chunks] : sum[SCAN_THREADS - 1];
        counts[s] = next - start[s * chunks];
    }
}

static __global__ void no_bad_point(int64_t n, int64_t *bad)
{
    *bad = n;
}

extern "C" enuf_status enuf_slab_count_points(const enuf_slab_fold *f, int64_t n,
                                              const double *positions, int64_t *start,
                                              int64_t *counts, cudaStream_t stream)
{
    const int chunks = enuf_slab_chunks(n);
    const size_t shared = (size_t)f->slabs * sizeof(unsigned long long);
    no_bad_point<<<1, 1, 0, stream>>>(n, counts + f->slabs);
    count_points<<<chunks, THREADS, shared, stream>>>(*f, n, positions, start,
                                                      (unsigned long long *)(counts + f->slabs));
    find_starts<<<1, SCAN_THREADS, 0, stream>>>(f->slabs, chunks, start, counts);
    return enuf_cuda_launched("counting points by slab");
}

/* Writes points. Places start at the first own point, or at the first point of others. */
static __global__ void __launch_bounds__(THREADS)
    pack_points(const enuf_slab_fold f, int64_t n, const double *positions, const double *q,
                const int64_t *start, const int64_t *counts, enuf_slab_point *own,
                enuf_slab_point *packed, uint32_t *sent_as)
{
    extern __shared__ unsigned long long place[];
    const chunk c = chunk_of(n);
    const int64_t n_own = f.own >= 0 ? counts[f.own] : 0;
    for (int s = threadIdx.x; s < f.slabs; s += THREADS) {
        const int64_t before = s < f.own || f.own < 0 ? 0
                               : s > f.own            ? n_own
                                                      : start[(int64_t)s * gridDim.x];
        place[s] = (unsigned long long)(start[(int64_t)s * gridDim.x + blockIdx.x] - before);
    }
    __syncthreads();
    for (int64_t first = c.first; first < c.end; first += THREADS) {
        const int64_t i = first + threadIdx.x;
        double u[3];
        const int slab = i < c.end ? fold(f, positions + 3 * i, u) : -1;
        const unsigned long long at = take_place(slab, place);
        if (slab < 0) continue;
        const enuf_slab_point point = {{u[0], u[1], u[2]}, q[i]};
        (slab == f.own ? own : packed)[at] = point;
        sent_as[i] = (uint32_t)(slab == f.own ? (unsigned long long)(n - n_own) + at : at);
    }
}

extern "C" enuf_status enuf_slab_pack_points(const enuf_slab_fold *f, int64_t n,
                                             const double *positions, const double *q,
                                             const int64_t *start, const int64_t *counts,
                                             enuf_slab_point *own, enuf_slab_point *packed,
                                             uint32_t *sent_as, cudaStream_t stream)
{
    const size_t shared = (size_t)f->slabs * sizeof(unsigned long long);
    if (n == 0) return ENUF_SUCCESS;
    pack_points<<<enuf_slab_chunks(n), THREADS, shared, stream>>>(*f, n, positions, q, start,
                                                                  counts, own, packed, sent_as);
    return enuf_cuda_launched("sorting points by slab");
}

static unsigned blocks_of(int64_t n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

template <class Real>
static __global__ void charges(int64_t n, const enuf_slab_point *points, Real *q)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) q[i] = (Real)points[i].q;
}

extern "C" enuf_status enuf_slab_charges(int64_t n, const enuf_slab_point *points, int single,
                                         void *q, cudaStream_t stream)
{
    if (n == 0) return ENUF_SUCCESS;
    if (single)
        charges<<<blocks_of(n), THREADS, 0, stream>>>(n, points, (float *)q);
    else
        charges<<<blocks_of(n), THREADS, 0, stream>>>(n, points, (double *)q);
    return enuf_cuda_launched("charges of a slab's points");
}

/* The arrays of results of points. */
template <class Real> struct found {
    const Real *came_back, *own;
    int64_t n_others;
};

template <class Real>
static __device__ __forceinline__ const Real *of_point(const found<Real> &f, uint32_t sent_as,
                                                       int width)
{
    const int64_t at = sent_as;
    return at < f.n_others ? f.came_back + width * at : f.own + width * (at - f.n_others);
}

template <class Real>
static __global__ void bring_values(int64_t n, const uint32_t *sent_as, const found<Real> from,
                                    Real *to)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = *of_point(from, sent_as[i], 1);
}

template <class Real>
static void launch_values(int64_t n, int64_t n_others, const uint32_t *sent_as,
                          const void *came_back, const void *own, void *to, cudaStream_t stream)
{
    const found<Real> from = {(const Real *)came_back, (const Real *)own, n_others};
    bring_values<Real><<<blocks_of(n), THREADS, 0, stream>>>(n, sent_as, from, (Real *)to);
}

extern "C" enuf_status enuf_slab_bring_values(int64_t n, int64_t n_others, const uint32_t *sent_as,
                                              int single, const void *came_back, const void *own,
                                              void *to, cudaStream_t stream)
{
    if (n == 0) return ENUF_SUCCESS;
    if (single)
        launch_values<float>(n, n_others, sent_as, came_back, own, to, stream);
    else
        launch_values<double>(n, n_others, sent_as, came_back, own, to, stream);
    return enuf_cuda_launched("potentials back to their points");
}

template <class Real>
static __global__ void bring_gradients(const enuf_slab_fold f, int64_t n, const uint32_t *sent_as,
                                       const found<Real> from, Real *to)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Real *g = of_point(from, sent_as[i], 3);
    double per_fraction[3];
    for (int d = 0; d < 3; d++) per_fraction[d] = (double)g[d] * f.grid[d];
    for (int e = 0; e < 3; e++) {
        double sum = 0;
        for (int d = 0; d < 3; d++) sum += per_fraction[d] * f.frame[3 * d + e];
        to[3 * i + e] = (Real)sum;
    }
}

template <class Real>
static void launch_gradients(const enuf_slab_fold *f, int64_t n, int64_t n_others,
                             const uint32_t *sent_as, const void *came_back, const void *own,
                             void *to, cudaStream_t stream)
{
    const found<Real> from = {(const Real *)came_back, (const Real *)own, n_others};
    bring_gradients<Real><<<blocks_of(n), THREADS, 0, stream>>>(*f, n, sent_as, from, (Real *)to);
}

extern "C" enuf_status enuf_slab_bring_gradients(const enuf_slab_fold *f, int64_t n,
                                                 int64_t n_others, const uint32_t *sent_as,
                                                 int single, const void *came_back, const void *own,
                                                 void *to, cudaStream_t stream)
{
    if (n == 0) return ENUF_SUCCESS;
    if (single)
        launch_gradients<float>(f, n, n_others, sent_as, came_back, own, to, stream);
    else
        launch_gradients<double>(f, n, n_others, sent_as, came_back, own, to, stream);
    return enuf_cuda_launched("gradients back to their points");
}
