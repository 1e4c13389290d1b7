/* exclusions_check.h - checks a caller's list of excluded pairs.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_EXCLUSIONS_CHECK_H
#define ENUF_EXCLUSIONS_CHECK_H

#include "private.h"
#include "enuf/ewald.h"

/** Checks exclusion k: the pair (i, j) of n atoms. */
enuf_status enuf_exclusion_check(int64_t k, int64_t i, int64_t j, double weight, int64_t n);
/** ENUF_BAD_ARGUMENT, for a pair. */
enuf_status enuf_exclusion_repeated(int64_t i, int64_t j);

/** Checks that there are as many pairs as n atoms can have, and an array of them. */
enuf_status enuf_exclusions_check_number(const enuf_exclusions *exclusions, int64_t n);

/** Checks that each pair names two different atoms of n, and that weights are finite. NULL: no
 * pairs.
 */
ENUF_PRIVATE enuf_status enuf_exclusions_check(const enuf_exclusions *exclusions, int64_t n);

#endif
