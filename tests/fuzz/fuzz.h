/*
 * fuzz.h - the entry point of a fuzz target. libFuzzer calls it with generated inputs, replay.c
 * with the stored ones.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_FUZZ_H
#define ENUF_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/** Number of structures or command lines that were accepted so far. */
extern int64_t fuzz_accepted;

/** Ends the program with a message if the condition does not hold: the fuzzer has found a defect.
 */
#define FUZZ_REQUIRE(condition) ((condition) ? (void)0 : fuzz_fail(#condition, __FILE__, __LINE__))
void fuzz_fail(const char *condition, const char *file, int line);

/** From now on an allocation of more bytes ends the program as a defect. */
void fuzz_limit_allocation(size_t bytes);

#endif
