/*
 * lammps_style.h - atom styles of LAMMPS: the columns of section Atoms.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_LAMMPS_STYLE_H
#define ENUF_LAMMPS_STYLE_H

#include "text.h"

/* Most columns of any style with its three image flags. */
enum { ENUF_LAMMPS_MOST_COLUMNS = 16 };

typedef struct enuf_lammps_style {
    const char *name;
    const char *layout;
    int columns;                          /* without image flags */
    int type, molecule, charge, position; /* -1: none; the id is always first */
} enuf_lammps_style;

/**
 * The style of a section Atoms: the name behind the keyword ("Atoms # full"). Without a name it is
 * deduced from the first atom's line, if only one common style fits.
 *
 * section the keyword's line first_atom the line of the first atom is_named set to 0 if the style
 * is deduced
 */
enuf_status enuf_lammps_style_find(const enuf_text *text, const enuf_line *section,
                                   const enuf_line *first_atom, const enuf_lammps_style **style,
                                   int *is_named);

#endif
