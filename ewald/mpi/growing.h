/* growing.h - arrays that keep their room from one evaluation to the next. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef ENUF_EWALD_MPI_GROWING_H
#define ENUF_EWALD_MPI_GROWING_H

#include "error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct enuf_growing {
    void *at;
    int64_t bytes;
} enuf_growing;

/** Room for count elements; what stood there is lost when it grows. */
enuf_status enuf_growing_reserve(enuf_growing *array, int64_t count, size_t size, const char *what);
/** The same, but the first `kept` elements stay; room doubles, so that many small steps are cheap.
 */
enuf_status enuf_growing_extend(enuf_growing *array, int64_t kept, int64_t count, size_t size,
                                const char *what);
void enuf_growing_release(enuf_growing *array);

#endif
