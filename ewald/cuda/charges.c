/* charges.c - charges of device memory: sums and copies. SPDX-License-Identifier: BSD-3-Clause */
#include "cuda_ewald.h"

/* Room for lists beside those in use. */
static enuf_status make_lists(enuf_cuda_ewald *cuda, int64_t n, const enuf_exclusions *x,
                              enuf_cuda_exclusion_lists *lists)
{
    enuf_device_memory *memory = &cuda->memory;
    const char *what = "exclusions";
    const size_t number = sizeof(int64_t);
    *lists = (enuf_cuda_exclusion_lists){
        .n = n, .n_pairs = x->n, .pairs = x->pairs, .weights = x->weights};
    if (n >= INT32_MAX)
        return enuf_fail(ENUF_UNSUPPORTED,
                         "exclusions of %lld atoms in device memory: up to %d atoms are taken",
                         (long long)n, INT32_MAX - 1);
    ENUF_TRY(enuf_cuda_list_scan_bytes(n, &lists->scan_bytes));
    ENUF_TRY(enuf_device_array_reserve(memory, &cuda->list_count, n + 1, number, what));
    ENUF_TRY(
        enuf_device_array_reserve(memory, &cuda->list_scan, (int64_t)lists->scan_bytes, 1, what));
    ENUF_TRY(enuf_device_array_reserve(memory, &cuda->next_first, n + 1, number, what));
    ENUF_TRY(enuf_device_array_reserve(memory, &cuda->next_partner, 2 * x->n, number, what));
    ENUF_TRY(enuf_device_array_reserve(memory, &cuda->next_removed, 2 * x->n, number, what));
    lists->count = cuda->list_count.at;
    lists->scan = cuda->list_scan.at;
    lists->first = cuda->next_first.at;
    lists->partner = cuda->next_partner.at;
    lists->removed = cuda->next_removed.at;
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_sum_charges(enuf_cuda_ewald *cuda, int64_t n, const double *charges,
                                  const enuf_exclusions *exclusions)
{
    enuf_cuda_exclusion_lists lists;
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->charge_sums, 1,
                                       sizeof(enuf_charge_sums), "sums of the charges"));
    if (exclusions) ENUF_TRY(make_lists(cuda, n, exclusions, &lists));
    enuf_charge_sums *sums = cuda->charge_sums.at;
    cuda->sums_sent = 0;
    ENUF_TRY(enuf_cuda_charge_sums(n, charges, sums, cuda->stream));
    if (!exclusions) return ENUF_SUCCESS;
    ENUF_TRY(enuf_cuda_list_exclusions(&lists, sums, cuda->stream));
    return enuf_cuda_exclusion_details(&lists, sums, cuda->stream);
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

static void swap(enuf_device_array *a, enuf_device_array *b)
{
    const enuf_device_array other = *a;
    *a = *b;
    *b = other;
}

enuf_status enuf_cuda_keep_charges(enuf_cuda_ewald *cuda, int64_t n, const double *charges,
                                   int with_single, int with_lists)
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
    if (with_lists) {
        swap(&cuda->excluded_first, &cuda->next_first);
        swap(&cuda->excluded_partner, &cuda->next_partner);
        swap(&cuda->excluded_removed, &cuda->next_removed);
    }
    move_in(cuda, &cuda->q, &q);
    move_in(cuda, &cuda->q_single, &q_single);
    return enuf_cuda_copy_charges(n, charges, cuda->q.at, with_single ? cuda->q_single.at : NULL,
                                  cuda->stream);
}

static enuf_status copy(const enuf_cuda_ewald *cuda, const enuf_device_array *from, int64_t n,
                        void *to)
{
    ENUF_CUDA_TRY(cudaMemcpyAsync(to, from->at, (size_t)n * sizeof(int64_t), cudaMemcpyDeviceToHost,
                                  cuda->stream),
                  "reading exclusions");
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_lists_to_host(const enuf_cuda_ewald *cuda, int64_t n, int64_t n_excluded,
                                    int64_t *first, int64_t *partner, double *removed)
{
    ENUF_TRY(copy(cuda, &cuda->excluded_first, n + 1, first));
    ENUF_TRY(copy(cuda, &cuda->excluded_partner, 2 * n_excluded, partner));
    ENUF_TRY(copy(cuda, &cuda->excluded_removed, 2 * n_excluded, removed));
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->stream), "reading exclusions");
    return ENUF_SUCCESS;
}
