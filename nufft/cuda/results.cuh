/*
 * results.cuh - the results of interpolation: values and gradients.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CUDA_RESULTS_CUH
#define ENUF_NUFFT_CUDA_RESULTS_CUH

#include "point.cuh"

struct results {
    void *values, *gradients;
    const void *factors;
    int add, dim, parts;
    int *bad_value;   /* set where a result is not finite */
    double map[3][3]; /* map[d][e] = d u_d / d x_e */
    float map_float[3][3];
    int avoids_fp64; /* 1: gradients of float plans take map_float */
    int whole;       /* 1: values are aligned to all their parts */
};

static inline results results_of(const enuf_nufft *plan, const enuf_interpolate_job *job)
{
    results r;
    r.values = job->values;
    r.gradients = job->gradients;
    r.factors = job->factors;
    r.add = job->add;
    r.dim = plan->options.dim;
    r.parts = plan->real ? 1 : 2;
    r.whole = is_whole(plan, job->values);
    r.bad_value = &enuf_cuda_of(plan)->record->bad_value;
    r.avoids_fp64 = enuf_cuda_of(plan)->avoids_fp64;
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) {
            r.map[d][e] = (double)plan->method.grid[d] *
                          (plan->has_frame ? plan->frame[3 * d + e]
                                           : (d == e ? 1 / plan->options.period : 0));
            r.map_float[d][e] = (float)r.map[d][e];
        }
    return r;
}

template <typename real>
__device__ __forceinline__ void put(const results &r, void *array, int64_t at, real value)
{
    real *to = (real *)array + at;
    if (!isfinite(value)) *r.bad_value = 1;
    *to = r.add ? *to + value : value;
}

/** The caller's factor of a point's results. */
template <typename real> __device__ __forceinline__ real factor_of(const results &r, int64_t index)
{
    return r.factors ? ((const real *)r.factors)[index] : (real)1;
}

/** Component e of a gradient, of the slopes per cell. PLAIN: the kernel serves only plans that
 * avoid double. */
template <typename real, bool PLAIN = false>
__device__ __forceinline__ real gradient_of(const results &r, const real slope[3], int e)
{
    if (PLAIN || (sizeof(real) == sizeof(float) && r.avoids_fp64))
        return r.map_float[0][e] * slope[0] + r.map_float[1][e] * slope[1] +
               r.map_float[2][e] * slope[2];
    double sum = 0;
    for (int d = 0; d < 3; d++) sum += r.map[d][e] * (double)slope[d];
    return (real)sum;
}

/** A point's value without slopes; both numbers of a complex one at once, where they may be: at
 * random places a store of each would take twice the time. */
template <typename real, int PARTS>
__device__ __forceinline__ void put_value(const results &r, int64_t index,
                                          const real (&value)[PARTS])
{
    typedef point_value<real, PARTS> all_parts;
    const real factor = factor_of<real>(r, index);
    if constexpr (PARTS > 1) {
        if (r.whole && !r.add) {
            all_parts out;
            for (int p = 0; p < PARTS; p++) {
                out.part[p] = value[p] * factor;
                if (!isfinite(out.part[p])) *r.bad_value = 1;
            }
            ((all_parts *)r.values)[index] = out;
            return;
        }
    }
    for (int p = 0; p < PARTS; p++) put<real>(r, r.values, index * PARTS + p, value[p] * factor);
}

/** One part (re or im) of a point's value and of its slopes per cell. SLOPES false: of its value.
 */
template <typename real, bool SLOPES = true, bool PLAIN = false>
__device__ __forceinline__ void put_results(const results &r, int64_t index, int part, real value,
                                            const real slope[3])
{
    const real factor = factor_of<real>(r, index);
    if (r.values) put<real>(r, r.values, index * r.parts + part, value * factor);
    if constexpr (SLOPES) {
        if (!r.gradients) return;
        for (int e = 0; e < 3; e++) {
            if (e >= r.dim) continue;
            put<real>(r, r.gradients, (index * r.dim + e) * r.parts + part,
                      gradient_of<real, PLAIN>(r, slope, e) * factor);
        }
    }
}

#endif
