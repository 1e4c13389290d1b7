/* growing.c - see growing.h. SPDX-License-Identifier: BSD-3-Clause */
#include "growing.h"
#include "memory.h"

#include <string.h>

enuf_status enuf_growing_reserve(enuf_growing *array, int64_t count, size_t size, const char *what)
{
    if (array->at && count <= array->bytes / (int64_t)size) return ENUF_SUCCESS;
    enuf_growing_release(array);
    const int64_t room = count + count / 8; /* counts of atoms change a little from step to step */
    ENUF_TRY(enuf_allocate(&array->at, room, size, what));
    array->bytes = room * (int64_t)size;
    return ENUF_SUCCESS;
}

enuf_status enuf_growing_extend(enuf_growing *array, int64_t kept, int64_t count, size_t size,
                                const char *what)
{
    if (array->at && count <= array->bytes / (int64_t)size) return ENUF_SUCCESS;
    const int64_t room = count < 512 ? 1024 : 2 * count;
    void *larger;
    ENUF_TRY(enuf_allocate(&larger, room, size, what));
    if (kept > 0) memcpy(larger, array->at, (size_t)kept * size);
    enuf_release(&array->at);
    array->at = larger;
    array->bytes = room * (int64_t)size;
    return ENUF_SUCCESS;
}

void enuf_growing_release(enuf_growing *array)
{
    enuf_release(&array->at);
    array->bytes = 0;
}
