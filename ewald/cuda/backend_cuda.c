/*
 * backend_cuda.c - the table of the CUDA backend: every slot works on the object's device and
 * leaves the caller's current. SPDX-License-Identifier: BSD-3-Clause
 */
#include "batch/batch.h"
#include "choose/costs.h"
#include "cuda_ewald.h"
#include "derivatives/held_backend.h"
#include "derivatives/held_kernels.h"
#include "derivatives/slope_backend.h"
#include "device_arguments.h"
#include "fp64_rate.h"
#include "memory.h"
#include "verify/exact_backend.h"

#include <stdio.h>
#include <string.h>

static enuf_status make_host_copy(size_t size, void **host_copy)
{
    if (enuf_allocation_fails())
        return enuf_fail(ENUF_OUT_OF_MEMORY, "no page-locked memory for the sums");
    ENUF_CUDA_TRY(cudaMallocHost(host_copy, size), "page-locked memory for the sums");
    memset(*host_copy, 0, size);
    return ENUF_SUCCESS;
}

static enuf_status make(enuf_cuda_ewald *cuda)
{
    void *scalars = NULL, *fault = NULL, *outcome = NULL, *found = NULL;
    ENUF_TRY(make_host_copy(sizeof *cuda->host_copy, &scalars));
    cuda->host_copy = scalars;
    ENUF_TRY(make_host_copy(sizeof *cuda->host_fault, &fault));
    cuda->host_fault = fault;
    ENUF_TRY(make_host_copy(sizeof *cuda->slopes.outcome, &outcome));
    cuda->slopes.outcome = outcome;
    ENUF_TRY(make_host_copy(sizeof *cuda->held.found, &found));
    cuda->held.found = found;
    for (int k = 0; k < EVENTS; k++)
        ENUF_CUDA_TRY(cudaEventCreateWithFlags(&cuda->event[k], k < TIMES ? cudaEventDefault
                                                                          : cudaEventDisableTiming),
                      "making an event");
    /* the modes are a chain of short kernels; priority keeps them from waiting for the pairs */
    int least = 0, greatest = 0;
    ENUF_CUDA_TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest), "priorities of streams");
    ENUF_CUDA_TRY(cudaStreamCreateWithPriority(&cuda->work, cudaStreamNonBlocking, greatest),
                  "making a stream");
    ENUF_CUDA_TRY(cudaStreamCreateWithPriority(&cuda->side, cudaStreamNonBlocking, least),
                  "making a stream");
    return ENUF_SUCCESS;
}

static enuf_status create(enuf_ewald *ewald)
{
    int callers;
    enuf_cuda_ewald *cuda;
    ENUF_TRY(enuf_allocate(&cuda, 1, sizeof *cuda, "the GPU's part of an Ewald object"));
    memset(cuda, 0, sizeof *cuda);
    ewald->workspace = cuda;
    cuda->stream = ewald->options.stream;
    cuda->charge_changes = cuda->method_changes = -1;
    cuda->device = -1;
    int device;
    ENUF_TRY(enuf_cuda_device_find(ewald->options.device, &device));
    ewald->options.device = device; /* what the object makes later is there too: -1 may change */
    ENUF_TRY(enuf_cuda_fp64_slow(device, &cuda->fp64_slow, NULL));
    const int measured = memcmp(&ewald->costs, &enuf_costs_shipped_cuda, sizeof ewald->costs) != 0;
    if (cuda->fp64_slow && !measured) enuf_costs_on_slow_fp64(&ewald->costs);
    ENUF_TRY(enuf_cuda_enter(device, &callers));
    cuda->device = device;
    enuf_status status = make(cuda);
    enuf_cuda_leave(device, callers);
    return status;
}

static void release(enuf_cuda_ewald *cuda)
{
    enuf_cuda_forget_recordings(&cuda->recordings);
    enuf_cuda_forget_recordings(&cuda->slopes.recordings);
    enuf_cuda_forget_recordings(&cuda->held.recordings);
    enuf_cuda_pairs_release(&cuda->memory, &cuda->pairs);
    enuf_cuda_pairs_release(&cuda->memory, &cuda->slopes.pairs);
    enuf_cuda_release_slope_plans(&cuda->slopes);
#define ENUF_X(name) enuf_device_array_release(&cuda->memory, &cuda->slopes.name);
    ENUF_CUDA_SLOPE_ARRAYS(ENUF_X)
#undef ENUF_X
    enuf_cuda_pairs_release(&cuda->memory, &cuda->held.pairs);
#define ENUF_X(name) enuf_device_array_release(&cuda->memory, &cuda->held.name);
    ENUF_CUDA_HELD_ARRAYS(ENUF_X)
#undef ENUF_X
#define ENUF_X(name) enuf_device_array_release(&cuda->memory, &cuda->name);
    ENUF_CUDA_EVALUATION_ARRAYS(ENUF_X)
#undef ENUF_X
    for (int k = 0; k < EVENTS; k++)
        if (cuda->event[k]) cudaEventDestroy(cuda->event[k]);
    if (cuda->work) cudaStreamDestroy(cuda->work);
    if (cuda->side) cudaStreamDestroy(cuda->side);
    enuf_staging_free(&cuda->staging);
    if (cuda->host_copy) cudaFreeHost(cuda->host_copy);
    if (cuda->host_fault) cudaFreeHost(cuda->host_fault);
    if (cuda->slopes.outcome) cudaFreeHost(cuda->slopes.outcome);
    if (cuda->held.found) cudaFreeHost(cuda->held.found);
    cudaGetLastError();
}

