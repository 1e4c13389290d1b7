/* common_array.c - see common_array.h. SPDX-License-Identifier: BSD-3-Clause */
#include "common_array.h"

#include <string.h>

static void unlock(enuf_common_array *array)
{
    if (array->locks_for) enuf_ewald_unlock_pages(array->locks_for, array->shared.at);
    array->locks_for = NULL;
}

/* Pages without a lock work as well, but copies take longer. */
static void lock(enuf_ewald *ewald, enuf_common_array *array)
{
    const int64_t bytes = (int64_t)array->shared.bytes;
    if (!ewald || !array->shared.at) return;
    if (enuf_ewald_lock_pages(ewald, array->shared.at, bytes) == ENUF_SUCCESS)
        array->locks_for = ewald;
}

static size_t bytes_of(const enuf_common_array *array)
{
    return (size_t)array->width * sizeof(double);
}

enuf_status enuf_common_array_reserve(const enuf_row_share *share, int width, enuf_ewald *ewald,
                                      enuf_common_array *array)
{
    enuf_status status = ENUF_SUCCESS;
    array->width = width;
    if (!array->is_refused && (share->all > array->capacity || !array->shared.at)) {
        unlock(array);
        enuf_shared_memory_release(&array->shared);
        /* a number of atoms that grew will grow again: reserve an eighth more */
        const int64_t more = array->capacity > 0 ? share->all / 8 : 0;
        array->capacity = share->all + more > 0 ? share->all + more : 1;
        array->is_refused = !enuf_shared_memory_allocate(
            share->group, (size_t)array->capacity * bytes_of(array), &array->shared);
        lock(ewald, array);
    }
    if (!array->is_refused) return ENUF_SUCCESS;
    if (share->group->rank == 0)
        status = enuf_array_reserve(&array->here, share->all, bytes_of(array),
                                    "atoms of ranks that share a GPU");
    if (status == ENUF_SUCCESS)
        status = enuf_array_reserve(&array->own, share->to_leader->n_send, bytes_of(array),
                                    "atoms on their way to the leader");
    return status;
}

void enuf_common_array_release(enuf_common_array *array)
{
    unlock(array);
    enuf_shared_memory_release(&array->shared);
    enuf_array_release(&array->here);
    enuf_array_release(&array->own);
}

double *enuf_common_array_rows(const enuf_common_array *array)
{
    return array->is_refused ? array->here.at : array->shared.at;
}

/* The first row of this rank. */
static double *own_rows(const enuf_row_share *share, const enuf_common_array *array)
{
    double *all = array->shared.at;
    return array->is_refused ? array->own.at : all + share->first * array->width;
}

void enuf_common_array_put(const enuf_row_share *share, const double *x, int64_t stride,
                           enuf_common_array *array)
{
    double *to = own_rows(share, array);
    for (int64_t i = 0; i < share->to_leader->n_send; i++)
        memcpy(to + i * array->width, x + i * stride, bytes_of(array));
}

void enuf_common_array_send(const enuf_row_share *share, const enuf_common_array *array)
{
    if (array->is_refused)
        enuf_exchange_forth(share->group, share->to_leader, bytes_of(array), array->own.at,
                            array->here.at);
}

const double *enuf_common_array_take(const enuf_row_share *share, enuf_common_array *array)
{
    if (array->is_refused)
        enuf_exchange_back(share->group, share->to_leader, bytes_of(array), array->here.at,
                           array->own.at);
    return own_rows(share, array);
}
