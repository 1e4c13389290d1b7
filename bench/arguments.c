/* arguments.c - see arguments.h. SPDX-License-Identifier: BSD-3-Clause */
#include "arguments.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int bench_names(const char *program, const char *text, const char *const *names, int n)
{
    int bits = 0;
    while (*text) {
        const int length = (int)strcspn(text, ",");
        int k = 0;
        while (k < n && ((int)strlen(names[k]) != length || memcmp(names[k], text, (size_t)length)))
            k++;
        if (k == n) {
            fprintf(stderr, "%s: '%.*s' is none of", program, length, text);
            for (k = 0; k < n; k++) fprintf(stderr, " %s", names[k]);
            fputc('\n', stderr);
            exit(1);
        }
        bits |= 1 << k;
        text += length + (text[length] == ',');
    }
    return bits;
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
