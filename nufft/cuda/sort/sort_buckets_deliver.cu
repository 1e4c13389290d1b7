/*
 * sort_buckets_deliver.cu - results of interpolation in 1D and 2D go back by way of the buckets.
 *
 * At random places in the caller's array each is a part of a sector, which memory reads and writes
 * whole. So interpolation writes them in the order of the buckets, where those of a bucket stay in
 * the second cache; deliver reads them in runs and writes them side by side. They take the place of
 * the buckets' records. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/results.cuh"
#include "sort_buckets.cuh"

enum { DELIVERERS = 512 /* threads of a block */ };

extern "C" int enuf_cuda_buckets_hold(const enuf_nufft *plan, const enuf_interpolate_job *job,
                                      int vectors)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const size_t number = enuf_cuda_number(plan), bytes = number * (plan->real ? 1 : 2);
    return plan->options.dim < 3 && cuda->points.n > cuda->most_taken && cuda->points.bucket &&
           !job->gradients && (size_t)vectors * bytes <= enuf_cuda_record_bytes(plan);
}

extern "C" int64_t enuf_cuda_buckets_records(const enuf_nufft *plan)
{
    return (int64_t)buckets_of(plan, &enuf_cuda_of(plan)->points, plan->n_points).most_parts * PART;
}

/* A block the points of one or two blocks of fill_buckets: what it reads lies in runs, so that the
 * first cache serves most of it. Nothing after a refusal: the number of sorted points is not n. */
template <typename real, int PARTS>
__global__ void __launch_bounds__(DELIVERERS)
    deliver(const results out, const buckets b, const point_value<real, PARTS> *held, int64_t n,
            const uint64_t *sorted, const enuf_cuda_sort_state *state)
{
    const uint64_t points = ((uint64_t)1 << ENUF_CUDA_POINT_BITS) - 1;
    const int64_t first = (int64_t)blockIdx.x * PART, vector = blockIdx.y;
    const int64_t end = min(first + PART, n);
    if ((*sorted & points) != (uint64_t)n) return;
    const uint32_t *place = place_of(b, state->places);
    held += vector * b.most_parts * PART;
    for (int64_t j = first + threadIdx.x; j < end; j += DELIVERERS) {
        const point_value<real, PARTS> value = held[place[j]];
        put_value<real, PARTS>(out, vector * n + j, value.part);
    }
}

template <typename real>
static enuf_status deliver_all(const enuf_nufft *plan, const enuf_interpolate_job *job, int vectors)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const enuf_cuda_points *p = &cuda->points;
    const int64_t n = plan->n_points, each = PART;
    const dim3 blocks((unsigned)((n + each - 1) / each), (unsigned)vectors);
    const uint64_t *sorted = p->start + p->n_tiles;
    const buckets b = buckets_of(plan, p, n);
    const results out = results_of(plan, job);
    if (plan->real)
        deliver<real, 1><<<blocks, DELIVERERS, 0, cuda->stream>>>(
            out, b, (const point_value<real, 1> *)p->taken, n, sorted, p->state);
    else
        deliver<real, 2><<<blocks, DELIVERERS, 0, cuda->stream>>>(
            out, b, (const point_value<real, 2> *)p->taken, n, sorted, p->state);
    return enuf_cuda_launched("delivering results from buckets");
}

extern "C" enuf_status enuf_cuda_buckets_deliver(const enuf_nufft *plan,
                                                 const enuf_interpolate_job *job, int vectors)
{
    return plan->options.precision == ENUF_FLOAT ? deliver_all<float>(plan, job, vectors)
                                                 : deliver_all<double>(plan, job, vectors);
}
