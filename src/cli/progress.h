/*
 * progress.h - a bar on stderr while long work runs; only where stderr is a terminal.
 *
 *     [##########----------] 2/4 pairs  12.3 s
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_PROGRESS_H
#define ENUF_CLI_PROGRESS_H

#include "settings.h"

#include <pthread.h>

typedef struct cli_progress {
    int shown;
    int64_t steps, step; /* step: the one under way, from 1 */
    char what[48];
    double begin;
    pthread_t ticker; /* redraws the seconds */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int ended;
} cli_progress;

/** Begins a bar of so many steps; shows nothing unless `wanted` and stderr is a terminal. */
void cli_progress_begin(cli_progress *progress, int64_t steps, int wanted);

/** Changes the number of steps; at least the steps that have begun. */
void cli_progress_set_steps(cli_progress *progress, int64_t steps);

/** The next step begins. */
void cli_progress_step(cli_progress *progress, const char *what);

/** Begins step `step`, from 1, of a bar that began later than the first step. */
void cli_progress_at(cli_progress *progress, int64_t step, const char *what);

/** Wipes the bar. To be called before anything else goes to stderr. */
void cli_progress_end(cli_progress *progress);

#endif
