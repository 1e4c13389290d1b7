/*
 * jax_cuda.c - the handlers for arrays on a GPU. All work is in order with XLA's stream; the host
 * waits twice: for the cell and for comparisons, and for the sums of the library. With exclusions
 * it also waits for charges that have changed. A call returns an error of the data itself.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "jax_call.h"
#include "jax_kernels.h"

#include "device.h"
#include "device_array.h"
#include "enuf/ewald_derivatives.h"

#include <stdlib.h>
#include <string.h>

/* What the host reads before the sums. */
typedef struct seen {
    double cell[9], along_cell[9];
    int charges_differ;   /* from those that are set */
    int moves, recharges; /* the direction has positions and charges that are not 0 */
} seen;

/* The object of a device and a stream; it stays as long as the process. */
typedef struct enuf_jax_gpu {
    struct enuf_jax_gpu *next;
    int device;
    cudaStream_t stream;
    pthread_mutex_t lock;
    enuf_ewald *ewald;
    seen *seen; /* on the host, page-locked */
    enuf_device_memory memory;
    enuf_device_array seen_there, charges, partial, room;
    double cell[9];
    int is_set; /* cell and charges */
} enuf_jax_gpu;

static seen *seen_there(const enuf_jax_gpu *gpu)
{
    return gpu->seen_there.at;
}

/* ---- Objects ---- */

static enuf_status fill(const enuf_jax *object, enuf_jax_gpu *gpu)
{
    enuf_device_memory *memory = &gpu->memory;
    const int64_t partial = 9 * JAX_MOST_ROWS;
    void *page_locked = NULL;
    enuf_ewald_options options = *object->options;
    options.memory = ENUF_DEVICE;
    options.backend = ENUF_BACKEND_CUDA;
    options.device = gpu->device;
    options.stream = gpu->stream;
    ENUF_TRY(enuf_ewald_create(&options, &gpu->ewald));
    ENUF_CUDA_TRY(cudaMallocHost(&page_locked, sizeof *gpu->seen), "page-locked memory");
    gpu->seen = page_locked;
    ENUF_TRY(enuf_device_array_reserve(memory, &gpu->seen_there, 1, sizeof *gpu->seen, "the cell"));
    ENUF_TRY(enuf_device_array_reserve(memory, &gpu->charges, object->n > 0 ? object->n : 1,
                                       sizeof(double), "charges"));
    return enuf_device_array_reserve(memory, &gpu->partial, partial, sizeof(double),
                                     "partial sums");
}

static void release(enuf_jax_gpu *gpu)
{
    enuf_ewald_destroy(&gpu->ewald);
    if (gpu->seen) cudaFreeHost(gpu->seen);
    enuf_device_array_release(&gpu->memory, &gpu->seen_there);
    enuf_device_array_release(&gpu->memory, &gpu->charges);
    enuf_device_array_release(&gpu->memory, &gpu->partial);
    pthread_mutex_destroy(&gpu->lock);
    free(gpu);
}

static enuf_status make(enuf_jax *object, int device, cudaStream_t stream, enuf_jax_gpu **made)
{
    enuf_jax_gpu *gpu = calloc(1, sizeof *gpu);
    if (!gpu) return enuf_fail(ENUF_OUT_OF_MEMORY, "no memory for an object of JAX");
    gpu->device = device;
    gpu->stream = stream;
    pthread_mutex_init(&gpu->lock, NULL);
    const enuf_status status = fill(object, gpu);
    if (status != ENUF_SUCCESS) {
        release(gpu);
        return status;
    }
    gpu->next = object->on_gpus;
    *made = object->on_gpus = gpu;
    return ENUF_SUCCESS;
}

static enuf_status find(enuf_jax *object, int device, cudaStream_t stream, enuf_jax_gpu **found)
{
    enuf_status status = ENUF_SUCCESS;
    pthread_mutex_lock(&object->lock);
    enuf_jax_gpu *gpu = object->on_gpus;
    while (gpu && (gpu->device != device || gpu->stream != stream)) gpu = gpu->next;
    *found = gpu;
    if (!gpu) status = make(object, device, stream, found);
    pthread_mutex_unlock(&object->lock);
    return status;
}

