/* fftw_planner.c - see fftw_planner.h. SPDX-License-Identifier: BSD-3-Clause */
#include "fftw_planner.h"

#include <pthread.h>

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

void enuf_fftw_lock(void)
{
    pthread_mutex_lock(&planner);
}

void enuf_fftw_unlock(void)
{
    pthread_mutex_unlock(&planner);
}
