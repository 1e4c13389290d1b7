/* gram_fft.c - the transforms of a Gram operator's parts, by cuFFT. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "cuda/device_memory.h"
#include "cufft_library.h"
#include "gram.h"

static enuf_status cufft_status(cufftResult result, const char *what)
{
    if (result == CUFFT_SUCCESS) return ENUF_SUCCESS;
    return enuf_fail(result == CUFFT_ALLOC_FAILED ? ENUF_OUT_OF_MEMORY : ENUF_INTERNAL,
                     "cuFFT: %s transforms of a Gram operator fails with result %d%s", what,
                     (int)result, result == CUFFT_ALLOC_FAILED ? " (no memory)" : "");
}

enuf_status enuf_cuda_gram_fft_make(enuf_nufft *base, const enuf_cuda_gram_cells *cells,
                                    int at_once, int single, enuf_cuda_gram_fft *fft)
{
    const int dim = cells->dim;
    long long n[3]; /* slowest axis first */
    size_t bytes = 0;
    for (int k = 0; k < dim; k++) n[k] = cells->axis[dim - 1 - k].length;
    ENUF_TRY(cufft_status(enuf_cufft.cufftCreate(&fft->handle), "creating"));
    fft->made = 1;
    fft->single = single;
    ENUF_TRY(cufft_status(enuf_cufft.cufftSetAutoAllocation(fft->handle, 0), "setting up"));
    ENUF_TRY(cufft_status(
        enuf_cufft.cufftMakePlanMany64(fft->handle, dim, n, n, 1, (long long)cells->cells, n, 1,
                                       (long long)cells->cells, single ? CUFFT_C2C : CUFFT_Z2Z,
                                       at_once, &bytes),
        "planning"));
    ENUF_TRY(cufft_status(enuf_cufft.cufftSetStream(fft->handle, enuf_cuda_of(base)->stream),
                          "setting up"));
    if (bytes == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_allocate(base, &fft->work, (int64_t)bytes, 1, "cuFFT's work area"));
    return cufft_status(enuf_cufft.cufftSetWorkArea(fft->handle, fft->work), "setting up");
}

enuf_status enuf_cuda_gram_fft_run(const enuf_cuda_gram_fft *fft, int backward, void *cells)
{
    const int direction = backward ? CUFFT_INVERSE : CUFFT_FORWARD;
    const cufftResult result = fft->single
                                   ? enuf_cufft.cufftExecC2C(fft->handle, cells, cells, direction)
                                   : enuf_cufft.cufftExecZ2Z(fft->handle, cells, cells, direction);
    if (result != CUFFT_SUCCESS) /* a sticky error says more */
        ENUF_CUDA_TRY(cudaGetLastError(), "cuFFT");
    return cufft_status(result, "executing");
}

void enuf_cuda_gram_fft_free(enuf_nufft *base, enuf_cuda_gram_fft *fft)
{
    if (fft->made) enuf_cufft.cufftDestroy(fft->handle);
    fft->made = 0;
    enuf_cuda_release(base, &fft->work);
}
