/*
 * poscar.c - reader of POSCAR and CONTCAR, the structure files of VASP 5 and 6.
 *
 * Title, scale, three cell vectors, names of species, ions of each, optionally "Selective
 * dynamics", "Direct" or "Cartesian", a line for each ion. What follows (velocities) is not read.
 * Format: https://vasp.at/wiki/POSCAR. Lengths are in Angstrom.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "error.h"
#include "memory.h"
#include "reading.h"

#include <math.h>
#include <string.h>

/* Fewest bytes of an ion's line, "0 0 0\n". */
enum { LEAST_ION = 6 };

typedef struct poscar_cell {
    double scale[3];   /* of x, y and z */
    double vectors[9]; /* scaled */
    int64_t line;      /* of the first vector */
} poscar_cell;

/* A comment begins with '!' or '#'. */
static void cut_comment(enuf_line *line)
{
    for (const char *c = line->begin; c < line->end; ++c)
        if (*c == '!' || *c == '#') line->end = c;
}

/* Next line, which may be blank, without its comment. */
static enuf_status next_line(const enuf_text *text, enuf_line *line, const char *what)
{
    if (!enuf_text_next(text, line))
        return enuf_text_fail(text, line->number, "the file ends before %s", what);
    cut_comment(line);
    return ENUF_SUCCESS;
}

static enuf_status read_numbers(const enuf_text *text, const enuf_line *line,
                                const enuf_word *words, int n, const char *what, double *numbers)
{
    for (int k = 0; k < n; ++k)
        ENUF_TRY(enuf_word_real(text, line->number, words[k], what, &numbers[k]));
    return ENUF_SUCCESS;
}

/* Reads the scale: one factor, minus the volume, or factors of x, y and z. */
static enuf_status read_scale(const enuf_text *text, enuf_line *line, double *volume,
                              double scale[3])
{
    enuf_word words[3];
    ENUF_TRY(next_line(text, line, "line 2, the scale"));
    const int n = enuf_line_split(line, words, 3);
    if (n != 1 && n != 3)
        return enuf_text_fail(text, line->number,
                              "%d words, but the scale is one number (a factor, or minus the "
                              "volume) or three (factors of x, y and z)",
                              n);
    ENUF_TRY(read_numbers(text, line, words, n, "scale", scale));
    if (n == 1) scale[1] = scale[2] = scale[0];
    *volume = n == 1 && scale[0] < 0.0 ? -scale[0] : 0.0;
    for (int d = 0; d < 3 && *volume == 0.0; ++d)
        if (!(scale[d] > 0.0))
            return enuf_text_fail(text, line->number,
                                  n == 1 ? "the scale is 0: 1 leaves the cell as it is"
                                         : "each of three scales has to be above 0");
    return ENUF_SUCCESS;
}

static enuf_status read_cell(const enuf_text *text, enuf_line *line, poscar_cell *cell)
{
    double volume = 0.0;
    ENUF_TRY(read_scale(text, line, &volume, cell->scale));
    for (int v = 0; v < 3; ++v) {
        enuf_word words[3];
        ENUF_TRY(next_line(text, line, "the third cell vector, line 5"));
        const int n = enuf_line_split(line, words, 3);
        if (n != 3)
            return enuf_text_fail(text, line->number, "%d words, but a cell vector has 3 numbers",
                                  n);
        ENUF_TRY(read_numbers(text, line, words, 3, "cell vector", &cell->vectors[3 * v]));
    }
    cell->line = line->number - 2;
    ENUF_TRY(enuf_reading_check_cell(text, cell->line, cell->vectors));
    if (volume > 0.0) {
        enuf_structure unscaled = {0};
        memcpy(unscaled.cell, cell->vectors, sizeof unscaled.cell);
        const double factor = cbrt(volume / enuf_structure_volume(&unscaled));
        for (int d = 0; d < 3; ++d) cell->scale[d] = factor;
    }
    for (int k = 0; k < 9; ++k) cell->vectors[k] *= cell->scale[k % 3];
    return enuf_reading_check_cell(text, cell->line, cell->vectors);
}

/* VASP 6.4 writes a potential's name and hash as the species: "Mg_pv/f474ac0d" is Mg. */
static enuf_word species_name(enuf_word word)
{
    const char *slash = memchr(word.begin, '/', word.length);
    if (!slash) return word;
    word.length = (size_t)(slash - word.begin);
    const char *variant = memchr(word.begin, '_', word.length);
    if (variant) word.length = (size_t)(variant - word.begin);
    return word;
}

/* Counts the words of a list on one or more lines. The list ends before a number or a blank line.
 * */
