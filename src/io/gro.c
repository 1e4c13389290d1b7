/*
 * gro.c - reader of GRO, the coordinate files of GROMACS, a frame at a time.
 *
 * Title, number of atoms, a line for each atom: residue number and name, atom name and number in
 * five columns each, then x, y, z. The decimal points of x and y give the width of the columns. A
 * frame ends with the cell's line: the lengths, or v1x v2y v3z v1y v1z v2x v2z v3x v3y. Nanometres
 * become Angstrom. A species is an atom's name: the format has no elements or charges. Source:
 * GROMACS manual, file formats, gro.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "error.h"
#include "memory.h"
#include "reading.h"

#include <math.h>
#include <string.h>

/* Columns before x, and fewest bytes of an atom's line: three numbers like "0.0". */
enum { BEFORE = 20, LEAST_ATOM = 30 };

static const double ANGSTROM = 10.0; /* in a nanometre */

static enuf_status read_count(const enuf_text *text, enuf_line *line, int64_t *n)
{
    enuf_word word[1];
    if (!enuf_text_next(text, line))
        return enuf_text_fail(text, line->number, "the file ends before the number of atoms");
    if (enuf_line_split(line, word, 1) != 1)
        return enuf_text_fail(text, line->number,
                              "the second line of a GRO file is the number of atoms, and nothing "
                              "else");
    ENUF_TRY(enuf_word_integer(text, line->number, *word, "number of atoms", n));
    if (*n < 1) return enuf_text_fail(text, line->number, "there are no atoms");
    if (*n > (enuf_text_left(text, line) + 1) / LEAST_ATOM)
        return enuf_text_fail(text, line->number, "%lld atoms do not fit in the %lld bytes left",
                              (long long)*n, (long long)enuf_text_left(text, line));
    return ENUF_SUCCESS;
}

/* The width of a column is the distance of two decimal points. */
static enuf_status width_of(const enuf_text *text, const enuf_line *line, int *width)
{
    const ptrdiff_t length = line->end - line->begin;
    const char *first =
        length > BEFORE ? memchr(line->begin + BEFORE, '.', (size_t)(length - BEFORE)) : NULL;
    const char *second = first ? memchr(first + 1, '.', (size_t)(line->end - first - 1)) : NULL;
    *width = second ? (int)(second - first < 40 ? second - first : 40) : 0;
    if (*width >= 3 && *width < 40) return ENUF_SUCCESS;
    return enuf_text_fail(text, line->number,
                          "no coordinates x, y, z with decimal points from column 21 on");
}

/* The characters of a column without blanks around. */
static enuf_word column(const enuf_line *line, int from, int width)
{
    const char *begin = line->begin + from, *end = begin + width;
    while (begin < end && *begin == ' ') ++begin;
    while (end > begin && end[-1] == ' ') --end;
    return (enuf_word){begin, (size_t)(end - begin)};
}

static enuf_status read_coordinate(const enuf_text *text, int64_t line, enuf_word word, double *x)
{
    char digits[48] = ""; /* a column may be followed by the next one without a blank */
    if (word.length < sizeof digits) memcpy(digits, word.begin, word.length);
    const enuf_word copy = {digits, word.length < sizeof digits ? word.length : 0};
    ENUF_TRY(enuf_word_real(text, line, copy, "coordinate", x));
    *x *= ANGSTROM;
    if (isfinite(*x)) return ENUF_SUCCESS;
    return enuf_text_fail(text, line, "coordinate '%s' is not finite in Angstrom", digits);
}

