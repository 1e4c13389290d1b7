/* jax_call.c - see jax_call.h. SPDX-License-Identifier: BSD-3-Clause */
#include "jax_call.h"

#include <string.h>

const enuf_jax_shapes enuf_jax_energy_shapes = {
    INPUTS, 4, {OF_NUMBER, OF_POSITIONS, OF_CHARGES, OF_CELL}};
const enuf_jax_shapes enuf_jax_potential_shapes = {INPUTS, 1, {OF_CHARGES}};
const enuf_jax_shapes enuf_jax_product_shapes = {
    2 * INPUTS, 3, {OF_POSITIONS, OF_CHARGES, OF_CELL}};

XLA_FFI_Error *enuf_jax_fail(const XLA_FFI_CallFrame *frame, XLA_FFI_Error_Code code,
                             const char *text)
{
    XLA_FFI_Error_Create_Args args = {
        .struct_size = XLA_FFI_Error_Create_Args_STRUCT_SIZE, .message = text, .errc = code};
    return frame->api->XLA_FFI_Error_Create(&args);
}

XLA_FFI_Error *enuf_jax_fail_of_status(const XLA_FFI_CallFrame *frame, enuf_status status)
{
    const int arguments = status != ENUF_OUT_OF_MEMORY && status != ENUF_INTERNAL;
    return enuf_jax_fail(
        frame, arguments ? XLA_FFI_Error_Code_INVALID_ARGUMENT : XLA_FFI_Error_Code_INTERNAL,
        enuf_last_error());
}

int enuf_jax_asks(const XLA_FFI_CallFrame *frame)
{
    /* its type has another name from jaxlib 0.11 on */
    if (!frame->extension_start || frame->extension_start->type != XLA_FFI_Extension_Metadata)
        return frame->stage != XLA_FFI_ExecutionStage_EXECUTE;
    XLA_FFI_Metadata *metadata =
        ((const XLA_FFI_Metadata_Extension *)frame->extension_start)->metadata;
    metadata->api_version.major_version = XLA_FFI_API_MAJOR;
    metadata->api_version.minor_version = XLA_FFI_API_MINOR;
    /* not XLA_FFI_HANDLER_TRAITS_COMMAND_BUFFER_COMPATIBLE: calls wait for the stream, and choose
     * parameters by the data, so that XLA must not record them in a CUDA graph */
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

/* 0: of another type or size. */
static int take_buffer(const XLA_FFI_Buffer *buffer, int64_t wanted, enuf_jax_numbers *numbers)
{
    int64_t size = 1;
    for (int64_t d = 0; d < buffer->rank; d++) size *= buffer->dims[d];
    const int single = buffer->dtype == XLA_FFI_DataType_F32;
    *numbers = (enuf_jax_numbers){.buffer = buffer->data, .n = size, .single = single};
    return size == wanted && (single || buffer->dtype == XLA_FFI_DataType_F64);
}

XLA_FFI_Error *enuf_jax_take(const XLA_FFI_CallFrame *frame, const enuf_jax_shapes *shapes,
                             enuf_jax_call *call)
{
    const XLA_FFI_Error_Code invalid = XLA_FFI_Error_Code_INVALID_ARGUMENT;
    int fits = 1;
    *call = (enuf_jax_call){.object = object_of(frame), .shapes = shapes};
    if (!call->object) return enuf_jax_fail(frame, invalid, "enuf: no object");
    if (frame->args.size != shapes->inputs || frame->rets.size != shapes->outputs)
        return enuf_jax_fail(frame, invalid, "enuf: other numbers of arrays");
    const int64_t n = call->object->n;
    const int64_t size[] = {
        [OF_POSITIONS] = 3 * n, [OF_CHARGES] = n, [OF_CELL] = 9, [OF_NUMBER] = 1};
    for (int k = 0; k < shapes->inputs; k++)
        fits &= take_buffer(frame->args.args[k], size[k % INPUTS], &call->in[k]);
    for (int k = 0; k < shapes->outputs; k++)
        fits &= take_buffer(frame->rets.rets[k], size[shapes->output[k]], &call->out[k]);
    if (fits) return NULL;
    return enuf_jax_fail(frame, invalid,
                         "enuf: an array has another shape than positions [n, 3], charges [n], "
                         "cell [3, 3], or is not of float32 or float64");
}

static int64_t room_of(const enuf_jax_numbers *numbers)
{
    return numbers->single ? numbers->n : 0;
}

int64_t enuf_jax_room(const enuf_jax_call *call)
{
    int64_t room = 0;
    for (int k = 0; k < call->shapes->inputs; k++) room += room_of(&call->in[k]);
    for (int k = 0; k < call->shapes->outputs; k++) room += room_of(&call->out[k]);
    return room;
}

static void place(enuf_jax_numbers *numbers, double **room)
{
    numbers->at = numbers->single ? *room : numbers->buffer;
    *room += room_of(numbers);
}

void enuf_jax_place(enuf_jax_call *call, double *room)
{
    for (int k = 0; k < call->shapes->inputs; k++) place(&call->in[k], &room);
    for (int k = 0; k < call->shapes->outputs; k++) place(&call->out[k], &room);
}
