/*
 * tuning_clock.h - times a plan: one set of points, one call of each type. One thread is timed by
 * its processor time, which other work on the machine does not lengthen; several by wall time. On a
 * GPU, wall time of eight calls and a wait; stages are not told apart.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_TUNING_CLOCK_H
#define BENCH_TUNING_CLOCK_H

#include "tuning_case.h"

/** Seconds of one call each, and of the stages of them that touch the points. */
typedef struct tuning_parts {
    double set, type1, type2, spread, interpolate;
} tuning_parts;

double tuning_now(const tuning_case *c);

/** Sets the points and calls both types. */
tuning_parts tuning_call(const tuning_case *c, enuf_nufft *plan);
/** Each part the lesser of the two. */
tuning_parts tuning_least(tuning_parts a, tuning_parts b);
/** Seconds of a round: one set of points, `repeats` calls of each type. */
double tuning_round(tuning_parts parts, double repeats);

/** The context of tuning_timer. */
typedef struct tuning_timing {
    const tuning_case *problem;
    double repeats;
} tuning_timing;

/** An enuf_tune_timer by this clock: the second of two rounds, as the library's own. */
enuf_status tuning_timer(void *context, const enuf_nufft_options *options, double *seconds,
                         int64_t *bytes);

#endif
