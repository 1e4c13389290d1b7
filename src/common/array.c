/* array.c - see array.h. SPDX-License-Identifier: BSD-3-Clause */
#include "array.h"

#include "memory.h"

#include <string.h>

static int has_room(const enuf_array *array, int64_t count, size_t size)
{
    return array->at && count <= array->bytes / (int64_t)size;
}

enuf_status enuf_array_reserve(enuf_array *array, int64_t count, size_t size, const char *what)
{
    if (has_room(array, count, size)) return ENUF_SUCCESS;
    const int64_t room = array->at ? count + count / 8 : count;
    enuf_array_release(array);
    ENUF_TRY(enuf_allocate(&array->at, room, size, what));
    array->bytes = room * (int64_t)size;
    return ENUF_SUCCESS;
}

enuf_status enuf_array_extend(enuf_array *array, int64_t kept, int64_t count, size_t size,
                              const char *what)
{
    if (has_room(array, count, size)) return ENUF_SUCCESS;
    const int64_t room = count < 512 ? 1024 : 2 * count;
    void *larger;
    ENUF_TRY(enuf_allocate(&larger, room, size, what));
    if (kept > 0) memcpy(larger, array->at, (size_t)kept * size);
    enuf_array_release(array);
    array->at = larger;
    array->bytes = room * (int64_t)size;
    return ENUF_SUCCESS;
}

void enuf_array_release(enuf_array *array)
{
    enuf_release(&array->at);
    array->bytes = 0;
}
