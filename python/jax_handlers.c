/* jax_handlers.c - see jax_handlers.h. SPDX-License-Identifier: BSD-3-Clause */
#include "jax_handlers.h"

#include "enuf/ewald_derivatives.h"

#include <xla/ffi/api/c_api.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 3 };

struct enuf_jax {
    pthread_mutex_t lock;
    enuf_ewald *ewald;
    int64_t n;
    const enuf_exclusions *exclusions;
    double *charges; /* [n] that are set */
    double cell[9];
    int is_set;
};

const char *enuf_jax_version(void)
{
    return ENUF_JAXLIB;
}

enuf_status enuf_jax_create(enuf_ewald *ewald, int64_t n, const enuf_exclusions *exclusions,
                            enuf_jax **made)
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
    object->exclusions = exclusions;
    *made = object;
    return ENUF_SUCCESS;
}

/* ---- What XLA passes ---- */

static XLA_FFI_Error *fail(const XLA_FFI_CallFrame *frame, XLA_FFI_Error_Code code,
                           const char *text)
{
    XLA_FFI_Error_Create_Args args = {
        .struct_size = XLA_FFI_Error_Create_Args_STRUCT_SIZE, .message = text, .errc = code};
    return frame->api->XLA_FFI_Error_Create(&args);
}

static XLA_FFI_Error *fail_of_status(const XLA_FFI_CallFrame *frame, enuf_status status)
{
    const int arguments = status != ENUF_OUT_OF_MEMORY && status != ENUF_INTERNAL;
    return fail(frame,
                arguments ? XLA_FFI_Error_Code_INVALID_ARGUMENT : XLA_FFI_Error_Code_INTERNAL,
                enuf_last_error());
}

/* XLA asks for the version of its interface before the first call. */
static int answers_metadata(const XLA_FFI_CallFrame *frame)
{
    const XLA_FFI_Extension_Base *extension = frame->extension_start;
    if (!extension || extension->type != XLA_FFI_Extension_Metadata) return 0;
    XLA_FFI_Metadata *metadata = ((const XLA_FFI_Metadata_Extension *)extension)->metadata;
    metadata->api_version.major_version = XLA_FFI_API_MAJOR;
    metadata->api_version.minor_version = XLA_FFI_API_MINOR;
    metadata->traits = 0;
    return 1;
}

static enuf_jax *object_of(const XLA_FFI_CallFrame *frame)
{
    for (int64_t k = 0; k < frame->attrs.size; k++) {
        const XLA_FFI_ByteSpan *name = frame->attrs.names[k];
        if (name->len != 6 || memcmp(name->ptr, "object", 6) != 0) continue;
        if (frame->attrs.types[k] != XLA_FFI_AttrType_SCALAR) continue;
        const XLA_FFI_Scalar *scalar = frame->attrs.attrs[k];
        if (scalar->dtype != XLA_FFI_DataType_S64) continue;
        int64_t address;
        memcpy(&address, scalar->value, sizeof address);
        return (enuf_jax *)(uintptr_t)address; /* NOLINT: Python made it from the pointer */
    }
    return NULL;
}

static int64_t size_of(const XLA_FFI_Buffer *buffer)
{
    int64_t size = 1;
    for (int64_t d = 0; d < buffer->rank; d++) size *= buffer->dims[d];
    return size;
}

static int is_real(const XLA_FFI_Buffer *buffer)
{
    return buffer->dtype == XLA_FFI_DataType_F32 || buffer->dtype == XLA_FFI_DataType_F64;
}

/* Inputs and outputs as double: the buffers themselves, or copies in `room`. */
typedef struct numbers {
    double *at;
    XLA_FFI_Buffer *buffer;
    int64_t n;
} numbers;

typedef struct arrays {
    numbers in[2 * INPUTS], out[1 + INPUTS];
    double *room;
} arrays;

static int64_t room_of(const numbers *a)
{
    return a->buffer->dtype == XLA_FFI_DataType_F32 ? a->n : 0;
}

static void place(numbers *a, double **room)
{
    a->at = a->buffer->data;
    if (room_of(a) == 0) return;
    a->at = *room;
    *room += a->n;
}

