/*
 * keep_weights.cu - level WEIGHTS: the window's values of each point, axis by axis, in the order of
 * the records, a thread a value.
 *
 * Bytes a point: a record, and dim width numbers written side by side: memory bounds it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/point.cuh"
#include "cuda/precision.cuh"
#include "kept.h"

static const int THREADS = 256, POINTS = 64; /* of a block; of a block at a time */

struct keep_parameters {
    sorted_view points;
    window_view window;
    int dim;
    void *weights;
};

/* After a refused sort there are no points: the values of the earlier ones stay. */
template <typename real>
__global__ void __launch_bounds__(THREADS) keep_weights(const keep_parameters a)
{
    const int width = a.window.width, row = a.dim * width;
    const int64_t n = (int64_t)points_of(a.points);
    const point_record<real> *records = (const point_record<real> *)a.points.records;
    for (int64_t first = (int64_t)blockIdx.x * POINTS; first < n;
         first += (int64_t)gridDim.x * POINTS) {
        const int count = (int)min(n - first, (int64_t)POINTS);
        real *to = (real *)a.weights + first * row;
        for (int i = threadIdx.x; i < count * row; i += THREADS) {
            const int j = i / row, d = (i - j * row) / width, p = i - j * row - d * width;
            to[i] = weight_of(a.window, records[first + j], d, p);
        }
    }
}

template <typename real> static void keep(const enuf_nufft *plan)
{
    const enuf_cuda *cuda = enuf_cuda_of(plan);
    const keep_parameters a = {sorted_view_of(plan), window_view_of(plan), plan->options.dim,
                               cuda->points.kept.weights};
    keep_weights<real>
        <<<enuf_cuda_blocks(plan, cuda->points.n, POINTS), THREADS, 0, cuda->stream>>>(a);
}

extern "C" enuf_status enuf_cuda_keep_weights(enuf_nufft *plan)
{
    ENUF_CUDA_BY_PRECISION(plan, keep, plan);
    return enuf_cuda_launched("keeping the window's values");
}
