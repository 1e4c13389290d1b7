/* caller_options.h - reads the options of a caller. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_CALLER_OPTIONS_H
#define ENUF_CALLER_OPTIONS_H

#include "error.h"

/** A record of options, of this library, whose first field is struct_size. */
typedef struct enuf_options_record {
    const char *function; /* that reads them, for error texts */
    const char *init;     /* the function that fills in the defaults */
    size_t size, least;   /* bytes of the record, and up to the first field that each version has */
} enuf_options_record;

/**
 * Copies the options of a caller's over the defaults in `options`. A program of an earlier version
 * has fewer fields; the others keep their defaults.
 *
 * Errors: ENUF_BAD_ARGUMENT for NULL, and for a struct_size that no version has.
 */
enuf_status enuf_read_options(const enuf_options_record *record, const void *given, void *options);

#endif
