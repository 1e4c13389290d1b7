/*
 * test_float_arrays_device.c - arrays of floats in the memory of the GPU. Deterministic results are
 * those of arrays of doubles there, rounded to float, bit by bit: for strides 3 and 4, with
 * result.add, by compute(), real(), reciprocal(), begin() and finish(), and with sums in device
 * memory; for arrays that move, from the first evaluation to the fifth, which replay. Not
 * deterministic: to 1e-6 of the largest. Nobody waits with result->totals. Errors name array, atom
 * and charge. SPDX-License-Identifier: BSD-3-Clause
 */
#include "device_object.h"
#include "float_results.h"
#include "object/atom_results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static float *floats_there(int64_t n, const float *from)
{
    void *array = NULL;
    CHECK_CUDA(cudaMalloc(&array, (size_t)n * sizeof *from + 1));
    CHECK_CUDA(to_device(array, from, (size_t)n * sizeof *from));
    return array;
}

static enuf_ewald_result_f32 float_result_there(int64_t n, const enuf_ewald_result_f32 *from)
{
    enuf_ewald_result_f32 r = *from;
#define ENUF_X(BIT, name, width, text) r.name = floats_there((width)*n, from->name);
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return r;
}

static enuf_ewald_result double_result_there(int64_t n, const enuf_ewald_result *from)
{
    enuf_ewald_result r = *from;
#define ENUF_X(BIT, name, width, text) r.name = device_copy((width)*n, from->name);
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return r;
}

/* Copies all results to the host, and frees the arrays of the device. */
#define FETCH_AND_FREE(n, device, host)                                                            \
    do {                                                                                           \
        ENUF_ATOM_RESULTS(FETCH_ONE)                                                               \
        (host)->energy = (device)->energy;                                                         \
        (host)->parts = (device)->parts;                                                           \
        memcpy((host)->virial, (device)->virial, sizeof(host)->virial);                            \
        memcpy((host)->net_force, (device)->net_force, sizeof(host)->net_force);                   \
    } while (0)
#define FETCH_ONE(BIT, name, width, text)                                                          \
    CHECK_CUDA(cudaMemcpy(host->name, device->name, (size_t)(n * (width)) * sizeof *host->name,    \
                          cudaMemcpyDeviceToHost));                                                \
    CHECK_CUDA(cudaFree(device->name));

static void fetch_doubles(int64_t n, enuf_ewald_result *device, enuf_ewald_result *host)
{
    FETCH_AND_FREE(n, device, host);
}

static void fetch_floats(int64_t n, enuf_ewald_result_f32 *device, enuf_ewald_result_f32 *host)
{
    FETCH_AND_FREE(n, device, host);
}

typedef struct request {
    enuf_ewald *ewald;
    float_system f;
    double *x;
    float *x_f32;
    cudaStream_t stream;
} request;

static request make(int64_t stride, int deterministic)
{
    request r = {.f = make_float_ions(611, 400, CELL_TRICLINIC, stride)};
    const int64_t n = r.f.s.n;
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    options.deterministic = deterministic;
    CHECK_CUDA(cudaStreamCreateWithFlags(&r.stream, cudaStreamNonBlocking));
    options.stream = r.stream;
    r.ewald = device_object(&options, &r.f.s);
    r.x = device_copy(3 * n, r.f.s.x);
    r.x_f32 = floats_there(stride * n, r.f.x);
    float *q = floats_there(n, r.f.q);
    CHECK_STATUS(enuf_ewald_set_charges_f32(r.ewald, n, q, NULL), ENUF_SUCCESS);
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_CUDA(cudaFree(q));
    return r;
}

static void destroy(request *r)
{
    enuf_ewald_destroy(&r->ewald);
    CHECK_CUDA(cudaFree(r->x));
    CHECK_CUDA(cudaFree(r->x_f32));
    CHECK_CUDA(cudaStreamDestroy(r->stream));
    free_float_system(&r->f);
}

enum { COMPUTE, REAL, RECIPROCAL, HALVES, N_CALLS };

static enuf_status doubles(const request *r, int call, int wanted, enuf_ewald_result *result)
{
    if (call == REAL) return enuf_ewald_real(r->ewald, r->x, 3, wanted, result);
    if (call == RECIPROCAL) return enuf_ewald_reciprocal(r->ewald, r->x, 3, wanted, result);
    return enuf_ewald_compute(r->ewald, r->x, 3, wanted, result);
}

