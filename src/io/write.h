/*
 * write.h - writes structures and results of their ions as extended XYZ. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_WRITE_H
#define ENUF_WRITE_H

#include "output.h"
#include "structure.h"

/** Real numbers for each ion: "forces:R:3" is {"forces", 3, values}. */
typedef struct enuf_column {
    const char *name;
    int width;
    const double *values; /* [n][width] */
} enuf_column;

/**
 * Writes one frame: species, positions, molecule and atom ids if there are any, then the columns.
 * Ions keep their order. Numbers have 17 significant digits, so reading gives the same doubles.
 *
 * comment  appended to the comment line, e.g. "energy=-1.5"; may be NULL
 *
 * Charges are written if they are among the columns: {"charge", 1, structure->charges}. Errors of
 * writing are not reported here; enuf_output_commit() reports them.
 */
void enuf_write_extxyz(FILE *stream, const enuf_structure *structure, const enuf_column *columns,
                       int n_columns, const char *comment);

#endif
