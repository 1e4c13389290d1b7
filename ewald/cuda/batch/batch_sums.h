/*
 * batch_sums.h - the kernels of batches: arguments and launches. Read by C and by CUDA files.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_BATCH_SUMS_H
#define ENUF_BATCH_SUMS_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "batch/system.h"
#include "device.h"

/** Threads of a block, which has a share of a system. */
enum { ENUF_BATCH_THREADS = 128 };

/** Most shared memory that a block asks for beyond its own arrays. All GPUs of compute capability
 * 8.0 and newer have it. */
enum { ENUF_BATCH_SHARED = 72 * 1024 };

#define ENUF_BATCH_NONE (~0ULL)

/** The first errors of the data; ENUF_BATCH_NONE: none. Indices of all atoms. */
typedef struct enuf_batch_record {
    unsigned long long position, charge; /* lowest atom whose number is not finite */
    unsigned long long clash;            /* atom << 32 | another atom of its system at its place */
    unsigned long long net;              /* lowest system with a net charge, in a dielectric */
} enuf_batch_record;

/** Arguments of the kernels. Arrays are on the device; results NULL: not wanted. */
typedef struct enuf_batch_arguments {
    const enuf_batch_system *systems;
    const int *owners; /* [slots] system of a share */
    int64_t n_systems, slots;
    int in_float; /* positions, charges and results are floats */
    const void *positions, *charges;
    int64_t stride;
    void *energies, *forces, *potentials, *virials;
    double coulomb, surroundings, neutral;
    double *sums;  /* [sums of all systems][4]: of each share potential and field, each [n] */
    double *found; /* [slots][6] virial of a share */
    enuf_batch_record *record;
    int shared; /* bytes of shared memory */
} enuf_batch_arguments;

/** Bytes of shared memory that a share of a system takes at most; it works with less too, down to
 * that of one atom. */
int64_t enuf_batch_shared_f64(const enuf_batch_system *system, int64_t atoms);
int64_t enuf_batch_shared_f32(const enuf_batch_system *system, int64_t atoms);

/** Allows ENUF_BATCH_SHARED on the current device. */
enuf_status enuf_batch_prepare_f64(void);
enuf_status enuf_batch_prepare_f32(void);

/** All shares. Systems of one share deliver their results. */
enuf_status enuf_batch_launch_f64(const enuf_batch_arguments *arguments, cudaStream_t stream);
enuf_status enuf_batch_launch_f32(const enuf_batch_arguments *arguments, cudaStream_t stream);

/** Results of the systems of several shares. */
enuf_status enuf_batch_deliver_launch(const enuf_batch_arguments *arguments, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
