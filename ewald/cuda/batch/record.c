/* record.c - errors of the data, which kernels leave on the device. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "batch_cuda.h"

enuf_status enuf_batch_clear_record(const enuf_batch_cuda *cuda)
{
    ENUF_CUDA_TRY(cudaMemsetAsync(cuda->record.at, 0xff, sizeof(enuf_batch_record), cuda->stream),
                  "clearing the record of errors");
    return ENUF_SUCCESS;
}

enuf_status enuf_batch_wait(const enuf_batch_cuda *cuda)
{
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->stream), "waiting for the GPU");
    return ENUF_SUCCESS;
}

/* The record of earlier calls. Returns 1 and sets the fault, without its system unless it is that
 * of a net charge, if there is one. */
static int find_fault(const enuf_batch_record *record, enuf_batch_fault *fault)
{
    const unsigned long long none = ENUF_BATCH_NONE;
    *fault = (enuf_batch_fault){.system = -1, .atom = -1};
    if (record->position != none) {
        fault->kind = ENUF_BATCH_POSITION;
        fault->atom = (int64_t)record->position;
    } else if (record->charge != none) {
        fault->kind = ENUF_BATCH_CHARGE;
        fault->atom = (int64_t)record->charge;
    } else if (record->clash != none) {
        fault->kind = ENUF_BATCH_CLASH;
        fault->atom = (int64_t)(record->clash >> 32);
        fault->other = (int64_t)(record->clash & 0xffffffffU);
    } else if (record->net != none) {
        fault->kind = ENUF_BATCH_NET;
        fault->system = (int64_t)record->net;
    }
    return fault->system >= 0 || fault->atom >= 0;
}

/* The fault's system and atoms, of the systems that are set. */
static void find_system(const enuf_ewald_batch *batch, enuf_batch_fault *fault)
{
    if (fault->system < 0) fault->system = enuf_batch_system_of(&batch->systems, fault->atom);
    const int64_t first = batch->systems.at[fault->system].first;
    if (fault->kind == ENUF_BATCH_NET) fault->atom = first;
    if (fault->kind == ENUF_BATCH_CLASH) fault->other += first;
}

enuf_status enuf_batch_read_record(const enuf_ewald_batch *batch, const char *function,
                                   int64_t *system)
{
    enuf_batch_cuda *cuda = enuf_batch_cuda_of(batch);
    const int was_changed = cuda->was_changed;
    enuf_batch_fault fault;
    ENUF_CUDA_TRY(cudaMemcpyAsync(cuda->host_copy, cuda->record.at, sizeof *cuda->host_copy,
                                  cudaMemcpyDeviceToHost, cuda->stream),
                  "reading the record of errors");
    ENUF_TRY(enuf_batch_wait(cuda));
    cuda->unchecked = cuda->was_changed = 0;
    if (!find_fault(cuda->host_copy, &fault)) return ENUF_SUCCESS;
    ENUF_TRY(enuf_batch_clear_record(cuda));
    if (was_changed)
        return enuf_fail(fault.kind <= ENUF_BATCH_CHARGE ? ENUF_NOT_FINITE : ENUF_BAD_ARGUMENT,
                         "%s: positions or charges of a call before the last "
                         "enuf_ewald_batch_set_systems(), or after it, were refused: check each "
                         "batch to learn its system",
                         function);
    find_system(batch, &fault);
    if (system) *system = fault.system;
    return enuf_batch_refuse(batch, function, &fault);
}
