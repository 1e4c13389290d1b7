/* streams.c - the order of streams, and times measured on them. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "cuda_ewald.h"

enuf_status enuf_cuda_time(enuf_cuda_ewald *cuda, int event, cudaStream_t stream)
{
    /* recorded anew at every replay */
    const unsigned flags = cuda->recording ? cudaEventRecordExternal : cudaEventRecordDefault;
    ENUF_CUDA_TRY(cudaEventRecordWithFlags(cuda->event[event], stream, flags),
                  "recording an event");
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_order(cudaStream_t first, cudaEvent_t event, cudaStream_t then)
{
    ENUF_CUDA_TRY(cudaEventRecord(event, first), "recording an event");
    ENUF_CUDA_TRY(cudaStreamWaitEvent(then, event, 0), "ordering streams");
    return ENUF_SUCCESS;
}
