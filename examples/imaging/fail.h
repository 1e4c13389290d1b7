/* fail.h - how the program ends when it cannot go on: one line on stderr, exit status 1.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef IMAGING_FAIL_H
#define IMAGING_FAIL_H

#include <enuf/status.h>

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define IMAGING_FORMAT __attribute__((noreturn, format(printf, 1, 2)))
#else
#define IMAGING_FORMAT
#endif

/** Name of the program in its last line ["imaging"]; NULL: none is printed, another rank does it.
 */
void fail_name(const char *name);

/** Prints "NAME: TEXT" and ends the program. */
IMAGING_FORMAT void fail(const char *format, ...);

/** Ends the program with the library's text if the call failed. */
void check(enuf_status status);

/** `count` zeroed elements; ends the program if there is no memory. */
void *allocate(int64_t count, size_t size);

#endif
