/*
 * device_object.h - objects and arrays on the GPU. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_EWALD_DEVICE_OBJECT_H
#define TESTS_EWALD_DEVICE_OBJECT_H

#include "systems.h"
#include "to_device.h"

#include <cuda_runtime_api.h>
#include <stdatomic.h>

/** A copy of an array [n] of 8 bytes each, to be freed by cudaFree(). */
void *device_copy(int64_t n, const void *from);

/** An object of the GPU with options.memory ENUF_DEVICE and the cell of the system; charges are not
 * set. */
enuf_ewald *device_object(const enuf_ewald_options *options, const charge_system *system);

/** The options with the parameters of a report, so that another object has the same. */
enuf_ewald_options explicit_options(enuf_ewald_options options, const enuf_ewald_report *report);

/** Holds a stream until the gate is opened, ten seconds at most: calls that return meanwhile did
 * not wait for the stream. */
typedef struct gate {
    atomic_int open, passed, late;
} gate;
void gate_hold(gate *gate, cudaStream_t stream);
int gate_passed(gate *gate); /* 1: the stream goes on */
void gate_open(gate *gate);
int gate_was_late(gate *gate); /* after the stream went on: 1 if the gate was not opened in time */

#endif
