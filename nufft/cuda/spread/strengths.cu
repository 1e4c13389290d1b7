/*
 * strengths.cu - checks that strengths are finite. For deterministic sums it finds the scale of the
 * integers, from the caller's bound or from the largest strength, and turns integers back to
 * numbers.
 *
 * Bytes: each strength once; memory bounds it. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/block_sum.cuh"
#include "cuda/precision.cuh"
#include "fixed_cells.cuh"

#include <cfloat>

enum { THREADS = 256, VALUES = 2 /* largest, sum */ };

/* Of all jobs together; a job is a batch's real or imaginary parts; the bound holds for each. */
static const int64_t MOST_BLOCKS = 2048;

static int64_t jobs_of(const enuf_nufft *plan)
{
    return (int64_t)plan->options.batch * (plan->real ? 1 : 2);
}

/* Blocks of one job. */
static int64_t blocks_of(const enuf_nufft *plan)
{
    int64_t n = enuf_cuda_of(plan)->points.n, most = MOST_BLOCKS / jobs_of(plan);
    int64_t blocks = (n + 4 * THREADS - 1) / (4 * THREADS);
    blocks = blocks < most ? blocks : most;
    return blocks < 1 ? 1 : blocks;
}

int64_t enuf_cuda_strengths_partial(const enuf_nufft *plan)
{
    int64_t jobs = jobs_of(plan);
    return VALUES * (jobs > MOST_BLOCKS ? jobs : MOST_BLOCKS);
}

/* From the sums, the last block sets fixed_scale, or the record's errors. With host memory, refused
 * strengths leave the grid and its scale as they were. */
static __device__ void decide(double largest, double sum, double most, int64_t n, double bound,
                              int need_scale, int keep_if_bad, double *fixed_scale,
                              enuf_cuda_record *record)
{
    int bad = !(largest <= 1.7976931348623157e308 && sum <= most); /* NaN too */
    if (bad) record->bad_strength = 1;
    if (!need_scale) return;
    if (bound == 0) bound = largest * (double)n;
    /* 1e-6 is for the rounding of the sum */
    if (!bad && (!isfinite(bound) || sum > bound * (1 + 1e-6))) {
        record->overflow = 1;
        record->bound = bound;
        record->strength_sum = sum;
        bad = 1;
    }
    int exponent;
    frexp(bound > 0 ? bound : 1, &exponent); /* bound < 2^exponent */
    exponent = 62 - exponent < 1023 ? 62 - exponent : 1023;
    if (!bad) {
        fixed_scale[0] = ldexp(1.0, exponent);
        fixed_scale[1] = largest;
    } else if (!keep_if_bad)
        fixed_scale[0] = 0; /* nothing is spread */
}

/* The sum of sizes: in double, or, where N is float, in a pair of floats. */
template <class N> struct sum_of_sizes {
    typedef double type;
};
template <> struct sum_of_sizes<float> {
    typedef enuf_float_pair type;
};

