/*
 * interrupted.h - files that are removed when a signal ends the program.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_INTERRUPTED_H
#define ENUF_INTERRUPTED_H

/**
 * From now on every signal that ends the program, except SIGKILL, removes this file first. Ignored
 * signals and signals with a handler are not changed. Returns a slot; -1: no slot is free, and
 * signals do not remove the file.
 */
int enuf_interrupted_add(const char *path);

/** Signals no longer remove the file of this slot; -1 is legal. */
void enuf_interrupted_forget(int slot);

/** Signals from outside take effect no earlier than ... */
void enuf_interrupted_hold(void);
/** ... here, so that several files can change their names together. For one thread at a time; the
 * others run on meanwhile. */
void enuf_interrupted_let(void);

#endif
