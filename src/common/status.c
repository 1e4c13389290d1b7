/* status.c - statuses, the error text of a thread, the version. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "error.h"
#include "version.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char last_error[1024];

const char *enuf_status_text(enuf_status status)
{
    switch (status) {
#define ENUF_X(name, value, text)                                                                  \
    case ENUF_##name:                                                                              \
        return text;
        ENUF_STATUSES(ENUF_X)
#undef ENUF_X
    }
    return "unknown status";
}

const char *enuf_last_error(void)
{
    return last_error;
}

const char *enuf_version(void)
{
    return ENUF_VERSION;
}

enuf_status enuf_fail(enuf_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_error, sizeof last_error, format, arguments);
    va_end(arguments);
    return status;
}

enuf_status enuf_fail_in(enuf_status status, const char *prefix)
{
    char rest[sizeof last_error];
    memcpy(rest, last_error, sizeof rest);
    snprintf(last_error, sizeof last_error, "%.200s: %.800s", prefix, rest);
    return status;
}
