/*
 * table_row.h - rows of the tables for people: a label, a value whose decimal point stands below
 * the others', and what follows. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_TABLE_ROW_H
#define ENUF_CLI_TABLE_ROW_H

/** A row of a value that is text already; `format` says what stands behind it, a unit first. */
void cli_row(const char *label, const char *value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum { CLI_VALUE_SIZE = 40 };

/**
 * A number with the digits that an error leaves: down to the second one of the error, "-1167.119"
 * for 0.027. Where that would be many zeros, "-1.2346e+09". An error of 0: all digits.
 */
const char *cli_value(double value, double error, char text[CLI_VALUE_SIZE]);

#endif
