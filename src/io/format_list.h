/*
 * format_list.h - the formats of structures by name.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_FORMAT_LIST_H
#define ENUF_FORMAT_LIST_H

/*
 * X(name, reader, names of files, function `missing` of formats.h); LAST is X for the last entry.
 * If a format is found by content, earlier entries are tested first.
 */
#define ENUF_FORMAT_LIST(X, LAST)                                                                  \
    X("lammps-data", lammps_data, "*.data *.lmp data.*", NULL)                                     \
    X("lammps-dump", lammps_dump, "*.lammpstrj *.dump dump.*", enuf_missing_lammps_dump)           \
    X("extxyz", extxyz, "*.xyz *.extxyz", enuf_missing_extxyz)                                     \
    X("poscar", poscar, "*.vasp POSCAR* CONTCAR*", NULL)                                           \
    X("cif", cif, "*.cif", NULL)                                                                   \
    X("pdb", pdb, "*.pdb *.ent", enuf_missing_pdb)                                                 \
    LAST("gro", gro, "*.gro", enuf_missing_gro)

/* Their names, for texts. */
#define ENUF_FORMAT_AND(name, reader, files, frames) name ", "
#define ENUF_FORMAT_OR(name, reader, files, frames)  "or " name
#define ENUF_FORMATS                                 ENUF_FORMAT_LIST(ENUF_FORMAT_AND, ENUF_FORMAT_OR)

/** Name of the format at an index; NULL past the last. */
const char *enuf_format_name(int index);

#endif
