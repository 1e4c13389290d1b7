/* arguments.c - see arguments.h. SPDX-License-Identifier: BSD-3-Clause */
#include "arguments.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int bench_numbers(const char *program, const char *text, double values[BENCH_MOST_VALUES])
{
    const char *rest = text;
    for (int n = 0; n < BENCH_MOST_VALUES; n++) {
        char *end;
        values[n] = strtod(rest, &end);
        if (end == rest || (*end != ',' && *end != '\0')) break;
        if (*end == '\0') return n + 1;
        rest = end + 1;
    }
    bench_die(program, "'%s' is not a list of at most %d numbers", text, BENCH_MOST_VALUES);
}

void bench_die(const char *program, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", program);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}
