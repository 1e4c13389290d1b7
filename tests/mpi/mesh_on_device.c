/* mesh_on_device.c - see mesh_on_device.h. SPDX-License-Identifier: BSD-3-Clause */
#include "mesh_on_device.h"
#include "check.h"
#include "to_device.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

static const enuf_reciprocal_table *on_device;

static void exit_on_error(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return;
    printf("FAILED: %s: %s\n", what, cudaGetErrorString(error));
    exit(CHECK_FAILED);
}

/* A new array on the device: a copy of the host array, or NaN. */
static void *device_copy(const void *host, int64_t count, size_t size)
{
    const size_t bytes = (size_t)count * size;
    void *at = NULL;
    exit_on_error(cudaMalloc(&at, bytes + 1), "cudaMalloc");
    if (host)
        exit_on_error(to_device(at, host, bytes), "copying to the device");
    else
        exit_on_error(cudaMemset(at, 0xff, bytes), "cudaMemset");
    return at;
}

static void copy_back_and_free(void *host, void *device, int64_t count, size_t size)
{
    if (host)
        exit_on_error(cudaMemcpy(host, device, (size_t)count * size, cudaMemcpyDeviceToHost),
                      "copying from the device");
    exit_on_error(cudaFree(device), "cudaFree");
}

static enuf_status compute(enuf_reciprocal *made, const enuf_mesh_points *points,
                           enuf_mesh_sums *sums)
{
    const size_t number = points->q_single ? sizeof(float) : sizeof(double);
    const int64_t n = points->n;
    double *x = device_copy(points->positions, 3 * n, sizeof *x);
    double *q = device_copy(points->q, n, sizeof *q);
    float *q_single = points->q_single ? device_copy(points->q_single, n, sizeof *q_single) : NULL;
    const enuf_mesh_points there = {n, x, q, q_single};
    enuf_mesh_sums found = *sums;
    if (sums->half_potential) found.half_potential = device_copy(NULL, n, number);
    if (sums->half_gradient) found.half_gradient = device_copy(NULL, 3 * n, number);
    if (sums->atom_virial) found.atom_virial = device_copy(NULL, 6 * n, number);
    /* other streams do not wait for these copies */
    exit_on_error(cudaDeviceSynchronize(), "copying to the device");
    const enuf_status status = on_device->compute(made, &there, &found);
    exit_on_error(cudaDeviceSynchronize(), "a mesh on the device");
    if (status == ENUF_SUCCESS) {
        sums->energy = found.energy;
        for (int c = 0; c < 6 && sums->with_virial; c++) sums->virial[c] = found.virial[c];
    }
    copy_back_and_free(sums->half_potential, found.half_potential, n, number);
    copy_back_and_free(sums->half_gradient, found.half_gradient, 3 * n, number);
    copy_back_and_free(sums->atom_virial, found.atom_virial, 6 * n, number);
    copy_back_and_free(NULL, x, 0, 0);
    copy_back_and_free(NULL, q, 0, 0);
    copy_back_and_free(NULL, q_single, 0, 0);
    return status;
}

enuf_reciprocal_table mesh_from_host(const enuf_reciprocal_table *table)
{
    enuf_reciprocal_table from_host = *table;
    on_device = table;
    from_host.compute = compute;
    return from_host;
}
