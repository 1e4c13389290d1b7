/*
 * lammps_header.c - see lammps_header.h.
 *
 * The first line is a title. Then each line holds numbers and a keyword ("64 atoms", "0 20 xlo
 * xhi"), up to the first section; a section begins with a line that is its name and nothing else.
 * Keywords and sections: lammps_words.h.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lammps_header.h"

#include "error.h"
#include "lammps_words.h"
#include "reading.h"
#include "units.h"

#include <ctype.h>
#include <string.h>

typedef struct box_lines {
    double numbers[ENUF_LAMMPS_N_BOX][3];
    int64_t line[ENUF_LAMMPS_N_BOX]; /* 0: not given */
} box_lines;

static enuf_status read_header_line(const enuf_text *text, const enuf_line *line,
                                    const enuf_lammps_words *words, int keyword, int numbers,
                                    box_lines *box, enuf_lammps_header *header)
{
    const int64_t at = line->number;
    if (numbers != enuf_lammps_keywords[keyword].numbers)
        return enuf_text_fail(text, at, "%d words before '%s', but %d number%s should stand there",
                              numbers, enuf_lammps_keywords[keyword].words,
                              enuf_lammps_keywords[keyword].numbers,
                              enuf_lammps_keywords[keyword].numbers == 1 ? "" : "s");
    if (keyword < ENUF_LAMMPS_N_BOX) {
        for (int k = 0; k < numbers; ++k)
            ENUF_TRY(
                enuf_word_real(text, at, words->word[k], "box size", &box->numbers[keyword][k]));
        box->line[keyword] = at;
        return ENUF_SUCCESS;
    }
    int64_t count;
    ENUF_TRY(enuf_word_integer(text, at, words->word[0], "count", &count));
    if (count < 0) return enuf_text_fail(text, at, "a count cannot be negative");
    if (keyword == ENUF_LAMMPS_ATOMS) {
        header->atoms = count;
        header->atoms_line = at;
    } else if (keyword == ENUF_LAMMPS_ATOM_TYPES) {
        header->atom_types = count;
        header->atom_types_line = at;
    } else if (keyword == ENUF_LAMMPS_BONDS) {
        header->bonds = count;
        header->bonds_line = at;
    }
    return ENUF_SUCCESS;
}

/* write_data ends the title with "units = real". */
static enuf_status read_title(const enuf_text *text, const enuf_line *line,
                              enuf_lammps_header *header)
{
    enuf_word words[64];
    int n = enuf_line_split(line, words, 64);
    header->units = ENUF_UNITS_METAL;
    for (int w = 0; w + 2 < n && w + 2 < 64; ++w) {
        char name[16] = "";
        enuf_word word = words[w + 2];
        if (!enuf_word_is(words[w], "units") || !enuf_word_is(words[w + 1], "=")) continue;
        if (word.length < sizeof name) memcpy(name, word.begin, word.length);
        if (enuf_units_parse(name, &header->units) != ENUF_SUCCESS)
            return enuf_text_fail(text, 1, "units = %.*s: those known here are real, metal, si, lj",
                                  ENUF_SHOWN(word));
        header->units_given = 1;
    }
    return ENUF_SUCCESS;
}

/*
 * Whether a line is the name of a fix's section, which may be any name. A blank line and numbers
 * have to follow. No word may resemble a LAMMPS keyword, so misspelt sections and header lines are
 * refused.
 */
static int is_section_of_fix(const enuf_text *text, enuf_line line, const enuf_lammps_words *words)
{
    enuf_word first;
    if (words->n > ENUF_LAMMPS_MOST_WORDS) return 0;
    for (int w = 0; w < words->n; ++w)
        if (!isalpha((unsigned char)*words->word[w].begin)) return 0;
    if (!enuf_lammps_is_foreign(words)) return 0;
    if (!enuf_text_next(text, &line) || line.end > line.begin) return 0;
    if (!enuf_text_next_filled(text, &line)) return 0;
    enuf_line_split(&line, &first, 1);
    return enuf_word_begins_number(first);
}

/* Refuses charges of fix property/atom, which stand in a section of their own. */
static enuf_status refuse_charges(const enuf_text *text, const enuf_line *line,
                                  const enuf_lammps_words *words)
{
    if (!enuf_lammps_are_words(words, 0, "Charges")) return ENUF_SUCCESS;
    return enuf_text_fail(text, line->number,
                          "charges in a section of their own (fix property/atom q) are not read: "
                          "write the data file with an atom style that has charges, e.g. full");
}

static enuf_status begin_section(const enuf_text *text, const enuf_line *line,
                                 const enuf_lammps_words *words, int section,
                                 enuf_lammps_header *header)
{
    enuf_line *const lines[ENUF_LAMMPS_N_READ] = {
        [ENUF_LAMMPS_LABELS_SECTION] = &header->labels_section,
        [ENUF_LAMMPS_MASSES_SECTION] = &header->masses_section,
        [ENUF_LAMMPS_ATOMS_SECTION] = &header->atoms_section,
        [ENUF_LAMMPS_BONDS_SECTION] = &header->bonds_section,
    };
    if (section < 0) {
        ENUF_TRY(refuse_charges(text, line, words));
        if (is_section_of_fix(text, *line, words)) return ENUF_SUCCESS;
        return enuf_lammps_refuse_line(text, line, words);
    }
    if (section >= ENUF_LAMMPS_N_READ) return ENUF_SUCCESS;
    if (lines[section]->number > 0)
        return enuf_text_fail(text, line->number, "a second section %s: the first is on line %lld",
                              enuf_lammps_sections[section], (long long)lines[section]->number);
    *lines[section] = *line;
    return ENUF_SUCCESS;
}

