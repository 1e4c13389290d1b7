/*
 * interrupted.h - files that are removed when a signal ends the program.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_INTERRUPTED_H
#define ENUF_INTERRUPTED_H

/**
 * From now on every signal that would end the program, but SIGKILL, removes this file first. A
 * signal that is ignored or has a handler already stays as it is. Gives a slot, or -1 where none is
 * free: the file is then left to itself.
 */
int enuf_interrupted_add(const char *path);

/** The file is complete or gone; -1 is legal. */
void enuf_interrupted_forget(int slot);

/** Signals from outside take effect no earlier than ... */
void enuf_interrupted_hold(void);
/** ... here, so that several files can change their names together. For one thread at a time; the
 * others run on meanwhile. */
void enuf_interrupted_let(void);

#endif
