/* workspace.c - see batch_cuda.h. SPDX-License-Identifier: BSD-3-Clause */
#include "batch_cuda.h"
#include "memory.h"

#include <string.h>

enuf_status enuf_batch_make_workspace(enuf_batch_cuda *cuda)
{
    const size_t record = sizeof(enuf_batch_record);
    ENUF_CUDA_TRY(cudaDeviceGetAttribute(&cuda->multiprocessors, cudaDevAttrMultiProcessorCount,
                                         cuda->device),
                  "asking for multiprocessors");
    ENUF_TRY(enuf_batch_prepare_f64());
    ENUF_TRY(enuf_batch_prepare_f32());
    for (int k = 0; k < 2; k++)
        ENUF_CUDA_TRY(cudaEventCreateWithFlags(&cuda->parcels[k].sent, cudaEventDisableTiming),
                      "making an event");
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->record, 1, record, "errors' record"));
    if (enuf_allocation_fails()) return enuf_cuda_no_memory((double)record, "errors' record");
    ENUF_CUDA_TRY(cudaMallocHost((void **)&cuda->host_copy, record), "errors' record");
    return enuf_batch_clear_record(cuda);
}

void enuf_batch_free_workspace(enuf_batch_cuda *cuda)
{
    enuf_device_array *const arrays[] = {&cuda->record, &cuda->systems, &cuda->sums,
                                         &cuda->found,  &cuda->results, &cuda->positions,
                                         &cuda->charges};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        enuf_device_array_release(&cuda->memory, arrays[k]);
    for (int k = 0; k < 2; k++) {
        /* a copy may still read the parcel */
        if (cuda->parcels[k].sent) cudaEventSynchronize(cuda->parcels[k].sent);
        if (cuda->parcels[k].sent) cudaEventDestroy(cuda->parcels[k].sent);
        if (cuda->parcels[k].at) cudaFreeHost(cuda->parcels[k].at);
    }
    if (cuda->host_copy) cudaFreeHost(cuda->host_copy);
    cudaGetLastError(); /* after a sticky error all of these fail, and there is nothing to free */
}

/* Systems, and behind them the owners of the shares. */
static size_t bytes_of(const enuf_batch_systems *systems)
{
    return enuf_batch_offset_of_owners(systems) + (size_t)systems->slots * sizeof(int);
}

static enuf_status room_for_parcel(enuf_batch_parcel *parcel, size_t bytes)
{
    const size_t least = bytes + 256;
    if (parcel->at && bytes <= parcel->bytes) return ENUF_SUCCESS;
    ENUF_CUDA_TRY(cudaEventSynchronize(parcel->sent), "waiting for a copy");
    if (parcel->at) ENUF_CUDA_TRY(cudaFreeHost(parcel->at), "freeing locked pages");
    parcel->at = NULL;
    parcel->bytes = 0;
    if (enuf_allocation_fails())
        return enuf_fail(ENUF_OUT_OF_MEMORY, "the system locks no more pages: %zu bytes asked for",
                         least);
    ENUF_CUDA_TRY(cudaMallocHost(&parcel->at, least), "locked pages for systems");
    parcel->bytes = least;
    return ENUF_SUCCESS;
}

enuf_status enuf_batch_room(const enuf_ewald_batch *batch, const enuf_batch_systems *systems)
{
    enuf_batch_cuda *cuda = enuf_batch_cuda_of(batch);
    const size_t bytes = bytes_of(systems), number = enuf_batch_number_size(batch);
    const void *former = cuda->systems.at;
    for (int k = 0; k < 2; k++) ENUF_TRY(room_for_parcel(&cuda->parcels[k], bytes));
    const enuf_status status =
        enuf_device_array_reserve(&cuda->memory, &cuda->systems, 1, bytes, "systems of a batch");
    if (cuda->systems.at != former) cuda->is_sent = 0;
    ENUF_TRY(status);
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->sums, 4 * systems->sums,
                                       sizeof(double), "sums of a batch"));
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->found, 6 * systems->slots,
                                       sizeof(double), "sums of a batch"));
    if (batch->options.memory == ENUF_DEVICE) return ENUF_SUCCESS;
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->charges, systems->atoms, number,
                                       "charges"));
    return enuf_device_array_reserve(&cuda->memory, &cuda->results,
                                     7 * systems->n + 4 * systems->atoms, number, "results");
}

enuf_status enuf_batch_send(const enuf_ewald_batch *batch)
{
    enuf_batch_cuda *cuda = enuf_batch_cuda_of(batch);
    const enuf_batch_systems *systems = &batch->systems;
    enuf_batch_parcel *parcel = &cuda->parcels[cuda->turn];
    if (cuda->is_sent) return ENUF_SUCCESS;
    /* it was sent two turns ago */
    ENUF_CUDA_TRY(cudaEventSynchronize(parcel->sent), "waiting for a copy");
    memcpy(parcel->at, systems->at, (size_t)systems->n * sizeof *systems->at);
    int *owners = (int *)((char *)parcel->at + enuf_batch_offset_of_owners(systems));
    for (int64_t s = 0; s < systems->n; s++)
        for (int32_t part = 0; part < systems->at[s].parts; part++)
            owners[systems->at[s].slot + part] = (int)s;
    ENUF_CUDA_TRY(cudaMemcpyAsync(cuda->systems.at, parcel->at, bytes_of(systems),
                                  cudaMemcpyHostToDevice, cuda->stream),
                  "sending systems");
    ENUF_CUDA_TRY(cudaEventRecord(parcel->sent, cuda->stream), "sending systems");
    cuda->turn = !cuda->turn;
    cuda->is_sent = 1;
    return ENUF_SUCCESS;
}
