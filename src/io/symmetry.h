/*
 * symmetry.h - operations of a space group on fractional coordinates.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_SYMMETRY_H
#define ENUF_SYMMETRY_H

#include "text.h"

/* Most operations in a conventional cell: Fm-3m and its like, 48 with 4 centrings. */
enum { ENUF_MOST_OPERATIONS = 192 };

/* Translations are in this part of a cell vector: halves, thirds, quarters, sixths, eighths. */
enum { ENUF_TRANSLATION_UNIT = 24 };

/** x' = rotation x + translation/24. Entries of the rotation: -1, 0, 1; translations: 0 to 23. */
typedef struct enuf_symmetry_operation {
    int rotation[3][3];
    int translation[3];
} enuf_symmetry_operation;

/** Operation of a text such as "-y, x-y, z+1/3"; 0 if it is none. */
int enuf_symmetry_parse(enuf_word word, enuf_symmetry_operation *operation);

void enuf_symmetry_apply(const enuf_symmetry_operation *operation, const double x[3],
                         double image[3]);

/** Index of an operation that stands there before too, or -1: all are distinct. n at most 192. */
int enuf_symmetry_repeated(int n, const enuf_symmetry_operation *operations);

/** Whether the product of any two, up to whole cells, is among them. n at most 192, distinct. */
int enuf_symmetry_is_group(int n, const enuf_symmetry_operation *operations);

/** Whether the rotation leaves lengths and angles of a cell (rows a, b, c) as they are, to 0.1 %.
 */
int enuf_symmetry_fits_cell(const enuf_symmetry_operation *operation, const double cell[9]);

#endif
