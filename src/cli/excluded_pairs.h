/*
 * excluded_pairs.h - the pairs of a structure that do not interact (--exclude).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_EXCLUDED_PAIRS_H
#define ENUF_CLI_EXCLUDED_PAIRS_H

#include "settings.h"
#include "structure.h"

/**
 * Lists the pairs, each once. exclusions->pairs is the caller's, to be freed with
 * cli_excluded_pairs_free().
 * Errors: ENUF_BAD_ARGUMENT where the file has no bonds or molecules; ENUF_OUT_OF_MEMORY.
 */
enuf_status cli_excluded_pairs(cli_exclude exclude, const enuf_structure *structure,
                               enuf_exclusions *exclusions);

void cli_excluded_pairs_free(enuf_exclusions *exclusions);

#endif
