/* sort_buckets.h - see sort_buckets.cu. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_NUFFT_CUDA_SORT_BUCKETS_H
#define ENUF_NUFFT_CUDA_SORT_BUCKETS_H

#include "cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Lengths of arrays. */
typedef struct enuf_cuda_bucket_sizes {
    int64_t numbers; /* in points.bucket */
    int64_t places;  /* in points.bucket_place */
    int64_t records; /* in points.taken and points.taken_bin */
} enuf_cuda_bucket_sizes;

/** Of n points; all 0: there are too many bins or points for buckets. */
enuf_cuda_bucket_sizes enuf_cuda_buckets_size(const enuf_nufft *plan,
                                              const enuf_cuda_points *points, int64_t n);

/** The steps of a sort before and after the scan: counts the points of each bin by way of
 * points.taken and points.taken_bin; writes the records from there. */
enuf_status enuf_cuda_buckets_count(const enuf_nufft *plan, const enuf_coordinates *c);
enuf_status enuf_cuda_buckets_write(const enuf_nufft *plan, int64_t n);

/** 1 if the results of a job in 1D or 2D go by way of the buckets: interpolation writes them
 * [vectors][enuf_cuda_buckets_records()] to points.taken, at the places that the records hold; then
 * deliver. */
int enuf_cuda_buckets_hold(const enuf_nufft *plan, const enuf_interpolate_job *job, int vectors);
int64_t enuf_cuda_buckets_records(const enuf_nufft *plan);

/** From there to the caller's values, with the job's factors; adds if the job adds. */
enuf_status enuf_cuda_buckets_deliver(const enuf_nufft *plan, const enuf_interpolate_job *job,
                                      int vectors);

#ifdef __cplusplus
}
#endif
#endif
