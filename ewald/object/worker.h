/*
 * worker.h - the background thread of an Ewald object whose backend does not work alone.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_WORKER_H
#define ENUF_EWALD_WORKER_H

#include "ewald_object.h"

/** Starts ewald->worker. Errors: ENUF_OUT_OF_MEMORY; ENUF_INTERNAL if the system allows no more
 * threads. */
enuf_status enuf_worker_start(enuf_ewald *ewald);
/** Lets it finish ewald->pending. */
void enuf_worker_ask(enuf_worker *worker);
/** Waits for it. Returns its status and sets its text. */
enuf_status enuf_worker_wait(enuf_worker *worker);
/** 1 in a child of fork(): it does not have the thread. */
int enuf_worker_is_of_parent(const enuf_worker *worker);
/** Ends the thread after its work; NULL is legal. */
void enuf_worker_stop(enuf_worker **worker);

#endif
