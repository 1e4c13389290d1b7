/*
 * device_domain_home.c - sends the results of a domain's rows back to the devices of their atoms.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device.h"
#include "device_domain.h"
#include "memory.h"

enuf_status enuf_device_domain_bring_home(enuf_device_domain *d, int width, const double *found,
                                          const enuf_cuda_sorted_field *field,
                                          enuf_cuda_pair_record *record, double *home,
                                          cudaStream_t stream)
{
    const size_t size = (size_t)width * sizeof *found;
    ENUF_TRY(enuf_ranks_agree(
        d->devices->ranks,
        enuf_device_array_reserve(&d->memory, &d->back, d->own.n_send, size, "results of atoms")));
    ENUF_TRY(enuf_device_exchange_back(d->devices, &d->own, size, found + d->n_stayed * width,
                                       d->back.at, stream));
    if (field)
        return enuf_placing_bring_forces(d->n_home, d->slot.at, field, d->row, d->back.at, home,
                                         record, stream);
    return enuf_placing_bring_home(d->n_home, width, d->slot.at, found, d->back.at, home, stream);
}

/* Numbers of the rows for other ranks, and of the rows that stay. */
static enuf_status number_rows(const enuf_device_domain *d, const int64_t *numbers, int64_t *sent,
                               int64_t *of_rows, cudaStream_t stream)
{
    const int64_t n_sent = d->own.n_send + d->ghosts.n_send;
    int *index = NULL;
    const int64_t most = n_sent > d->n_home ? n_sent : d->n_home;
    ENUF_TRY(enuf_allocate(&index, most, sizeof *index, "numbers of atoms"));
    cudaError_t error = cudaMemcpyAsync(index, d->source.at, (size_t)n_sent * sizeof *index,
                                        cudaMemcpyDeviceToHost, stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
    for (int64_t k = 0; k < n_sent && error == cudaSuccess; k++) sent[k] = numbers[index[k]];
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(index, d->slot.at, (size_t)d->n_home * sizeof *index,
                                cudaMemcpyDeviceToHost, stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
    for (int64_t i = 0; i < d->n_home && error == cudaSuccess; i++)
        if (index[i] >= 0) of_rows[index[i]] = numbers[i];
    enuf_release(&index);
    return error == cudaSuccess ? ENUF_SUCCESS : enuf_cuda_status(error, "reading places of atoms");
}

enuf_status enuf_device_domain_numbers(enuf_device_domain *d, const int64_t *numbers,
                                       int64_t **of_rows, cudaStream_t stream)
{
    enuf_ranks *ranks = d->devices->ranks;
    int64_t *sent = NULL;
    const int64_t n = d->n_own + d->n_ghosts, n_sent = d->own.n_send + d->ghosts.n_send;
    const size_t size = sizeof *sent;
    *of_rows = NULL;
    enuf_status status = enuf_allocate(of_rows, n, size, "numbers of atoms");
    if (status == ENUF_SUCCESS) status = enuf_allocate(&sent, n_sent, size, "numbers of atoms");
    if (status == ENUF_SUCCESS) status = number_rows(d, numbers, sent, *of_rows, stream);
    status = enuf_ranks_agree(ranks, status);
    if (status == ENUF_SUCCESS) {
        enuf_exchange_forth(ranks, &d->own, size, sent, *of_rows + d->n_stayed);
        enuf_exchange_forth(ranks, &d->ghosts, size, sent + d->own.n_send, *of_rows + d->n_own);
    } else {
        enuf_release(of_rows);
    }
    enuf_release(&sent);
    return status;
}
