/* read.c - which reader, and what all formats have in common; see read.h. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "read.h"

#include "error.h"
#include "reading.h"

#include <string.h>
#include <strings.h>

static int has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

static int is_extxyz_name(const char *name)
{
    return has_suffix(name, ".xyz") || has_suffix(name, ".extxyz");
}

static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int is_lammps_data_name(const char *path)
{
    const char *name = file_of(path);
    return has_suffix(name, ".data") || has_suffix(name, ".lmp") || strncmp(name, "data.", 5) == 0;
}

static int is_poscar_name(const char *path)
{
    const char *name = file_of(path);
    return has_suffix(name, ".vasp") || strncmp(name, "POSCAR", 6) == 0 ||
           strncmp(name, "CONTCAR", 7) == 0;
}

static int is_cif_name(const char *name)
{
    return has_suffix(name, ".cif");
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

/* Below a title, a POSCAR has one or three numbers, and three lines of three. */
static int is_poscar(const enuf_text *text)
{
    enuf_line line = {0};
    int fits = enuf_text_next(text, &line);
    for (int l = 2; l <= 5 && fits; ++l) {
        enuf_word words[3];
        const int n = enuf_text_next(text, &line) ? enuf_line_split(&line, words, 3) : 0;
        fits = n == 3 || (n == 1 && l == 2);
        for (int w = 0; w < n && fits; ++w) fits = enuf_word_begins_number(words[w]);
    }
    return fits;
}

/* Behind comments, a CIF begins with the name of a block. */
static int is_cif(const enuf_text *text)
{
    enuf_line line = {0};
    return enuf_text_next_filled(text, &line) && line.end - line.begin >= 5 &&
           strncasecmp(line.begin, "data_", 5) == 0;
}

static const struct {
    const char *name;
    int (*names)(const char *path);
    int (*fits)(const enuf_text *text);
    enuf_status (*read)(const enuf_text *text, enuf_reading *reading);
} formats[] = {
    {"lammps-data", is_lammps_data_name, is_lammps_data, enuf_read_lammps_data},
    {"extxyz", is_extxyz_name, is_extxyz, enuf_read_extxyz},
    {"poscar", is_poscar_name, is_poscar, enuf_read_poscar},
    {"cif", is_cif_name, is_cif, enuf_read_cif},
};

enum { N_FORMATS = sizeof formats / sizeof *formats };

const char *enuf_format_name(int index)
{
    return index >= 0 && index < N_FORMATS ? formats[index].name : NULL;
}

static enuf_status find_format(const enuf_text *text, const char *name, int *format)
{
    for (*format = 0; *format < N_FORMATS; ++*format)
        if (name && strcmp(name, formats[*format].name) == 0) return ENUF_SUCCESS;
    if (name) return enuf_fail(ENUF_BAD_ARGUMENT, "format '%.40s': choose " ENUF_FORMATS, name);
    for (*format = 0; *format < N_FORMATS; ++*format)
        if (formats[*format].names(text->name)) return ENUF_SUCCESS;
    for (*format = 0; *format < N_FORMATS; ++*format)
        if (formats[*format].fits(text)) return ENUF_SUCCESS;
    return enuf_text_fail(text, 0,
                          "neither the name nor the content tells the format: "
                          "say " ENUF_FORMATS);
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
