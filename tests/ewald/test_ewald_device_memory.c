/*
 * test_ewald_device_memory.c - positions and results in the memory of the GPU. In deterministic
 * mode the results are those of host memory, bit by bit, and forces to 1e-12: for strides 3, 4 and
 * 7, with result.add, by compute() and by begin() and finish(). Host arrays are refused. Errors
 * name the atom. enuf_ewald_tune() and enuf_ewald_measure_error() take device positions. 500 random
 * ions. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"
#include "to_device.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *on_device(int64_t n, const double *from)
{
    void *array = NULL;
    CHECK_CUDA(cudaMalloc(&array, (size_t)n * sizeof *from));
    CHECK_CUDA(to_device(array, from, (size_t)n * sizeof *from));
    return array;
}

static void to_host(int64_t n, const double *from, double *to)
{
    CHECK_CUDA(cudaMemcpy(to, from, (size_t)n * sizeof *to, cudaMemcpyDeviceToHost));
}

static enuf_ewald_result device_result(int64_t n, const enuf_ewald_result *from)
{
    enuf_ewald_result r = *from;
    r.forces = on_device(3 * n, from->forces);
    r.atom_energy = on_device(n, from->atom_energy);
    r.atom_virial = on_device(6 * n, from->atom_virial);
    r.potential = on_device(n, from->potential);
    r.field = on_device(3 * n, from->field);
    return r;
}

static void fetch_and_free(int64_t n, enuf_ewald_result *device, enuf_ewald_result *to)
{
    to_host(3 * n, device->forces, to->forces);
    to_host(n, device->atom_energy, to->atom_energy);
    to_host(6 * n, device->atom_virial, to->atom_virial);
    to_host(n, device->potential, to->potential);
    to_host(3 * n, device->field, to->field);
    double *arrays[5] = {device->forces, device->atom_energy, device->atom_virial,
                         device->potential, device->field};
    for (int k = 0; k < 5; k++) CHECK_CUDA(cudaFree(arrays[k]));
    to->energy = device->energy;
    memcpy(to->virial, device->virial, sizeof to->virial);
}

static double *strided(const charge_system *s, int64_t stride)
{
    double *x = malloc((size_t)(s->n * stride) * sizeof *x);
    for (int64_t k = 0; k < s->n * stride; k++) x[k] = NAN;
    for (int64_t i = 0; i < s->n; i++) memcpy(x + i * stride, s->x + 3 * i, 3 * sizeof *x);
    return x;
}

/* halves: 1: enuf_ewald_begin() and enuf_ewald_finish(), else enuf_ewald_compute() */
static void same_as_host(int64_t stride, int add, int halves)
{
    charge_system s = make_ions(411, 500, CELL_TRICLINIC, 1);
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    options.backend = ENUF_BACKEND_CUDA;
    options.deterministic = 1;
    enuf_ewald_result host = make_result(s.n), device = make_result(s.n);
    host.add = device.add = add;
    for (int64_t k = 0; k < 3 * s.n; k++) host.forces[k] = device.forces[k] = (double)k;
    host.energy = device.energy = 5;
    double *x = strided(&s, stride), *on_gpu = on_device(s.n * stride, x);
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_compute(ewald, x, stride, WANT_ALL, &host), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);

    cudaStream_t stream;
    CHECK_CUDA(cudaStreamCreate(&stream));
    options.memory = ENUF_DEVICE;
    options.stream = stream;
    enuf_ewald_result gpu = device_result(s.n, &device);
    ewald = make_ewald(&options, &s, NULL);
    if (halves) {
        CHECK_STATUS(enuf_ewald_begin(ewald, on_gpu, stride, WANT_ALL, &gpu), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_finish(ewald), ENUF_SUCCESS);
    } else {
        CHECK_STATUS(enuf_ewald_compute(ewald, on_gpu, stride, WANT_ALL, &gpu), ENUF_SUCCESS);
    }
    fetch_and_free(s.n, &gpu, &device);
    printf("stride %lld, add %d, halves %d\n", (long long)stride, add, halves);
    CHECK(device.energy == host.energy);
    CHECK(memcmp(device.virial, host.virial, sizeof host.virial) == 0);
    CHECK_BELOW(largest_difference(3 * s.n, device.forces, host.forces), 1e-12, "forces");
    CHECK(memcmp(device.potential, host.potential, (size_t)s.n * sizeof(double)) == 0);
    CHECK(memcmp(device.field, host.field, 3 * (size_t)s.n * sizeof(double)) == 0);
    CHECK(memcmp(device.atom_energy, host.atom_energy, (size_t)s.n * sizeof(double)) == 0);
    CHECK(memcmp(device.atom_virial, host.atom_virial, 6 * (size_t)s.n * sizeof(double)) == 0);
    enuf_ewald_destroy(&ewald);
    CHECK_CUDA(cudaStreamDestroy(stream));
    CHECK_CUDA(cudaFree(on_gpu));
    free(x);
    free_result(&host);
    free_result(&device);
    free_system(&s);
}

static void errors(void)
{
    charge_system s = make_ions(412, 100, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    options.backend = ENUF_BACKEND_CUDA;
    options.memory = ENUF_DEVICE;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_result host = make_result(s.n), device = device_result(s.n, &host);
    double *x = on_device(3 * s.n, s.x);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, ENUF_WANT_FORCES, &device), ENUF_BAD_MEMORY);
    CHECK_TEXT("positions lives in host memory");
    CHECK_STATUS(enuf_ewald_compute(ewald, x, 3, ENUF_WANT_FORCES, &host), ENUF_BAD_MEMORY);
    CHECK_TEXT("result->forces");
    CHECK_STATUS(enuf_ewald_compute(ewald, x, 3, ENUF_WANT_FORCES, &device), ENUF_SUCCESS);
    const double bad = NAN;
    CHECK_CUDA(to_device(x + 3 * 17 + 1, &bad, sizeof bad));
    CHECK_STATUS(enuf_ewald_compute(ewald, x, 3, ENUF_WANT_FORCES, &device), ENUF_NOT_FINITE);
    CHECK_TEXT("position of atom 17");
    CHECK_STATUS(enuf_ewald_reciprocal(ewald, x, 3, ENUF_WANT_FORCES, &device), ENUF_NOT_FINITE);
    CHECK_TEXT("position of atom 17");
    CHECK_CUDA(to_device(x + 3 * 17, s.x + 3 * 40, 3 * sizeof bad));
    CHECK_STATUS(enuf_ewald_compute(ewald, x, 3, ENUF_WANT_FORCES, &device), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("atoms 17 and 40 are at the same place");
    CHECK_CUDA(to_device(x, s.x, 3 * (size_t)s.n * sizeof bad));
    CHECK_STATUS(enuf_ewald_compute(ewald, x, 3, ENUF_WANT_FORCES, &device), ENUF_SUCCESS);

    enuf_ewald_error error = {.struct_size = sizeof error};
    CHECK_STATUS(enuf_ewald_tune(ewald, x, 3), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_measure_error(ewald, x, 3, 0, 1, &error), ENUF_SUCCESS);
    CHECK_BELOW(error.accuracy, 1e-5, "measured error after tuning with device positions, A");
    enuf_ewald_destroy(&ewald);
    CHECK_CUDA(cudaFree(x));
    fetch_and_free(s.n, &device, &host);
    free_result(&host);
    free_system(&s);
}

int main(void)
{
    const char *reason = "";
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) {
        printf("skipped: %s\n", reason);
        return 77;
    }
    same_as_host(3, 0, 0);
    same_as_host(4, 0, 1);
    same_as_host(7, 1, 0);
    errors();
    return check_result();
}
