/*
 * fuzz.h - the entry of a fuzz target, called by libFuzzer with generated inputs, and by replay.c
 * with the stored files. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_FUZZ_H
#define ENUF_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/** Inputs that were accepted so far. */
extern int64_t fuzz_accepted;

/** Ends the program with a message: a finding. */
#define FUZZ_REQUIRE(condition) ((condition) ? (void)0 : fuzz_fail(#condition, __FILE__, __LINE__))
void fuzz_fail(const char *condition, const char *file, int line);

/** From now on an allocation of more bytes than this is a finding. */
void fuzz_limit_allocation(size_t bytes);

#endif