static enuf_status count_names(const enuf_text *text, enuf_line line, int64_t *n)
{
    for (*n = 0;;) {
        enuf_word first;
        ENUF_TRY(next_line(text, &line, "the numbers of ions"));
        const int here = enuf_line_split(&line, &first, 1);
        if (here == 0 || enuf_word_begins_number(first)) break;
        *n += here;
    }
    if (*n == 0)
        return enuf_text_fail(
            text, line.number,
            "the line with the names of the species, e.g. 'Na Cl', is missing "
            "before the numbers of ions (VASP 4 left it out): add it as line %lld",
            (long long)line.number);
    if (*n > ENUF_MOST_SPECIES)
        return enuf_text_fail(text, line.number - 1, "more than %d species", ENUF_MOST_SPECIES);
    return ENUF_SUCCESS;
}

/* Reads exactly n words from one or more lines. */
static enuf_status read_words(const enuf_text *text, enuf_line *line, int n, const char *what,
                              enuf_word *words)
{
    for (int k = 0; k < n;) {
        ENUF_TRY(next_line(text, line, what));
        const int here = enuf_line_split(line, words + k, n - k);
        if (here == 0 || here > n - k)
            return enuf_text_fail(text, line->number, "%d %s, but there are %d species", k + here,
                                  what, n);
        k += here;
    }
    return ENUF_SUCCESS;
}

static enuf_status read_counts(const enuf_text *text, enuf_line *line, int n_species,
                               enuf_word *words, int64_t *counts, int64_t *n)
{
    ENUF_TRY(read_words(text, line, n_species, "numbers of ions", words));
    *n = 0;
    for (int s = 0; s < n_species; ++s) {
        ENUF_TRY(enuf_word_integer(text, line->number, words[s], "number of ions", &counts[s]));
        /* before allocation: check that the file can hold this number of ions */
        if (counts[s] < 0 || counts[s] > (enuf_text_left(text, line) + 1) / LEAST_ION - *n)
            return enuf_text_fail(text, line->number,
                                  counts[s] < 0 ? "%lld ions: a number of ions cannot be negative"
                                                : "%lld more ions do not fit in the %lld bytes "
                                                  "left",
                                  (long long)counts[s], (long long)enuf_text_left(text, line));
        *n += counts[s];
    }
    if (*n == 0) return enuf_text_fail(text, line->number, "there are no ions");
    return ENUF_SUCCESS;
}

static enuf_status name_species(const enuf_text *text, int64_t line, const enuf_word *names,
                                const int64_t *counts, enuf_reading *reading)
{
    enuf_structure *ions = &reading->ions;
    int64_t i = 0;
    for (int32_t s = 0; s < ions->n_species; ++s) {
        const enuf_word name = species_name(names[s]);
        if (!enuf_structure_set_name(ions, s, name.begin, name.length))
            return enuf_text_fail(text, line, "species '%.*s' should have 1 to %d characters",
                                  ENUF_SHOWN(names[s]), ENUF_SPECIES_SIZE - 1);
        if (counts[s] > 0) reading->first_lines[s] = line;
        for (int64_t k = 0; k < counts[s]; ++k) ions->species[i++] = s;
    }
    return ENUF_SUCCESS;
}

/* words [2][n]: names of the species, and words of their numbers of ions */
static enuf_status fill_species(const enuf_text *text, enuf_line *line, int n_species,
                                enuf_word *words, int64_t *counts, enuf_reading *reading)
{
    int64_t n;
    ENUF_TRY(read_words(text, line, n_species, "names", words));
    const int64_t names_line = line->number;
    ENUF_TRY(read_counts(text, line, n_species, words + n_species, counts, &n));
    ENUF_TRY(enuf_reading_create(n, n_species, reading));
    return name_species(text, names_line, words, counts, reading);
}

/* Reads names and numbers of ions, creates the reading and sets the species of each ion. */
static enuf_status read_species(const enuf_text *text, enuf_line *line, enuf_reading *reading)
{
    int64_t n, *counts = NULL;
    enuf_word *words = NULL;
    ENUF_TRY(count_names(text, *line, &n));
    enuf_status status = enuf_allocate(&words, 2 * n, sizeof *words, "names of species");
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&counts, n, sizeof *counts, "numbers of ions");
    if (status == ENUF_SUCCESS) status = fill_species(text, line, (int)n, words, counts, reading);
    enuf_release(&counts);
    enuf_release(&words);
    return status;
}

static int begins_with(enuf_word word, const char *letters)
{
    return word.length > 0 && strchr(letters, *word.begin) != NULL;
}

