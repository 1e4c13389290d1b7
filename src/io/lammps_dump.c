/*
 * lammps_dump.c - reader of LAMMPS' text dumps (styles atom and custom), a frame at a time.
 *
 * Source: LAMMPS manual, dump. A species is an atom's element, else its type. Positions, charge,
 * type, element, id, molecule and image flags are read. Other columns are skipped.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "error.h"
#include "lammps_dump_box.h"
#include "memory.h"
#include "reading.h"
#include "units.h"

#include <string.h>

enum { MOST_COLUMNS = 256 };

/* Columns in use. The three positions of a kind are adjacent; preferred kinds come first. */
enum {
    ID,
    MOLECULE,
    TYPE,
    ELEMENT,
    CHARGE,
    IMAGE,
    XU = IMAGE + 3,
    XSU = XU + 3,
    X = XSU + 3,
    XS = X + 3,
    N_COLUMNS = XS + 3
};

static const char *const names[N_COLUMNS] = {
    [ID] = "id",     [MOLECULE] = "mol", [TYPE] = "type",    [ELEMENT] = "element", [CHARGE] = "q",
    [IMAGE] = "ix",  [IMAGE + 1] = "iy", [IMAGE + 2] = "iz", [XU] = "xu",           [XU + 1] = "yu",
    [XU + 2] = "zu", [XSU] = "xsu",      [XSU + 1] = "ysu",  [XSU + 2] = "zsu",     [X] = "x",
    [X + 1] = "y",   [X + 2] = "z",      [XS] = "xs",        [XS + 1] = "ys",       [XS + 2] = "zs",
};

typedef struct dump_frame {
    int64_t n, count_line; /* atoms; the line of their number, 0: not there yet */
    int64_t step, step_line;
    enuf_lammps_dump_box box;
    enuf_units units;
    int units_given;
    int columns;
    int column[N_COLUMNS]; /* -1: not there */
    int position;          /* XU, XSU, X or XS */
    int unwrap;            /* by image flags */
} dump_frame;

/* Whether a line is "ITEM: " and the words. */
static int is_item(const enuf_line *line, const char *words)
{
    const size_t length = strlen(words);
    if (line->end - line->begin < (ptrdiff_t)(6 + length) || memcmp(line->begin, "ITEM: ", 6) != 0)
        return 0;
    return memcmp(line->begin + 6, words, length) == 0 &&
           (line->begin + 6 + length == line->end || line->begin[6 + length] == ' ');
}

/* The one word on the line behind an item. */
static enuf_status next_value(const enuf_text *text, enuf_line *line, const char *what,
                              enuf_word *word)
{
    if (!enuf_text_next(text, line))
        return enuf_text_fail(text, line->number, "the file ends before the %s", what);
    if (enuf_line_split(line, word, 1) == 1) return ENUF_SUCCESS;
    return enuf_text_fail(text, line->number, "the %s should stand here, and nothing else", what);
}

/* Refuses an item that stands twice in a frame. `before` is the line of the first, or 0. */
static enuf_status refuse_second(const enuf_text *text, const enuf_line *line, int64_t before)
{
    if (before == 0) return ENUF_SUCCESS;
    return enuf_text_fail(text, line->number,
                          "a second item of its name before ITEM: ATOMS: the first is on line %lld",
                          (long long)before);
}

static enuf_status read_units(const enuf_text *text, enuf_line *line, dump_frame *frame)
{
    enuf_word word;
    char name[16] = "";
    ENUF_TRY(next_value(text, line, "name of the units", &word));
    if (word.length < sizeof name) memcpy(name, word.begin, word.length);
    if (enuf_units_parse(name, &frame->units) != ENUF_SUCCESS)
        return enuf_text_fail(text, line->number,
                              "units %.*s: those known here are real, metal, si, lj",
                              ENUF_SHOWN(word));
    frame->units_given = 1;
    return ENUF_SUCCESS;
}

static enuf_status read_count(const enuf_text *text, enuf_line *line, dump_frame *frame)
{
    enuf_word word;
    ENUF_TRY(next_value(text, line, "number of atoms", &word));
    ENUF_TRY(enuf_word_integer(text, line->number, word, "number of atoms", &frame->n));
    if (frame->n < 1) return enuf_text_fail(text, line->number, "there are no atoms");
    frame->count_line = line->number;
    return ENUF_SUCCESS;
}

