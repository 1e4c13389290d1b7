/*
 * jax_call.h - what XLA passes to a handler, and what handlers of all platforms share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_JAX_CALL_H
#define ENUF_JAX_CALL_H

#include "jax_handlers.h"

#include <pthread.h>
#include <xla/ffi/api/c_api.h>

enum { INPUTS = 3, MOST_INPUTS = 2 * INPUTS, MOST_OUTPUTS = 1 + INPUTS };

/* What handlers ask of the library. */
enum {
    ENERGY_WANTED = ENUF_WANT_ENERGY | ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL | ENUF_WANT_VIRIAL,
    PRODUCT_WANTED = ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL | ENUF_WANT_VIRIAL
};

struct enuf_jax_gpu;

struct enuf_jax {
    pthread_mutex_t lock;
    enuf_ewald *ewald;
    int64_t n;
    const enuf_ewald_options *options;
    const enuf_exclusions *exclusions;
    double *charges; /* [n] that are set */
    double cell[9];
    int is_set;
    struct enuf_jax_gpu *on_gpus; /* a list */
};

/** Sizes of the arrays of a handler. */
typedef enum enuf_jax_size { OF_POSITIONS, OF_CHARGES, OF_CELL, OF_NUMBER } enuf_jax_size;

typedef struct enuf_jax_shapes {
    int inputs; /* positions, charges, cell, and these again */
    int outputs;
    enuf_jax_size output[MOST_OUTPUTS];
} enuf_jax_shapes;

extern const enuf_jax_shapes enuf_jax_energy_shapes, enuf_jax_potential_shapes,
    enuf_jax_product_shapes;

/** Numbers as double: the buffer itself, or, if it is of floats, a place for as many doubles. */
typedef struct enuf_jax_numbers {
    double *at;
    void *buffer;
    int64_t n;
    int single;
} enuf_jax_numbers;

typedef struct enuf_jax_call {
    enuf_jax *object;
    const enuf_jax_shapes *shapes;
    enuf_jax_numbers in[MOST_INPUTS], out[MOST_OUTPUTS];
} enuf_jax_call;

/** Whether XLA asks something else than to compute: then the handler returns NULL. Answers what XLA
 * asks before the first call. */
int enuf_jax_asks(const XLA_FFI_CallFrame *frame);

/** Takes object and buffers. Refuses what Python does not pass. */
XLA_FFI_Error *enuf_jax_take(const XLA_FFI_CallFrame *frame, const enuf_jax_shapes *shapes,
                             enuf_jax_call *call);

/** Number of doubles that stand for buffers of floats. */
int64_t enuf_jax_room(const enuf_jax_call *call);

/** Sets `at` of all arrays; room: for so many doubles. */
void enuf_jax_place(enuf_jax_call *call, double *room);

XLA_FFI_Error *enuf_jax_fail(const XLA_FFI_CallFrame *frame, XLA_FFI_Error_Code code,
                             const char *text);

/** The error with this thread's text. */
XLA_FFI_Error *enuf_jax_fail_of_status(const XLA_FFI_CallFrame *frame, enuf_status status);

/** The handlers for CUDA; NULL: there are none of this name, or in this build. */
XLA_FFI_Handler *enuf_jax_cuda_handler(const char *name);

#endif
