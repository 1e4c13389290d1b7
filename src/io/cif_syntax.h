/*
 * cif_syntax.h - what the library gemmi does for the reader of CIF: the syntax of the format, and
 * the space groups by name. Where enuf is built without gemmi, enuf_cif_open() says so.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CIF_SYNTAX_H
#define ENUF_CIF_SYNTAX_H

#include "symmetry.h"
#include "text.h"

/* A file that has been parsed: of its data blocks the first that holds sites. */
typedef struct enuf_cif enuf_cif;

/** The values of a tag: one, or a column of a loop. */
typedef struct enuf_cif_column {
    const void *item; /* the same for all columns of a loop; NULL: the block has no such tag */
    int64_t column, n;
} enuf_cif_column;

typedef struct enuf_cif_value {
    enuf_word word; /* without its quotes; empty where the file says '?' or '.' */
    int64_t line;
} enuf_cif_value;

/** Version of gemmi, e.g. "0.5.7"; NULL where enuf is built without. */
const char *enuf_gemmi_version(void);

/**
 * Parses a text; release with enuf_cif_close().
 * Errors: ENUF_BAD_FILE with the line; ENUF_OUT_OF_MEMORY; ENUF_UNSUPPORTED without gemmi.
 */
enuf_status enuf_cif_open(const enuf_text *text, enuf_cif **cif);

void enuf_cif_close(enuf_cif **cif);

/** Whether further blocks hold sites. */
int enuf_cif_has_more(const enuf_cif *cif);

/** The column of a tag, e.g. "_cell_length_a"; its case does not matter. */
enuf_cif_column enuf_cif_find(const enuf_cif *cif, const char *tag);

/** Value of a row, 0 <= row < column.n. */
enuf_cif_value enuf_cif_at(const enuf_cif *cif, enuf_cif_column column, int64_t row);

/* What is known of a space group by its name. */
typedef struct enuf_cif_group {
    int n;        /* operations; 0: the name is not known */
    int centring; /* lattice points of its conventional cell */
    int number;   /* in the International Tables, 1 to 230 */
    int choices;  /* 1 if it has two origins and the name does not say which */
} enuf_cif_group;

/**
 * The space group of a Hermann-Mauguin name, e.g. "F m -3 m" or "P4_2/mnm".
 *
 * angles      alpha, beta, gamma: tell rhombohedral from hexagonal axes
 * operations  [ENUF_MOST_OPERATIONS]
 */
enuf_cif_group enuf_cif_space_group(enuf_word name, const double angles[3],
                                    enuf_symmetry_operation *operations);

/** Number of the group that has these operations in one of its usual settings; 0: not known. */
int enuf_cif_group_number(int n, const enuf_symmetry_operation *operations);

#endif
