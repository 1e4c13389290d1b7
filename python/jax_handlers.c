/* jax_handlers.c - see jax_handlers.h: objects, and the handlers for arrays on the host.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "jax_call.h"
#include "jax_cell_slope.h"

#include "enuf/ewald_derivatives.h"

#include <stdlib.h>
#include <string.h>

const char *enuf_jax_version(void)
{
    return ENUF_JAXLIB;
}

enuf_status enuf_jax_create(enuf_ewald *ewald, int64_t n, const enuf_ewald_options *options,
                            const enuf_exclusions *exclusions, enuf_jax **made)
{
    enuf_jax *object = calloc(1, sizeof *object);
    if (object) object->charges = calloc(n > 0 ? (size_t)n : 1, sizeof *object->charges);
    if (!object || !object->charges) {
        free(object);
        return ENUF_OUT_OF_MEMORY;
    }
    pthread_mutex_init(&object->lock, NULL);
    object->ewald = ewald;
    object->n = n;
    object->options = options;
    object->exclusions = exclusions;
    *made = object;
    return ENUF_SUCCESS;
}

static enuf_status set_system(enuf_jax *object, const double *charges, const double *cell)
{
    const size_t bytes = (size_t)object->n * sizeof *charges;
    enuf_status status = ENUF_SUCCESS;
    const int was_set = object->is_set;
    object->is_set = 0;
    if (!was_set || memcmp(cell, object->cell, sizeof object->cell) != 0)
        status = enuf_ewald_set_cell(object->ewald, cell);
    if (status == ENUF_SUCCESS && (!was_set || memcmp(charges, object->charges, bytes) != 0))
        status = enuf_ewald_set_charges(object->ewald, object->n, charges, object->exclusions);
    if (status != ENUF_SUCCESS) return status;
    memcpy(object->cell, cell, sizeof object->cell);
    memcpy(object->charges, charges, bytes);
    object->is_set = 1;
    return ENUF_SUCCESS;
}

typedef enuf_status (*evaluation)(enuf_jax_call *call);

static enuf_status energy(enuf_jax_call *call)
{
    const int64_t n = call->object->n;
    const double *x = call->in[0].at;
    double *forces = call->out[1].at, forces_x[9] = {0};
    enuf_ewald_result result = {
        .struct_size = sizeof result, .forces = forces, .potential = call->out[2].at};
    const enuf_status status =
        enuf_ewald_compute(call->object->ewald, x, 3, ENERGY_WANTED, &result);
    if (status != ENUF_SUCCESS) return status;
    call->out[0].at[0] = result.energy;
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 9; k++) forces_x[k] += forces[3 * i + k / 3] * x[3 * i + k % 3];
    enuf_jax_cell_slope(forces_x, result.virial, call->in[2].at, call->out[3].at);
    for (int64_t i = 0; i < 3 * n; i++) forces[i] = -forces[i];
    return ENUF_SUCCESS;
}

static enuf_status potential(enuf_jax_call *call)
{
    enuf_ewald_result result = {.struct_size = sizeof result, .potential = call->out[0].at};
    return enuf_ewald_compute(call->object->ewald, call->in[0].at, 3, ENUF_WANT_POTENTIAL, &result);
}

/* NULL for zeros. */
static const double *unless_zero(const enuf_jax_numbers *a)
{
    for (int64_t i = 0; i < a->n; i++)
        if (a->at[i] != 0) return a->at;
    return NULL;
}

static enuf_status product(enuf_jax_call *call)
{
    const enuf_jax_numbers *in = call->in, *out = call->out;
    const enuf_ewald_direction direction = {.struct_size = sizeof direction,
                                            .positions = unless_zero(&in[3]),
                                            .charges = unless_zero(&in[4]),
                                            .cell = unless_zero(&in[5])};
    enuf_ewald_slopes slopes = {
        .struct_size = sizeof slopes, .forces = out[0].at, .potential = out[1].at};
    for (int k = 0; k < INPUTS; k++) memset(out[k].at, 0, (size_t)out[k].n * sizeof(double));
    if (!direction.positions && !direction.charges && !direction.cell) return ENUF_SUCCESS;
    const enuf_status status = enuf_ewald_differentiate(call->object->ewald, in[0].at, 3,
                                                        &direction, PRODUCT_WANTED, &slopes);
    if (status != ENUF_SUCCESS) return status;
    for (int64_t i = 0; i < out[0].n; i++) out[0].at[i] = -out[0].at[i];
    memcpy(out[2].at, slopes.cell, sizeof slopes.cell);
    return ENUF_SUCCESS;
}

static void widen(enuf_jax_numbers *numbers)
{
    const float *from = numbers->buffer;
    for (int64_t i = 0; numbers->single && i < numbers->n; i++) numbers->at[i] = from[i];
}

static void narrow(enuf_jax_numbers *numbers)
{
    float *to = numbers->buffer;
    for (int64_t i = 0; numbers->single && i < numbers->n; i++) to[i] = (float)numbers->at[i];
}

static XLA_FFI_Error *evaluate(const XLA_FFI_CallFrame *frame, const enuf_jax_shapes *shapes,
                               evaluation what)
{
    enuf_jax_call call;
    if (enuf_jax_asks(frame)) return NULL;
    XLA_FFI_Error *error = enuf_jax_take(frame, shapes, &call);
    if (error) return error;
    enuf_jax *object = call.object;
    double *room = calloc((size_t)enuf_jax_room(&call) + 1, sizeof *room);
    if (!room)
        return enuf_jax_fail(frame, XLA_FFI_Error_Code_RESOURCE_EXHAUSTED, "enuf: no memory");
    enuf_jax_place(&call, room);
    for (int k = 0; k < shapes->inputs; k++) widen(&call.in[k]);
    pthread_mutex_lock(&object->lock);
    enuf_status status = set_system(object, call.in[1].at, call.in[2].at);
    if (status == ENUF_SUCCESS) status = what(&call);
    if (status != ENUF_SUCCESS) error = enuf_jax_fail_of_status(frame, status);
    pthread_mutex_unlock(&object->lock);
    for (int k = 0; k < shapes->outputs; k++) narrow(&call.out[k]);
    free(room);
    return error;
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

static XLA_FFI_Handler *host_handler(const char *name)
{
    if (strcmp(name, "energy") == 0) return energy_handler;
    if (strcmp(name, "potential") == 0) return potential_handler;
    if (strcmp(name, "product") == 0) return product_handler;
    return NULL;
}

void *enuf_jax_handler(const char *name, const char *platform)
{
    void *found = NULL;
    XLA_FFI_Handler *handler = NULL;
    if (strcmp(platform, "cpu") == 0) handler = host_handler(name);
    if (strcmp(platform, "CUDA") == 0) handler = enuf_jax_cuda_handler(name);
    memcpy(&found, &handler, sizeof found); /* a function as a pointer */
    return found;
}