/* VASP reads only the first letter and treats unknown letters as "Direct". */
static enuf_status read_modes(const enuf_text *text, enuf_line *line, int *selective,
                              int *cartesian)
{
    enuf_word word = {"", 0};
    ENUF_TRY(next_line(text, line, "the line 'Direct' or 'Cartesian'"));
    enuf_line_split(line, &word, 1);
    *selective = begins_with(word, "Ss");
    if (*selective) {
        word.length = 0;
        ENUF_TRY(next_line(text, line, "the line 'Direct' or 'Cartesian'"));
        enuf_line_split(line, &word, 1);
    }
    *cartesian = begins_with(word, "CcKk");
    if (*cartesian || begins_with(word, "Dd")) return ENUF_SUCCESS;
    return enuf_text_fail(text, line->number, "'%.*s' where 'Direct' or 'Cartesian' should stand%s",
                          ENUF_SHOWN(word), *selective ? "" : " (or 'Selective dynamics')");
}

/* "T", "F", ".TRUE.", "f" */
static int is_flag(enuf_word word)
{
    if (begins_with(word, ".")) {
        ++word.begin;
        --word.length;
    }
    return begins_with(word, "TtFf");
}

static enuf_status read_ion(const enuf_text *text, const enuf_line *line, int selective,
                            double coordinates[3])
{
    enum { MOST_WORDS = 7 }; /* coordinates, flags, and one of the further words */
    enuf_word words[MOST_WORDS];
    const int needed = selective ? 6 : 3;
    const int n = enuf_line_split(line, words, MOST_WORDS);
    if (n < needed)
        return enuf_text_fail(text, line->number, "%d words, but an ion's line has %s", n,
                              selective ? "3 coordinates and 3 flags T or F" : "3 coordinates");
    ENUF_TRY(read_numbers(text, line, words, 3, "coordinate", coordinates));
    for (int f = 3; f < needed; ++f)
        if (!is_flag(words[f]))
            return enuf_text_fail(text, line->number, "flag '%.*s' should be T or F",
                                  ENUF_SHOWN(words[f]));
    if (n > needed && enuf_word_begins_number(words[needed]))
        return enuf_text_fail(text, line->number, "'%.*s': one word more than an ion's line has",
                              ENUF_SHOWN(words[needed]));
    return ENUF_SUCCESS;
}

static void place(const poscar_cell *cell, int cartesian, const double x[3], double position[3])
{
    for (int k = 0; k < 3; ++k)
        position[k] = cartesian ? cell->scale[k] * x[k]
                                : x[0] * cell->vectors[k] + x[1] * cell->vectors[3 + k] +
                                      x[2] * cell->vectors[6 + k];
}

static enuf_status read_ions(const enuf_text *text, enuf_line *line, const poscar_cell *cell,
                             enuf_structure *ions)
{
    int selective, cartesian;
    ENUF_TRY(read_modes(text, line, &selective, &cartesian));
    for (int64_t i = 0; i < ions->n; ++i) {
        double x[3], *position = &ions->positions[3 * i];
        if (!enuf_text_next(text, line))
            return enuf_text_fail(text, line->number, "the file ends after %lld of %lld ions",
                                  (long long)i, (long long)ions->n);
        ENUF_TRY(enuf_reading_check_whole_line(text, line));
        cut_comment(line);
        ENUF_TRY(read_ion(text, line, selective, x));
        place(cell, cartesian, x, position);
        for (int d = 0; d < 3; ++d)
            if (!isfinite(position[d]))
                return enuf_text_fail(text, line->number, "the ion's position is not finite");
    }
    return ENUF_SUCCESS;
}

/* Checks the text behind the ions: the file's end, or a blank line or heading before velocities. */
static enuf_status check_end(const enuf_text *text, enuf_line *line, int64_t n)
{
    enuf_word first = {"", 0};
    if (!enuf_text_next(text, line)) return ENUF_SUCCESS;
    enuf_line_split(line, &first, 1);
    if (!enuf_word_begins_number(first)) return ENUF_SUCCESS;
    return enuf_text_fail(
        text, line->number,
        "one line more than the %lld ions (a blank line stands before velocities)", (long long)n);
}

enuf_status enuf_read_poscar(const enuf_text *text, enuf_reading *reading)
{
    enuf_line line = {0};
    poscar_cell cell;
    enuf_text_next(text, &line); /* the title */
    ENUF_TRY(read_cell(text, &line, &cell));
    ENUF_TRY(read_species(text, &line, reading));
    memcpy(reading->ions.cell, cell.vectors, sizeof cell.vectors);
    enuf_reading_explain(reading, "a POSCAR has none");
    reading->ions.cell_line = cell.line;
    ENUF_TRY(read_ions(text, &line, &cell, &reading->ions));
    return check_end(text, &line, reading->ions.n);
}
