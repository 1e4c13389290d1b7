/*
 * reading.h - the readers, one for each format, and their result.
 *
 * A reader fills a reading of zeros. It need not clean up when it fails: the caller frees the
 * reading.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_READING_H
#define ENUF_READING_H

#include "structure.h"
#include "text.h"

typedef struct enuf_reading {
    enuf_structure ions;
    int64_t *first_lines; /* [n_species] line of the first missing charge of a species; 0: none */
    int has_charges;      /* the file gives them */
    char why_no_charges[80];   /* else the reason, e.g. "a POSCAR holds none"; empty: not known */
    const char *guessed_style; /* LAMMPS data: the style deduced from the columns; else NULL */
    int64_t guessed_line;      /* line in which the style's name should stand */
    enuf_line end;             /* formats with frames: stands before the next frame */
    /* given to the reader */
    const double *given_cell; /* [9] for a file without a cell; NULL: none */
    int without_cell;         /* 1: such a file may do without; then it is not periodic */
    int without_charges;      /* 1: missing charges are 0 */
    enuf_units units_before;  /* of the frame before, */
    int units_before_given;   /* if the file said them */
    double cell_before[9];    /* of the frame before, */
    int64_t cell_before_line; /* and where the file gave it; 0: nowhere */
} enuf_reading;

/* Most species; this bounds the reading time of a broken file. */
enum { ENUF_MOST_SPECIES = 4096 };

enuf_status enuf_read_cif(const enuf_text *text, enuf_reading *reading);
enuf_status enuf_read_extxyz(const enuf_text *text, enuf_reading *reading);
enuf_status enuf_read_gro(const enuf_text *text, enuf_reading *reading);
enuf_status enuf_read_lammps_data(const enuf_text *text, enuf_reading *reading);
enuf_status enuf_read_lammps_dump(const enuf_text *text, enuf_reading *reading);
enuf_status enuf_read_pdb(const enuf_text *text, enuf_reading *reading);
enuf_status enuf_read_poscar(const enuf_text *text, enuf_reading *reading);

/** Estimate of the missing bytes of the first frame and the next line; see formats.h. */
int64_t enuf_missing_extxyz(const enuf_text *text);
int64_t enuf_missing_gro(const enuf_text *text);
int64_t enuf_missing_lammps_dump(const enuf_text *text);
int64_t enuf_missing_pdb(const enuf_text *text);

/** Estimate of the missing bytes of a frame with `n` more lines behind `line`, from the length of
 * these lines. */
int64_t enuf_reading_missing(const enuf_text *text, enuf_line line, int64_t n);

/** Makes room for n ions and n_species names in a reading of zeros. */
enuf_status enuf_reading_create(int64_t n, int32_t n_species, enuf_reading *reading);

/**
 * Index of the species of a name. A new name is added. The reading was made with room for no names;
 * `line` is where the name stands.
 */
enuf_status enuf_reading_species(const enuf_text *text, int64_t line, enuf_word name,
                                 enuf_reading *reading, int32_t *species);

void enuf_reading_free(enuf_reading *reading);

/** Stores why the file has no charges. The error that requests charges says it. */
void enuf_reading_explain(enuf_reading *reading, const char *why_no_charges);

/**
 * Checks the cell on `line` if in_file is 1; else uses the given cell. If there is no given cell,
 * the error contains `why`, e.g. "no CRYST1 record", unless the file may do without.
 */
enuf_status enuf_reading_use_cell(const enuf_text *text, int64_t line, int in_file, const char *why,
                                  enuf_reading *reading);

/** Refuses an atom id that occurs twice. The ions are on lines first, first + 1, ... */
enuf_status enuf_reading_check_ids(const enuf_text *text, int64_t first,
                                   const enuf_structure *ions);

/** Refuses cell vectors, given on `line`, that span no volume. */
enuf_status enuf_reading_check_cell(const enuf_text *text, int64_t line, const double cell[9]);

/**
 * Refuses a line that the end of the file cuts short: without a blank or a line's end behind it,
 * its last number may have lost digits.
 */
enuf_status enuf_reading_check_whole_line(const enuf_text *text, const enuf_line *line);

#endif
