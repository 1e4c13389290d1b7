/*
 * extxyz_comment.c - see extxyz_comment.h.
 *
 * key=value pairs; a value is bare or stands in "..." or '...'. Other keys are skipped. Blanks
 * separate the numbers of an array; newer writers use commas and brackets.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "extxyz_comment.h"

#include "error.h"
#include "reading.h"
#include "units.h"

#include <string.h>
#include <strings.h>

static int is_one_of(char c, const char *set)
{
    return c != 0 && strchr(set, c) != NULL;
}

/* Takes the characters before the first one of `stops`. */
static enuf_word take(const char **at, const char *end, const char *stops)
{
    const char *begin = *at;
    while (*at < end && !is_one_of(**at, stops)) ++*at;
    return (enuf_word){begin, (size_t)(*at - begin)};
}

static void skip(const char **at, const char *end, const char *set)
{
    while (*at < end && is_one_of(**at, set)) ++*at;
}

/* Next pair; a key without '=' has an empty value. The key is empty at the line's end. */
static enuf_status next_pair(const enuf_text *text, const enuf_line *line, const char **at,
                             enuf_word *key, enuf_word *value)
{
    *value = (enuf_word){line->end, 0};
    skip(at, line->end, " \t");
    *key = take(at, line->end, "= \t");
    if (*at == line->end || **at != '=') return ENUF_SUCCESS;
    ++*at;
    if (*at == line->end || !is_one_of(**at, "\"'")) {
        *value = take(at, line->end, " \t");
        return ENUF_SUCCESS;
    }
    char quote[2] = {*(*at)++, 0};
    *value = take(at, line->end, quote);
    if (*at == line->end)
        return enuf_text_fail(text, line->number,
                              "the %s that opens the value of %.*s is not closed", quote,
                              ENUF_SHOWN(*key));
    ++*at;
    return ENUF_SUCCESS;
}

static int is_key(enuf_word key, const char *name)
{
    return key.length == strlen(name) && strncasecmp(key.begin, name, key.length) == 0;
}

/* Splits an array into words. Returns their number; stores at most `most` of them. */
static int split_array(enuf_word value, enuf_word *words, int most)
{
    static const char between[] = " \t,[]{}";
    const char *at = value.begin, *end = value.begin + value.length;
    for (int n = 0;; ++n) {
        skip(&at, end, between);
        if (at == end) return n;
        enuf_word word = take(&at, end, between);
        if (n < most) words[n] = word;
    }
}

static enuf_status read_numbers(const enuf_text *text, int64_t line, enuf_word value,
                                const char *key, int count, double *numbers)
{
    enuf_word words[9];
    int n = split_array(value, words, count);
    if (n != count)
        return enuf_text_fail(text, line, "%s holds %d numbers, but needs %d", key, n, count);
    for (int k = 0; k < count; ++k)
        ENUF_TRY(enuf_word_real(text, line, words[k], key, &numbers[k]));
    return ENUF_SUCCESS;
}

static enuf_status read_periodic(const enuf_text *text, int64_t line, enuf_word value,
                                 int periodic[3])
{
    enuf_word words[3];
    int n = split_array(value, words, 3);
    for (int d = 0; d < 3 && n == 3; ++d) {
        int yes = is_key(words[d], "T") || is_key(words[d], "true") || is_key(words[d], "1");
        int no = is_key(words[d], "F") || is_key(words[d], "false") || is_key(words[d], "0");
        if (!yes && !no) n = 0;
        periodic[d] = yes;
    }
    if (n == 3) return ENUF_SUCCESS;
    return enuf_text_fail(text, line, "pbc=\"%.*s\" should be three of T and F, e.g. \"T T F\"",
                          ENUF_SHOWN(value));
}

static enuf_status read_units(const enuf_text *text, int64_t line, enuf_word value,
                              enuf_extxyz_comment *comment)
{
    char name[16] = "";
    if (value.length < sizeof name) memcpy(name, value.begin, value.length);
    if (enuf_units_parse(name, &comment->units) != ENUF_SUCCESS)
        return enuf_text_fail(text, line, "units=%.*s: they are real, metal, si, lj or natural",
                              ENUF_SHOWN(value));
    comment->units_given = 1;
    return ENUF_SUCCESS;
}

