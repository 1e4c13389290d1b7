/* fftw_planner.h - a lock for FFTW's planner and its settings, which exist once per process.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_FFTW_PLANNER_H
#define ENUF_FFTW_PLANNER_H

void enuf_fftw_lock(void);
void enuf_fftw_unlock(void);

/** Sets a lock of the host that we take as well; NULL: none. */
void enuf_fftw_share_lock(void (*lock)(void *), void (*unlock)(void *), void *context);

#endif
