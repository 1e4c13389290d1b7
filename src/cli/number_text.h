/* number_text.h - numbers as text. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_CLI_NUMBER_TEXT_H
#define ENUF_CLI_NUMBER_TEXT_H

typedef struct cli_number_text {
    char text[32];
} cli_number_text;

/** The value with the fewest digits, 15 to 17, that read as the same double. */
cli_number_text cli_number(double value);

#endif
