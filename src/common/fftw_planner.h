/* fftw_planner.h - FFTW's planner is one per process: a lock around it, and around its settings.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_FFTW_PLANNER_H
#define ENUF_FFTW_PLANNER_H

#include "private.h"

ENUF_PRIVATE void enuf_fftw_lock(void);
ENUF_PRIVATE void enuf_fftw_unlock(void);

/** A lock of the host's that is taken too; NULL: none. */
void enuf_fftw_share_lock(void (*lock)(void *), void (*unlock)(void *), void *context);

#endif
