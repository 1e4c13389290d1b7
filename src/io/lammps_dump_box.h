/*
 * lammps_dump_box.h - "ITEM: BOX BOUNDS" of a LAMMPS dump: orthogonal, restricted and general
 * triclinic. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_LAMMPS_DUMP_BOX_H
#define ENUF_LAMMPS_DUMP_BOX_H

#include "text.h"

typedef struct enuf_lammps_dump_box {
    double cell[9];
    double origin[3];
    int periodic[3];
    int64_t line; /* line of the ITEM; 0: not read */
} enuf_lammps_dump_box;

/** Reads the three lines behind `line`, the ITEM's line. `line` is then the third of them. */
enuf_status enuf_lammps_dump_box_read(const enuf_text *text, enuf_line *line,
                                      enuf_lammps_dump_box *box);

#endif