/* Takes the buffers, and refuses what Python does not pass. */
static XLA_FFI_Error *take(const XLA_FFI_CallFrame *frame, const enuf_jax *object, int inputs,
                           const int64_t *out_sizes, int outputs, arrays *a)
{
    const int64_t sizes[INPUTS] = {3 * object->n, object->n, 9};
    int64_t room = 0;
    if (frame->args.size != inputs || frame->rets.size != outputs)
        return fail(frame, XLA_FFI_Error_Code_INVALID_ARGUMENT, "enuf: other numbers of arrays");
    for (int k = 0; k < inputs + outputs; k++) {
        numbers *one = k < inputs ? &a->in[k] : &a->out[k - inputs];
        one->buffer = k < inputs ? frame->args.args[k] : frame->rets.rets[k - inputs];
        one->n = size_of(one->buffer);
        const int64_t wanted = k < inputs ? sizes[k % INPUTS] : out_sizes[k - inputs];
        if (!is_real(one->buffer) || one->n != wanted)
            return fail(frame, XLA_FFI_Error_Code_INVALID_ARGUMENT,
                        "enuf: an array has another shape than positions [n, 3], charges [n], cell "
                        "[3, 3], or is not of float32 or float64");
        room += room_of(one);
    }
    a->room = malloc((size_t)(room > 0 ? room : 1) * sizeof *a->room);
    if (!a->room) return fail(frame, XLA_FFI_Error_Code_RESOURCE_EXHAUSTED, "enuf: no memory");
    double *next = a->room;
    for (int k = 0; k < inputs + outputs; k++)
        place(k < inputs ? &a->in[k] : &a->out[k - inputs], &next);
    for (int k = 0; k < inputs; k++)
        for (int64_t i = 0; room_of(&a->in[k]) > 0 && i < a->in[k].n; i++)
            a->in[k].at[i] = ((const float *)a->in[k].buffer->data)[i];
    return NULL;
}

static void give(arrays *a, int outputs)
{
    for (int k = 0; k < outputs; k++)
        for (int64_t i = 0; room_of(&a->out[k]) > 0 && i < a->out[k].n; i++)
            ((float *)a->out[k].buffer->data)[i] = (float)a->out[k].at[i];
}

/* ---- The sums ---- */

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

/* dE/dcell at fixed positions: (A h^-1)^T, A = forces^T x - W; h has the rows of the cell. */
static void cell_slope(int64_t n, const double *forces, const double *x, const double *w,
                       const double *h, double *slope)
{
    const double virial[9] = {w[0], w[3], w[4], w[3], w[1], w[5], w[4], w[5], w[2]};
    double a[9], inverse[9], determinant = 0;
    for (int k = 0; k < 9; k++) a[k] = -virial[k];
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 9; k++) a[k] += forces[3 * i + k / 3] * x[3 * i + k % 3];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            inverse[3 * c + r] = h[3 * r1 + c1] * h[3 * r2 + c2] - h[3 * r1 + c2] * h[3 * r2 + c1];
        }
    for (int c = 0; c < 3; c++) determinant += h[c] * inverse[3 * c];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) sum += a[3 * r + k] * inverse[3 * k + c];
            slope[3 * c + r] = sum / determinant;
        }
}

typedef enuf_status (*evaluation)(enuf_jax *object, arrays *a);

static enuf_status energy(enuf_jax *object, arrays *a)
{
    enuf_ewald_result result = {
        .struct_size = sizeof result, .forces = a->out[1].at, .potential = a->out[2].at};
    const enuf_status status = enuf_ewald_compute(
        object->ewald, a->in[0].at, 3,
        ENUF_WANT_ENERGY | ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL | ENUF_WANT_VIRIAL, &result);
    if (status != ENUF_SUCCESS) return status;
    a->out[0].at[0] = result.energy;
    cell_slope(object->n, result.forces, a->in[0].at, result.virial, a->in[2].at, a->out[3].at);
    for (int64_t i = 0; i < 3 * object->n; i++) a->out[1].at[i] = -a->out[1].at[i];
    return ENUF_SUCCESS;
}

