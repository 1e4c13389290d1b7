/*
 * json_values.h - numbers, texts and small arrays of an object that --json prints.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_JSON_VALUES_H
#define ENUF_CLI_JSON_VALUES_H

#include "enuf/ewald.h"

#include <cjson/cJSON.h>
#include <stdint.h>

/** Adds a number with the fewest digits that read as the same double, 17 at most; NaN and
 * infinities are null. */
void cli_json_number(cJSON *object, const char *key, double value);

/** Adds a number if `there` is 1; else null. */
void cli_json_number_if(cJSON *object, const char *key, int there, double value);

/** Adds a text; NULL is null. */
void cli_json_text(cJSON *object, const char *key, const char *text);

/** Adds an array of three. */
void cli_json_triple(cJSON *object, const char *key, const int64_t numbers[3]);

/** Adds `basis`, an array of the three vectors that modes and grid are counted along. */
void cli_json_basis(cJSON *object, const double basis[9]);

/** Adds split, alpha and c; alpha or c is null. */
void cli_json_split(cJSON *object, enuf_split split, double alpha, double c);

/** Prints and deletes the object; ENUF_OUT_OF_MEMORY if it could not be built. */
enuf_status cli_json_print(cJSON *object);

/** The same on one line, which is flushed. */
enuf_status cli_json_print_line(cJSON *object);

#endif
