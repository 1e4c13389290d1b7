/* process.h - runs work in a process of its own, to measure its memory.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include <stddef.h>

typedef void (*bench_work)(const void *input, void *output);

/**
 * Runs work(input, output) in a child process, copies the `size` bytes at `output` back, and
 * returns the peak memory of the child in bytes. The caller must not have started threads. If the
 * child fails, the program ends.
 */
double bench_apart(const char *program, bench_work work, const void *input, void *output,
                   size_t size);

#endif
