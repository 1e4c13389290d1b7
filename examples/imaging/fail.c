/* fail.c - see fail.h. SPDX-License-Identifier: BSD-3-Clause */
#include "fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char *program = "imaging";

void fail_name(const char *name)
{
    program = name;
}

void fail(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (program) {
        fprintf(stderr, "%s: ", program);
        vfprintf(stderr, format, values);
        fputc('\n', stderr);
    }
    va_end(values);
    exit(1);
}

void check(enuf_status status)
{
    if (status != ENUF_SUCCESS) fail("%s", enuf_last_error());
}

void *allocate(int64_t count, size_t size)
{
    void *array = count < 0 || (uint64_t)count > SIZE_MAX / size
                      ? NULL
                      : calloc(count > 0 ? (size_t)count : 1, size);
    if (!array) fail("no memory for %lld elements of %zu bytes", (long long)count, size);
    return array;
}
