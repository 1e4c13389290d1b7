/* charges.c - charges of device memory: sums and copies. SPDX-License-Identifier: BSD-3-Clause */
#include "cuda_ewald.h"

enuf_status enuf_cuda_sum_charges(enuf_cuda_ewald *cuda, int64_t n, const double *charges)
{
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->charge_sums, 1,
                                       sizeof(enuf_charge_sums), "sums of the charges"));
    cuda->sums_sent = 0;
    return enuf_cuda_charge_sums(n, charges, cuda->charge_sums.at, cuda->stream);
}

enuf_status enuf_cuda_read_charge_sums(enuf_cuda_ewald *cuda, enuf_charge_sums *sums)
{
    enuf_charge_sums *host_copy = &cuda->host_copy->charges;
    if (!cuda->sums_sent)
        ENUF_CUDA_TRY(cudaMemcpyAsync(host_copy, cuda->charge_sums.at, sizeof *host_copy,
                                      cudaMemcpyDeviceToHost, cuda->stream),
                      "reading the sums of the charges");
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->stream), "reading the sums of the charges");
    *sums = *host_copy;
    return ENUF_SUCCESS;
}

/* Room for n numbers in a new array, if `now` is too small: the charges in it stay in use if there
 * is no memory. */
static enuf_status make_room(enuf_cuda_ewald *cuda, const enuf_device_array *now, int64_t n,
                             size_t size, const char *what, enuf_device_array *room)
{
    *room = (enuf_device_array){0};
    if (now->at && (double)n * (double)size <= (double)now->bytes) return ENUF_SUCCESS;
    return enuf_device_array_reserve(&cuda->memory, room, n, size, what);
}

static void move_in(enuf_cuda_ewald *cuda, enuf_device_array *now, const enuf_device_array *room)
{
    if (!room->at) return;
    enuf_device_array_release(&cuda->memory, now);
    *now = *room;
}

enuf_status enuf_cuda_keep_charges(enuf_cuda_ewald *cuda, int64_t n, const double *charges,
                                   int with_single)
{
    enuf_device_array q, q_single = {0};
    ENUF_TRY(make_room(cuda, &cuda->q, n, sizeof(double), "charges", &q));
    if (with_single) {
        const enuf_status status =
            make_room(cuda, &cuda->q_single, n, sizeof(float), "charges in float", &q_single);
        if (status != ENUF_SUCCESS) {
            enuf_device_array_release(&cuda->memory, &q);
            return status;
        }
    }
    move_in(cuda, &cuda->q, &q);
    move_in(cuda, &cuda->q_single, &q_single);
    ENUF_CUDA_TRY(cudaMemcpyAsync(cuda->q.at, charges, (size_t)n * sizeof *charges,
                                  cudaMemcpyDefault, cuda->stream),
                  "copying charges");
    if (!with_single) return ENUF_SUCCESS;
    return enuf_cuda_charges_single(n, charges, cuda->q_single.at, cuda->stream);
}
