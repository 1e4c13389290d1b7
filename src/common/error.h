/* error.h - setting the text behind enuf_last_error(). SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_ERROR_H
#define ENUF_ERROR_H

#include "private.h"
#include "enuf/status.h"

/** Sets this thread's error text (printf format) and returns `status`. */
ENUF_PRIVATE enuf_status enuf_fail(enuf_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Puts "prefix: " before this thread's error text; returns `status`. */
enuf_status enuf_fail_in(enuf_status status, const char *prefix);

#define ENUF_TRY(call)                                                                             \
    do {                                                                                           \
        enuf_status enuf_try_status = (call);                                                      \
        if (enuf_try_status != ENUF_SUCCESS) return enuf_try_status;                               \
    } while (0)

#endif
