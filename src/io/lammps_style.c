/*
 * lammps_style.c - see lammps_style.h.
 * Source of the layouts: LAMMPS manual, read_data, table of the Atoms section.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lammps_style.h"

#include "error.h"

#include <stdio.h>
#include <string.h>

static const enuf_lammps_style styles[] = {
    /* name, layout, columns, type, molecule, charge, position */
    {"angle", "id mol type x y z", 6, 2, 1, -1, 3},
    {"atomic", "id type x y z", 5, 1, -1, -1, 2},
    {"body", "id type bodyflag mass x y z", 7, 1, -1, -1, 4},
    {"bond", "id mol type x y z", 6, 2, 1, -1, 3},
    {"bpm/sphere", "id mol type diameter density x y z", 8, 2, 1, -1, 5},
    {"charge", "id type q x y z", 6, 1, -1, 2, 3},
    {"dipole", "id type q x y z mux muy muz", 9, 1, -1, 2, 3},
    {"dpd", "id type theta x y z", 6, 1, -1, -1, 3},
    {"edpd", "id type temp cv x y z", 7, 1, -1, -1, 4},
    {"electron", "id type q spin eradius x y z", 8, 1, -1, 2, 5},
    {"ellipsoid", "id type ellipsoidflag density x y z", 7, 1, -1, -1, 4},
    {"full", "id mol type q x y z", 7, 2, 1, 3, 4},
    {"line", "id mol type lineflag density x y z", 8, 2, 1, -1, 5},
    {"mdpd", "id type rho x y z", 6, 1, -1, -1, 3},
    {"molecular", "id mol type x y z", 6, 2, 1, -1, 3},
    {"peri", "id type volume density x y z", 7, 1, -1, -1, 4},
    {"sph", "id type rho esph cv x y z", 8, 1, -1, -1, 5},
    {"sphere", "id type diameter density x y z", 7, 1, -1, -1, 4},
    {"tri", "id mol type triangleflag density x y z", 8, 2, 1, -1, 5},
    {"wavepacket", "id type q spin eradius etag cs_re cs_im x y z", 11, 1, -1, 2, 8},
};

enum { N_STYLES = sizeof styles / sizeof *styles };

/* Styles that cannot be read: the file alone does not give their charges or columns. */
static const struct {
    const char *name, *reason;
} refused[] = {
    {"amoeba", "its charges, dipoles and quadrupoles stand in another file"},
    {"dielectric", "its charges are screened by each atom's own dielectric constant"},
    {"hybrid", "the order of its sub-styles, and so of its columns, is not in the file"},
    {"smd", "it has no charges, and its particles are no points"},
    {"spin", "it has no charges, and the order of its columns depends on the version of LAMMPS"},
    {"tdpd", "it has no charges, and the number of its columns is not in the file"},
    {"template", "its charges stand in the file of the molecules"},
};

static const enuf_lammps_style *named(enuf_word name)
{
    for (int s = 0; s < N_STYLES; ++s)
        if (enuf_word_is(name, styles[s].name)) return &styles[s];
    return NULL;
}

static enuf_status refuse_name(const enuf_text *text, int64_t line, enuf_word name)
{
    char list[256];
    size_t used = 0;
    for (size_t r = 0; r < sizeof refused / sizeof *refused; ++r)
        if (enuf_word_is(name, refused[r].name))
            return enuf_text_fail(text, line,
                                  "atom_style %s: %s. Write the file with atom_style "
                                  "full or charge",
                                  refused[r].name, refused[r].reason);
    for (int s = 0; s < N_STYLES; ++s)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", s > 0 ? ", " : "",
                                 styles[s].name);
    return enuf_text_fail(text, line, "atom style '%.*s' is none of %s", ENUF_SHOWN(name), list);
}

static int is_integer(enuf_word word)
{
    for (size_t i = *word.begin == '-'; i < word.length; ++i)
        if (word.begin[i] < '0' || word.begin[i] > '9') return 0;
    return 1;
}

static int are_integers(const enuf_word *words, int n)
{
    for (int w = 0; w < n; ++w)
        if (!is_integer(words[w])) return 0;
    return 1;
}

/*
 * The style of a line by its columns, or NULL. Six columns are `charge` if the third cannot be a
 * type; otherwise they may also be `molecular`. Rare styles (sphere, ellipsoid, dipole, ...) have
 * to be named in the file.
 */
static const enuf_lammps_style *deduced(const enuf_word *words, int n)
{
    static const struct {
        const char *name;
        int integers, real; /* the first `integers` columns are integers; column `real` is not */
    } common[] = {{"atomic", 2, 2}, {"charge", 2, 2}, {"full", 3, 3}};
    for (int c = 0; c < 3; ++c) {
        const enuf_lammps_style *style = named((enuf_word){common[c].name, strlen(common[c].name)});
        int images = n == style->columns + 3 && are_integers(words + style->columns, 3);
        if (n != style->columns && !images) continue;
        if (!are_integers(words, common[c].integers)) continue;
        if (style->columns == 6 && is_integer(words[common[c].real])) continue;
        return style;
    }
    return NULL;
}

enuf_status enuf_lammps_style_find(const enuf_text *text, const enuf_line *section,
                                   const enuf_line *first_atom, const enuf_lammps_style **style,
                                   int *is_named)
{
    enuf_line comment = enuf_line_comment(section);
    enuf_word word, words[ENUF_LAMMPS_MOST_COLUMNS];
    *is_named = enuf_line_split(&comment, &word, 1) > 0;
    if (*is_named) {
        *style = named(word);
        return *style ? ENUF_SUCCESS : refuse_name(text, section->number, word);
    }
    int n = enuf_line_split(first_atom, words, ENUF_LAMMPS_MOST_COLUMNS);
    *style = n <= ENUF_LAMMPS_MOST_COLUMNS ? deduced(words, n) : NULL;
    if (*style) return ENUF_SUCCESS;
    return enuf_text_fail(
        text, first_atom->number,
        "%d columns do not tell the atom style: write it behind the section's name, "
        "e.g. 'Atoms # full' on line %lld",
        n, (long long)section->number);
}
