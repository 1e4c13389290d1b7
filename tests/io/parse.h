/* parse.h - a test reads a structure from a string. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_TEST_PARSE_H
#define ENUF_TEST_PARSE_H

#include "read.h"

/** Reads a string as if it were the file `name`. */
enuf_status parse(const char *name, const char *string, enuf_structure *out);

/** As parse(), with one charge rule such as "Na=1". */
enuf_status parse_with(const char *name, const char *string, const char *rule, enuf_structure *out);

#endif
