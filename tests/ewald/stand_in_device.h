/*
 * stand_in_device.h - the CPU backend with a memory that stands in for that of a device, so that
 * the host's part of charges in device memory is tested without a GPU: which calls wait, fetch
 * charges, or start an evaluation. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_EWALD_STAND_IN_DEVICE_H
#define TESTS_EWALD_STAND_IN_DEVICE_H

#include "object/ewald_object.h"

/** How often the backend was called. */
typedef struct stand_in_counts {
    int sums, waits, fetches, starts;
} stand_in_counts;
extern stand_in_counts stand_in_calls;

/** An array of the stand-in memory with a copy of `from` [n], 8 bytes each. All arrays of a test
 * have room for some 100,000 numbers. */
void *stand_in_array(int64_t n, const void *from);

/** Gives an object of the CPU backend the stand-in memory, and options.memory ENUF_DEVICE. One
 * object at a time. */
void stand_in_use(enuf_ewald *ewald);
/** Before the object is destroyed. */
void stand_in_release(enuf_ewald *ewald);

#endif