static enuf_status potential(enuf_jax *object, arrays *a)
{
    enuf_ewald_result result = {.struct_size = sizeof result, .potential = a->out[0].at};
    return enuf_ewald_compute(object->ewald, a->in[0].at, 3, ENUF_WANT_POTENTIAL, &result);
}

/* NULL for zeros. */
static const double *unless_zero(const numbers *a)
{
    for (int64_t i = 0; i < a->n; i++)
        if (a->at[i] != 0) return a->at;
    return NULL;
}

static enuf_status product(enuf_jax *object, arrays *a)
{
    const enuf_ewald_direction direction = {.struct_size = sizeof direction,
                                            .positions = unless_zero(&a->in[3]),
                                            .charges = unless_zero(&a->in[4]),
                                            .cell = unless_zero(&a->in[5])};
    enuf_ewald_slopes slopes = {
        .struct_size = sizeof slopes, .forces = a->out[0].at, .potential = a->out[1].at};
    for (int k = 0; k < INPUTS; k++) memset(a->out[k].at, 0, (size_t)a->out[k].n * sizeof(double));
    if (!direction.positions && !direction.charges && !direction.cell) return ENUF_SUCCESS;
    const enuf_status status = enuf_ewald_differentiate(
        object->ewald, a->in[0].at, 3, &direction,
        ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL | ENUF_WANT_VIRIAL, &slopes);
    if (status != ENUF_SUCCESS) return status;
    for (int64_t i = 0; i < 3 * object->n; i++) a->out[0].at[i] = -a->out[0].at[i];
    memcpy(a->out[2].at, slopes.cell, sizeof slopes.cell);
    return ENUF_SUCCESS;
}

static XLA_FFI_Error *evaluate(const XLA_FFI_CallFrame *frame, evaluation what, int inputs,
                               const int *kinds, int outputs)
{
    if (answers_metadata(frame) || frame->stage != XLA_FFI_ExecutionStage_EXECUTE) return NULL;
    enuf_jax *object = object_of(frame);
    if (!object) return fail(frame, XLA_FFI_Error_Code_INVALID_ARGUMENT, "enuf: no object");
    const int64_t sizes[] = {3 * object->n, object->n, 9, 1};
    int64_t out_sizes[1 + INPUTS];
    arrays a = {.room = NULL};
    for (int k = 0; k < outputs; k++) out_sizes[k] = sizes[kinds[k]];
    XLA_FFI_Error *error = take(frame, object, inputs, out_sizes, outputs, &a);
    if (!error) {
        pthread_mutex_lock(&object->lock);
        enuf_status status = set_system(object, a.in[1].at, a.in[2].at);
        if (status == ENUF_SUCCESS) status = what(object, &a);
        if (status != ENUF_SUCCESS) error = fail_of_status(frame, status);
        pthread_mutex_unlock(&object->lock);
        give(&a, outputs);
    }
    free(a.room);
    return error;
}

/* kinds of results: 0 as positions, 1 as charges, 2 as the cell, 3 a number */

static XLA_FFI_Error *energy_handler(XLA_FFI_CallFrame *frame)
{
    return evaluate(frame, energy, INPUTS, (const int[]){3, 0, 1, 2}, 1 + INPUTS);
}

static XLA_FFI_Error *potential_handler(XLA_FFI_CallFrame *frame)
{
    return evaluate(frame, potential, INPUTS, (const int[]){1}, 1);
}

static XLA_FFI_Error *product_handler(XLA_FFI_CallFrame *frame)
{
    return evaluate(frame, product, 2 * INPUTS, (const int[]){0, 1, 2}, INPUTS);
}

void *enuf_jax_handler(const char *name)
{
    static const struct {
        const char *name;
        XLA_FFI_Handler *handler;
    } handlers[] = {
        {"energy", energy_handler}, {"potential", potential_handler}, {"product", product_handler}};
    void *found = NULL;
    for (size_t k = 0; k < sizeof handlers / sizeof *handlers; k++)
        if (strcmp(name, handlers[k].name) == 0)
            memcpy(&found, &handlers[k].handler, sizeof found); /* a function as a pointer */
    return found;
}
