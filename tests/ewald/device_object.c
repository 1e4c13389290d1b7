/* device_object.c - see device_object.h. SPDX-License-Identifier: BSD-3-Clause */
#include "device_object.h"

void *device_copy(int64_t n, const void *from)
{
    void *array = NULL;
    CHECK_CUDA(cudaMalloc(&array, (size_t)n * sizeof(double) + 1));
    CHECK_CUDA(cudaMemcpy(array, from, (size_t)n * sizeof(double), cudaMemcpyHostToDevice));
    return array;
}

enuf_ewald *device_object(const enuf_ewald_options *options, const charge_system *system)
{
    enuf_ewald_options there = *options;
    enuf_ewald *ewald = NULL;
    there.backend = ENUF_BACKEND_CUDA;
    there.memory = ENUF_DEVICE;
    CHECK_STATUS(enuf_ewald_create(&there, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, system->cell), ENUF_SUCCESS);
    return ewald;
}
