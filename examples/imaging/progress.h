/*
 * progress.h - a line on a terminal that tells how far the work is; nothing in a pipe.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef IMAGING_PROGRESS_H
#define IMAGING_PROGRESS_H

/** Names what the next steps belong to. */
void progress_name(const char *what);

/** `done` of `all` steps are over; the last one takes the line off. */
void progress_step(int done, int all);

#endif
