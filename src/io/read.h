/*
 * read.h - structures from files.
 *
 * Formats: LAMMPS data files ("lammps-data"), extended XYZ ("extxyz"), POSCAR and CONTCAR of VASP
 * ("poscar") and CIF ("cif"). What they leave open is decided so:
 * - Positions are unwrapped: a LAMMPS image flag moves its atom by that many cell vectors, because
 * the dipole of a cell in vacuum or in a dielectric needs whole molecules. Nothing is folded back.
 * - Ions keep the file's order.
 * - LAMMPS data files, POSCAR and CIF say nothing of boundaries: they count as periodic along a, b
 * and c, and so does an extended XYZ file without pbc.
 * - POSCAR holds no charges, CIF perhaps oxidation numbers; rules give what is missing.
 * - Units come from the first line of a LAMMPS data file (write_data notes them there) or from the
 * key `units` of extended XYZ; else they are metal, with units_given = 0.
 * - The first frame of an extended XYZ file, and the first block of a CIF that holds sites, is
 * read; more_frames says that others follow.
 * - Point dipoles, velocities, angles, masses and everything else are skipped.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_READ_H
#define ENUF_READ_H

#include "charge_rules.h"
#include "structure.h"
#include "text.h"

/* The formats' names, for texts. */
#define ENUF_FORMATS "lammps-data, extxyz, poscar or cif"

/** The same one by one: the name at an index, NULL past the last. */
const char *enuf_format_name(int index);

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
