/* reading.c - shared by the readers; see reading.h. SPDX-License-Identifier: BSD-3-Clause */
#include "reading.h"

#include "error.h"
#include "ids.h"
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Volume over the product of the edges: below it, positions lose more than half of their digits. */
static const double FLATTEST_CELL = 1e-8;

enuf_status enuf_reading_create(int64_t n, int32_t n_species, enuf_reading *reading)
{
    ENUF_TRY(enuf_structure_create(n, n_species, &reading->ions));
    reading->ions.units = ENUF_UNITS_METAL;
    ENUF_TRY(enuf_allocate(&reading->first_lines, n_species, sizeof(int64_t), "species"));
    memset(reading->first_lines, 0, (size_t)n_species * sizeof(int64_t));
    return ENUF_SUCCESS;
}

void enuf_reading_free(enuf_reading *reading)
{
    enuf_structure_free(&reading->ions);
    enuf_release(&reading->first_lines);
}

void enuf_reading_explain(enuf_reading *reading, const char *why_no_charges)
{
    snprintf(reading->why_no_charges, sizeof reading->why_no_charges, "%s", why_no_charges);
}

/* Doubles the room for species when it is used up: at 1, 2, 4, ... */
static enuf_status grow_species(enuf_reading *reading)
{
    enuf_structure *ions = &reading->ions;
    int32_t n = ions->n_species;
    if ((n & (n - 1)) != 0) return ENUF_SUCCESS;
    char(*names)[ENUF_SPECIES_SIZE];
    int64_t *lines;
    ENUF_TRY(enuf_allocate(&names, n > 0 ? 2 * n : 1, sizeof *names, "names of species"));
    memcpy(names, ions->species_names, (size_t)n * sizeof *names);
    enuf_release(&ions->species_names);
    ions->species_names = names;
    ENUF_TRY(enuf_allocate(&lines, n > 0 ? 2 * n : 1, sizeof *lines, "species"));
    memcpy(lines, reading->first_lines, (size_t)n * sizeof *lines);
    enuf_release(&reading->first_lines);
    reading->first_lines = lines;
    return ENUF_SUCCESS;
}

enuf_status enuf_reading_species(const enuf_text *text, int64_t line, enuf_word name,
                                 enuf_reading *reading, int32_t *species)
{
    enuf_structure *ions = &reading->ions;
    for (*species = 0; *species < ions->n_species; ++*species)
        if (enuf_word_is(name, ions->species_names[*species])) return ENUF_SUCCESS;
    if (*species == ENUF_MOST_SPECIES)
        return enuf_text_fail(text, line, "more than %d different species", ENUF_MOST_SPECIES);
    ENUF_TRY(grow_species(reading));
    if (!enuf_structure_set_name(ions, *species, name.begin, name.length))
        return enuf_text_fail(text, line, "species '%.*s' has more than %d characters",
                              ENUF_SHOWN(name), ENUF_SPECIES_SIZE - 1);
    reading->first_lines[*species] = line;
    ions->n_species += 1;
    return ENUF_SUCCESS;
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

enuf_status enuf_reading_check_cell(const enuf_text *text, int64_t line, const double cell[9])
{
    enuf_structure box = {0};
    memcpy(box.cell, cell, sizeof box.cell);
    double volume = enuf_structure_volume(&box);
    double edges = length(cell) * length(cell + 3) * length(cell + 6);
    if (volume > FLATTEST_CELL * edges && isfinite(volume) && isfinite(edges)) return ENUF_SUCCESS;
    return enuf_text_fail(text, line,
                          "the cell has no volume: a = (%g, %g, %g), b = (%g, %g, %g), "
                          "c = (%g, %g, %g)",
                          cell[0], cell[1], cell[2], cell[3], cell[4], cell[5], cell[6], cell[7],
                          cell[8]);
}

enuf_status enuf_reading_check_whole_line(const enuf_text *text, const enuf_line *line)
{
    if (line->end < text->bytes + text->size) return ENUF_SUCCESS;
    return enuf_text_fail(
        text, line->number,
        "the file ends without a newline, so this line may be incomplete: end it with a newline");
}

/* Bytes added to an estimate, so that it is rarely too small. */
enum { SPARE = 1 << 16 };

int64_t enuf_reading_missing(const enuf_text *text, enuf_line line, int64_t n)
{
    const char *begin = line.next;
    const int64_t whole = enuf_text_skip(text, &line, n);
    while (whole == n && enuf_text_skip(text, &line, 1) == 1)
        if (line.end > line.begin) return 0;
    const double bytes = whole > 0 ? (double)(line.next - begin) / (double)whole : 64.0;
    const double missing = bytes * (double)(n - whole);
    return missing < 1e15 ? (int64_t)missing + SPARE : INT64_MAX / 2;
}

enuf_status enuf_reading_use_cell(const enuf_text *text, int64_t line, int in_file, const char *why,
                                  enuf_reading *reading)
{
    enuf_structure *ions = &reading->ions;
    ions->cell_line = in_file ? line : 0;
    if (in_file) return enuf_reading_check_cell(text, line, ions->cell);
    if (reading->given_cell) {
        memcpy(ions->cell, reading->given_cell, sizeof ions->cell);
        return enuf_reading_check_cell(text, line, ions->cell);
    }
    if (!reading->without_cell)
        return enuf_text_fail(text, line, "%s: an Ewald sum needs a cell; --cell gives one", why);
    memset(ions->cell, 0, sizeof ions->cell);
    memset(ions->periodic, 0, sizeof ions->periodic);
    return ENUF_SUCCESS;
}

enuf_status enuf_reading_check_ids(const enuf_text *text, int64_t first, const enuf_structure *ions)
{
    enuf_id *sorted;
    enuf_status status = ENUF_SUCCESS;
    ENUF_TRY(enuf_ids_sort(ions->n, ions->ids, &sorted));
    const int64_t k = enuf_ids_repeated(ions->n, sorted);
    if (k >= 0)
        status =
            enuf_text_fail(text, sorted[k + 1].ion + first, "atom id %lld stands on line %lld too",
                           (long long)sorted[k].id, (long long)(sorted[k].ion + first));
    enuf_release(&sorted);
    return status;
}
