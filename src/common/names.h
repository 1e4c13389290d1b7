/*
 * names.h - enumerations by name: the lists come from the X-macros of the public headers.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NAMES_H
#define ENUF_NAMES_H

#include "error.h"

/** names[value], NULL where there is none. */
const char *enuf_name_at(const char *const names[], int count, int value);

/** Place of `name` in names; ENUF_BAD_ARGUMENT lists them. `what` is called in the text. */
enuf_status enuf_name_parse(const char *what, const char *const names[], int count,
                            const char *name, int *value);

#define ENUF_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#endif
