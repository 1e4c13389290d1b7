/* wisdom_file.h - what reading and writing wisdom share. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_WISDOM_FILE_H
#define ENUF_WISDOM_FILE_H

#include "tuning.h"

#define ENUF_WISDOM_FORMAT "enuf wisdom 1"

/** Adds the entries of a file; after an error some of them may have been added. */
enuf_status enuf_wisdom_read(enuf_wisdom *wisdom, const char *path, int may_be_missing);

#endif
