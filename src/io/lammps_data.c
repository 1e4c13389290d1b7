/*
 * lammps_data.c - reader of LAMMPS data files: types, atoms, bonds.
 *
 * A species is an atom type. Its name is the type's label, else the first word of the comment on
 * its line in Masses ("1 15.9994 # O"), else its number.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "error.h"
#include "ids.h"
#include "lammps_header.h"
#include "lammps_style.h"
#include "memory.h"
#include "reading.h"

#include <stdio.h>
#include <string.h>

/* Fewest bytes of a line in the sections Atoms ("1 1 0 0 0\n") and Bonds ("1 1 1 2\n"). */
enum { LEAST_ATOM = 10, LEAST_BOND = 8 };

/* Position of the reader: line k of n lines of a section. */
typedef struct section_lines {
    const char *name;
    enuf_line line;
    int64_t n, k;
} section_lines;

static enuf_status check_counts(const enuf_text *text, const enuf_lammps_header *header)
{
    if (!header->atoms_line)
        return enuf_text_fail(text, header->head_end,
                              "the header ends here without '... atoms' (line 1 is a title)");
    if (header->atoms < 1) return enuf_text_fail(text, header->atoms_line, "there are no atoms");
    if (!header->atom_types_line)
        return enuf_text_fail(text, header->head_end,
                              "the header ends here without '... atom types'");
    if (header->atom_types < 1 || header->atom_types > ENUF_MOST_SPECIES)
        return enuf_text_fail(text, header->atom_types_line,
                              "%lld atom types: 1 to %d are possible",
                              (long long)header->atom_types, ENUF_MOST_SPECIES);
    if (!header->atoms_section.number) return enuf_text_fail(text, 0, "no section Atoms");
    if (header->bonds > 0 && !header->bonds_section.number)
        return enuf_text_fail(text, header->bonds_line, "%lld bonds, but there is no section Bonds",
                              (long long)header->bonds);
    /* before allocation: check that the file can hold this number of atoms */
    if (header->atoms > (enuf_text_left(text, &header->atoms_section) + 1) / LEAST_ATOM)
        return enuf_text_fail(
            text, header->atoms_line, "%lld atoms do not fit in the %lld bytes of section Atoms",
            (long long)header->atoms, (long long)enuf_text_left(text, &header->atoms_section));
    if (header->bonds > 0 &&
        header->bonds > (enuf_text_left(text, &header->bonds_section) + 1) / LEAST_BOND)
        return enuf_text_fail(
            text, header->bonds_line, "%lld bonds do not fit in the %lld bytes of section Bonds",
            (long long)header->bonds, (long long)enuf_text_left(text, &header->bonds_section));
    return ENUF_SUCCESS;
}

/* Next line of a section. It begins with a number; in Masses it may begin with a label. */
static enuf_status next_line(const enuf_text *text, section_lines *lines, int labels)
{
    enuf_word first = {"", 0};
    if (enuf_text_next_filled(text, &lines->line)) {
        enuf_line_split(&lines->line, &first, 1);
        if (labels || enuf_word_begins_number(first)) {
            lines->k += 1;
            return ENUF_SUCCESS;
        }
    }
    return enuf_text_fail(text, lines->line.number, "section %s ends after %lld of %lld lines",
                          lines->name, (long long)lines->k, (long long)lines->n);
}

/* Checks the text behind a section: another section or the file's end. */
static enuf_status end_section(const enuf_text *text, section_lines *lines)
{
    enuf_word first;
    if (!enuf_text_next_filled(text, &lines->line)) return ENUF_SUCCESS;
    enuf_line_split(&lines->line, &first, 1);
    if (!enuf_word_begins_number(first)) return ENUF_SUCCESS;
    return enuf_text_fail(text, lines->line.number,
                          "one line more in section %s than the header's %lld", lines->name,
                          (long long)lines->n);
}

/* An atom type is a number, or a label if the file has labels. */
static enuf_status type_of(const enuf_text *text, int64_t line, enuf_word word,
                           const enuf_structure *ions, int labels, int32_t *species)
{
    int64_t type = 0;
    for (int32_t s = 0; labels && s < ions->n_species; ++s) {
        if (!enuf_word_is(word, ions->species_names[s])) continue;
        *species = s;
        return ENUF_SUCCESS;
    }
    ENUF_TRY(enuf_word_integer(text, line, word, "atom type", &type));
    if (type < 1 || type > ions->n_species)
        return enuf_text_fail(text, line, "atom type %lld, but there are %d atom types",
                              (long long)type, ions->n_species);
    *species = (int32_t)(type - 1);
    return ENUF_SUCCESS;
}