/* ---- Inputs ---- */

static enuf_jax_array buffer_of(const enuf_jax_numbers *numbers)
{
    return (enuf_jax_array){numbers->buffer, numbers->single};
}

static enuf_jax_array doubles_of(const enuf_jax_numbers *numbers)
{
    return (enuf_jax_array){numbers->at, 0};
}

/* Inputs as doubles; cells are put together with what the host reads. */
static enuf_status widen(const enuf_jax_gpu *gpu, enuf_jax_call *call)
{
    for (int k = 0; k < call->shapes->inputs; k++) {
        enuf_jax_numbers *in = &call->in[k];
        const int is_cell = k % INPUTS == 2;
        if (is_cell) in->at = k < INPUTS ? seen_there(gpu)->cell : seen_there(gpu)->along_cell;
        if (is_cell || (in->single && in->n > 0))
            ENUF_TRY(enuf_jax_convert(in->n, 1, buffer_of(in), doubles_of(in), gpu->stream));
    }
    return ENUF_SUCCESS;
}

/* Reads the cells, and what has changed, with one copy. */
static enuf_status look(enuf_jax_gpu *gpu, const enuf_jax_call *call)
{
    seen *there = seen_there(gpu);
    const enuf_jax_numbers *in = call->in;
    if (gpu->is_set)
        ENUF_TRY(enuf_jax_compare(in[1].n, in[1].at, gpu->charges.at, &there->charges_differ,
                                  gpu->stream));
    if (call->shapes->inputs > INPUTS) {
        ENUF_TRY(enuf_jax_compare(in[3].n, in[3].at, NULL, &there->moves, gpu->stream));
        ENUF_TRY(enuf_jax_compare(in[4].n, in[4].at, NULL, &there->recharges, gpu->stream));
    }
    ENUF_CUDA_TRY(
        cudaMemcpyAsync(gpu->seen, there, sizeof *there, cudaMemcpyDeviceToHost, gpu->stream),
        "reading the cell");
    ENUF_CUDA_TRY(cudaStreamSynchronize(gpu->stream), "reading the cell");
    return ENUF_SUCCESS;
}

static enuf_status take_inputs(enuf_jax_gpu *gpu, enuf_jax_call *call)
{
    const int64_t room = enuf_jax_room(call);
    if (room > 0)
        ENUF_TRY(enuf_device_array_reserve(&gpu->memory, &gpu->room, room, sizeof(double),
                                           "arrays of floats in double"));
    enuf_jax_place(call, gpu->room.at);
    ENUF_CUDA_TRY(cudaMemsetAsync(seen_there(gpu), 0, sizeof *gpu->seen, gpu->stream), "the cell");
    ENUF_TRY(widen(gpu, call));
    return look(gpu, call);
}

