/*
 * lammps_words.c - see lammps_words.h. Source: LAMMPS manual, read_data.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lammps_words.h"

#include "error.h"

#include <string.h>
#include <strings.h>

const enuf_lammps_keyword enuf_lammps_keywords[] = {
    [ENUF_LAMMPS_XLO] = {"xlo xhi", 2},
    [ENUF_LAMMPS_YLO] = {"ylo yhi", 2},
    [ENUF_LAMMPS_ZLO] = {"zlo zhi", 2},
    [ENUF_LAMMPS_TILT] = {"xy xz yz", 3},
    [ENUF_LAMMPS_AVEC] = {"avec", 3},
    [ENUF_LAMMPS_BVEC] = {"bvec", 3},
    [ENUF_LAMMPS_CVEC] = {"cvec", 3},
    [ENUF_LAMMPS_ORIGIN] = {"abc origin", 3},
    [ENUF_LAMMPS_ATOMS] = {"atoms", 1},
    [ENUF_LAMMPS_ATOM_TYPES] = {"atom types", 1},
    [ENUF_LAMMPS_BONDS] = {"bonds", 1},
    /* not used by enuf from here on */
    {"bond types", 1},
    {"angles", 1},
    {"angle types", 1},
    {"dihedrals", 1},
    {"dihedral types", 1},
    {"impropers", 1},
    {"improper types", 1},
    {"extra bond per atom", 1},
    {"extra angle per atom", 1},
    {"extra dihedral per atom", 1},
    {"extra improper per atom", 1},
    {"extra special per atom", 1},
    {"ellipsoids", 1},
    {"lines", 1},
    {"triangles", 1},
    {"bodies", 1},
    /* of fixes: cmap, amoeba/bitorsion, amoeba/pitorsion */
    {"crossterms", 1},
    {"bitorsions", 1},
    {"pitorsions", 1},
    {"pitorsion types", 1},
};

enum { N_KEYWORDS = sizeof enuf_lammps_keywords / sizeof *enuf_lammps_keywords };

const char *const enuf_lammps_sections[] = {
    [ENUF_LAMMPS_ATOMS_SECTION] = "Atoms",
    [ENUF_LAMMPS_BONDS_SECTION] = "Bonds",
    [ENUF_LAMMPS_MASSES_SECTION] = "Masses",
    [ENUF_LAMMPS_LABELS_SECTION] = "Atom Type Labels",
    "Velocities",
    "Ellipsoids",
    "Lines",
    "Triangles",
    "Bodies",
    "Angles",
    "Dihedrals",
    "Impropers",
    "Bond Type Labels",
    "Angle Type Labels",
    "Dihedral Type Labels",
    "Improper Type Labels",
    "Pair Coeffs",
    "PairIJ Coeffs",
    "Bond Coeffs",
    "Angle Coeffs",
    "Dihedral Coeffs",
    "Improper Coeffs",
    "BondBond Coeffs",
    "BondAngle Coeffs",
    "MiddleBondTorsion Coeffs",
    "EndBondTorsion Coeffs",
    "AngleTorsion Coeffs",
    "AngleAngleTorsion Coeffs",
    "BondBond13 Coeffs",
    "AngleAngle Coeffs",
};

enum { N_SECTIONS = sizeof enuf_lammps_sections / sizeof *enuf_lammps_sections };

enuf_lammps_words enuf_lammps_split(const enuf_line *line)
{
    enuf_lammps_words words;
    words.n = enuf_line_split(line, words.word, ENUF_LAMMPS_MOST_WORDS);
    return words;
}

/* Steps through the words of a constant text; 0 at its end. */
static int next_word(const char **at, enuf_word *word)
{
    *at += strspn(*at, " ");
    *word = (enuf_word){*at, strcspn(*at, " ")};
    *at += word->length;
    return word->length > 0;
}

static int count_words(const char *text)
{
    enuf_word word;
    int n = 0;
    while (next_word(&text, &word)) ++n;
    return n;
}