/* "ITEM: ATOMS id type q x y z": finds the columns */
static enuf_status read_columns(const enuf_text *text, const enuf_line *line, dump_frame *frame)
{
    static const int kinds[] = {XU, XSU, X, XS};
    enuf_word words[MOST_COLUMNS + 2];
    const int n = enuf_line_split(line, words, MOST_COLUMNS + 2);
    if (n > MOST_COLUMNS + 2)
        return enuf_text_fail(text, line->number, "%d columns: at most %d are possible", n - 2,
                              MOST_COLUMNS);
    frame->columns = n - 2;
    for (int c = 0; c < N_COLUMNS; ++c) {
        frame->column[c] = -1;
        for (int w = 2; w < n && frame->column[c] < 0; ++w)
            if (enuf_word_is(words[w], names[c])) frame->column[c] = w - 2;
    }
    if (frame->column[TYPE] < 0 && frame->column[ELEMENT] < 0)
        return enuf_text_fail(text, line->number, "ATOMS has neither a column type nor element");
    const int *c = frame->column;
    for (int k = 0; k < 4; ++k) {
        frame->position = kinds[k];
        if (c[kinds[k]] < 0 || c[kinds[k] + 1] < 0 || c[kinds[k] + 2] < 0) continue;
        frame->unwrap = (kinds[k] == X || kinds[k] == XS) && c[IMAGE] >= 0 && c[IMAGE + 1] >= 0 &&
                        c[IMAGE + 2] >= 0;
        return ENUF_SUCCESS;
    }
    return enuf_text_fail(text, line->number,
                          "ATOMS has no positions: x y z, xu yu zu, xs ys zs or xsu ysu zsu");
}

/* Reads all items up to ATOMS; `line` is then the line of ATOMS. */
static enuf_status read_head(const enuf_text *text, enuf_line *line, dump_frame *frame)
{
    enuf_word word;
    while (enuf_text_next(text, line)) {
        if (line->end == line->begin) continue;
        if (is_item(line, "ATOMS")) return read_columns(text, line, frame);
        if (is_item(line, "TIMESTEP")) {
            ENUF_TRY(refuse_second(text, line, frame->step_line));
            ENUF_TRY(next_value(text, line, "time step", &word));
            ENUF_TRY(enuf_word_integer(text, line->number, word, "time step", &frame->step));
            frame->step_line = line->number;
        } else if (is_item(line, "NUMBER OF ATOMS")) {
            ENUF_TRY(refuse_second(text, line, frame->count_line));
            ENUF_TRY(read_count(text, line, frame));
        } else if (is_item(line, "BOX BOUNDS")) {
            ENUF_TRY(refuse_second(text, line, frame->box.line));
            ENUF_TRY(enuf_lammps_dump_box_read(text, line, &frame->box));
        } else if (is_item(line, "UNITS")) {
            ENUF_TRY(read_units(text, line, frame));
        } else if (is_item(line, "TIME")) {
            ENUF_TRY(next_value(text, line, "time", &word));
        } else {
            return enuf_text_fail(
                text, line->number,
                "'%.*s' where ITEM: TIMESTEP, NUMBER OF ATOMS, BOX BOUNDS, ATOMS, "
                "UNITS or TIME should stand (dumps of styles atom and custom)",
                (int)(line->end - line->begin < 40 ? line->end - line->begin : 40), line->begin);
        }
    }
    return enuf_text_fail(text, line->number, "the file ends before ITEM: ATOMS");
}

static enuf_status create(const enuf_text *text, const enuf_line *line, const dump_frame *frame,
                          enuf_reading *reading)
{
    if (!frame->count_line)
        return enuf_text_fail(text, line->number, "ATOMS without ITEM: NUMBER OF ATOMS before it");
    if (!frame->box.line)
        return enuf_text_fail(text, line->number, "ATOMS without ITEM: BOX BOUNDS before it");
    /* a column takes at least two bytes; refuse a count that the file cannot hold */
    if (frame->n > (enuf_text_left(text, line) + 1) / (2 * frame->columns))
        return enuf_text_fail(text, frame->count_line,
                              "%lld atoms do not fit in the %lld bytes left", (long long)frame->n,
                              (long long)enuf_text_left(text, line));
    ENUF_TRY(enuf_reading_create(frame->n, 0, reading));
    enuf_structure *ions = &reading->ions;
    memcpy(ions->cell, frame->box.cell, sizeof ions->cell);
    memcpy(ions->origin, frame->box.origin, sizeof ions->origin);
    memcpy(ions->periodic, frame->box.periodic, sizeof ions->periodic);
    ENUF_TRY(enuf_reading_use_cell(text, frame->box.line, 1, "", reading));
    ions->units = frame->units;
    ions->units_given = frame->units_given;
    ions->step = frame->step;
    ions->step_given = frame->step_line > 0;
    reading->has_charges = frame->column[CHARGE] >= 0;
    enuf_reading_explain(reading, "the dump has no column q");
    if (frame->column[MOLECULE] >= 0)
        ENUF_TRY(enuf_allocate(&ions->molecules, frame->n, sizeof(int64_t), "molecule ids"));
    if (frame->column[ID] >= 0)
        ENUF_TRY(enuf_allocate(&ions->ids, frame->n, sizeof(int64_t), "atom ids"));
    return ENUF_SUCCESS;
}

