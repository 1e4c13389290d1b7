/* exclusions_check.h - a caller's list of excluded pairs, looked at before it is used.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_EXCLUSIONS_CHECK_H
#define ENUF_EXCLUSIONS_CHECK_H

#include "private.h"
#include "enuf/ewald.h"

/** Whether they are pairs of two different ones of n atoms, with finite weights (or none); NULL: no
 * pairs. */
ENUF_PRIVATE enuf_status enuf_exclusions_check(const enuf_exclusions *exclusions, int64_t n);

#endif
