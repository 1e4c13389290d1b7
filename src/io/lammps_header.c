/*
 * lammps_header.c - see lammps_header.h.
 *
 * The first line is a title. Then each line holds numbers and a keyword ("64 atoms", "0 20 xlo
 * xhi"), up to the first section; a section begins with a line that is its name and nothing else.
 * Keywords and sections: LAMMPS manual, read_data.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lammps_header.h"

#include "error.h"
#include "reading.h"
#include "units.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { MOST_WORDS = 16 };

/* Keywords that are used. Box: bounds of x, y, z and tilts, or three vectors and their origin. */
enum { XLO, YLO, ZLO, TILT, AVEC, BVEC, CVEC, ORIGIN, N_BOX, ATOMS = N_BOX, ATOM_TYPES, BONDS };

/* A keyword stands behind its numbers; those of the box are reals, all others one count. */
static const struct {
    const char *words;
    int numbers;
} keywords[] = {
    [XLO] = {"xlo xhi", 2},
    [YLO] = {"ylo yhi", 2},
    [ZLO] = {"zlo zhi", 2},
    [TILT] = {"xy xz yz", 3},
    [AVEC] = {"avec", 3},
    [BVEC] = {"bvec", 3},
    [CVEC] = {"cvec", 3},
    [ORIGIN] = {"abc origin", 3},
    [ATOMS] = {"atoms", 1},
    [ATOM_TYPES] = {"atom types", 1},
    [BONDS] = {"bonds", 1},
    /* from here on no matter of Coulomb's law */
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

enum { N_KEYWORDS = sizeof keywords / sizeof *keywords };

/* Sections that are read, by their place here; those of the others are passed over. */
enum { ATOMS_SECTION, BONDS_SECTION, MASSES_SECTION, LABELS_SECTION, N_READ };

static const char *const sections[] = {
    [ATOMS_SECTION] = "Atoms",
    [BONDS_SECTION] = "Bonds",
    [MASSES_SECTION] = "Masses",
    [LABELS_SECTION] = "Atom Type Labels",
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

enum { N_SECTIONS = sizeof sections / sizeof *sections };

typedef struct box_lines {
    double numbers[N_BOX][3];
    int64_t line[N_BOX]; /* 0: not given */
} box_lines;

/* The words of a line; n counts those beyond MOST_WORDS too. */
typedef struct line_words {
    enuf_word word[MOST_WORDS];
    int n;
} line_words;

static line_words split(const enuf_line *line)
{
    line_words words;
    words.n = enuf_line_split(line, words.word, MOST_WORDS);
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

/* Whether the line's words from `first` on are those of a text. */
static int are_words(const line_words *words, int first, const char *text)
{
    enuf_word word;
    int k = first;
    for (; next_word(&text, &word); ++k)
        if (k >= words->n || words->word[k].length != word.length ||
            memcmp(words->word[k].begin, word.begin, word.length) != 0)
            return 0;
    return k == words->n;
}

/* The keyword at the line's end; -1: none. *first is its first word. */
static int find_keyword(const line_words *words, int *first)
{
    if (words->n > MOST_WORDS) return -1;
    for (int k = 0; k < N_KEYWORDS; ++k) {
        *first = words->n - count_words(keywords[k].words);
        if (*first >= 0 && are_words(words, *first, keywords[k].words)) return k;
    }
    return -1;
}

static int find_section(const line_words *words)
{
    for (int s = 0; s < N_SECTIONS; ++s)
        if (words->n <= MOST_WORDS && are_words(words, 0, sections[s])) return s;
    return -1;
}

/* Whether one word begins like the other, whatever the case: four letters, or all of a short one.
 */
static int is_alike(enuf_word a, enuf_word b)
{
    const size_t shorter = a.length < b.length ? a.length : b.length;
    const size_t compared = shorter < 4 ? shorter : 4;
    if (shorter < 4 && a.length != b.length) return 0;
    return strncasecmp(a.begin, b.begin, compared) == 0;
}

/* Words of a line that are like a text's. */
static int count_alike(const line_words *words, const char *text)
{
    enuf_word word;
    int alike = 0;
    while (next_word(&text, &word))
        for (int w = 0; w < words->n && w < MOST_WORDS; ++w)
            alike += is_alike(words->word[w], word);
    return alike;
}

/* The keyword, or the section, with most words like the line's; -1: none has any. */
static int nearest_keyword(const line_words *words)
{
    int nearest = -1, most = 0;
    for (int k = 0; k < N_KEYWORDS; ++k) {
        const int alike = count_alike(words, keywords[k].words);
        if (alike > most) nearest = k;
        if (alike > most) most = alike;
    }
    return nearest;
}

static int nearest_section(const line_words *words)
{
    int nearest = -1, most = 0;
    for (int s = 0; s < N_SECTIONS; ++s) {
        const int alike = count_alike(words, sections[s]);
        if (alike > most) nearest = s;
        if (alike > most) most = alike;
    }
    return nearest;
}

/* Says which keyword, or section where the line begins with a letter, it may have been meant for.
 */
static enuf_status refuse_line(const enuf_text *text, const enuf_line *line,
                               const line_words *words)
{
    const int shown = line->end - line->begin < 60 ? (int)(line->end - line->begin) : 60;
    const int section = enuf_word_begins_number(words->word[0]) ? -1 : nearest_section(words);
    const int keyword = nearest_keyword(words);
    if (section >= 0)
        return enuf_text_fail(text, line->number,
                              "'%.*s' is no section: LAMMPS knows '%s', alone on its line (a "
                              "comment begins with '#')",
                              shown, line->begin, sections[section]);
    if (keyword >= 0)
        return enuf_text_fail(text, line->number,
                              "'%.*s' is no line of a header: LAMMPS knows '%s' behind %d number%s "
                              "(a comment begins with '#')",
                              shown, line->begin, keywords[keyword].words,
                              keywords[keyword].numbers, keywords[keyword].numbers == 1 ? "" : "s");
    return enuf_text_fail(text, line->number,
                          "'%.*s' is neither a line of the header, such as '64 atoms', nor a "
                          "section's name (a comment begins with '#')",
                          shown, line->begin);
}

static enuf_status read_header_line(const enuf_text *text, const enuf_line *line,
                                    const line_words *words, int keyword, int numbers,
                                    box_lines *box, enuf_lammps_header *header)
{
    const int64_t at = line->number;
    if (numbers != keywords[keyword].numbers)
        return enuf_text_fail(text, at, "%d words before '%s', but %d number%s should stand there",
                              numbers, keywords[keyword].words, keywords[keyword].numbers,
                              keywords[keyword].numbers == 1 ? "" : "s");
    if (keyword < N_BOX) {
        for (int k = 0; k < numbers; ++k)
            ENUF_TRY(
                enuf_word_real(text, at, words->word[k], "box size", &box->numbers[keyword][k]));
        box->line[keyword] = at;
        return ENUF_SUCCESS;
    }
    int64_t count;
    ENUF_TRY(enuf_word_integer(text, at, words->word[0], "count", &count));
    if (count < 0) return enuf_text_fail(text, at, "a count cannot be negative");
    if (keyword == ATOMS) {
        header->atoms = count;
        header->atoms_line = at;
    } else if (keyword == ATOM_TYPES) {
        header->atom_types = count;
        header->atom_types_line = at;
    } else if (keyword == BONDS) {
        header->bonds = count;
        header->bonds_line = at;
    }
    return ENUF_SUCCESS;
}

/* write_data ends the title with "units = real". */
static enuf_status read_title(const enuf_text *text, const enuf_line *line,
                              enuf_lammps_header *header)
{
    enuf_word words[64];
    int n = enuf_line_split(line, words, 64);
    header->units = ENUF_UNITS_METAL;
    for (int w = 0; w + 2 < n && w + 2 < 64; ++w) {
        char name[16] = "";
        enuf_word word = words[w + 2];
        if (!enuf_word_is(words[w], "units") || !enuf_word_is(words[w + 1], "=")) continue;
        if (word.length < sizeof name) memcpy(name, word.begin, word.length);
        if (enuf_units_parse(name, &header->units) != ENUF_SUCCESS)
            return enuf_text_fail(text, 1, "units = %.*s: those known here are real, metal, si, lj",
                                  ENUF_SHOWN(word));
        header->units_given = 1;
    }
    return ENUF_SUCCESS;
}

/*
 * A section of a fix has any name. It is one where a blank line and then numbers follow, and where
 * no word is like one of LAMMPS' own: a misspelt section or header line is not passed over.
 */
static int is_section_of_fix(const enuf_text *text, enuf_line line, const line_words *words)
{
    enuf_word first;
    if (words->n > MOST_WORDS) return 0;
    for (int w = 0; w < words->n; ++w)
        if (!isalpha((unsigned char)*words->word[w].begin)) return 0;
    if (nearest_keyword(words) >= 0 || nearest_section(words) >= 0) return 0;
    if (!enuf_text_next(text, &line) || line.end > line.begin) return 0;
    if (!enuf_text_next_filled(text, &line)) return 0;
    enuf_line_split(&line, &first, 1);
    return enuf_word_begins_number(first);
}

/* fix property/atom gives charges apart from the atoms. */
static enuf_status refuse_charges(const enuf_text *text, const enuf_line *line,
                                  const line_words *words)
{
    if (!are_words(words, 0, "Charges")) return ENUF_SUCCESS;
    return enuf_text_fail(text, line->number,
                          "charges in a section of their own (fix property/atom q) are not read: "
                          "write the data file with an atom style that has charges, e.g. full");
}

static enuf_status begin_section(const enuf_text *text, const enuf_line *line,
                                 const line_words *words, int section, enuf_lammps_header *header)
{
    enuf_line *const lines[N_READ] = {
        [LABELS_SECTION] = &header->labels_section,
        [MASSES_SECTION] = &header->masses_section,
        [ATOMS_SECTION] = &header->atoms_section,
        [BONDS_SECTION] = &header->bonds_section,
    };
    if (section < 0) {
        ENUF_TRY(refuse_charges(text, line, words));
        if (is_section_of_fix(text, *line, words)) return ENUF_SUCCESS;
        return refuse_line(text, line, words);
    }
    if (section >= N_READ) return ENUF_SUCCESS;
    if (lines[section]->number > 0)
        return enuf_text_fail(text, line->number, "a second section %s: the first is on line %lld",
                              sections[section], (long long)lines[section]->number);
    *lines[section] = *line;
    return ENUF_SUCCESS;
}

/* Whether the lines of a section may begin with a label in place of a type's number. */
static int has_labels(int section)
{
    return section == MASSES_SECTION || (section >= 0 && strstr(sections[section], "Coeffs"));
}

/* A line behind the first section: a further section's name, or a line of the present one. */
static enuf_status read_body_line(const enuf_text *text, const enuf_line *line, int *section,
                                  enuf_lammps_header *header)
{
    int first;
    /* a keyword ends in a letter: few lines of numbers need to be looked at */
    const int ends_in_letter = isalpha((unsigned char)line->end[-1]);
    enuf_word begin = {line->begin + strspn(line->begin, " \t\f\v"), 1};
    if (enuf_word_begins_number(begin) && !ends_in_letter) return ENUF_SUCCESS;
    const line_words words = split(line);
    const int found = find_section(&words), keyword = find_keyword(&words, &first);
    if (keyword >= 0 && first == keywords[keyword].numbers && enuf_word_begins_number(begin))
        return enuf_text_fail(text, line->number,
                              "a line of the header behind the first section, which begins on line "
                              "%lld",
                              (long long)header->head_end);
    if (found < 0 && (enuf_word_begins_number(begin) || (has_labels(*section) && words.n > 1)))
        return ENUF_SUCCESS;
    ENUF_TRY(begin_section(text, line, &words, found, header));
    *section = found;
    return ENUF_SUCCESS;
}

/* General triclinic: three vectors, any orientation. */
static enuf_status vectors_of(const enuf_text *text, const box_lines *box,
                              enuf_lammps_header *header)
{
    if (!box->line[AVEC] || !box->line[BVEC] || !box->line[CVEC] || !box->line[ORIGIN])
        return enuf_text_fail(text, header->head_end,
                              "a general triclinic box needs avec, bvec, cvec and abc origin");
    if (box->line[XLO] || box->line[YLO] || box->line[ZLO] || box->line[TILT])
        return enuf_text_fail(text, box->line[AVEC], "two boxes: avec, bvec, cvec and xlo xhi");
    for (int d = 0; d < 3; ++d) {
        for (int k = 0; k < 3; ++k) header->cell[3 * d + k] = box->numbers[AVEC + d][k];
        header->origin[d] = box->numbers[ORIGIN][d];
    }
    header->cell_line = box->line[AVEC];
    return enuf_reading_check_cell(text, header->cell_line, header->cell);
}

/* Restricted triclinic: a along x, b in the plane of x and y. */
static enuf_status bounds_of(const enuf_text *text, const box_lines *box,
                             enuf_lammps_header *header)
{
    static const char axes[] = "xyz";
    for (int d = 0; d < 3; ++d) {
        double low = box->numbers[XLO + d][0], high = box->numbers[XLO + d][1];
        if (!box->line[XLO + d])
            return enuf_text_fail(text, header->head_end,
                                  "the header ends here without the box: '%clo %chi'", axes[d],
                                  axes[d]);
        if (high <= low)
            return enuf_text_fail(text, box->line[XLO + d], "%chi %g is not above %clo %g", axes[d],
                                  high, axes[d], low);
        header->cell[4 * d] = high - low;
        header->origin[d] = low;
    }
    header->cell[3] = box->numbers[TILT][0];
    header->cell[6] = box->numbers[TILT][1];
    header->cell[7] = box->numbers[TILT][2];
    header->cell_line = box->line[XLO];
    return enuf_reading_check_cell(text, header->cell_line, header->cell);
}

enuf_status enuf_lammps_header_read(const enuf_text *text, enuf_lammps_header *header)
{
    enuf_line line = {0};
    box_lines box = {0};
    int in_head = 1, section = -1;
    *header = (enuf_lammps_header){0};
    if (enuf_text_next(text, &line)) ENUF_TRY(read_title(text, &line, header));
    while (enuf_text_next_filled(text, &line)) {
        if (!in_head) {
            ENUF_TRY(read_body_line(text, &line, &section, header));
            continue;
        }
        int numbers;
        const line_words words = split(&line);
        const int keyword = find_keyword(&words, &numbers);
        if (keyword >= 0) {
            ENUF_TRY(read_header_line(text, &line, &words, keyword, numbers, &box, header));
            continue;
        }
        section = find_section(&words);
        in_head = 0;
        header->head_end = line.number;
        ENUF_TRY(begin_section(text, &line, &words, section, header));
    }
    if (in_head) header->head_end = line.number;
    int vectors = box.line[AVEC] || box.line[BVEC] || box.line[CVEC] || box.line[ORIGIN];
    return vectors ? vectors_of(text, &box, header) : bounds_of(text, &box, header);
}
