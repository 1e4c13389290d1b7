/*
 * direct_sums.h - one row of the benchmark of direct sums: its arrays in either memory and
 * precision, the time of a call, and the error of its result. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_DIRECT_SUMS_H
#define BENCH_DIRECT_SUMS_H

#include "direct_case.h"
#include "table.h"

#include "enuf/direct.h"

#include <time.h>

/** Outputs whose error is found. */
enum { DIRECT_OUTPUTS = 64 };

/** What the arguments ask for. */
typedef struct direct_request {
    int grids, trajectories, kinds, precisions, backends, memories; /* bits */
    double pairs;
    int threads, batch, repeats;
    bench_output output;
} direct_request;

/** What is timed in one row. */
typedef struct direct_row {
    enuf_precision precision;
    enuf_backend backend;
    enuf_memory memory;
    int adjoint;
} direct_row;

/** n numbers of `from` (NULL: room for them), `copies` times, in the precision and memory of a row.
 */
void *direct_place(int64_t n, int copies, const double *from, const direct_row *w);
void direct_release(void *array, const direct_row *w);

/** The first n numbers of an array, as doubles, in a new array. */
double *direct_read(int64_t n, void *array, const direct_row *w);

/** Other work on the machine does not count where one thread does all. */
clockid_t direct_clock(const direct_request *r, const direct_row *w);

/** Seconds of the fastest call, and the error of its result. */
double direct_time(const bench_scan *s, const direct_request *r, const direct_row *w,
                   double *error);

/** Relative l2 error at some outputs, by sums over them alone, in double on the CPU. */
double direct_error(const bench_scan *s, int adjoint, const double *found);

#endif