/* Names of a column, its types and its width. Names differ between writers. */
static const struct {
    const char *name, *types;
    int width;
    size_t slot;
} columns[] = {
#define SLOT(member) offsetof(enuf_extxyz_comment, member)
    {"species", "SI", 1, SLOT(species)},       {"element", "SI", 1, SLOT(species)},
    {"pos", "R", 3, SLOT(position)},           {"position", "R", 3, SLOT(position)},
    {"positions", "R", 3, SLOT(position)},     {"charge", "RI", 1, SLOT(charge)},
    {"charges", "RI", 1, SLOT(charge)},        {"q", "RI", 1, SLOT(charge)},
    {"initial_charge", "RI", 1, SLOT(charge)}, {"initial_charges", "RI", 1, SLOT(charge)},
    {"molid", "I", 1, SLOT(molecule)},         {"mol", "I", 1, SLOT(molecule)},
    {"molecule", "I", 1, SLOT(molecule)},      {"id", "I", 1, SLOT(id)},
#undef SLOT
};

enum { N_COLUMNS = sizeof columns / sizeof *columns };

static void take_column(enuf_extxyz_comment *comment, enuf_word name, char type, int64_t width)
{
    for (int c = 0; c < N_COLUMNS; ++c) {
        int *slot = (int *)(void *)((char *)comment + columns[c].slot);
        if (is_key(name, columns[c].name) && is_one_of(type, columns[c].types) &&
            width == columns[c].width && *slot < 0)
            *slot = comment->columns;
    }
}

/* Reads a list of name:type:width. */
static enuf_status read_properties(const enuf_text *text, int64_t line, enuf_word value,
                                   enuf_extxyz_comment *comment)
{
    const char *at = value.begin, *end = value.begin + value.length;
    comment->columns = 0;
    comment->further_columns = 0;
    comment->species = comment->position = comment->charge = comment->molecule = comment->id = -1;
    while (at < end) {
        enuf_word part[3]; /* name, type, width */
        for (int p = 0; p < 3; ++p) {
            part[p] = take(&at, end, ":");
            if (at < end) ++at;
        }
        int64_t width = 0;
        if (part[1].length == 1 && is_one_of(*part[1].begin, "SIRL") && part[2].length > 0)
            ENUF_TRY(enuf_word_integer(text, line, part[2], "the width of a property", &width));
        if (width < 1 || width > ENUF_MOST_COLUMNS - comment->columns)
            return enuf_text_fail(text, line,
                                  "Properties: '%.*s' should be followed by a type (S, I, R or L) "
                                  "and a width, at most %d columns in all, e.g. pos:R:3",
                                  ENUF_SHOWN(part[0]), ENUF_MOST_COLUMNS);
        take_column(comment, part[0], *part[1].begin, width);
        comment->columns += (int)width;
    }
    if (comment->species >= 0 && comment->position >= 0) return ENUF_SUCCESS;
    return enuf_text_fail(text, line, "Properties has no %s",
                          comment->species < 0 ? "species:S:1" : "pos:R:3");
}

/* Refuses a used key that stands there twice. Each bit of *seen is a key that was read. */
static enuf_status refuse_second(const enuf_text *text, const enuf_line *line, enuf_word key,
                                 unsigned *seen)
{
    static const char *const used[] = {"Lattice", "Origin", "pbc", "units", "Properties"};
    for (unsigned k = 0; k < sizeof used / sizeof *used; ++k) {
        if (!is_key(key, used[k])) continue;
        if (*seen & (1u << k))
            return enuf_text_fail(text, line->number, "%s stands here twice", used[k]);
        *seen |= 1u << k;
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_extxyz_comment_read(const enuf_text *text, const enuf_line *line,
                                     enuf_extxyz_comment *comment)
{
    *comment = (enuf_extxyz_comment){.periodic = {1, 1, 1},
                                     .units = ENUF_UNITS_METAL,
                                     .columns = 4,
                                     .further_columns = 1,
                                     .species = 0,
                                     .position = 1,
                                     .charge = -1,
                                     .molecule = -1,
                                     .id = -1};
    const char *at = line->begin;
    int64_t n = line->number;
    unsigned seen = 0;
    for (;;) {
        enuf_word key, value;
        ENUF_TRY(next_pair(text, line, &at, &key, &value));
        if (key.length == 0 && at == line->end) break;
        ENUF_TRY(refuse_second(text, line, key, &seen));
        if (is_key(key, "Lattice")) {
            comment->has_cell = 1;
            ENUF_TRY(read_numbers(text, n, value, "Lattice", 9, comment->cell));
        } else if (is_key(key, "Origin")) {
            ENUF_TRY(read_numbers(text, n, value, "Origin", 3, comment->origin));
        } else if (is_key(key, "pbc")) {
            ENUF_TRY(read_periodic(text, n, value, comment->periodic));
        } else if (is_key(key, "units")) {
            ENUF_TRY(read_units(text, n, value, comment));
        } else if (is_key(key, "Properties")) {
            ENUF_TRY(read_properties(text, n, value, comment));
        }
    }
    return comment->has_cell ? enuf_reading_check_cell(text, n, comment->cell) : ENUF_SUCCESS;
}
