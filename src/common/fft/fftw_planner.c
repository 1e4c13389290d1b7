/* fftw_planner.c - see fftw_planner.h. SPDX-License-Identifier: BSD-3-Clause */
#include "fftw_planner.h"

#include <pthread.h>

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

/* The host's lock; our lock guards this variable. */
static struct {
    void (*lock)(void *), (*unlock)(void *);
    void *context;
} host;

void enuf_fftw_share_lock(void (*lock)(void *), void (*unlock)(void *), void *context)
{
    pthread_mutex_lock(&planner);
    host.lock = lock;
    host.unlock = unlock;
    host.context = context;
    pthread_mutex_unlock(&planner);
}

void enuf_fftw_lock(void)
{
    pthread_mutex_lock(&planner);
    if (host.lock) host.lock(host.context);
}

void enuf_fftw_unlock(void)
{
    if (host.unlock) host.unlock(host.context);
    pthread_mutex_unlock(&planner);
}