template <class T, class N>
__global__ void __launch_bounds__(THREADS)
    look_kernel(const T *strengths, const T *factors, int64_t n, int parts, int64_t jobs,
                int64_t blocks, double most, double bound, int need_scale, int keep_if_bad,
                double *partial, unsigned int *arrived, double *fixed_scale,
                enuf_cuda_record *record)
{
    int64_t job = blockIdx.x / blocks, block = blockIdx.x - job * blocks;
    const T *q = strengths + job / parts * n * parts + job % parts;
    N most_here = 0;
    typename sum_of_sizes<N>::type sum_here = {};
    for (int64_t j = block * THREADS + threadIdx.x; j < n; j += blocks * THREADS) {
        N size = fabs((N)(factors ? q[j * parts] * factors[j] : q[j * parts]));
        most_here = enuf_larger::of(most_here, size);
        sum_here = enuf_added(sum_here, size);
    }
    most_here = enuf_block_sum<THREADS, enuf_larger>(most_here);
    sum_here = enuf_block_sum<THREADS, enuf_plus>(sum_here);
    if (threadIdx.x == 0) {
        partial[VALUES * blockIdx.x] = (double)most_here;
        partial[VALUES * blockIdx.x + 1] = enuf_total(sum_here);
    }
    if (!enuf_last_block(arrived, gridDim.x)) return;
    double largest_sum = 0, largest = 0, sum;
    for (job = 0; job < jobs; job++) {
        sum = 0;
        for (int64_t b = threadIdx.x; b < blocks; b += THREADS) {
            const double *from = partial + VALUES * (job * blocks + b);
            largest = enuf_larger::of(largest, from[0]);
            sum += from[1];
        }
        sum = enuf_block_sum<THREADS, enuf_plus>(sum);
        largest_sum = enuf_larger::of(largest_sum, sum);
    }
    largest = enuf_block_sum<THREADS, enuf_larger>(largest);
    if (threadIdx.x == 0)
        decide(largest, largest_sum, most, n, bound, need_scale, keep_if_bad, fixed_scale, record);
}

/* The strengths to check: all batches for the plan's grid, or one batch, with factors, for a
 * brick. */
struct strengths_seen {
    const void *strengths, *factors;
    int batch, need_scale;
};

template <class T, class N> static void look(const enuf_nufft *plan, const strengths_seen &seen)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    int64_t jobs = (int64_t)seen.batch * (plan->real ? 1 : 2), blocks = blocks_of(plan);
    look_kernel<T, N><<<(unsigned int)(jobs * blocks), THREADS, 0, cuda->stream>>>(
        (const T *)seen.strengths, (const T *)seen.factors, cuda->points.n, plan->real ? 1 : 2,
        jobs, blocks, enuf_most_strength(plan, sizeof(T) == sizeof(float) ? FLT_MAX : DBL_MAX),
        plan->options.strength_bound, seen.need_scale, enuf_cuda_on_host(plan), cuda->partial,
        cuda->arrived, cuda->fixed_scale, cuda->record);
}

enuf_status enuf_cuda_look_at_strengths(enuf_nufft *plan, const void *strengths)
{
    const strengths_seen seen = {strengths, NULL, plan->options.batch, plan->options.deterministic};
    ENUF_CUDA_BY_PRECISIONS(plan, look, plan, seen);
    return enuf_cuda_launched("looking at the strengths");
}

enuf_status enuf_cuda_look_at_brick_strengths(enuf_nufft *plan, const void *strengths,
                                              const void *factors)
{
    const strengths_seen seen = {strengths, factors, 1, 0};
    ENUF_CUDA_BY_PRECISIONS(plan, look, plan, seen);
    return enuf_cuda_launched("looking at the strengths");
}

/* In double both are the same memory: a thread reads its number before it writes it. */
template <class T, class N>
__global__ void from_fixed_kernel(int64_t n, const int64_t *fixed, const double *fixed_scale,
                                  T *cells)
{
    int64_t step = (int64_t)gridDim.x * blockDim.x;
    double unit = *fixed_scale > 0 ? 1 / *fixed_scale : 0;
    int exponent = fixed_exponent(*fixed_scale);
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        cells[i] = sizeof(N) == sizeof(float) ? (T)number_of_fixed(fixed[i], exponent)
                                              : (T)((double)fixed[i] * unit);
}

template <class T, class N> static void from_fixed(const enuf_nufft *plan)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    int64_t n = cuda->batch_cells * plan->options.batch;
    from_fixed_kernel<T, N><<<enuf_cuda_blocks(plan, n, 256), 256, 0, cuda->stream>>>(
        n, cuda->fixed, cuda->fixed_scale, (T *)cuda->grid);
}

enuf_status enuf_cuda_from_fixed(enuf_nufft *plan)
{
    ENUF_CUDA_BY_PRECISIONS(plan, from_fixed, plan);
    return enuf_cuda_launched("integers to numbers");
}
