/*
 * array.h - scratch arrays that keep their room from one call to the next.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ARRAY_H
#define ENUF_ARRAY_H

#include "error.h"
#include "private.h"

#include <stddef.h>
#include <stdint.h>

/** An array that only grows. All zeros: empty. */
typedef struct enuf_array {
    void *at;
    int64_t bytes;
} enuf_array;

/** Room for count elements. The contents are lost when the array grows. The first allocation has
 * exactly count elements. A later allocation has an eighth more, because the number of atoms may
 * change again. Errors: ENUF_OUT_OF_MEMORY; the array is empty then. */
ENUF_PRIVATE enuf_status enuf_array_reserve(enuf_array *array, int64_t count, size_t size,
                                            const char *what);
/** Room for count elements; the first `kept` elements stay, after an error too. The room doubles.
 * */
ENUF_PRIVATE enuf_status enuf_array_extend(enuf_array *array, int64_t kept, int64_t count,
                                           size_t size, const char *what);
ENUF_PRIVATE void enuf_array_release(enuf_array *array);

#endif