static enuf_status read_labels(const enuf_text *text, const enuf_lammps_header *header,
                               enuf_structure *ions)
{
    section_lines lines = {"Atom Type Labels", header->labels_section, header->atom_types, 0};
    if (lines.line.number == 0) return ENUF_SUCCESS;
    for (int64_t t = 0; t < header->atom_types; ++t) {
        enuf_word words[2];
        int32_t species = 0;
        ENUF_TRY(next_line(text, &lines, 0));
        int n = enuf_line_split(&lines.line, words, 2);
        if (n != 2)
            return enuf_text_fail(text, lines.line.number, "%d columns, but a label's line has 2",
                                  n);
        ENUF_TRY(type_of(text, lines.line.number, words[0], ions, 0, &species));
        if (!enuf_structure_set_name(ions, species, words[1].begin, words[1].length))
            return enuf_text_fail(text, lines.line.number,
                                  "label '%.*s' has more than %d characters", ENUF_SHOWN(words[1]),
                                  ENUF_SPECIES_SIZE - 1);
    }
    return end_section(text, &lines);
}

static enuf_status read_masses(const enuf_text *text, const enuf_lammps_header *header,
                               enuf_structure *ions)
{
    section_lines lines = {"Masses", header->masses_section, header->atom_types, 0};
    int labels = header->labels_section.number > 0;
    if (lines.line.number == 0) return ENUF_SUCCESS;
    for (int64_t t = 0; t < header->atom_types; ++t) {
        enuf_word words[2], name;
        double mass;
        int32_t species = 0;
        ENUF_TRY(next_line(text, &lines, labels));
        int n = enuf_line_split(&lines.line, words, 2);
        if (n != 2)
            return enuf_text_fail(text, lines.line.number, "%d columns, but a mass's line has 2",
                                  n);
        ENUF_TRY(type_of(text, lines.line.number, words[0], ions, labels, &species));
        ENUF_TRY(enuf_word_real(text, lines.line.number, words[1], "mass", &mass));
        enuf_line comment = enuf_line_comment(&lines.line);
        /* a comment too long for a name is prose: keep the number as the name */
        if (!labels && enuf_line_split(&comment, &name, 1) > 0)
            enuf_structure_set_name(ions, species, name.begin, name.length);
    }
    return end_section(text, &lines);
}

static void number_unnamed_types(enuf_structure *ions)
{
    for (int32_t s = 0; s < ions->n_species; ++s)
        if (ions->species_names[s][0] == 0)
            snprintf(ions->species_names[s], ENUF_SPECIES_SIZE, "%d", s + 1);
}

static enuf_status unwrap(const enuf_text *text, int64_t line, const enuf_word images[3],
                          const double cell[9], double position[3])
{
    for (int d = 0; d < 3; ++d) {
        int64_t image;
        ENUF_TRY(enuf_word_integer(text, line, images[d], "image flag", &image));
        for (int k = 0; k < 3; ++k) position[k] += (double)image * cell[3 * d + k];
    }
    return ENUF_SUCCESS;
}

static enuf_status read_atom(const enuf_text *text, const enuf_line *line, int64_t i, int labels,
                             const enuf_lammps_style *style, int *columns, enuf_reading *reading)
{
    enuf_word words[ENUF_LAMMPS_MOST_COLUMNS];
    enuf_structure *ions = &reading->ions;
    double *position = &ions->positions[3 * i];
    int64_t at = line->number;
    int n = enuf_line_split(line, words, ENUF_LAMMPS_MOST_COLUMNS);
    if (i == 0) *columns = n;
    if (n != style->columns && n != style->columns + 3)
        return enuf_text_fail(text, at,
                              "%d columns, but atom_style %s needs %d or %d (%s [ix iy iz])", n,
                              style->name, style->columns, style->columns + 3, style->layout);
    if (n != *columns)
        return enuf_text_fail(text, at,
                              "%d columns, but the first atom has %d: all atoms have image flags, "
                              "or none",
                              n, *columns);
    ENUF_TRY(enuf_word_integer(text, at, words[0], "atom id", &ions->ids[i]));
    ENUF_TRY(type_of(text, at, words[style->type], ions, labels, &ions->species[i]));
    if (style->molecule >= 0)
        ENUF_TRY(enuf_word_integer(text, at, words[style->molecule], "molecule id",
                                   &ions->molecules[i]));
    if (style->charge >= 0)
        ENUF_TRY(enuf_word_real(text, at, words[style->charge], "charge", &ions->charges[i]));
    for (int d = 0; d < 3; ++d)
        ENUF_TRY(enuf_word_real(text, at, words[style->position + d], "coordinate", &position[d]));
    if (n > style->columns)
        ENUF_TRY(unwrap(text, at, words + style->columns, ions->cell, position));
    int64_t *first = &reading->first_lines[ions->species[i]];
    if (*first == 0) *first = at;
    return ENUF_SUCCESS;
}

