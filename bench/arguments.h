/* arguments.h - command lines of the benchmarks. SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_ARGUMENTS_H
#define BENCH_ARGUMENTS_H

enum { BENCH_MOST_VALUES = 8 };

/** Reads numbers separated by commas; returns how many. Ends the program if the text is no such
 * list.
 */
int bench_numbers(const char *program, const char *text, double values[BENCH_MOST_VALUES]);

/** Reads names separated by commas: bit k is set if names[k] is among them. Ends the program at a
 * name that is not one of the n. */
int bench_names(const char *program, const char *text, const char *const *names, int n);

/** Prints "program: text" to stderr and ends the program with status 1. */
_Noreturn void bench_die(const char *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
