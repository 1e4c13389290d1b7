/*
 * structure.h - ions in a cell, read from a file or built from a crystal's name.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_STRUCTURE_H
#define ENUF_STRUCTURE_H

#include "enuf/status.h"

/* X(NAME, name, help): unit systems and their Coulomb constant, LAMMPS' own values */
#define ENUF_UNITS(X)                                                                              \
    X(REAL, real, "kcal/mol, Angstrom, e")                                                         \
    X(METAL, metal, "eV, Angstrom, e")                                                             \
    X(SI, si, "J, m, C")                                                                           \
    X(LJ, lj, "reduced")

typedef enum enuf_units {
#define ENUF_X(NAME, name, help) ENUF_UNITS_##NAME,
    ENUF_UNITS(ENUF_X)
#undef ENUF_X
        ENUF_UNITS_NATURAL /* STRUCTUREs: lengths in d, energies in e^2/d, constant 1 */
} enuf_units;

/* A species' name and its terminating 0. */
enum { ENUF_SPECIES_SIZE = 16 };

/** A system of ions. Every array is the structure's own; release with enuf_structure_free(). */
typedef struct enuf_structure {
    int64_t n;          /* ions */
    double cell[9];     /* rows a, b, c */
    double origin[3];   /* of the cell; positions are absolute */
    int periodic[3];    /* along a, b, c */
    double *positions;  /* [n][3], unwrapped if the file has image flags */
    double *charges;    /* [n] */
    int32_t *species;   /* [n] index into species_names */
    int64_t *molecules; /* [n] molecule ids, 0 = none; NULL where the file has none */
    int64_t *ids;       /* [n] the file's own atom ids; NULL: 1..n in order */
    char (*species_names)[ENUF_SPECIES_SIZE]; /* [n_species]; two may be equal (LAMMPS types) */
    int32_t n_species;
    int64_t n_bonds;
    int64_t *bonds; /* [n_bonds][2] indices into the ions */
    enuf_units units;
    int units_given; /* 1 if the file gives units */
    int more_frames; /* 1 if the file has more frames */
    int64_t frame;   /* of the file, from 1; 0: of no file */
    int64_t step;    /* the frame's time step, where step_given is 1 */
    int step_given;
    int64_t cell_line; /* of the file, where the cell begins, from 1; 0: no file gave it */
} enuf_structure;

/**
 * Makes n ions at the origin without charge, in a cell of zeros periodic along a, b and c, with
 * room for n_species names, all empty. Earlier arrays of *structure are not released.
 */
enuf_status enuf_structure_create(int64_t n, int32_t n_species, enuf_structure *structure);

/** Releases the arrays and sets everything to zero; a structure of zeros is legal. */
void enuf_structure_free(enuf_structure *structure);

/** Volume of the cell, without a sign. */
double enuf_structure_volume(const enuf_structure *structure);

/** Copies a name of `length` characters into a slot; 0 if it is empty or does not fit. */
int enuf_structure_set_name(enuf_structure *structure, int32_t species, const char *name,
                            size_t length);

#endif
