/*
 * window_memo.h - what was made of windows last, kept for all threads. To make a window takes
 * milliseconds, more than a transform of a few thousand points; programs that make one plan after
 * the other take the same windows again. A value depends on its key alone, so that results have the
 * same bits with and without it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_WINDOW_MEMO_H
#define ENUF_NUFFT_WINDOW_MEMO_H

#include "window_form.h"

/** Coefficients of polynomials of a window's transform. */
enum { ENUF_WINDOW_TERMS = 18, ENUF_WINDOW_PIECES = 64 };

typedef enum enuf_memo_table {
    ENUF_MEMO_FORM,      /* enuf_window_form without a fit */
    ENUF_MEMO_FIT,       /* enuf_window_fitted; number: error */
    ENUF_MEMO_TRANSFORM, /* enuf_window_pieces; number: how many */
    ENUF_MEMO_ALIASES,   /* enuf_alias_table; number: edge */
    ENUF_MEMO_TABLES
} enuf_memo_table;

typedef struct enuf_memo_key {
    enuf_window window;
    int width;
    double shape, number;
} enuf_memo_key;

typedef struct enuf_window_fitted {
    enuf_window_fit fit;
    double missed, missed_slope;
} enuf_window_fitted;

typedef struct enuf_window_pieces {
    double terms[ENUF_WINDOW_PIECES][ENUF_WINDOW_TERMS];
} enuf_window_pieces;

/** Squares of errors, or an amplitude of aliases: of aliases, and the factor of rounding. */
typedef struct enuf_squares {
    double alias, noise;
} enuf_squares;

enum { ENUF_ALIAS_PARTS = 64, ENUF_ALIAS_FINE = 2 * ENUF_ALIAS_PARTS };

/** A window at frequencies from 0 up to an edge: amplitude of its aliases, square of its noise. */
typedef struct enuf_alias_table {
    double edge, per_radian; /* entries a radian */
    enuf_squares at[ENUF_ALIAS_FINE + 1];
} enuf_alias_table;

/** Copies a value to `value`; 0: it is not there. */
int enuf_memo_find(enuf_memo_table table, const enuf_memo_key *key, void *value);

/** Keeps a value in place of the one that was kept first. */
void enuf_memo_keep(enuf_memo_table table, const enuf_memo_key *key, const void *value);

#endif
