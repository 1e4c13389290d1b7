/*
 * window_table.h - a window as a table: each cell is cut into pieces of one length, and values lie
 * on the straight line between those at a piece's ends. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_WINDOW_TABLE_H
#define ENUF_NUFFT_WINDOW_TABLE_H

#include "window_form.h"

enum { ENUF_MOST_PIECES = 1 << 16 };

/** Pieces of a cell, a power of two, with which a table differs from the fit by at most `error`,
 * relative to phi(0) = 1; 0 if more than ENUF_MOST_PIECES are needed. */
int enuf_window_table_pieces(const enuf_window_fit *fit, double error);

/** The largest difference between a table of so many pieces and the fit: h^2/8 times the second
 * derivative, h the length of a piece. */
double enuf_window_table_error(const enuf_window_fit *fit, int pieces);

/** Integral of the square of that difference. */
double enuf_window_table_missed(const enuf_window_fit *fit, int pieces);

/** The window on a cell at the begin of piece k = 0 ... pieces. */
double enuf_window_table_value(const enuf_window_fit *fit, int pieces, int k, int cell);

#endif
