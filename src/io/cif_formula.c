/* cif_formula.c - see cif_formula.h. SPDX-License-Identifier: BSD-3-Clause */
#include "cif_formula.h"

#include "error.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Elements of a formula that are compared; a longer one is passed over. */
enum { MOST_ELEMENTS = 32 };

/* In a formula whose numbers are divided; bounds the search for divisors. */
static const double MOST_ATOMS = 1e6;

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

/* Whether a number is whole, and above 0. */
static int is_whole(double number)
{
    const double nearest = rint(number);
    return nearest >= 1.0 && fabs(number - nearest) <= NUMBER_TOLERANCE * nearest;
}

/* Greatest common divisor of a formula's numbers; 1 where they are not all whole. */
static int64_t common_divisor(const element *elements, int n)
{
    int64_t divisor = 0;
    for (int e = 0; e < n; ++e) {
        if (!is_whole(elements[e].number) || elements[e].number > MOST_ATOMS) return 1;
        int64_t a = divisor, b = (int64_t)rint(elements[e].number);
        while (b > 0) {
            const int64_t rest = a % b;
            a = b;
            b = rest;
        }
        divisor = a;
    }
    return divisor > 0 ? divisor : 1;
}

/*
 * Formulae in the cell: of the numbers that Z allows the one nearest to `actual`, any whole number
 * where the file has no Z. The formula may hold several of the units that Z counts: "Na4 Cl4" is
 * the cell of Z = 4 units NaCl, as pymatgen writes it.
 */
static double formulae_in_cell(double z, int64_t divisor, double actual)
{
    double best = z > 0.0 ? z : fmax(1.0, ceil(actual - NUMBER_TOLERANCE * actual));
    for (int64_t units = 2; units <= divisor && (double)units < z + 0.5; ++units)
        if (divisor % units == 0 && is_whole(z / (double)units) &&
            fabs(z / (double)units - actual) < fabs(best - actual))
            best = z / (double)units;
    return best;
}

enuf_status enuf_cif_formula_check(const enuf_text *text, const enuf_cif *cif,
                                   const enuf_structure *ions)
{
    element elements[MOST_ELEMENTS];
    const enuf_cif_column column = enuf_cif_find(cif, "_chemical_formula_sum");
    if (column.n == 0) return ENUF_SUCCESS;
    const enuf_cif_value formula = enuf_cif_at(cif, column, 0);
    const int in_formula = parse_formula(formula.word, elements);
    int n = in_formula;
    if (n == 0 || !count_ions(ions, elements, &n)) return ENUF_SUCCESS;
    const double multiple =
        formulae_in_cell(formula_units(cif), common_divisor(elements, in_formula),
                         (double)elements[0].ions / elements[0].number);
    for (int e = 0; e < n; ++e) {
        const double expected = multiple * elements[e].number;
        if (fabs((double)elements[e].ions - expected) <= NUMBER_TOLERANCE * expected) continue;
        return enuf_text_fail(text, formula.line,
                              "formula '%.*s' asks for %g %.*s in the cell, but sites and symmetry "
                              "give %lld: sites are missing, or the formula is wrong",
                              ENUF_SHOWN(formula.word), expected, ENUF_SHOWN(elements[e].letters),
                              (long long)elements[e].ions);
    }
    return ENUF_SUCCESS;
}
