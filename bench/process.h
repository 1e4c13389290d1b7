/* process.h - work in a process of its own, for its memory. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include <stddef.h>

typedef void (*bench_work)(const void *input, void *output);

/**
 * Runs work(input, output) in a child, which hands the `size` bytes at `output` back, and returns
 * the most memory that the child had, bytes. The caller must not have started threads. A child that
 * fails ends the program.
 */
double bench_apart(const char *program, bench_work work, const void *input, void *output,
                   size_t size);

#endif