/* Exclusions are on the host, so that the charges come there. */
static enuf_status set_charges_of_host(enuf_jax_gpu *gpu, const enuf_jax *object,
                                       const double *charges, size_t bytes)
{
    double *copy = malloc(bytes);
    if (!copy) return enuf_fail(ENUF_OUT_OF_MEMORY, "no memory for the charges");
    cudaError_t error = cudaMemcpyAsync(copy, charges, bytes, cudaMemcpyDeviceToHost, gpu->stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(gpu->stream);
    const enuf_status status =
        error == cudaSuccess
            ? enuf_ewald_set_charges(gpu->ewald, object->n, copy, object->exclusions)
            : enuf_cuda_status(error, "reading the charges");
    free(copy);
    return status;
}

static enuf_status set_charges(enuf_jax_gpu *gpu, const enuf_jax *object, const double *charges)
{
    const size_t bytes = (size_t)object->n * sizeof *charges;
    if (object->exclusions && object->n > 0)
        ENUF_TRY(set_charges_of_host(gpu, object, charges, bytes));
    else
        ENUF_TRY(enuf_ewald_set_charges(gpu->ewald, object->n, charges, object->exclusions));
    ENUF_CUDA_TRY(
        cudaMemcpyAsync(gpu->charges.at, charges, bytes, cudaMemcpyDeviceToDevice, gpu->stream),
        "copying the charges");
    return ENUF_SUCCESS;
}

/* Charges of the device bring their errors with the results, and the object has none then: after
 * any error all is set anew (run()). */
static enuf_status set_system(enuf_jax_gpu *gpu, const enuf_jax_call *call)
{
    const seen *now = gpu->seen;
    const int was_set = gpu->is_set;
    gpu->is_set = 0;
    if (!was_set || memcmp(now->cell, gpu->cell, sizeof gpu->cell) != 0)
        ENUF_TRY(enuf_ewald_set_cell(gpu->ewald, now->cell));
    if (!was_set || now->charges_differ) ENUF_TRY(set_charges(gpu, call->object, call->in[1].at));
    memcpy(gpu->cell, now->cell, sizeof gpu->cell);
    gpu->is_set = 1;
    return ENUF_SUCCESS;
}

/* ---- Sums and results ---- */

typedef enuf_status (*evaluation)(enuf_jax_gpu *gpu, const enuf_jax_call *call);

/* The buffer gets factor times the doubles that stand for it. */
static enuf_status give(const enuf_jax_gpu *gpu, double factor, const enuf_jax_numbers *out)
{
    if (out->n == 0 || (factor == 1 && !out->single)) return ENUF_SUCCESS;
    return enuf_jax_convert(out->n, factor, doubles_of(out), buffer_of(out), gpu->stream);
}

static enuf_status energy(enuf_jax_gpu *gpu, const enuf_jax_call *call)
{
    const enuf_jax_numbers *in = call->in, *out = call->out;
    enuf_ewald_result result = {
        .struct_size = sizeof result, .forces = out[1].at, .potential = out[2].at};
    ENUF_TRY(enuf_ewald_compute(gpu->ewald, in[0].at, 3, ENERGY_WANTED, &result));
    ENUF_TRY(enuf_jax_put(1, &result.energy, buffer_of(&out[0]), gpu->stream));
    ENUF_TRY(enuf_jax_put_cell_slope(call->object->n, result.forces, in[0].at, result.virial,
                                     in[2].at, gpu->partial.at, buffer_of(&out[3]), gpu->stream));
    ENUF_TRY(give(gpu, -1, &out[1]));
    return give(gpu, 1, &out[2]);
}

static enuf_status potential(enuf_jax_gpu *gpu, const enuf_jax_call *call)
{
    enuf_ewald_result result = {.struct_size = sizeof result, .potential = call->out[0].at};
    ENUF_TRY(enuf_ewald_compute(gpu->ewald, call->in[0].at, 3, ENUF_WANT_POTENTIAL, &result));
    return give(gpu, 1, &call->out[0]);
}

static enuf_status give_zeros(const enuf_jax_gpu *gpu, const enuf_jax_call *call)
{
    for (int k = 0; k < call->shapes->outputs; k++) {
        const enuf_jax_numbers *out = &call->out[k];
        const size_t bytes = (size_t)out->n * (out->single ? sizeof(float) : sizeof(double));
        if (bytes > 0) ENUF_CUDA_TRY(cudaMemsetAsync(out->buffer, 0, bytes, gpu->stream), "zeros");
    }
    return ENUF_SUCCESS;
}

static int is_zero(const double cell[9])
{
    for (int k = 0; k < 9; k++)
        if (cell[k] != 0) return 0;
    return 1;
}

static enuf_status product(enuf_jax_gpu *gpu, const enuf_jax_call *call)
{
    const enuf_jax_numbers *in = call->in, *out = call->out;
    const seen *now = gpu->seen;
    const enuf_ewald_direction direction = {.struct_size = sizeof direction,
                                            .positions = now->moves ? in[3].at : NULL,
                                            .charges = now->recharges ? in[4].at : NULL,
                                            .cell =
                                                is_zero(now->along_cell) ? NULL : now->along_cell};
    enuf_ewald_slopes slopes = {
        .struct_size = sizeof slopes, .forces = out[0].at, .potential = out[1].at};
    if (!direction.positions && !direction.charges && !direction.cell) return give_zeros(gpu, call);
    ENUF_TRY(
        enuf_ewald_differentiate(gpu->ewald, in[0].at, 3, &direction, PRODUCT_WANTED, &slopes));
    ENUF_TRY(give(gpu, -1, &out[0]));
    ENUF_TRY(give(gpu, 1, &out[1]));
    return enuf_jax_put(9, slopes.cell, buffer_of(&out[2]), gpu->stream);
}

static enuf_status run(enuf_jax_gpu *gpu, enuf_jax_call *call, evaluation what)
{
    ENUF_TRY(take_inputs(gpu, call));
    ENUF_TRY(set_system(gpu, call));
    return what(gpu, call);
}

static enuf_status find_and_run(enuf_jax_call *call, int device, cudaStream_t stream,
                                evaluation what)
{
    enuf_jax_gpu *gpu;
    ENUF_TRY(find(call->object, device, stream, &gpu));
    pthread_mutex_lock(&gpu->lock);
    const enuf_status status = run(gpu, call, what);
    if (status != ENUF_SUCCESS) gpu->is_set = 0;
    pthread_mutex_unlock(&gpu->lock);
    return status;
}

/* The device of the cell's buffer, which is there for no atoms too. */
static enuf_status device_of(const enuf_jax_call *call, int *device)
{
    struct cudaPointerAttributes where;
    ENUF_CUDA_TRY(cudaPointerGetAttributes(&where, call->in[2].buffer), "looking at the cell");
    if (where.type != cudaMemoryTypeDevice && where.type != cudaMemoryTypeManaged)
        return enuf_fail(ENUF_BAD_MEMORY, "enuf: arrays of JAX are not in the memory of a GPU");
    *device = where.device;
    return ENUF_SUCCESS;
}

static enuf_status compute(enuf_jax_call *call, cudaStream_t stream, evaluation what)
{
    int device = 0, callers;
    ENUF_TRY(device_of(call, &device));
    ENUF_TRY(enuf_cuda_enter(device, &callers));
    const enuf_status status = find_and_run(call, device, stream, what);
    enuf_cuda_leave(device, callers);
    return status;
}

static XLA_FFI_Error *evaluate(const XLA_FFI_CallFrame *frame, const enuf_jax_shapes *shapes,
                               evaluation what)
{
    enuf_jax_call call;
    if (enuf_jax_asks(frame)) return NULL;
    XLA_FFI_Error *error = enuf_jax_take(frame, shapes, &call);
    if (error) return error;
    XLA_FFI_Stream_Get_Args get = {.struct_size = XLA_FFI_Stream_Get_Args_STRUCT_SIZE,
                                   .ctx = frame->ctx};
    error = frame->api->XLA_FFI_Stream_Get(&get);
    if (error) return error;
    const enuf_status status = compute(&call, get.stream, what);
    return status == ENUF_SUCCESS ? NULL : enuf_jax_fail_of_status(frame, status);
}

static XLA_FFI_Error *energy_handler(XLA_FFI_CallFrame *frame)
{
    return evaluate(frame, &enuf_jax_energy_shapes, energy);
}

static XLA_FFI_Error *potential_handler(XLA_FFI_CallFrame *frame)
{
    return evaluate(frame, &enuf_jax_potential_shapes, potential);
}

static XLA_FFI_Error *product_handler(XLA_FFI_CallFrame *frame)
{
    return evaluate(frame, &enuf_jax_product_shapes, product);
}

XLA_FFI_Handler *enuf_jax_cuda_handler(const char *name)
{
    if (strcmp(name, "energy") == 0) return energy_handler;
    if (strcmp(name, "potential") == 0) return potential_handler;
    if (strcmp(name, "product") == 0) return product_handler;
    return NULL;
}
