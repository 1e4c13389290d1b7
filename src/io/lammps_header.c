/*
 * lammps_header.c - see lammps_header.h.
 *
 * The first line is a title. Then each line holds numbers and a keyword ("64 atoms", "0 20 xlo
 * xhi"), up to the first section; a section begins with a line that is its name and nothing else.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lammps_header.h"

#include "error.h"
#include "reading.h"
#include "units.h"

#include <string.h>

enum { MOST_WORDS = 8 };

/* Box keywords, each with its numbers; x, y, z bounds or three vectors. */
enum { XLO, YLO, ZLO, TILT, AVEC, BVEC, CVEC, ORIGIN, N_BOX };

static const struct {
    const char *words[3];
    int numbers;
} box_keywords[N_BOX] = {
    [XLO] = {{"xlo", "xhi"}, 2}, [YLO] = {{"ylo", "yhi"}, 2},
    [ZLO] = {{"zlo", "zhi"}, 2}, [TILT] = {{"xy", "xz", "yz"}, 3},
    [AVEC] = {{"avec"}, 3},      [BVEC] = {{"bvec"}, 3},
    [CVEC] = {{"cvec"}, 3},      [ORIGIN] = {{"abc", "origin"}, 3},
};

typedef struct box_lines {
    double numbers[N_BOX][3];
    int64_t line[N_BOX]; /* 0: not given */
} box_lines;

/* Whether words[first .. n) are the keyword, up to three words long. */
static int is_keyword(const enuf_word *words, int n, int first, const char *const keyword[3])
{
    int length = 0;
    while (length < 3 && keyword[length]) ++length;
    if (n != first + length) return 0;
    for (int k = 0; k < length; ++k)
        if (!enuf_word_is(words[first + k], keyword[k])) return 0;
    return 1;
}

static enuf_status read_box_line(const enuf_text *text, int64_t line, const enuf_word *words, int n,
                                 box_lines *box)
{
    for (int b = 0; b < N_BOX; ++b) {
        int count = box_keywords[b].numbers;
        if (!is_keyword(words, n, count, box_keywords[b].words)) continue;
        for (int k = 0; k < count; ++k)
            ENUF_TRY(enuf_word_real(text, line, words[k], "box size", &box->numbers[b][k]));
        box->line[b] = line;
    }
    return ENUF_SUCCESS;
}

static enuf_status read_count_line(const enuf_text *text, int64_t line, const enuf_word *words,
                                   int n, enuf_lammps_header *header)
{
    const struct {
        const char *words[3];
        int64_t *count, *line;
    } counts[] = {
        {{"atoms"}, &header->atoms, &header->atoms_line},
        {{"atom", "types"}, &header->atom_types, &header->atom_types_line},
        {{"bonds"}, &header->bonds, &header->bonds_line},
    };
    for (int c = 0; c < 3; ++c) {
        if (!is_keyword(words, n, 1, counts[c].words)) continue;
        ENUF_TRY(enuf_word_integer(text, line, words[0], "count", counts[c].count));
        if (*counts[c].count < 0) return enuf_text_fail(text, line, "a count cannot be negative");
        *counts[c].line = line;
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

static enuf_status find_section(const enuf_text *text, const enuf_line *line,
                                enuf_lammps_header *header)
{
    const struct {
        const char *words[3];
        enuf_line *section;
    } sections[] = {
        {{"Atom", "Type", "Labels"}, &header->labels_section},
        {{"Masses"}, &header->masses_section},
        {{"Atoms"}, &header->atoms_section},
        {{"Bonds"}, &header->bonds_section},
    };
    enuf_word words[MOST_WORDS];
    int n = enuf_line_split(line, words, MOST_WORDS);
    for (int s = 0; s < 4; ++s) {
        if (!is_keyword(words, n, 0, sections[s].words)) continue;
        if (sections[s].section->number > 0)
            return enuf_text_fail(text, line->number,
                                  "a second section %.*s: the first is on line %lld",
                                  (int)(line->end - line->begin), line->begin,
                                  (long long)sections[s].section->number);
        *sections[s].section = *line;
    }
    return ENUF_SUCCESS;
}

/* General triclinic: three vectors, any orientation. */
static enuf_status vectors_of(const enuf_text *text, const box_lines *box,
                              enuf_lammps_header *header)
{
    if (!box->line[AVEC] || !box->line[BVEC] || !box->line[CVEC] || !box->line[ORIGIN])
        return enuf_text_fail(text, header->head_end,
                              "a general triclinic box needs avec, bvec, cvec and abc origin");
    if (box->line[XLO] || box->line[YLO] || box->line[ZLO] || box->line[TILT])
        return enuf_text_fail(text, box->line[AVEC], "two boxes: avec, bvec, cvec and xlo xhi");
    for (int d = 0; d < 3; ++d) {
        for (int k = 0; k < 3; ++k) header->cell[3 * d + k] = box->numbers[AVEC + d][k];
        header->origin[d] = box->numbers[ORIGIN][d];
    }
    return enuf_reading_check_cell(text, box->line[AVEC], header->cell);
}

/* Restricted triclinic: a along x, b in the plane of x and y. */
static enuf_status bounds_of(const enuf_text *text, const box_lines *box,
                             enuf_lammps_header *header)
{
    static const char axes[] = "xyz";
    for (int d = 0; d < 3; ++d) {
        double low = box->numbers[XLO + d][0], high = box->numbers[XLO + d][1];
        if (!box->line[XLO + d])
            return enuf_text_fail(text, header->head_end,
                                  "the header ends here without the box: '%clo %chi'", axes[d],
                                  axes[d]);
        if (high <= low)
            return enuf_text_fail(text, box->line[XLO + d], "%chi %g is not above %clo %g", axes[d],
                                  high, axes[d], low);
        header->cell[4 * d] = high - low;
        header->origin[d] = low;
    }
    header->cell[3] = box->numbers[TILT][0];
    header->cell[6] = box->numbers[TILT][1];
    header->cell[7] = box->numbers[TILT][2];
    return enuf_reading_check_cell(text, box->line[XLO], header->cell);
}

enuf_status enuf_lammps_header_read(const enuf_text *text, enuf_lammps_header *header)
{
    enuf_line line = {0};
    box_lines box = {0};
    int in_head = 1;
    *header = (enuf_lammps_header){0};
    if (enuf_text_next(text, &line)) ENUF_TRY(read_title(text, &line, header));
    while (enuf_text_next_filled(text, &line)) {
        enuf_word words[MOST_WORDS];
        int n = enuf_line_split(&line, words, MOST_WORDS);
        if (!enuf_word_begins_number(words[0])) {
            if (in_head) header->head_end = line.number;
            in_head = 0;
            ENUF_TRY(find_section(text, &line, header));
        } else if (in_head) {
            ENUF_TRY(read_count_line(text, line.number, words, n, header));
            ENUF_TRY(read_box_line(text, line.number, words, n, &box));
        }
    }
    if (in_head) header->head_end = line.number;
    int vectors = box.line[AVEC] || box.line[BVEC] || box.line[CVEC] || box.line[ORIGIN];
    return vectors ? vectors_of(text, &box, header) : bounds_of(text, &box, header);
}
