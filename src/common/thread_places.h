/* thread_places.h - places of our threads according to OMP_PROC_BIND and OMP_PLACES.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_THREAD_PLACES_H
#define ENUF_THREAD_PLACES_H

/** A place of OpenMP's list; -1: all processors of the caller. */
typedef struct enuf_thread_place {
    int number;
} enuf_thread_place;

/** The place of thread k > 0 of a team of the calling thread. */
enuf_thread_place enuf_thread_place_of(int thread, int threads);

/** Moves the calling thread there. */
void enuf_thread_go_to(const enuf_thread_place *place);

#endif
