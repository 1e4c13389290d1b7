/* table_row.c - see table_row.h. SPDX-License-Identifier: BSD-3-Clause */
#include "table_row.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Columns: of the label, of the value up to its point, and behind it. */
enum { LABEL = 27, BEFORE = 11, BEHIND = 13, MOST_DECIMALS = 15 };

void cli_row(const char *label, const char *value, const char *format, ...)
{
    /* the point of "1e-06" is behind its 1; a word ends where numbers have theirs */
    const int is_number = strspn(value, "+-.0123456789") > 0 && !strchr(value, 'x');
    const int before = (int)(is_number ? strcspn(value, ".e") : strlen(value));
    const int behind = (int)strlen(value) - (before < BEFORE ? before : BEFORE);
    char unit[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(unit, sizeof unit, format, arguments);
    va_end(arguments);
    printf("  %-*s%*.*s%s", LABEL, label, BEFORE, before, value, value + before);
    if (*unit) printf("%*s  %s", behind < BEHIND ? BEHIND - behind : 0, "", unit);
    putchar('\n');
}

const char *cli_value(double value, double error, char text[CLI_VALUE_SIZE])
{
    const int place = error > 0 && isfinite(error) ? (int)floor(log10(error)) : -20;
    const int decimals = 1 - place;
    const int leading = value != 0 ? (int)floor(log10(fabs(value))) : 0;
    if (error == 0 || value == 0 || !isfinite(value))
        snprintf(text, CLI_VALUE_SIZE, "%.15g", value);
    else if (decimals >= 0 && decimals <= MOST_DECIMALS && leading < 15)
        snprintf(text, CLI_VALUE_SIZE, "%.*f", decimals, value);
    else
        snprintf(text, CLI_VALUE_SIZE, "%.*e", (int)fmin(16, fmax(1, leading - place + 1)), value);
    return text;
}
