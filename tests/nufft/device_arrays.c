/* device_arrays.c - see device_arrays.h. SPDX-License-Identifier: BSD-3-Clause */
#include "device_arrays.h"

#include <stdio.h>
#include <stdlib.h>

int device_main(void (*law)(void))
{
    const char *reason = "";
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) return check_skip(reason);
    printf("%s\n", reason);
    law();
    return check_result();
}

enuf_nufft_options device_options(int dim, int64_t n1, int64_t n2, int64_t n3)
{
    enuf_nufft_options options = conformance_options(dim, n1, n2, n3);
    options.backend = ENUF_BACKEND_CUDA;
    options.memory = ENUF_DEVICE;
    return options;
}

static size_t bytes_of(enuf_precision precision, int64_t n)
{
    return (size_t)n * (precision == ENUF_FLOAT ? sizeof(float) : sizeof(double));
}

void *device_make(enuf_precision precision, int64_t n, const void *from)
{
    void *array = NULL;
    size_t bytes = bytes_of(precision, n);
    CHECK_CUDA(cudaMalloc(&array, bytes + 8));
    if (from)
        CHECK_CUDA(to_device(array, from, bytes));
    else
        device_spoil(precision, n, array);
    CHECK_CUDA(cudaDeviceSynchronize());
    return array;
}

void device_spoil(enuf_precision precision, int64_t n, void *array)
{
    CHECK_CUDA(cudaMemset(array, 0xff, bytes_of(precision, n))); /* a NaN in both precisions */
    CHECK_CUDA(cudaDeviceSynchronize());
}

void *device_read(enuf_precision precision, int64_t n, const void *array)
{
    void *numbers = numbers_make(precision, n);
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_CUDA(cudaMemcpy(numbers, array, bytes_of(precision, n), cudaMemcpyDeviceToHost));
    return numbers;
}

void device_free(void *array)
{
    CHECK_CUDA(cudaFree(array));
}

device_transform device_transform_make(const transform *t)
{
    enuf_precision precision = t->options.precision;
    return (device_transform){.points = device_make(ENUF_DOUBLE, 3 * t->n, t->points),
                              .strengths = device_make(precision, t->n_strengths, t->strengths),
                              .spectrum = device_make(precision, t->n_modes, t->spectrum),
                              .modes = device_make(precision, t->n_modes, NULL),
                              .values = device_make(precision, t->n_values, NULL),
                              .gradients = device_make(precision, t->n_gradients, NULL)};
}

void device_transform_free(device_transform *d)
{
    device_free(d->points);
    device_free(d->strengths);
    device_free(d->spectrum);
    device_free(d->modes);
    device_free(d->values);
    device_free(d->gradients);
}

enuf_status device_transform_points(const transform *t, const device_transform *d, enuf_nufft *plan)
{
    const double *p = d->points;
    enuf_status status =
        enuf_nufft_set_frame(plan, t->framed ? t->T : NULL, t->framed ? t->origin : NULL);
    if (status != ENUF_SUCCESS) return status;
    return enuf_nufft_set_points(plan, t->n, p, t->options.dim > 1 ? p + 1 : NULL,
                                 t->options.dim > 2 ? p + 2 : NULL, 3);
}