static void destroy(enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    int callers;
    if (!cuda) return;
    if (cuda->device >= 0 && enuf_cuda_enter(cuda->device, &callers) == ENUF_SUCCESS) {
        release(cuda);
        enuf_cuda_leave(cuda->device, callers);
    }
    enuf_release(&ewald->workspace);
}

static int64_t bytes(const enuf_ewald *ewald)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    return cuda->memory.held + enuf_cuda_slope_plan_bytes(&cuda->slopes);
}

typedef enuf_status (*slot)(enuf_ewald *ewald, const enuf_evaluation *what);

static enuf_status on_device(enuf_ewald *ewald, const enuf_evaluation *what, slot work)
{
    const int device = enuf_cuda_ewald_of(ewald)->device;
    int callers;
    ENUF_TRY(enuf_cuda_enter(device, &callers));
    enuf_status status = work(ewald, what);
    enuf_cuda_leave(device, callers);
    return status;
}

/* Enqueued kernels read the caller's arrays. After an error they are waited for, and the plan's
 * errors of the data are cleared, so that the next evaluation does not report them. */
static enuf_status start_or_stop(enuf_ewald *ewald, const enuf_evaluation *what)
{
    char text[1024];
    enuf_status status = enuf_cuda_start(ewald, what);
    if (status == ENUF_SUCCESS) return status;
    snprintf(text, sizeof text, "%s", enuf_last_error());
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    cudaStreamSynchronize(cuda->stream);
    cudaStreamSynchronize(cuda->work);
    cudaStreamSynchronize(cuda->side);
    cudaGetLastError();
    if (ewald->method.plan) enuf_nufft_check(ewald->method.plan, NULL);
    return enuf_fail(status, "%s", text);
}

static enuf_status start(enuf_ewald *ewald, const enuf_evaluation *what)
{
    return on_device(ewald, what, start_or_stop);
}

static enuf_status finish(enuf_ewald *ewald, const enuf_evaluation *what)
{
    return on_device(ewald, what, enuf_cuda_finish);
}

static enuf_status lists_to_host(enuf_ewald *ewald, int64_t n, int64_t n_excluded, int64_t *first,
                                 int64_t *partner, double *removed)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    int callers;
    ENUF_TRY(enuf_cuda_enter(cuda->device, &callers));
    const enuf_status status =
        enuf_cuda_lists_to_host(cuda, n, n_excluded, first, partner, removed);
    enuf_cuda_leave(cuda->device, callers);
    return status;
}

static enuf_status check(enuf_ewald *ewald)
{
    return on_device(ewald, NULL, enuf_cuda_check);
}

static enuf_status check_place(const enuf_ewald *ewald, const void *array, enuf_memory memory,
                               const char *name)
{
    return enuf_cuda_check_place(array, memory, enuf_cuda_ewald_of(ewald)->device, name);
}

static enuf_status find_place(const enuf_ewald *ewald, const void *array, const char *name,
                              enuf_memory *place)
{
    return enuf_cuda_find_place(array, enuf_cuda_ewald_of(ewald)->device, name, place);
}

static enuf_status to_host(enuf_ewald *ewald, int64_t n, const void *from, void *to)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    int callers;
    ENUF_TRY(enuf_cuda_enter(cuda->device, &callers));
    cudaError_t error =
        cudaMemcpyAsync(to, from, (size_t)n * sizeof(double), cudaMemcpyDefault, cuda->stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(cuda->stream);
    enuf_status status =
        error == cudaSuccess ? ENUF_SUCCESS : enuf_cuda_status(error, "reading an array");
    enuf_cuda_leave(cuda->device, callers);
    return status;
}

/* The slots of charges in device memory: the steps of charges.c on the object's device. */

static enuf_status sum_charges(enuf_ewald *ewald, int64_t n, const double *charges,
                               const enuf_exclusions *exclusions)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    int callers;
    ENUF_TRY(enuf_cuda_enter(cuda->device, &callers));
    const enuf_status status = enuf_cuda_sum_charges(cuda, n, charges, exclusions);
    enuf_cuda_leave(cuda->device, callers);
    return status;
}

static enuf_status read_charge_sums(enuf_ewald *ewald, enuf_charge_sums *sums)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    int callers;
    ENUF_TRY(enuf_cuda_enter(cuda->device, &callers));
    const enuf_status status = enuf_cuda_read_charge_sums(cuda, sums);
    enuf_cuda_leave(cuda->device, callers);
    return status;
}