static enuf_status floats(const request *r, int call, int wanted, enuf_ewald_result_f32 *result)
{
    const int64_t stride = r->f.stride;
    if (call == REAL) return enuf_ewald_real_f32(r->ewald, r->x_f32, stride, wanted, result);
    if (call == RECIPROCAL)
        return enuf_ewald_reciprocal_f32(r->ewald, r->x_f32, stride, wanted, result);
    if (call == COMPUTE) return enuf_ewald_compute_f32(r->ewald, r->x_f32, stride, wanted, result);
    const enuf_status status = enuf_ewald_begin_f32(r->ewald, r->x_f32, stride, wanted, result);
    return status == ENUF_SUCCESS ? enuf_ewald_finish(r->ewald) : status;
}

static void compare(const request *r, int call, int wanted, int add, int repeats)
{
    const int64_t n = r->f.s.n;
    enuf_ewald_result_f32 before = make_float_result(n), got = make_float_result(n);
    before.add = got.add = add;
    enuf_ewald_result right = double_result(n, &before), start = double_result(n, &before);
    enuf_ewald_result right_there = double_result_there(n, &start);
    CHECK_STATUS(doubles(r, call, wanted, &right_there), ENUF_SUCCESS);
    fetch_doubles(n, &right_there, &right);
    printf("call %d, wanted %d, stride %lld, add %d\n", call, wanted, (long long)r->f.stride, add);
    for (int k = 0; k < repeats; k++) {
        enuf_ewald_result_f32 there = float_result_there(n, &before);
        CHECK_STATUS(floats(r, call, wanted, &there), ENUF_SUCCESS);
        fetch_floats(n, &there, &got);
        check_same(n, wanted, &got, &right, &before);
    }
    free_result(&right);
    free_result(&start);
    free_float_result(&before);
    free_float_result(&got);
}

static void same_bits(int64_t stride)
{
    request r = make(stride, 1);
    for (int call = 0; call < N_CALLS; call++)
        for (int add = 0; add < 2; add++) compare(&r, call, WANT_ALL, add, 1);
    compare(&r, COMPUTE, WANT_ALL, 0, 5);
    compare(&r, COMPUTE, ENUF_WANT_FORCES, 0, 5);
    compare(&r, COMPUTE, ENUF_WANT_ENERGY, 0, 5);
    destroy(&r);
}

static void not_deterministic(void)
{
    request r = make(3, 0);
    const int64_t n = r.f.s.n;
    enuf_ewald_result_f32 got = make_float_result(n);
    enuf_ewald_result right = double_result(n, &got);
    for (int k = 0; k < 4; k++) {
        enuf_ewald_result right_there = double_result_there(n, &right);
        enuf_ewald_result_f32 there = float_result_there(n, &got);
        CHECK_STATUS(doubles(&r, COMPUTE, WANT_SUMS, &right_there), ENUF_SUCCESS);
        CHECK_STATUS(floats(&r, COMPUTE, WANT_SUMS, &there), ENUF_SUCCESS);
        fetch_doubles(n, &right_there, &right);
        fetch_floats(n, &there, &got);
        double largest = 0, error = 0;
        for (int64_t i = 0; i < 3 * n; i++) {
            largest = fmax(largest, fabs(right.forces[i]));
            error = fmax(error, fabs((double)got.forces[i] - right.forces[i]));
        }
        CHECK_BELOW(error / largest, 1e-6, "forces, of the largest");
        CHECK_CLOSE(got.energy, right.energy, 1e-6, "energy");
    }
    free_result(&right);
    free_float_result(&got);
    destroy(&r);
}

/* The stream is held meanwhile. */
static void enqueued(void)
{
    static const enuf_ewald_totals none;
    const int64_t of_totals = (int64_t)(sizeof none / sizeof(double));
    request r = make(4, 1);
    const int64_t n = r.f.s.n;
    enuf_ewald_result_f32 before = make_float_result(n), got = make_float_result(n);
    enuf_ewald_result right = double_result(n, &before);
    enuf_ewald_result right_there = double_result_there(n, &right);
    enuf_ewald_result_f32 there = float_result_there(n, &before);
    CHECK_STATUS(doubles(&r, COMPUTE, WANT_ALL, &right_there), ENUF_SUCCESS);
    fetch_doubles(n, &right_there, &right);
    there.totals = device_copy(of_totals, &none);
    for (int k = 0; k < 3; k++) CHECK_STATUS(floats(&r, COMPUTE, WANT_ALL, &there), ENUF_SUCCESS);
    gate g;
    gate_hold(&g, r.stream);
    for (int k = 0; k < 2; k++) CHECK_STATUS(floats(&r, COMPUTE, WANT_ALL, &there), ENUF_SUCCESS);
    CHECK(!gate_passed(&g));
    gate_open(&g);
    CHECK_STATUS(enuf_ewald_check(r.ewald), ENUF_SUCCESS);
    CHECK(!gate_was_late(&g) && there.energy == before.energy);
    enuf_ewald_totals totals;
    CHECK_CUDA(cudaMemcpy(&totals, there.totals, sizeof totals, cudaMemcpyDeviceToHost));
    CHECK_CLOSE(totals.energy, right.energy, 1e-12, "energy");
    there.energy = right.energy;
    there.parts = right.parts;
    memcpy(there.virial, right.virial, sizeof there.virial);
    memcpy(there.net_force, right.net_force, sizeof there.net_force);
    CHECK_CUDA(cudaFree(there.totals));
    fetch_floats(n, &there, &got);
    check_same(n, WANT_ALL, &got, &right, &before);
    free_result(&right);
    free_float_result(&before);
    free_float_result(&got);
    destroy(&r);
}

