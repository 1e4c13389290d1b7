/* record.c - see record.h. SPDX-License-Identifier: BSD-3-Clause */
#include "record.h"
#include "device_copies.h"

enuf_status enuf_cuda_record_clear(enuf_nufft *plan)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    *cuda->host_copy = (enuf_cuda_record){
        .bad_point = ENUF_CUDA_NONE, .outside = ENUF_CUDA_NONE, .bad_index = ENUF_CUDA_NONE};
    ENUF_CUDA_TRY(cudaMemcpyAsync(cuda->record, cuda->host_copy, sizeof *cuda->host_copy,
                                  cudaMemcpyHostToDevice, cuda->stream),
                  "clearing the record of errors");
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->stream), "clearing the record of errors");
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_bad_point(int64_t point)
{
    return enuf_fail(ENUF_NOT_FINITE,
                     "point %lld has a coordinate that is NaN, infinite or too large",
                     (long long)point);
}

/* The status of the first error of a record. */
static enuf_status status_of(const enuf_cuda_record *host_copy)
{
    if (host_copy->bad_point != ENUF_CUDA_NONE)
        return enuf_cuda_bad_point((int64_t)host_copy->bad_point);
    if (host_copy->bad_strength)
        return enuf_fail(ENUF_NOT_FINITE, "a strength is NaN or infinite, or they are too large");
    if (host_copy->overflow)
        return enuf_fail(ENUF_OVERFLOWED,
                         "strength_bound %g: the absolute strengths of the call sum to %g",
                         host_copy->bound, host_copy->strength_sum);
    if (host_copy->bad_value)
        return enuf_fail(ENUF_NOT_FINITE,
                         "a value or gradient at a point is NaN or infinite: so is a mode, a "
                         "multiplier or, in type 3, a strength, or they are too large");
    if (host_copy->outside != ENUF_CUDA_NONE)
        return enuf_outside_brick((int64_t)host_copy->outside);
    if (host_copy->bad_index != ENUF_CUDA_NONE)
        return enuf_fail(ENUF_BAD_ARGUMENT, "mode_index[%lld] is none of the plan's modes",
                         (long long)host_copy->bad_index);
    return ENUF_SUCCESS;
}

/* Device memory: calls with bad data have returned success. Now that the error is known, their
 * results must not be used: sets no points, and integers to zero. */
static void forget(enuf_nufft *plan, const enuf_cuda_record *host_copy)
{
    if (host_copy->bad_point != ENUF_CUDA_NONE || host_copy->bad_strength || host_copy->overflow ||
        host_copy->bad_value)
        plan->grid_filled = plan->spectrum_filled = 0;
}

enuf_status enuf_cuda_record_report(enuf_nufft *plan, int64_t *first_bad)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    ENUF_TRY(enuf_cuda_copy_out(plan, cuda->host_copy, cuda->record, sizeof *cuda->host_copy));
    ENUF_TRY(enuf_cuda_wait(plan));
    const enuf_cuda_record *host_copy = cuda->host_copy;
    enuf_status status = status_of(host_copy);
    if (status == ENUF_SUCCESS) return ENUF_SUCCESS;
    if (first_bad && host_copy->bad_point != ENUF_CUDA_NONE)
        *first_bad = (int64_t)host_copy->bad_point;
    else if (first_bad && status == ENUF_OUTSIDE_BRICK)
        *first_bad = (int64_t)host_copy->outside;
    if (!enuf_cuda_on_host(plan)) forget(plan, host_copy);
    if (host_copy->bad_point != ENUF_CUDA_NONE) ENUF_TRY(enuf_cuda_sort_restore(plan));
    enuf_status cleared = enuf_cuda_record_clear(plan);
    return cleared == ENUF_SUCCESS ? status : cleared;
}
