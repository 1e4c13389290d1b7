/*
 * table_row.h - rows of the tables for people: a label, a value with aligned decimal points, and a
 * text such as the unit. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_TABLE_ROW_H
#define ENUF_CLI_TABLE_ROW_H

/** Prints a row with a value in text form; `format` makes the text behind it, a unit first. */
void cli_row(const char *label, const char *value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum { CLI_VALUE_SIZE = 40 };

/**
 * Writes a number down to the second digit of its error: "-1167.119" for an error of 0.027. If this
 * needs many zeros: "-1.2346e+09". An error of 0: all digits.
 */
const char *cli_value(double value, double error, char text[CLI_VALUE_SIZE]);

#endif
