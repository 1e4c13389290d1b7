/*
 * extxyz_comment.h - the comment line of extended XYZ: cell, boundaries and meaning of the columns.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EXTXYZ_COMMENT_H
#define ENUF_EXTXYZ_COMMENT_H

#include "structure.h"
#include "text.h"

/* Most columns of a line. */
enum { ENUF_MOST_COLUMNS = 256 };

typedef struct enuf_extxyz_comment {
    double cell[9];
    int has_cell;
    double origin[3];
    int periodic[3];
    enuf_units units;
    int units_given;
    int columns;         /* of a line */
    int further_columns; /* 1: lines may have more columns, which are skipped (plain XYZ) */
    int species, position, charge, molecule, id; /* first column of each, -1: none */
} enuf_extxyz_comment;

enuf_status enuf_extxyz_comment_read(const enuf_text *text, const enuf_line *line,
                                     enuf_extxyz_comment *comment);

#endif
