/* read.c - which reader, and what all formats have in common; see read.h. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "read.h"

#include "error.h"
#include "reading.h"

#include <string.h>

static int has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

static int is_extxyz_name(const char *name)
{
    return has_suffix(name, ".xyz") || has_suffix(name, ".extxyz");
}

static int is_lammps_data_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    return has_suffix(name, ".data") || has_suffix(name, ".lmp") || strncmp(name, "data.", 5) == 0;
}

/* An XYZ file begins with a number alone. */
static int is_extxyz(const enuf_text *text)
{
    enuf_line line = {0};
    enuf_word word = {"", 0};
    return enuf_text_next(text, &line) && enuf_line_split(&line, &word, 1) == 1 &&
           word.length == strspn(word.begin, "0123456789");
}

/* The head of a LAMMPS data file has "64 atoms", within a few dozen lines. */
static int is_lammps_data(const enuf_text *text)
{
    enuf_line line = {0};
    while (enuf_text_next_filled(text, &line) && line.number < 100) {
        enuf_word words[2];
        if (enuf_line_split(&line, words, 2) == 2 && enuf_word_is(words[1], "atoms")) return 1;
    }
    return 0;
}

static const struct {
    const char *name;
    int (*names)(const char *path);
    int (*fits)(const enuf_text *text);
    enuf_status (*read)(const enuf_text *text, enuf_reading *reading);
} formats[] = {
    {"lammps-data", is_lammps_data_name, is_lammps_data, enuf_read_lammps_data},
    {"extxyz", is_extxyz_name, is_extxyz, enuf_read_extxyz},
};

enum { N_FORMATS = sizeof formats / sizeof *formats };

static enuf_status find_format(const enuf_text *text, const char *name, int *format)
{
    for (*format = 0; *format < N_FORMATS; ++*format)
        if (name && strcmp(name, formats[*format].name) == 0) return ENUF_SUCCESS;
    if (name)
        return enuf_fail(ENUF_BAD_ARGUMENT, "format '%.40s': choose lammps-data or extxyz", name);
    for (*format = 0; *format < N_FORMATS; ++*format)
        if (formats[*format].names(text->name)) return ENUF_SUCCESS;
    for (*format = 0; *format < N_FORMATS; ++*format)
        if (formats[*format].fits(text)) return ENUF_SUCCESS;
    return enuf_text_fail(text, 0,
                          "neither the name nor the content tells the format: "
                          "say lammps-data or extxyz");
}

enuf_status enuf_parse_structure(const enuf_text *text, const char *format,
                                 const enuf_charge_rule *rules, int n_rules, enuf_structure *out)
{
    enuf_reading reading = {0};
    int f;
    ENUF_TRY(find_format(text, format, &f));
    enuf_status status = formats[f].read(text, &reading);
    if (status == ENUF_SUCCESS) status = enuf_charge_rules_apply(text, rules, n_rules, &reading);
    if (status == ENUF_SUCCESS) {
        *out = reading.ions;
        reading.ions = (enuf_structure){0};
    }
    enuf_reading_free(&reading);
    return status;
}

enuf_status enuf_read_structure(const char *path, const char *format, const enuf_charge_rule *rules,
                                int n_rules, enuf_structure *out)
{
    enuf_text text;
    ENUF_TRY(enuf_text_load(path, &text));
    enuf_status status = enuf_parse_structure(&text, format, rules, n_rules, out);
    enuf_text_free(&text);
    return status;
}
