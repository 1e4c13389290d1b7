/*
 * tuning_case.h - a transform of an image of side^3 modes, at the samples of a trajectory, with
 * random strengths and modes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_TUNING_CASE_H
#define BENCH_TUNING_CASE_H

#include "enuf/nufft.h"
#include "enuf/trajectories.h"

typedef struct tuning_case {
    enuf_trajectory_kind kind;
    int64_t side;
    double reduction; /* R */
    enuf_nufft_options options;
    int64_t n, modes;
    /* in the options' memory */
    double *points;           /* [n][3] in periods */
    void *strengths, *values; /* [n] complex, in the options' precision */
    void *in, *out;           /* [modes] complex */
} tuning_case;

/** Fills in the samples and the data; kind, side, reduction and options are given, of which the
 * modes and the density are set. */
void tuning_case_fill(tuning_case *c);
void tuning_case_free(tuning_case *c);

/** Ends the program with the library's message if the status is an error. */
void tuning_check(enuf_status status);

#endif