static void errors(void)
{
    request r = make(3, 0);
    const int64_t n = r.f.s.n;
    const float bad = NAN;
    enuf_ewald_result_f32 host = make_float_result(n), there = float_result_there(n, &host);
    CHECK_STATUS(enuf_ewald_compute_f32(r.ewald, r.f.x, 3, WANT_SUMS, &there), ENUF_BAD_MEMORY);
    CHECK_TEXT("enuf_ewald_compute_f32: positions lives in host memory");
    CHECK_STATUS(enuf_ewald_compute_f32(r.ewald, r.x_f32, 3, WANT_SUMS, &host), ENUF_BAD_MEMORY);
    CHECK_TEXT("result->forces lives in host memory");
    CHECK_STATUS(floats(&r, COMPUTE, WANT_SUMS, &there), ENUF_SUCCESS);
    CHECK_CUDA(to_device(r.x_f32 + 3 * 17 + 1, &bad, sizeof bad));
    for (int call = 0; call < N_CALLS; call++) {
        CHECK_STATUS(floats(&r, call, WANT_SUMS, &there), ENUF_NOT_FINITE);
        CHECK_TEXT("position of atom 17");
    }
    CHECK_CUDA(to_device(r.x_f32 + 3 * 17, r.f.x + 3 * 17, 3 * sizeof bad));
    CHECK_STATUS(floats(&r, COMPUTE, WANT_SUMS, &there), ENUF_SUCCESS);

    r.f.q[5] = bad;
    float *q = floats_there(n, r.f.q);
    const enuf_status status = enuf_ewald_set_charges_f32(r.ewald, n, q, NULL);
    if (status == ENUF_SUCCESS)
        CHECK_STATUS(floats(&r, COMPUTE, WANT_SUMS, &there), ENUF_NOT_FINITE);
    else
        CHECK_STATUS(status, ENUF_NOT_FINITE);
    CHECK_TEXT("charges[5] is nan");
    r.f.q[5] = 1;
    CHECK_STATUS(enuf_ewald_set_charges_f32(r.ewald, n, r.f.q, NULL), ENUF_SUCCESS);
    CHECK_STATUS(floats(&r, COMPUTE, WANT_SUMS, &there), ENUF_SUCCESS);
    CHECK_CUDA(cudaFree(q));
    fetch_floats(n, &there, &host);
    free_float_result(&host);
    destroy(&r);
}

/* Arrays of the GPU are refused where options.memory is host. */
static void host_memory(void)
{
    float_system f = make_float_ions(612, 60, CELL_CUBIC, 3);
    enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    options.backend = ENUF_BACKEND_CUDA;
    enuf_ewald *ewald = make_ewald(&options, &f.s, NULL);
    enuf_ewald_result_f32 host = make_float_result(f.s.n);
    float *x = floats_there(3 * f.s.n, f.x), *q = floats_there(f.s.n, f.q);
    CHECK_STATUS(enuf_ewald_compute_f32(ewald, x, 3, WANT_SUMS, &host), ENUF_BAD_MEMORY);
    CHECK_TEXT("positions");
    CHECK_STATUS(enuf_ewald_set_charges_f32(ewald, f.s.n, q, NULL), ENUF_BAD_MEMORY);
    CHECK_TEXT("charges");
    CHECK_STATUS(enuf_ewald_compute_f32(ewald, f.x, 3, WANT_SUMS, &host), ENUF_SUCCESS);
    CHECK_CUDA(cudaFree(x));
    CHECK_CUDA(cudaFree(q));
    enuf_ewald_destroy(&ewald);
    free_float_result(&host);
    free_float_system(&f);
}

int main(void)
{
    const char *reason = "";
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) return check_skip(reason);
    same_bits(3);
    same_bits(4);
    not_deterministic();
    enqueued();
    errors();
    host_memory();
    return check_result();
}
