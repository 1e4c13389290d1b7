/* encoding_cuda.c - passes over samples and pixels: each makes the plan's device current.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "encoding_cuda.h"
#include "cuda/encoding/encoding.h"
#include "device_copies.h"
#include "on_device.h"

static enuf_status upload_here(enuf_nufft *plan, void *to, const void *from, int64_t bytes)
{
    ENUF_TRY(enuf_cuda_copy_in(plan, to, from, bytes));
    return enuf_cuda_wait(plan);
}

static enuf_status upload(enuf_nufft *plan, void *to, const void *from, int64_t bytes)
{
    ON_DEVICE(plan, upload_here(plan, to, from, bytes));
}

static enuf_status download_here(enuf_nufft *plan, void *to, const void *from, int64_t bytes)
{
    ENUF_TRY(enuf_cuda_copy_out(plan, to, from, bytes));
    return enuf_cuda_wait(plan);
}

static enuf_status download(enuf_nufft *plan, void *to, const void *from, int64_t bytes)
{
    ON_DEVICE(plan, download_here(plan, to, from, bytes));
}

static enuf_status copy_here(enuf_nufft *plan, int64_t bytes, const void *from, void *to)
{
    if (bytes > 0)
        ENUF_CUDA_TRY(cudaMemcpyAsync(to, from, (size_t)bytes, cudaMemcpyDeviceToDevice,
                                      enuf_cuda_of(plan)->stream),
                      "copying an array");
    return ENUF_SUCCESS;
}

static enuf_status copy(enuf_nufft *plan, int64_t bytes, const void *from, void *to)
{
    ON_DEVICE(plan, copy_here(plan, bytes, from, to));
}

static enuf_status clear_here(enuf_nufft *plan, int64_t bytes, void *to)
{
    if (bytes > 0)
        ENUF_CUDA_TRY(cudaMemsetAsync(to, 0, (size_t)bytes, enuf_cuda_of(plan)->stream),
                      "clearing an array");
    return ENUF_SUCCESS;
}

static enuf_status clear(enuf_nufft *plan, int64_t bytes, void *to)
{
    ON_DEVICE(plan, clear_here(plan, bytes, to));
}

static enuf_status sample_terms(enuf_nufft *plan, const enuf_sample_terms *terms, void *to)
{
    ON_DEVICE(plan, enuf_cuda_sample_terms(plan, terms, to));
}

static enuf_status pixel_terms(enuf_nufft *plan, const enuf_pixel_terms *terms, void *to)
{
    ON_DEVICE(plan, enuf_cuda_pixel_terms(plan, terms, to));
}

static enuf_status drawn_sample_terms(enuf_nufft *plan, const enuf_drawn_sample_terms *terms,
                                      void *to)
{
    ON_DEVICE(plan, enuf_cuda_drawn_sample_terms(plan, terms, to));
}

static enuf_status drawn_pixel_terms(enuf_nufft *plan, const enuf_drawn_pixel_terms *terms,
                                     void *to)
{
    ON_DEVICE(plan, enuf_cuda_drawn_pixel_terms(plan, terms, to));
}

static enuf_status multiply(enuf_nufft *plan, const enuf_complex_product *product)
{
    ON_DEVICE(plan, enuf_cuda_multiply(plan, product));
}

static enuf_status weigh(enuf_nufft *plan, int64_t n, const void *weights, const void *from,
                         void *to)
{
    ON_DEVICE(plan, enuf_cuda_weigh(plan, n, weights, from, to));
}

static enuf_status combine(enuf_nufft *plan, int64_t n, double a, const void *x, double b,
                           const void *y, void *to)
{
    ON_DEVICE(plan, enuf_cuda_combine(plan, n, a, x, b, y, to));
}

static enuf_status dot_here(enuf_nufft *plan, int64_t n, const void *x, const void *y, double *sum)
{
    double *there;
    ENUF_TRY(enuf_cuda_dot(plan, n, x, y, &there));
    return download_here(plan, sum, there, (int64_t)sizeof *sum);
}

static enuf_status dot(enuf_nufft *plan, int64_t n, const void *x, const void *y, double *sum)
{
    ON_DEVICE(plan, dot_here(plan, n, x, y, sum));
}

const enuf_encoding_passes enuf_cuda_encoding = {
    .upload = upload,
    .download = download,
    .copy = copy,
    .sample_terms = sample_terms,
    .pixel_terms = pixel_terms,
    .drawn_sample_terms = drawn_sample_terms,
    .drawn_pixel_terms = drawn_pixel_terms,
    .clear = clear,
    .multiply = multiply,
    .weigh = weigh,
    .combine = combine,
    .dot = dot,
};
