/* cif_formula.c - see cif_formula.h. SPDX-License-Identifier: BSD-3-Clause */
#include "cif_formula.h"

#include "error.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Elements of a formula that are compared; a longer one is passed over. */
enum { MOST_ELEMENTS = 32 };

/* Relative; formulae of many atoms are rounded to a few digits. */
static const double NUMBER_TOLERANCE = 1e-3;

typedef struct element {
    enuf_word letters;
    double number; /* in the formula */
    int64_t ions;
} element;

static size_t letters_at(const char *begin, size_t most)
{
    size_t n = 0;
    while (n < most && isalpha((unsigned char)begin[n])) ++n;
    return n;
}

/* "F2": letters and a number, 1 if there is none */
static int parse_element(enuf_word word, element *e)
{
    e->letters = (enuf_word){word.begin, letters_at(word.begin, word.length)};
    e->ions = 0;
    e->number = 1.0;
    if (e->letters.length == 0 || e->letters.length > 2) return 0;
    if (e->letters.length == word.length) return 1;
    char *end;
    e->number = strtod(word.begin + e->letters.length, &end);
    return end == word.begin + word.length && e->number > 0.0 && isfinite(e->number);
}

/* The number of elements, 0 where the formula is not understood. */
static int parse_formula(enuf_word formula, element *elements)
{
    enuf_word words[MOST_ELEMENTS];
    const enuf_line line = {.begin = formula.begin, .end = formula.begin + formula.length};
    const int n = enuf_line_split(&line, words, MOST_ELEMENTS);
    if (n > MOST_ELEMENTS) return 0;
    for (int e = 0; e < n; ++e)
        if (!parse_element(words[e], &elements[e])) return 0;
    return n;
}

/* "Ca", and not "OW": a label that was taken for want of a symbol */
static int is_symbol(const char *name, size_t letters)
{
    return letters > 0 && letters <= 2 && isupper((unsigned char)name[0]) &&
           (letters == 1 || islower((unsigned char)name[1]));
}

/* Adds the ions of each species ("Ca2+" is Ca) to its element; 0 where that cannot be said. */
static int count_ions(const enuf_structure *ions, element *elements, int *n)
{
    element *of_species[MOST_ELEMENTS];
    if (ions->n_species > MOST_ELEMENTS) return 0;
    for (int32_t s = 0; s < ions->n_species; ++s) {
        const char *name = ions->species_names[s];
        const enuf_word letters = {name, letters_at(name, ENUF_SPECIES_SIZE - 1)};
        if (!is_symbol(name, letters.length)) return 0;
        int e = 0;
        while (e < *n && (elements[e].letters.length != letters.length ||
                          memcmp(elements[e].letters.begin, name, letters.length) != 0))
            ++e;
        if (e == MOST_ELEMENTS) return 0;
        if (e == *n) elements[(*n)++] = (element){letters, 0.0, 0};
        of_species[s] = &elements[e];
    }
    for (int64_t i = 0; i < ions->n; ++i) of_species[ions->species[i]]->ions += 1;
    return 1;
}

/* Formula units in the cell; 0 where the file does not say. */
static double formula_units(const enuf_cif *cif)
{
    const enuf_cif_column column = enuf_cif_find(cif, "_cell_formula_units_Z");
    if (column.n == 0) return 0.0;
    const enuf_word word = enuf_cif_at(cif, column, 0).word;
    char *end;
    const double units = word.length > 0 ? strtod(word.begin, &end) : 0.0;
    return word.length > 0 && end == word.begin + word.length && units > 0.0 ? units : 0.0;
}

enuf_status enuf_cif_formula_check(const enuf_text *text, const enuf_cif *cif,
                                   const enuf_structure *ions)
{
    element elements[MOST_ELEMENTS];
    const enuf_cif_column column = enuf_cif_find(cif, "_chemical_formula_sum");
    if (column.n == 0) return ENUF_SUCCESS;
    const enuf_cif_value formula = enuf_cif_at(cif, column, 0);
    int n = parse_formula(formula.word, elements);
    if (n == 0 || !count_ions(ions, elements, &n)) return ENUF_SUCCESS;
    double units = formula_units(cif);
    if (units == 0.0) units = (double)elements[0].ions / elements[0].number;
    for (int e = 0; e < n; ++e) {
        const double expected = units * elements[e].number;
        if (fabs((double)elements[e].ions - expected) <= NUMBER_TOLERANCE * expected) continue;
        return enuf_text_fail(text, formula.line,
                              "formula '%.*s' asks for %g %.*s in the cell, but sites and symmetry "
                              "give %lld: sites are missing, or the formula is wrong",
                              ENUF_SHOWN(formula.word), expected, ENUF_SHOWN(elements[e].letters),
                              (long long)elements[e].ions);
    }
    return ENUF_SUCCESS;
}