int enuf_lammps_are_words(const enuf_lammps_words *words, int first, const char *text)
{
    enuf_word word;
    int k = first;
    for (; next_word(&text, &word); ++k)
        if (k >= words->n || words->word[k].length != word.length ||
            memcmp(words->word[k].begin, word.begin, word.length) != 0)
            return 0;
    return k == words->n;
}

int enuf_lammps_find_keyword(const enuf_lammps_words *words, int *first)
{
    if (words->n > ENUF_LAMMPS_MOST_WORDS) return -1;
    for (int k = 0; k < N_KEYWORDS; ++k) {
        *first = words->n - count_words(enuf_lammps_keywords[k].words);
        if (*first >= 0 && enuf_lammps_are_words(words, *first, enuf_lammps_keywords[k].words))
            return k;
    }
    return -1;
}

int enuf_lammps_find_section(const enuf_lammps_words *words)
{
    for (int s = 0; s < N_SECTIONS; ++s)
        if (words->n <= ENUF_LAMMPS_MOST_WORDS &&
            enuf_lammps_are_words(words, 0, enuf_lammps_sections[s]))
            return s;
    return -1;
}

/* Whether two words begin alike, in upper or lower case: four letters, or all letters of a shorter
 * word. */
static int is_alike(enuf_word a, enuf_word b)
{
    const size_t shorter = a.length < b.length ? a.length : b.length;
    const size_t compared = shorter < 4 ? shorter : 4;
    if (shorter < 4 && a.length != b.length) return 0;
    return strncasecmp(a.begin, b.begin, compared) == 0;
}

/* Number of words of a line that resemble a word of a text. */
static int count_alike(const enuf_lammps_words *words, const char *text)
{
    enuf_word word;
    int alike = 0;
    while (next_word(&text, &word))
        for (int w = 0; w < words->n && w < ENUF_LAMMPS_MOST_WORDS; ++w)
            alike += is_alike(words->word[w], word);
    return alike;
}

/* The keyword or section that shares most words with the line; -1: none. */
static int nearest_keyword(const enuf_lammps_words *words)
{
    int nearest = -1, most = 0;
    for (int k = 0; k < N_KEYWORDS; ++k) {
        const int alike = count_alike(words, enuf_lammps_keywords[k].words);
        if (alike > most) nearest = k;
        if (alike > most) most = alike;
    }
    return nearest;
}

static int nearest_section(const enuf_lammps_words *words)
{
    int nearest = -1, most = 0;
    for (int s = 0; s < N_SECTIONS; ++s) {
        const int alike = count_alike(words, enuf_lammps_sections[s]);
        if (alike > most) nearest = s;
        if (alike > most) most = alike;
    }
    return nearest;
}

enuf_status enuf_lammps_refuse_line(const enuf_text *text, const enuf_line *line,
                                    const enuf_lammps_words *words)
{
    const int shown = line->end - line->begin < 60 ? (int)(line->end - line->begin) : 60;
    const int section = enuf_word_begins_number(words->word[0]) ? -1 : nearest_section(words);
    const int keyword = nearest_keyword(words);
    if (section >= 0)
        return enuf_text_fail(text, line->number,
                              "'%.*s' is no section: LAMMPS knows '%s', alone on its line (a "
                              "comment begins with '#')",
                              shown, line->begin, enuf_lammps_sections[section]);
    if (keyword >= 0)
        return enuf_text_fail(text, line->number,
                              "'%.*s' is no line of a header: LAMMPS knows '%s' behind %d number%s "
                              "(a comment begins with '#')",
                              shown, line->begin, enuf_lammps_keywords[keyword].words,
                              enuf_lammps_keywords[keyword].numbers,
                              enuf_lammps_keywords[keyword].numbers == 1 ? "" : "s");
    return enuf_text_fail(text, line->number,
                          "'%.*s' is neither a line of the header, such as '64 atoms', nor a "
                          "section's name (a comment begins with '#')",
                          shown, line->begin);
}

int enuf_lammps_is_foreign(const enuf_lammps_words *words)
{
    return nearest_keyword(words) < 0 && nearest_section(words) < 0;
}