/* Whether lines of a section may begin with a type's label instead of its number. */
static int has_labels(int section)
{
    return section == ENUF_LAMMPS_MASSES_SECTION ||
           (section >= 0 && strstr(enuf_lammps_sections[section], "Coeffs"));
}

/* Reads a line behind the first section's name: the next section's name, or a line of this section.
 * */
static enuf_status read_body_line(const enuf_text *text, const enuf_line *line, int *section,
                                  enuf_lammps_header *header)
{
    int first;
    /* a keyword ends in a letter: this test skips most lines of numbers */
    const int ends_in_letter = isalpha((unsigned char)line->end[-1]);
    enuf_word begin = {line->begin + strspn(line->begin, " \t\f\v"), 1};
    if (enuf_word_begins_number(begin) && !ends_in_letter) return ENUF_SUCCESS;
    const enuf_lammps_words words = enuf_lammps_split(line);
    const int found = enuf_lammps_find_section(&words),
              keyword = enuf_lammps_find_keyword(&words, &first);
    if (keyword >= 0 && first == enuf_lammps_keywords[keyword].numbers &&
        enuf_word_begins_number(begin))
        return enuf_text_fail(text, line->number,
                              "a line of the header behind the first section, which begins on line "
                              "%lld",
                              (long long)header->head_end);
    if (found < 0 && (enuf_word_begins_number(begin) || (has_labels(*section) && words.n > 1)))
        return ENUF_SUCCESS;
    ENUF_TRY(begin_section(text, line, &words, found, header));
    *section = found;
    return ENUF_SUCCESS;
}

/* General triclinic: three vectors, any orientation. */
static enuf_status vectors_of(const enuf_text *text, const box_lines *box,
                              enuf_lammps_header *header)
{
    if (!box->line[ENUF_LAMMPS_AVEC] || !box->line[ENUF_LAMMPS_BVEC] ||
        !box->line[ENUF_LAMMPS_CVEC] || !box->line[ENUF_LAMMPS_ORIGIN])
        return enuf_text_fail(text, header->head_end,
                              "a general triclinic box needs avec, bvec, cvec and abc origin");
    if (box->line[ENUF_LAMMPS_XLO] || box->line[ENUF_LAMMPS_YLO] || box->line[ENUF_LAMMPS_ZLO] ||
        box->line[ENUF_LAMMPS_TILT])
        return enuf_text_fail(text, box->line[ENUF_LAMMPS_AVEC],
                              "two boxes: avec, bvec, cvec and xlo xhi");
    for (int d = 0; d < 3; ++d) {
        for (int k = 0; k < 3; ++k) header->cell[3 * d + k] = box->numbers[ENUF_LAMMPS_AVEC + d][k];
        header->origin[d] = box->numbers[ENUF_LAMMPS_ORIGIN][d];
    }
    header->cell_line = box->line[ENUF_LAMMPS_AVEC];
    return enuf_reading_check_cell(text, header->cell_line, header->cell);
}

/* Restricted triclinic: a along x, b in the plane of x and y. */
static enuf_status bounds_of(const enuf_text *text, const box_lines *box,
                             enuf_lammps_header *header)
{
    static const char axes[] = "xyz";
    for (int d = 0; d < 3; ++d) {
        double low = box->numbers[ENUF_LAMMPS_XLO + d][0],
               high = box->numbers[ENUF_LAMMPS_XLO + d][1];
        if (!box->line[ENUF_LAMMPS_XLO + d])
            return enuf_text_fail(text, header->head_end,
                                  "the header ends here without the box: '%clo %chi'", axes[d],
                                  axes[d]);
        if (high <= low)
            return enuf_text_fail(text, box->line[ENUF_LAMMPS_XLO + d],
                                  "%chi %g is not above %clo %g", axes[d], high, axes[d], low);
        header->cell[4 * d] = high - low;
        header->origin[d] = low;
    }
    header->cell[3] = box->numbers[ENUF_LAMMPS_TILT][0];
    header->cell[6] = box->numbers[ENUF_LAMMPS_TILT][1];
    header->cell[7] = box->numbers[ENUF_LAMMPS_TILT][2];
    header->cell_line = box->line[ENUF_LAMMPS_XLO];
    return enuf_reading_check_cell(text, header->cell_line, header->cell);
}

enuf_status enuf_lammps_header_read(const enuf_text *text, enuf_lammps_header *header)
{
    enuf_line line = {0};
    box_lines box = {0};
    int in_head = 1, section = -1;
    *header = (enuf_lammps_header){0};
    if (enuf_text_next(text, &line)) ENUF_TRY(read_title(text, &line, header));
    while (enuf_text_next_filled(text, &line)) {
        if (!in_head) {
            ENUF_TRY(read_body_line(text, &line, &section, header));
            continue;
        }
        int numbers;
        const enuf_lammps_words words = enuf_lammps_split(&line);
        const int keyword = enuf_lammps_find_keyword(&words, &numbers);
        if (keyword >= 0) {
            ENUF_TRY(read_header_line(text, &line, &words, keyword, numbers, &box, header));
            continue;
        }
        section = enuf_lammps_find_section(&words);
        in_head = 0;
        header->head_end = line.number;
        ENUF_TRY(begin_section(text, &line, &words, section, header));
    }
    if (in_head) header->head_end = line.number;
    int vectors = box.line[ENUF_LAMMPS_AVEC] || box.line[ENUF_LAMMPS_BVEC] ||
                  box.line[ENUF_LAMMPS_CVEC] || box.line[ENUF_LAMMPS_ORIGIN];
    return vectors ? vectors_of(text, &box, header) : bounds_of(text, &box, header);
}
