/*
 * read.h - structures from files; trajectory.h reads all frames of one.
 *
 * Formats: LAMMPS data files and text dumps, extended XYZ, POSCAR and CONTCAR of VASP, CIF, PDB,
 * and GRO of GROMACS. Rules for cases that the formats leave open:
 * - Positions are unwrapped if the file has image flags: a LAMMPS image flag moves its atom by that
 * many cell vectors, because the dipole of a cell in vacuum or in a dielectric needs whole
 * molecules. Nothing is folded back.
 * - Ions keep the file's order.
 * - The cell is periodic along a, b and c if the format does not define boundaries.
 * - POSCAR, PDB and GRO hold no charges, CIF perhaps oxidation numbers, a dump perhaps a column q;
 * rules give what is missing.
 * - Units come from the first line of a LAMMPS data file (write_data notes them there), from "ITEM:
 * UNITS" of a dump, or from the key `units` of extended XYZ; else they are metal, with units_given
 * = 0. GRO's nanometres become Angstrom.
 * - enuf_read_structure() reads the first frame, of a CIF the first block that holds sites;
 * more_frames says that others follow.
 * - Point dipoles, velocities, angles, masses and everything else are skipped.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_READ_H
#define ENUF_READ_H

#include "charge_rules.h"
#include "format_list.h"
#include "structure.h"
#include "text.h"
#include "trajectory.h"

/**
 * Reads a structure.
 *
 * path    the file; "-" is the standard input
 * format  one of ENUF_FORMATS; NULL: by the file's name, else by its content
 * rules   [n_rules] charges by species; they override the file's
 * out     overwritten on success, else untouched; release with enuf_structure_free()
 *
 * Errors: ENUF_IO if the file cannot be read; ENUF_BAD_FILE with file, line and what would be
 * right; ENUF_BAD_ARGUMENT for an unknown format or a rule that fits no species.
 */
enuf_status enuf_read_structure(const char *path, const char *format, const enuf_charge_rule *rules,
                                int n_rules, enuf_structure *out);

/** The same from a text in memory. */
enuf_status enuf_parse_structure(const enuf_text *text, const char *format,
                                 const enuf_charge_rule *rules, int n_rules, enuf_structure *out);

#endif
