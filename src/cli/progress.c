/* progress.c - see progress.h. SPDX-License-Identifier: BSD-3-Clause */
#include "progress.h"

#include "wall_clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 30, TICK_NANOSECONDS = 200000000 };

/* The caller holds the lock. */
static void draw(const cli_progress *progress)
{
    char bar[BAR_WIDTH + 1];
    const int64_t done = progress->step > 0 ? progress->step - 1 : 0;
    const int64_t filled = BAR_WIDTH * done / progress->steps;
    memset(bar, '-', BAR_WIDTH);
    memset(bar, '#', (size_t)filled);
    bar[BAR_WIDTH] = 0;
    fprintf(stderr, "\r[%s] %lld/%lld %s  %.1f s\033[K", bar, (long long)progress->step,
            (long long)progress->steps, progress->what, enuf_seconds() - progress->begin);
    fflush(stderr);
}

static void *tick(void *context)
{
    cli_progress *progress = context;
    pthread_mutex_lock(&progress->lock);
    while (!progress->ended) {
        draw(progress);
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += TICK_NANOSECONDS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&progress->changed, &progress->lock, &until);
    }
    pthread_mutex_unlock(&progress->lock);
    return NULL;
}

void cli_progress_begin(cli_progress *progress, int64_t steps, int wanted)
{
    *progress = (cli_progress){.steps = steps > 0 ? steps : 1, .begin = enuf_seconds()};
    if (!wanted || !isatty(STDERR_FILENO)) return;
    pthread_mutex_init(&progress->lock, NULL);
    pthread_cond_init(&progress->changed, NULL);
    progress->shown = pthread_create(&progress->ticker, NULL, tick, progress) == 0;
}

void cli_progress_set_steps(cli_progress *progress, int64_t steps)
{
    if (!progress->shown) return;
    pthread_mutex_lock(&progress->lock);
    progress->steps = steps;
    pthread_mutex_unlock(&progress->lock);
}

void cli_progress_step(cli_progress *progress, const char *what)
{
    cli_progress_at(progress, progress->step + 1, what);
}

void cli_progress_at(cli_progress *progress, int64_t step, const char *what)
{
    if (!progress->shown) return;
    pthread_mutex_lock(&progress->lock);
    progress->step = step;
    snprintf(progress->what, sizeof progress->what, "%s", what);
    pthread_cond_signal(&progress->changed);
    pthread_mutex_unlock(&progress->lock);
}

void cli_progress_end(cli_progress *progress)
{
    if (!progress->shown) return;
    pthread_mutex_lock(&progress->lock);
    progress->ended = 1;
    pthread_cond_signal(&progress->changed);
    pthread_mutex_unlock(&progress->lock);
    pthread_join(progress->ticker, NULL);
    pthread_cond_destroy(&progress->changed);
    pthread_mutex_destroy(&progress->lock);
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->shown = 0;
}
