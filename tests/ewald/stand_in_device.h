/*
 * stand_in_device.h - the CPU backend with a memory that stands in for that of a device, so that
 * the host's part of charges in device memory is tested without a GPU: which calls wait, fetch
 * charges, or start an evaluation. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_EWALD_STAND_IN_DEVICE_H
#define TESTS_EWALD_STAND_IN_DEVICE_H

#include "object/ewald_object.h"
#include "systems.h"

/** How often the backend was called. */
typedef struct stand_in_counts {
    int sums, waits, fetches, starts, narrowed;
} stand_in_counts;
extern stand_in_counts stand_in_calls;

/** 1: positions and results on the host are refused, as a GPU does; 0: they serve [0]. */
extern int stand_in_refuses_host;

/** An array of the stand-in memory with a copy of `from` [n], 8 bytes each. All arrays of a test
 * have room for some 100,000 numbers. */
void *stand_in_array(int64_t n, const void *from);

/** An object of the CPU backend with the stand-in memory and options.memory ENUF_DEVICE, with the
 * cell of the system. Only one at a time. */
enuf_ewald *stand_in_make(const enuf_ewald_options *options, const charge_system *system);
void stand_in_destroy(enuf_ewald **ewald);

/** Sets n charges of the stand-in memory. */
enuf_status stand_in_set(enuf_ewald *ewald, int64_t n, const double *charges);

#endif
