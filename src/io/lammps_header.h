/*
 * lammps_header.h - the head of a LAMMPS data file, and where its sections begin.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_LAMMPS_HEADER_H
#define ENUF_LAMMPS_HEADER_H

#include "structure.h"
#include "text.h"

typedef struct enuf_lammps_header {
    int64_t atoms, atom_types, bonds;
    int64_t head_end; /* line of the first section, or the last line */
    int64_t atoms_line, atom_types_line, bonds_line; /* lines of the counts; 0: none */
    double cell[9];
    double origin[3];
    int64_t cell_line; /* xlo xhi or avec */
    enuf_units units;
    int units_given;
    /* line of each section's keyword; number 0: the file has no such section */
    enuf_line labels_section, masses_section, atoms_section, bonds_section;
} enuf_lammps_header;

/**
 * Reads counts, box and units, and finds the four sections above. Other sections of LAMMPS and of
 * its fixes are skipped. Sections may come in any order. Every header line has to be a keyword with
 * its numbers or a section's name; others are refused.
 */
enuf_status enuf_lammps_header_read(const enuf_text *text, enuf_lammps_header *header);

#endif
