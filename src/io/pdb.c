/*
 * pdb.c - reader of PDB files: CRYST1, ATOM and HETATM, a model at a time. Angstrom.
 *
 * Columns: wwPDB, Atomic Coordinate Entry Format, version 3.3. A species is the element (columns 77
 * and 78), else the atom's name; formal charges are skipped, because most files have none. gemmi's
 * own reader of PDB is not used: it reads an invalid coordinate as 0 and reports no line numbers.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cell_constants.h"
#include "error.h"
#include "memory.h"
#include "reading.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Largest deviation from the unit matrix of SCALE, rounded to six decimals, times the cell. */
static const double SCALE_TOLERANCE = 1e-3;

typedef struct pdb_lines {
    enuf_line crystal, scale[3]; /* number 0: not there */
    enuf_line first;             /* atom */
    enuf_line end;               /* ENDMDL or END of the first model */
    int64_t n;                   /* its atoms */
    int more_models;
} pdb_lines;

static int is_record(const enuf_line *line, const char *name)
{
    const size_t length = strlen(name), here = (size_t)(line->end - line->begin);
    return here >= length && memcmp(line->begin, name, length) == 0 &&
           (here == length || length == 6 || line->begin[length] == ' ');
}

static int is_atom(const enuf_line *line)
{
    return is_record(line, "ATOM") || is_record(line, "HETATM");
}

/* Columns first to last, counted from 1, without blanks around; empty behind the line's end. */
static enuf_word columns(const enuf_line *line, int first, int last)
{
    const char *begin = line->begin + first - 1, *end = line->begin + last;
    if (end > line->end) end = line->end;
    if (begin > end) begin = end;
    while (begin < end && *begin == ' ') ++begin;
    while (end > begin && end[-1] == ' ') --end;
    return (enuf_word){begin, (size_t)(end - begin)};
}

/* The next number may follow without a blank. */
static enuf_status read_real(const enuf_text *text, const enuf_line *line, int first, int last,
                             const char *what, double *number)
{
    char digits[24] = "";
    enuf_word word = columns(line, first, last);
    memcpy(digits, word.begin, word.length < sizeof digits ? word.length : 0);
    if (word.length == 0 || line->end - line->begin < last)
        return enuf_text_fail(text, line->number, "no %s in columns %d to %d", what, first, last);
    word.begin = digits;
    return enuf_word_real(text, line->number, word, what, number);
}

static int is_end(const enuf_line *line)
{
    return is_record(line, "ENDMDL") || is_record(line, "END");
}

/* Finds the records of the first model; records behind its end belong to the next model. */
static pdb_lines find_records(const enuf_text *text)
{
    pdb_lines lines = {.n = 0};
    enuf_line line = {0};
    while (enuf_text_next(text, &line)) {
        if (lines.end.number > 0) {
            lines.more_models = is_atom(&line);
            if (lines.more_models) break;
            if (is_end(&line)) lines.end = line;
            continue;
        }
        if (is_atom(&line) && lines.n++ == 0) lines.first = line;
        if (lines.n > 0 && is_end(&line)) lines.end = line;
        if (is_record(&line, "CRYST1")) lines.crystal = line;
        for (int d = 0; d < 3; ++d) {
            const char name[] = {'S', 'C', 'A', 'L', 'E', (char)('1' + d), 0};
            if (is_record(&line, name)) lines.scale[d] = line;
        }
    }
    return lines;
}

/* Refuses space groups other than P 1: the file does not list their symmetry copies. */
static enuf_status check_group(const enuf_text *text, const enuf_line *crystal)
{
    const enuf_word group = columns(crystal, 56, 66);
    if (group.length == 0 || enuf_word_is(group, "P 1") || enuf_word_is(group, "P1"))
        return ENUF_SUCCESS;
    return enuf_text_fail(text, crystal->number,
                          "space group '%.*s': the cell holds copies of the atoms that are not "
                          "listed; list all, with 'P 1' here",
                          ENUF_SHOWN(group));
}

/* Checks SCALE against CRYST1: both have to define the same cell, with a along x. */
static enuf_status check_scale(const enuf_text *text, const pdb_lines *lines, const double cell[9])
{
    for (int d = 0; d < 3; ++d) {
        const enuf_line *line = &lines->scale[d];
        double row[3];
        if (line->number == 0) continue;
        for (int k = 0; k < 3; ++k)
            ENUF_TRY(read_real(text, line, 11 + 10 * k, 20 + 10 * k, "SCALE", &row[k]));
        for (int v = 0; v < 3; ++v) {
            const double *vector = &cell[3 * v];
            const double fraction = row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2];
            if (fabs(fraction - (v == d)) > SCALE_TOLERANCE)
                return enuf_text_fail(text, line->number,
                                      "SCALE is not that of CRYST1 (line %lld): the cell is turned "
                                      "against the usual a along x, b in the plane of x and y",
                                      (long long)lines->crystal.number);
        }
    }
    return ENUF_SUCCESS;
}

