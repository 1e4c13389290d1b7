/*
 * device_systems.h - objects of the CPU and of the GPU with the same parameters, in systems of
 * every kind. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_EWALD_DEVICE_SYSTEMS_H
#define TESTS_EWALD_DEVICE_SYSTEMS_H

#include "device_object.h"

/** One system three times: on the CPU, on the GPU by arrays of the host and of the GPU's memory. */
typedef struct device_trio {
    charge_system system; /* in the basis of the grid */
    enuf_ewald_options options;
    enuf_ewald *on_cpu, *on_gpu, *in_memory;
} device_trio;

/** The parameters are those that a CPU chooses. 0: an object could not be made. */
int device_trio_make(enuf_ewald_options options, const charge_system *given,
                     const enuf_exclusions *exclusions, device_trio *trio);
void device_trio_free(device_trio *trio);

typedef void (*device_law)(const char *name, enuf_ewald_options options,
                           const charge_system *system, const enuf_exclusions *exclusions);

/** Cells of every shape with a net charge, one with ions in other cells; a cell smaller than the
 * cutoff; a boundary dielectric; slabs; atoms without charge; water with exclusions. */
void in_all_device_systems(enuf_ewald_options options, uint64_t seed, device_law law);

/** The law in all systems, in four parts: double arithmetic with the prolate and with the Gaussian
 * splitting, mixed at A = 1e-4, deterministic; in double at the accuracy. */
enum { DEVICE_PARTS = 4 };
void in_all_device_parts(double accuracy, uint64_t seed, device_law law);

/** For compute-sanitizer: `program IONS PART` takes systems of so many ions, 300 by default, and
 * one part of the test. */
void device_systems_arguments(int argc, char **argv);
int device_part_is_wanted(int part);

/** 77 and a line that says why, where there is no GPU; else 0. */
int device_is_missing(void);

/** sqrt(sum (a - b)^2); b NULL: 0. */
double device_norm(int64_t n, const double *a, const double *b);

#endif
