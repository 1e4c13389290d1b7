/*
 * fft_cufft.c - the fine grid's transforms by cuFFT: in place, all batches at once, one work area
 * for both directions. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/device_memory.h"
#include "cufft_library.h"

static enuf_status cufft_status(cufftResult result, const enuf_nufft *plan, const char *what)
{
    const int64_t *g = plan->method.grid;
    if (result == CUFFT_SUCCESS) return ENUF_SUCCESS;
    return enuf_fail(result == CUFFT_ALLOC_FAILED ? ENUF_OUT_OF_MEMORY : ENUF_INTERNAL,
                     "cuFFT: %s %d transforms of %lldx%lldx%lld fails with result %d%s", what,
                     plan->options.batch, (long long)g[0], (long long)g[1], (long long)g[2],
                     (int)result, result == CUFFT_ALLOC_FAILED ? " (no memory)" : "");
}

static cufftType type_of(const enuf_nufft *plan, int backward)
{
    int single = plan->options.precision == ENUF_FLOAT;
    if (!plan->real) return single ? CUFFT_C2C : CUFFT_Z2Z;
    if (backward) return single ? CUFFT_C2R : CUFFT_Z2D;
    return single ? CUFFT_R2C : CUFFT_D2Z;
}

/* Makes one plan, without its work area. */
static enuf_status make(enuf_nufft *plan, int backward, int *handle, int *made, size_t *work)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    int dim = plan->options.dim;
    long long n[3], numbers[3], modes[3]; /* slowest axis first; embedding of reals, of complex */
    for (int k = 0; k < dim; k++)
        numbers[k] = modes[k] = n[k] = (long long)plan->method.grid[dim - 1 - k];
    long long distance = (long long)cuda->batch_cells;
    if (plan->real) {
        modes[dim - 1] = n[dim - 1] / 2 + 1;
        numbers[dim - 1] = 2 * modes[dim - 1];
    } else {
        distance /= 2;
    }
    long long spectrum_distance = plan->real ? distance / 2 : distance;
    ENUF_TRY(cufft_status(enuf_cufft.cufftCreate(handle), plan, "creating"));
    *made = 1;
    ENUF_TRY(cufft_status(enuf_cufft.cufftSetAutoAllocation(*handle, 0), plan, "setting up"));
    ENUF_TRY(cufft_status(enuf_cufft.cufftMakePlanMany64(
                              *handle, dim, n, backward ? modes : numbers, 1,
                              backward ? spectrum_distance : distance, backward ? numbers : modes,
                              1, backward ? distance : spectrum_distance, type_of(plan, backward),
                              plan->options.batch, work),
                          plan, "planning"));
    return cufft_status(enuf_cufft.cufftSetStream(*handle, cuda->stream), plan, "setting up");
}

enuf_status enuf_cuda_fft_create(enuf_nufft *plan)
{
    enuf_cuda_fft *fft = &enuf_cuda_of(plan)->fft;
    size_t forward = 0, backward = 0;
    if (plan->n_modes == 0) return ENUF_SUCCESS; /* nothing reads the grid's transform */
    ENUF_TRY(make(plan, 0, &fft->forward, &fft->made_forward, &forward));
    if (plan->real) ENUF_TRY(make(plan, 1, &fft->backward, &fft->made_backward, &backward));
    size_t bytes = forward > backward ? forward : backward;
    if (bytes == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_allocate(plan, &fft->work, (int64_t)bytes, 1, "cuFFT's work area"));
    ENUF_TRY(
        cufft_status(enuf_cufft.cufftSetWorkArea(fft->forward, fft->work), plan, "setting up"));
    if (!plan->real) return ENUF_SUCCESS;
    return cufft_status(enuf_cufft.cufftSetWorkArea(fft->backward, fft->work), plan, "setting up");
}

enuf_status enuf_cuda_transform(enuf_nufft *plan, int backward)
{
    enuf_cuda *cuda = enuf_cuda_of(plan);
    cufftHandle handle = plan->real && backward ? cuda->fft.backward : cuda->fft.forward;
    int sign = backward ? plan->backward_sign : plan->forward_sign;
    int direction = sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE;
    cufftResult result = CUFFT_SUCCESS;
    if (plan->n_modes == 0) return ENUF_SUCCESS;
    switch (type_of(plan, backward)) {
    case CUFFT_R2C:
        result = enuf_cufft.cufftExecR2C(handle, cuda->grid, cuda->grid);
        break;
    case CUFFT_C2R:
        result = enuf_cufft.cufftExecC2R(handle, cuda->grid, cuda->grid);
        break;
    case CUFFT_C2C:
        result = enuf_cufft.cufftExecC2C(handle, cuda->grid, cuda->grid, direction);
        break;
    case CUFFT_D2Z:
        result = enuf_cufft.cufftExecD2Z(handle, cuda->grid, cuda->grid);
        break;
    case CUFFT_Z2D:
        result = enuf_cufft.cufftExecZ2D(handle, cuda->grid, cuda->grid);
        break;
    case CUFFT_Z2Z:
        result = enuf_cufft.cufftExecZ2Z(handle, cuda->grid, cuda->grid, direction);
        break;
    }
    if (result != CUFFT_SUCCESS) /* a sticky error says more */
        ENUF_CUDA_TRY(cudaGetLastError(), "cuFFT");
    return cufft_status(result, plan, "executing");
}

void enuf_cuda_fft_destroy(enuf_nufft *plan)
{
    enuf_cuda_fft *fft = &enuf_cuda_of(plan)->fft;
    if (fft->made_forward) enuf_cufft.cufftDestroy(fft->forward);
    if (fft->made_backward) enuf_cufft.cufftDestroy(fft->backward);
    fft->made_forward = fft->made_backward = 0;
}