static enuf_status keep_charges(enuf_ewald *ewald, int64_t n, const double *charges, int with_lists)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const int with_single = enuf_ewald_single_mesh(ewald) || ewald->chooses_arithmetic;
    int callers;
    ENUF_TRY(enuf_cuda_enter(cuda->device, &callers));
    const enuf_status status = enuf_cuda_keep_charges(cuda, n, charges, with_single, with_lists);
    enuf_cuda_leave(cuda->device, callers);
    return status;
}

static enuf_status charges_to_host(enuf_ewald *ewald, int64_t n, double *to)
{
    return to_host(ewald, n, enuf_cuda_ewald_of(ewald)->q.at, to);
}

static enuf_status resident_charges(enuf_ewald *ewald, const double **charges)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    int callers;
    ENUF_TRY(enuf_cuda_enter(cuda->device, &callers));
    const enuf_status status = enuf_cuda_make_resident(ewald);
    enuf_cuda_leave(cuda->device, callers);
    *charges = cuda->q.at;
    return status;
}

/* The slots of arrays of floats in device memory. */

static enuf_status float_room(enuf_ewald *ewald, int64_t numbers, double **room)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    int callers;
    ENUF_TRY(enuf_cuda_enter(cuda->device, &callers));
    const enuf_status status = enuf_device_array_reserve(&cuda->memory, &cuda->float_room, numbers,
                                                         sizeof **room, "doubles of float arrays");
    enuf_cuda_leave(cuda->device, callers);
    *room = cuda->float_room.at;
    return status;
}

static enuf_status widen(enuf_ewald *ewald, int64_t n, int width, int64_t stride, const float *from,
                         double *to)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    int callers;
    ENUF_TRY(enuf_cuda_enter(cuda->device, &callers));
    const enuf_status status = enuf_cuda_widen(n, width, stride, from, to, cuda->stream);
    enuf_cuda_leave(cuda->device, callers);
    return status;
}

static enuf_status narrow(enuf_ewald *ewald, int64_t n, const double *from, float *to)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    int callers;
    ENUF_TRY(enuf_cuda_enter(cuda->device, &callers));
    const enuf_status status = enuf_cuda_narrow(n, from, to, cuda->stream);
    enuf_cuda_leave(cuda->device, callers);
    return status;
}

static enuf_status lock_pages(enuf_ewald *ewald, void *at, int64_t bytes)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    int callers;
    ENUF_TRY(enuf_cuda_enter(cuda->device, &callers));
    cudaError_t error = cudaHostRegister(at, (size_t)bytes, cudaHostRegisterPortable);
    if (error != cudaSuccess) cudaGetLastError();
    enuf_cuda_leave(cuda->device, callers);
    if (error == cudaErrorMemoryAllocation)
        return enuf_fail(ENUF_OUT_OF_MEMORY, "the system locks no more pages: %lld bytes asked for",
                         (long long)bytes);
    return error == cudaSuccess ? ENUF_SUCCESS : enuf_cuda_status(error, "locking pages");
}

static enuf_status unlock_pages(enuf_ewald *ewald, void *at)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    int callers;
    ENUF_TRY(enuf_cuda_enter(cuda->device, &callers));
    cudaError_t error = cudaHostUnregister(at);
    if (error != cudaSuccess) cudaGetLastError();
    enuf_cuda_leave(cuda->device, callers);
    return error == cudaSuccess ? ENUF_SUCCESS : enuf_cuda_status(error, "unlocking pages");
}

/* The choice of parameters reports a splitting that no polynomial fits. */
static enuf_status check_splitting(const enuf_ewald *ewald, const enuf_splitting *splitting,
                                   double table_error)
{
    enuf_pair_fit fit;
    const int single = enuf_ewald_single_mesh(ewald) && !ewald->options.deterministic;
    return enuf_pair_fit_make(splitting, table_error, single, &fit);
}

static void *mesh_stream(const enuf_ewald *ewald)
{
    return enuf_cuda_ewald_of(ewald)->work;
}

const enuf_ewald_backend enuf_ewald_backend_cuda = {
    .name = "cuda",
    .kind = ENUF_BACKEND_CUDA,
    .mesh_memory = ENUF_DEVICE,
    .create = create,
    .destroy = destroy,
    .bytes = bytes,
    .mesh_stream = mesh_stream,
    .makes_influence = 1,
    .check_splitting = check_splitting,
    .start = start,
    .finish = finish,
    .check = check,
    .check_place = check_place,
    .find_place = find_place,
    .to_host = to_host,
    .sum_charges = sum_charges,
    .read_charge_sums = read_charge_sums,
    .keep_charges = keep_charges,
    .charges_to_host = charges_to_host,
    .resident_charges = resident_charges,
    .lists_to_host = lists_to_host,
    .float_room = float_room,
    .widen = widen,
    .narrow = narrow,
    .lock_pages = lock_pages,
    .unlock_pages = unlock_pages,
    .slopes = &enuf_slope_backend_cuda,
    .held = &enuf_held_backend_cuda,
    .exact = &enuf_exact_backend_cuda,
    .batch = &enuf_batch_engine_cuda,
};
