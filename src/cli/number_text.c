/* number_text.c - see number_text.h. SPDX-License-Identifier: BSD-3-Clause */
#include "number_text.h"

#include <stdio.h>
#include <stdlib.h>

cli_number_text cli_number(double value)
{
    cli_number_text number;
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(number.text, sizeof number.text, "%.*g", digits, value);
        if (strtod(number.text, NULL) == value) break;
    }
    return number;
}