static enuf_status read_cell(const enuf_text *text, const pdb_lines *lines, enuf_reading *reading)
{
    const enuf_line *crystal = &lines->crystal;
    double lengths[3] = {1.0, 1.0, 1.0}, angles[3] = {90.0, 90.0, 90.0};
    if (crystal->number == 0 && reading->cell_before_line > 0) {
        /* CRYST1 stands only before the first model */
        memcpy(reading->ions.cell, reading->cell_before, sizeof reading->ions.cell);
        reading->ions.cell_line = reading->cell_before_line;
        return ENUF_SUCCESS;
    }
    for (int d = 0; d < 3 && crystal->number > 0; ++d) {
        ENUF_TRY(read_real(text, crystal, 7 + 9 * d, 15 + 9 * d, "cell length", &lengths[d]));
        ENUF_TRY(read_real(text, crystal, 34 + 7 * d, 40 + 7 * d, "cell angle", &angles[d]));
        if (!(lengths[d] > 0.0) || !(angles[d] > 0.0 && angles[d] < 180.0))
            return enuf_text_fail(text, crystal->number,
                                  "lengths should be above 0, angles above 0 and below 180");
    }
    /* a cube of 1 Angstrom means: no crystal */
    const int in_file = lengths[0] != 1.0 || lengths[1] != 1.0 || lengths[2] != 1.0;
    if (in_file) {
        enuf_cell_from_constants(lengths, angles, reading->ions.cell);
        ENUF_TRY(check_group(text, crystal));
        ENUF_TRY(check_scale(text, lines, reading->ions.cell));
    }
    return enuf_reading_use_cell(
        text, crystal->number, in_file,
        crystal->number > 0 ? "CRYST1 says that there is no crystal" : "no record CRYST1", reading);
}

/* "NA" is Na. */
static enuf_word species_of(const enuf_line *line, char name[3])
{
    const enuf_word element = columns(line, 77, 78);
    if (element.length == 0 || !isalpha((unsigned char)*element.begin))
        return columns(line, 13, 16);
    name[0] = (char)toupper((unsigned char)element.begin[0]);
    if (element.length == 2) name[1] = (char)tolower((unsigned char)element.begin[1]);
    return (enuf_word){name, element.length};
}

static enuf_status read_atom(const enuf_text *text, const enuf_line *line, int64_t i,
                             enuf_reading *reading)
{
    enuf_structure *ions = &reading->ions;
    char element[3] = "";
    const enuf_word other = columns(line, 17, 17), name = species_of(line, element);
    if (other.length > 0 && !enuf_word_is(other, "A"))
        return enuf_text_fail(text, line->number,
                              "alternate position '%.*s' of an atom: keep one position of each",
                              ENUF_SHOWN(other));
    if (name.length == 0)
        return enuf_text_fail(text, line->number,
                              "neither an element in columns 77, 78 nor a name in 13 to 16");
    ENUF_TRY(enuf_reading_species(text, line->number, name, reading, &ions->species[i]));
    for (int d = 0; d < 3; ++d)
        ENUF_TRY(read_real(text, line, 31 + 8 * d, 38 + 8 * d, "coordinate",
                           &ions->positions[3 * i + d]));
    return ENUF_SUCCESS;
}

enuf_status enuf_read_pdb(const enuf_text *text, enuf_reading *reading)
{
    const pdb_lines lines = find_records(text);
    enuf_line line = lines.first;
    if (lines.n == 0) return enuf_text_fail(text, 0, "no records ATOM or HETATM");
    ENUF_TRY(enuf_reading_create(lines.n, 0, reading));
    ENUF_TRY(read_cell(text, &lines, reading));
    for (int64_t i = 0; i < lines.n;) {
        if (is_atom(&line)) ENUF_TRY(read_atom(text, &line, i++, reading));
        if (i < lines.n) enuf_text_next(text, &line);
    }
    enuf_reading_explain(reading, "a PDB file has none");
    reading->ions.more_frames = lines.more_models;
    reading->end = lines.end;
    return ENUF_SUCCESS;
}

int64_t enuf_missing_pdb(const enuf_text *text)
{
    enum { LEAST = 1 << 18 };
    enuf_line line = {0};
    int atoms = 0, ended = 0;
    while (enuf_text_skip(text, &line, 1)) {
        if (is_atom(&line) && ended) return 0;
        atoms = atoms || is_atom(&line);
        ended = ended || (atoms && is_end(&line));
    }
    return text->size > LEAST ? text->size
                              : LEAST; /* doubles the text: no record gives the number of atoms */
}
