/* formats.c - see formats.h. SPDX-License-Identifier: BSD-3-Clause */
#include "formats.h"

#include "error.h"
#include "format_list.h"

#include <fnmatch.h>
#include <string.h>
#include <strings.h>

/* Whether a line is a single number. */
static int is_count(const enuf_line *line)
{
    enuf_word word = {"", 0};
    return enuf_line_split(line, &word, 1) == 1 && word.length == strspn(word.begin, "0123456789");
}

/* The first line of an XYZ file is a single number. */
static int is_extxyz(const enuf_text *text)
{
    enuf_line line = {0};
    return enuf_text_next(text, &line) && is_count(&line);
}

/* The second line of a GRO file is a single number. In the third line the decimal points of x and y
 * stand in columns 25 and 33. */
static int is_gro(const enuf_text *text)
{
    enuf_line line = {0};
    if (!enuf_text_next(text, &line) || !enuf_text_next(text, &line) || !is_count(&line)) return 0;
    return enuf_text_next(text, &line) && line.end - line.begin >= 44 && line.begin[24] == '.' &&
           line.begin[32] == '.';
}

static int is_lammps_dump(const enuf_text *text)
{
    enuf_line line = {0};
    return enuf_text_next(text, &line) && line.end - line.begin > 6 &&
           memcmp(line.begin, "ITEM: ", 6) == 0;
}

/* A PDB file begins with one of these records. */
static int is_pdb(const enuf_text *text)
{
    static const char *const records[] = {"HEADER", "TITLE ", "REMARK", "CRYST1",
                                          "MODEL ", "ATOM  ", "HETATM"};
    enuf_line line = {0};
    if (!enuf_text_next(text, &line) || line.end - line.begin < 7) return 0;
    if (is_gro(text)) return 0; /* a GRO file may have any title */
    for (size_t r = 0; r < sizeof records / sizeof *records; ++r)
        if (memcmp(line.begin, records[r], 6) == 0) return 1;
    return 0;
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

/* Below its title, a POSCAR has a line of one or three numbers and three lines of three numbers. */
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

/* The first line of a CIF that is no comment is the name of a block. */
static int is_cif(const enuf_text *text)
{
    enuf_line line = {0};
    return enuf_text_next_filled(text, &line) && line.end - line.begin >= 5 &&
           strncasecmp(line.begin, "data_", 5) == 0;
}

static const enuf_format formats[] = {
#define ENUF_X(name, reader, files, frames) {name, files, is_##reader, enuf_read_##reader, frames},
    ENUF_FORMAT_LIST(ENUF_X, ENUF_X)
#undef ENUF_X
};

enum { N_FORMATS = sizeof formats / sizeof *formats };

const char *enuf_format_name(int index)
{
    return index >= 0 && index < N_FORMATS ? formats[index].name : NULL;
}

/* Whether a file's name, without its folder, is one of the patterns between blanks. */
static int has_name(const char *path, const char *patterns)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char pattern[16];
    while (*patterns) {
        const size_t length = strcspn(patterns, " ");
        if (length < sizeof pattern) {
            memcpy(pattern, patterns, length);
            pattern[length] = 0;
            if (fnmatch(pattern, name, 0) == 0) return 1;
        }
        patterns += length + strspn(patterns + length, " ");
    }
    return 0;
}

enuf_status enuf_format_find(const enuf_text *text, const char *name, const enuf_format **format)
{
    const enuf_format *end = formats + N_FORMATS;
    for (*format = formats; name && *format < end; ++*format)
        if (strcmp(name, (*format)->name) == 0) return ENUF_SUCCESS;
    if (name) return enuf_fail(ENUF_BAD_ARGUMENT, "--format '%.40s': choose " ENUF_FORMATS, name);
    for (*format = formats; *format < end; ++*format)
        if (has_name(text->name, (*format)->files)) return ENUF_SUCCESS;
    for (*format = formats; *format < end; ++*format)
        if ((*format)->fits(text)) return ENUF_SUCCESS;
    return enuf_text_fail(text, 0,
                          "neither the name nor the content tells the format: "
                          "say --format " ENUF_FORMATS);
}