static enuf_status read_atoms(const enuf_text *text, const enuf_lammps_header *header,
                              enuf_reading *reading)
{
    section_lines lines = {"Atoms", header->atoms_section, header->atoms, 0};
    const enuf_lammps_style *style = NULL;
    int labels = header->labels_section.number > 0, columns = 0, is_named = 0;
    for (int64_t i = 0; i < header->atoms; ++i) {
        ENUF_TRY(next_line(text, &lines, 0));
        if (i == 0) {
            ENUF_TRY(enuf_lammps_style_find(text, &header->atoms_section, &lines.line, &style,
                                            &is_named));
            reading->has_charges = style->charge >= 0;
            snprintf(reading->why_no_charges, sizeof reading->why_no_charges,
                     "atom_style %s has none (charge, full and dipole have)", style->name);
            if (style->molecule >= 0)
                ENUF_TRY(enuf_allocate(&reading->ions.molecules, header->atoms, sizeof(int64_t),
                                       "molecule ids"));
        }
        ENUF_TRY(read_atom(text, &lines.line, i, labels, style, &columns, reading));
    }
    if (!is_named && style->charge >= 0) {
        reading->guessed_style = style->name;
        reading->guessed_line = header->atoms_section.number;
    }
    return end_section(text, &lines);
}

static int64_t line_of_atom(const enuf_text *text, const enuf_lammps_header *header, int64_t i)
{
    enuf_line line = header->atoms_section;
    for (int64_t k = 0; k <= i; ++k) enuf_text_next_filled(text, &line);
    return line.number;
}

static enuf_status check_ids(const enuf_text *text, const enuf_lammps_header *header,
                             const enuf_id *sorted)
{
    int64_t k = enuf_ids_repeated(header->atoms, sorted);
    if (k < 0) return ENUF_SUCCESS;
    return enuf_text_fail(text, line_of_atom(text, header, sorted[k + 1].ion),
                          "atom id %lld stands on line %lld too", (long long)sorted[k].id,
                          (long long)line_of_atom(text, header, sorted[k].ion));
}

static enuf_status read_bond(const enuf_text *text, int64_t at, const enuf_line *line,
                             const enuf_id *sorted, int64_t n_ions, int64_t bond[2])
{
    enuf_word words[4]; /* id type atom atom */
    int n = enuf_line_split(line, words, 4);
    if (n != 4)
        return enuf_text_fail(text, at, "%d columns, but a bond has 4 (id type atom1 atom2)", n);
    for (int e = 0; e < 2; ++e) {
        int64_t id;
        ENUF_TRY(enuf_word_integer(text, at, words[2 + e], "atom id", &id));
        bond[e] = enuf_ids_find(n_ions, sorted, id);
        if (bond[e] < 0)
            return enuf_text_fail(text, at, "a bond of atom %lld, which is not in section Atoms",
                                  (long long)id);
    }
    if (bond[0] == bond[1]) return enuf_text_fail(text, at, "a bond of an atom with itself");
    return ENUF_SUCCESS;
}

static enuf_status read_bonds(const enuf_text *text, const enuf_lammps_header *header,
                              const enuf_id *sorted, enuf_structure *ions)
{
    section_lines lines = {"Bonds", header->bonds_section, header->bonds, 0};
    if (lines.line.number == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_allocate(&ions->bonds, header->bonds, 2 * sizeof(int64_t), "bonds"));
    for (int64_t b = 0; b < header->bonds; ++b) {
        ENUF_TRY(next_line(text, &lines, 0));
        ENUF_TRY(
            read_bond(text, lines.line.number, &lines.line, sorted, ions->n, &ions->bonds[2 * b]));
    }
    ions->n_bonds = header->bonds;
    return end_section(text, &lines);
}

enuf_status enuf_read_lammps_data(const enuf_text *text, enuf_reading *reading)
{
    enuf_lammps_header header;
    enuf_structure *ions = &reading->ions;
    enuf_id *sorted = NULL;
    ENUF_TRY(enuf_lammps_header_read(text, &header));
    ENUF_TRY(check_counts(text, &header));
    ENUF_TRY(enuf_reading_create(header.atoms, (int32_t)header.atom_types, reading));
    ENUF_TRY(enuf_allocate(&ions->ids, header.atoms, sizeof(int64_t), "atom ids"));
    memcpy(ions->cell, header.cell, sizeof ions->cell);
    memcpy(ions->origin, header.origin, sizeof ions->origin);
    ions->cell_line = header.cell_line;
    ions->units = header.units;
    ions->units_given = header.units_given;
    ENUF_TRY(read_labels(text, &header, ions));
    ENUF_TRY(read_masses(text, &header, ions));
    number_unnamed_types(ions);
    ENUF_TRY(read_atoms(text, &header, reading));
    ENUF_TRY(enuf_ids_sort(ions->n, ions->ids, &sorted));
    enuf_status status = check_ids(text, &header, sorted);
    if (status == ENUF_SUCCESS) status = read_bonds(text, &header, sorted, ions);
    enuf_release(&sorted);
    return status;
}