static enuf_status read_position(const enuf_text *text, int64_t at, const enuf_word *words,
                                 const dump_frame *frame, double position[3])
{
    const double *cell = frame->box.cell;
    const int scaled = frame->position == XS || frame->position == XSU;
    double x[3], shift[3] = {0.0, 0.0, 0.0}; /* in cell vectors */
    for (int d = 0; d < 3; ++d)
        ENUF_TRY(enuf_word_real(text, at, words[frame->column[frame->position + d]], "coordinate",
                                &x[d]));
    for (int d = 0; d < 3 && frame->unwrap; ++d) {
        int64_t image;
        ENUF_TRY(
            enuf_word_integer(text, at, words[frame->column[IMAGE + d]], "image flag", &image));
        shift[d] = (double)image;
    }
    for (int d = 0; d < 3 && scaled; ++d) shift[d] += x[d];
    for (int k = 0; k < 3; ++k)
        position[k] = (scaled ? frame->box.origin[k] : x[k]) + shift[0] * cell[k] +
                      shift[1] * cell[3 + k] + shift[2] * cell[6 + k];
    return ENUF_SUCCESS;
}

static enuf_status read_atom(const enuf_text *text, const enuf_line *line, int64_t i,
                             const dump_frame *frame, enuf_reading *reading)
{
    enuf_word words[MOST_COLUMNS];
    enuf_structure *ions = &reading->ions;
    const int64_t at = line->number;
    const int *column = frame->column, n = enuf_line_split(line, words, MOST_COLUMNS);
    if (n != frame->columns)
        return enuf_text_fail(text, at, "%d columns, but ITEM: ATOMS promises %d", n,
                              frame->columns);
    const int species = column[ELEMENT] >= 0 ? column[ELEMENT] : column[TYPE];
    ENUF_TRY(enuf_reading_species(text, at, words[species], reading, &ions->species[i]));
    if (column[CHARGE] >= 0)
        ENUF_TRY(enuf_word_real(text, at, words[column[CHARGE]], "charge", &ions->charges[i]));
    if (ions->molecules)
        ENUF_TRY(enuf_word_integer(text, at, words[column[MOLECULE]], "molecule id",
                                   &ions->molecules[i]));
    if (ions->ids)
        ENUF_TRY(enuf_word_integer(text, at, words[column[ID]], "atom id", &ions->ids[i]));
    return read_position(text, at, words, frame, &ions->positions[3 * i]);
}

/* Checks the text behind the last atom: the file's end, or the items of another frame. */
static enuf_status read_end(const enuf_text *text, enuf_line *line, const dump_frame *frame,
                            enuf_reading *reading)
{
    for (reading->end = *line; enuf_text_next(text, line); reading->end = *line) {
        if (line->end == line->begin) continue;
        if (line->end - line->begin < 5 || memcmp(line->begin, "ITEM:", 5) != 0)
            return enuf_text_fail(text, line->number,
                                  "one line more than the %lld atoms of line %lld",
                                  (long long)frame->n, (long long)frame->count_line);
        reading->ions.more_frames = 1;
        break;
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_read_lammps_dump(const enuf_text *text, enuf_reading *reading)
{
    enuf_line line = {0};
    dump_frame frame = {.units = ENUF_UNITS_METAL};
    if (reading->units_before_given) { /* LAMMPS writes them once, before the first frame */
        frame.units = reading->units_before;
        frame.units_given = 1;
    }
    ENUF_TRY(read_head(text, &line, &frame));
    const int64_t first = line.number + 1;
    ENUF_TRY(create(text, &line, &frame, reading));
    for (int64_t i = 0; i < frame.n; ++i) {
        if (!enuf_text_next(text, &line))
            return enuf_text_fail(text, line.number, "the file ends after %lld of %lld atoms",
                                  (long long)i, (long long)frame.n);
        ENUF_TRY(read_atom(text, &line, i, &frame, reading));
    }
    if (reading->ions.ids) ENUF_TRY(enuf_reading_check_ids(text, first, &reading->ions));
    return read_end(text, &line, &frame, reading);
}

int64_t enuf_missing_lammps_dump(const enuf_text *text)
{
    enum { MOST_HEAD = 64 }; /* lines before ATOMS, blank ones too */
    enuf_line line = {0};
    int64_t n = 0;
    for (int l = 0; l < MOST_HEAD; ++l) {
        const int counts = line.next && is_item(&line, "NUMBER OF ATOMS");
        enuf_word word[1];
        if (line.next && is_item(&line, "ATOMS"))
            return n < 1 ? 0 : enuf_reading_missing(text, line, n);
        if (!enuf_text_skip(text, &line, 1)) return 1 << 16;
        if (counts && (enuf_line_split(&line, word, 1) != 1 ||
                       enuf_word_integer(text, line.number, *word, "count", &n) != ENUF_SUCCESS))
            return 0;
    }
    return 0;
}
