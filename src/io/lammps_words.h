/*
 * lammps_words.h - the keywords and the sections of LAMMPS data files.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_LAMMPS_WORDS_H
#define ENUF_LAMMPS_WORDS_H

#include "text.h"

/* Keywords that are used. Box: bounds of x, y, z and tilts, or three vectors and their origin. */
enum {
    ENUF_LAMMPS_XLO,
    ENUF_LAMMPS_YLO,
    ENUF_LAMMPS_ZLO,
    ENUF_LAMMPS_TILT,
    ENUF_LAMMPS_AVEC,
    ENUF_LAMMPS_BVEC,
    ENUF_LAMMPS_CVEC,
    ENUF_LAMMPS_ORIGIN,
    ENUF_LAMMPS_N_BOX,
    ENUF_LAMMPS_ATOMS = ENUF_LAMMPS_N_BOX,
    ENUF_LAMMPS_ATOM_TYPES,
    ENUF_LAMMPS_BONDS
};

/* A keyword follows its numbers: reals for the box, one count for any other keyword. */
typedef struct enuf_lammps_keyword {
    const char *words;
    int numbers;
} enuf_lammps_keyword;

extern const enuf_lammps_keyword enuf_lammps_keywords[];

/* Indices of the sections that are read; other sections are skipped. */
enum {
    ENUF_LAMMPS_ATOMS_SECTION,
    ENUF_LAMMPS_BONDS_SECTION,
    ENUF_LAMMPS_MASSES_SECTION,
    ENUF_LAMMPS_LABELS_SECTION,
    ENUF_LAMMPS_N_READ
};

extern const char *const enuf_lammps_sections[];

enum { ENUF_LAMMPS_MOST_WORDS = 16 };

/** The words of a line; n is the number of all words, also beyond ENUF_LAMMPS_MOST_WORDS. */
typedef struct enuf_lammps_words {
    enuf_word word[ENUF_LAMMPS_MOST_WORDS];
    int n;
} enuf_lammps_words;

enuf_lammps_words enuf_lammps_split(const enuf_line *line);

/** Whether the words from `first` on equal the words of a text. */
int enuf_lammps_are_words(const enuf_lammps_words *words, int first, const char *text);

/** The keyword at the line's end; -1: none. *first is its first word. */
int enuf_lammps_find_keyword(const enuf_lammps_words *words, int *first);

/** The section with the line as its name; -1: none. */
int enuf_lammps_find_section(const enuf_lammps_words *words);

/** Whether no word resembles a word of a keyword or section. */
int enuf_lammps_is_foreign(const enuf_lammps_words *words);

/**
 * ENUF_BAD_FILE; the text proposes the nearest keyword. If the line begins with a letter, it
 * proposes the nearest section.
 */
enuf_status enuf_lammps_refuse_line(const enuf_text *text, const enuf_line *line,
                                    const enuf_lammps_words *words);

#endif
