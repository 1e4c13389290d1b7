/* batch_cuda.h - what a batch keeps on a GPU. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_BATCH_CUDA_H
#define ENUF_BATCH_CUDA_H

#include "batch/batch.h"
#include "batch_sums.h"
#include "device_array.h"

/** Systems wait here for their way to the GPU: page-locked, so that copies do not wait. */
typedef struct enuf_batch_parcel {
    void *at;
    size_t bytes;
    cudaEvent_t sent; /* the GPU has read it */
} enuf_batch_parcel;

typedef struct enuf_batch_cuda {
    int device, multiprocessors;
    cudaStream_t stream;
    enuf_device_memory memory;
    enuf_device_array record, systems, sums, found;
    enuf_device_array positions, charges, results; /* copies of host arrays */
    enuf_batch_record *host_copy;                  /* page-locked */
    enuf_batch_parcel parcels[2];                  /* in turn */
    int turn;
    int is_sent;       /* `systems` holds the systems of the object */
    int shared;        /* bytes of shared memory of a block */
    int64_t unchecked; /* calls of compute() since the record was read */
    int was_changed;   /* the atoms of systems have changed since */
} enuf_batch_cuda;

static inline enuf_batch_cuda *enuf_batch_cuda_of(const enuf_ewald_batch *batch)
{
    return (enuf_batch_cuda *)batch->workspace;
}

/** Bytes of the systems on the device; behind them are the owners of the shares. */
static inline size_t enuf_batch_offset_of_owners(const enuf_batch_systems *systems)
{
    return (size_t)systems->n * sizeof *systems->at;
}

/* ---- workspace.c ---- */

enuf_status enuf_batch_make_workspace(enuf_batch_cuda *cuda);
void enuf_batch_free_workspace(enuf_batch_cuda *cuda);

/** Room for compute() of these systems; does nothing where there is room. */
enuf_status enuf_batch_room(const enuf_ewald_batch *batch, const enuf_batch_systems *systems);

/** Sends the systems of the object to the GPU unless they are there. */
enuf_status enuf_batch_send(const enuf_ewald_batch *batch);

/* ---- record.c ---- */

enuf_status enuf_batch_clear_record(const enuf_batch_cuda *cuda);
enuf_status enuf_batch_wait(const enuf_batch_cuda *cuda);

/** Waits for all earlier calls; the first error of their data, which is then cleared. system as in
 * enuf_ewald_batch_check(); NULL: not asked for. */
enuf_status enuf_batch_read_record(const enuf_ewald_batch *batch, const char *function,
                                   int64_t *system);

#endif