static enuf_status read_atom(const enuf_text *text, const enuf_line *line, int width, int64_t i,
                             enuf_reading *reading)
{
    enuf_structure *ions = &reading->ions;
    if (line->end - line->begin < BEFORE + 3 * width)
        return enuf_text_fail(text, line->number,
                              "%lld characters, but an atom needs 20 and three coordinates of %d",
                              (long long)(line->end - line->begin), width);
    const enuf_word name = column(line, 10, 5);
    if (name.length == 0 || memchr(name.begin, ' ', name.length))
        return enuf_text_fail(text, line->number, "no atom name in columns 11 to 15");
    ENUF_TRY(enuf_reading_species(text, line->number, name, reading, &ions->species[i]));
    for (int d = 0; d < 3; ++d)
        ENUF_TRY(read_coordinate(text, line->number, column(line, BEFORE + d * width, width),
                                 &ions->positions[3 * i + d]));
    return ENUF_SUCCESS;
}

static enuf_status read_cell(const enuf_text *text, const enuf_line *line, enuf_reading *reading)
{
    /* index of each number in the rows a, b, c */
    static const int places[9] = {0, 4, 8, 1, 2, 3, 5, 6, 7};
    enuf_word words[9];
    enuf_structure *ions = &reading->ions;
    const int n = enuf_line_split(line, words, 9);
    int zeros = 0;
    if (n != 3 && n != 9)
        return enuf_text_fail(text, line->number,
                              "%d words, but the cell's line behind the atoms has 3 numbers or 9",
                              n);
    for (int k = 0; k < n; ++k) {
        double *number = &ions->cell[places[k]];
        ENUF_TRY(enuf_word_real(text, line->number, words[k], "cell", number));
        *number *= ANGSTROM;
        zeros += *number == 0.0;
    }
    return enuf_reading_use_cell(text, line->number, zeros < n, "a cell of zeros", reading);
}

static int is_count(const enuf_text *text, const enuf_line *line)
{
    enuf_word word[1];
    int64_t n;
    return enuf_line_split(line, word, 1) == 1 &&
           enuf_word_integer(text, line->number, *word, "count", &n) == ENUF_SUCCESS;
}

/* Skips blank lines up to the line before the next frame's title. Returns 0 if no frame follows. An
 * empty line before a number of atoms is a title. */
static int find_title(const enuf_text *text, enuf_line *before)
{
    enuf_line line = *before;
    for (; enuf_text_next(text, &line); *before = line) {
        enuf_line next = line;
        if (line.end > line.begin) return 1;
        if (enuf_text_next(text, &next) && is_count(text, &next)) return 1;
    }
    return 0;
}

enuf_status enuf_read_gro(const enuf_text *text, enuf_reading *reading)
{
    enuf_line line = {0};
    int64_t n;
    int width = 0;
    enuf_text_next(text, &line); /* the title */
    ENUF_TRY(read_count(text, &line, &n));
    ENUF_TRY(enuf_reading_create(n, 0, reading));
    for (int64_t i = 0; i < n; ++i) {
        if (!enuf_text_next(text, &line))
            return enuf_text_fail(text, line.number, "the file ends after %lld of %lld atoms",
                                  (long long)i, (long long)n);
        if (i == 0) ENUF_TRY(width_of(text, &line, &width));
        ENUF_TRY(read_atom(text, &line, width, i, reading));
    }
    if (!enuf_text_next(text, &line))
        return enuf_text_fail(text, line.number, "the file ends before the cell's line");
    ENUF_TRY(enuf_reading_check_whole_line(text, &line));
    ENUF_TRY(read_cell(text, &line, reading));
    enuf_reading_explain(reading, "a GRO file has none");
    reading->end = line;
    reading->ions.more_frames = find_title(text, &reading->end);
    return ENUF_SUCCESS;
}

int64_t enuf_missing_gro(const enuf_text *text)
{
    enuf_line line = {0};
    enuf_word word[1];
    int64_t n;
    if (enuf_text_skip(text, &line, 2) < 2) return 1 << 16;
    if (enuf_line_split(&line, word, 1) != 1 ||
        enuf_word_integer(text, line.number, *word, "count", &n) != ENUF_SUCCESS || n < 1 ||
        n > INT64_MAX / 2)
        return 0;
    return enuf_reading_missing(text, line, n + 1);
}
