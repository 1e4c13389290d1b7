/*
 * names.h - enumerations by name: the lists come from the X-macros of the public headers.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NAMES_H
#define ENUF_NAMES_H

#include "error.h"

/** names[value]; NULL if value is not in [0, count). */
const char *enuf_name_at(const char *const names[], int count, int value);

/** Place of `name` in names; ENUF_BAD_ARGUMENT lists them. The error text calls the enumeration
 * `what`. */
enuf_status enuf_name_parse(const char *what, const char *const names[], int count,
                            const char *name, int *value);

/** Defines TYPE_name() and TYPE_parse() of an enumeration from its X(NAME, name, help) list. */
#define ENUF_DEFINE_NAMES(type, LIST, what) ENUF_DEFINE_NAMES_BY(type, LIST, what, ENUF_NAME_OF)
#define ENUF_NAME_OF(NAME, name, help)      #name,

/** The same from a list X(NAME, "name", help). */
#define ENUF_DEFINE_QUOTED_NAMES(type, LIST, what)                                                 \
    ENUF_DEFINE_NAMES_BY(type, LIST, what, ENUF_QUOTED_NAME_OF)
#define ENUF_QUOTED_NAME_OF(NAME, name, help) name,

#define ENUF_DEFINE_NAMES_BY(type, LIST, what, NAME_OF)                                            \
    static const char *const type##_names[] = {LIST(NAME_OF)};                                     \
    const char *type##_name(type value)                                                            \
    {                                                                                              \
        return enuf_name_at(type##_names, ENUF_COUNT(type##_names), (int)value);                   \
    }                                                                                              \
    enuf_status type##_parse(const char *name, type *value)                                        \
    {                                                                                              \
        int place = 0;                                                                             \
        ENUF_TRY(enuf_name_parse(what, type##_names, ENUF_COUNT(type##_names), name,               \
                                 value ? &place : NULL));                                          \
        *value = (type)place;                                                                      \
        return ENUF_SUCCESS;                                                                       \
    }

#define ENUF_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#endif
