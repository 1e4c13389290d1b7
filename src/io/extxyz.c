/*
 * extxyz.c - reader of extended XYZ: a count, a comment line, a line for each ion.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "error.h"
#include "extxyz_comment.h"
#include "memory.h"
#include "reading.h"

#include <string.h>

static enuf_status read_count(const enuf_text *text, const enuf_line *line, int64_t *n)
{
    enuf_word word[1];
    if (enuf_line_split(line, word, 1) != 1 ||
        enuf_word_integer(text, line->number, *word, "count", n) != ENUF_SUCCESS || *n < 1)
        return enuf_text_fail(text, line->number,
                              "the first line of an XYZ file is the number of "
                              "ions, and nothing else");
    return ENUF_SUCCESS;
}

static enuf_status create(const enuf_text *text, const enuf_line *line, int64_t n,
                          const enuf_extxyz_comment *comment, enuf_reading *reading)
{
    /* a column takes at least two bytes; refuse a count that the file cannot hold */
    if (n > (enuf_text_left(text, line) + 1) / (2 * comment->columns))
        return enuf_text_fail(text, line->number - 1, "%lld ions do not fit in the %lld bytes left",
                              (long long)n, (long long)enuf_text_left(text, line));
    ENUF_TRY(enuf_reading_create(n, 0, reading));
    enuf_structure *ions = &reading->ions;
    memcpy(ions->cell, comment->cell, sizeof ions->cell);
    memcpy(ions->origin, comment->origin, sizeof ions->origin);
    memcpy(ions->periodic, comment->periodic, sizeof ions->periodic);
    ions->units = comment->units;
    ions->units_given = comment->units_given;
    reading->has_charges = comment->charge >= 0;
    ENUF_TRY(enuf_reading_use_cell(text, line->number, comment->has_cell,
                                   "no Lattice=\"ax ay az bx by bz cx cy cz\"", reading));
    if (comment->molecule >= 0)
        ENUF_TRY(enuf_allocate(&ions->molecules, n, sizeof(int64_t), "molecule ids"));
    if (comment->id >= 0) ENUF_TRY(enuf_allocate(&ions->ids, n, sizeof(int64_t), "atom ids"));
    return ENUF_SUCCESS;
}

static enuf_status read_ion(const enuf_text *text, const enuf_line *line, int64_t i,
                            const enuf_extxyz_comment *comment, enuf_reading *reading)
{
    enuf_word words[ENUF_MOST_COLUMNS];
    enuf_structure *ions = &reading->ions;
    int n = enuf_line_split(line, words, ENUF_MOST_COLUMNS);
    if (n < comment->columns || (n > comment->columns && !comment->further_columns))
        return enuf_text_fail(text, line->number, "%d columns, but %s %d", n,
                              comment->further_columns ? "an XYZ file has at least"
                                                       : "Properties promises",
                              comment->columns);
    int64_t at = line->number;
    ENUF_TRY(enuf_reading_species(text, at, words[comment->species], reading, &ions->species[i]));
    for (int d = 0; d < 3; ++d)
        ENUF_TRY(enuf_word_real(text, at, words[comment->position + d], "coordinate",
                                &ions->positions[3 * i + d]));
    if (comment->charge >= 0)
        ENUF_TRY(enuf_word_real(text, at, words[comment->charge], "charge", &ions->charges[i]));
    if (ions->molecules)
        ENUF_TRY(enuf_word_integer(text, at, words[comment->molecule], "molecule id",
                                   &ions->molecules[i]));
    if (ions->ids)
        ENUF_TRY(enuf_word_integer(text, at, words[comment->id], "atom id", &ions->ids[i]));
    return ENUF_SUCCESS;
}

/* Checks the text behind the last ion: the file's end, or the count of another frame. */
static enuf_status read_end(const enuf_text *text, enuf_line *line, enuf_reading *reading)
{
    enuf_structure *ions = &reading->ions;
    enuf_word word[1];
    int64_t further;
    for (reading->end = *line; enuf_text_next(text, line); reading->end = *line) {
        int n = enuf_line_split(line, word, 1);
        if (n == 0) continue;
        if (n > 1 ||
            enuf_word_integer(text, line->number, *word, "count", &further) != ENUF_SUCCESS)
            return enuf_text_fail(text, line->number,
                                  "one line more than the %lld ions of line %lld",
                                  (long long)ions->n, (long long)text->lines_before + 1);
        ions->more_frames = 1;
        break;
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_read_extxyz(const enuf_text *text, enuf_reading *reading)
{
    enuf_line line = {0};
    enuf_extxyz_comment comment;
    int64_t n;
    if (!enuf_text_next(text, &line)) return enuf_text_fail(text, 0, "is empty");
    ENUF_TRY(read_count(text, &line, &n));
    if (!enuf_text_next(text, &line))
        return enuf_text_fail(text, line.number, "the file ends before the comment line");
    ENUF_TRY(enuf_extxyz_comment_read(text, &line, &comment));
    ENUF_TRY(create(text, &line, n, &comment, reading));
    for (int64_t i = 0; i < n; ++i) {
        if (!enuf_text_next(text, &line))
            return enuf_text_fail(text, line.number, "the file ends after %lld of %lld ions",
                                  (long long)i, (long long)n);
        ENUF_TRY(read_ion(text, &line, i, &comment, reading));
    }
    if (reading->ions.ids)
        ENUF_TRY(enuf_reading_check_ids(text, text->lines_before + 3, &reading->ions));
    return read_end(text, &line, reading);
}

int64_t enuf_missing_extxyz(const enuf_text *text)
{
    enuf_line line = {0};
    enuf_word word[1];
    int64_t n;
    if (!enuf_text_skip(text, &line, 1)) return 1 << 16;
    /* no count or an impossible one: there is no frame to wait for */
    if (enuf_line_split(&line, word, 1) != 1 ||
        enuf_word_integer(text, line.number, *word, "count", &n) != ENUF_SUCCESS || n < 1 ||
        n > INT64_MAX / 2)
        return 0;
    return enuf_reading_missing(text, line, n + 1);
}
