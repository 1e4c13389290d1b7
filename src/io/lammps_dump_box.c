/*
 * lammps_dump_box.c - see lammps_dump_box.h.
 * Source: LAMMPS manual, dump ("BOX BOUNDS") and Howto triclinic (bounds of the enclosing box).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lammps_dump_box.h"

#include "error.h"

#include <math.h>
#include <string.h>

enum { MOST_WORDS = 9 };

typedef enum box_kind { ORTHOGONAL, RESTRICTED, GENERAL } box_kind;

/* Kinds of boxes: words between BOUNDS and the boundary flags, and how many numbers a line has. */
static const struct {
    const char *words[3];
    int n_words, numbers;
} kinds[] = {
    [ORTHOGONAL] = {{NULL}, 0, 2},
    [RESTRICTED] = {{"xy", "xz", "yz"}, 3, 3},
    [GENERAL] = {{"abc", "origin"}, 2, 4},
};

/* The kind of the box by its words; *flags is the index of the next word. */
static box_kind kind_of(const enuf_word *words, int n, int *flags)
{
    for (int k = RESTRICTED; k <= GENERAL; ++k) {
        int same = n >= 3 + kinds[k].n_words;
        for (int w = 0; w < kinds[k].n_words && same; ++w)
            same = enuf_word_is(words[3 + w], kinds[k].words[w]);
        *flags = 3 + kinds[k].n_words;
        if (same) return (box_kind)k;
    }
    *flags = 3;
    return ORTHOGONAL;
}

/* A word of two letters for each direction, one letter a side: p periodic, f fixed, s and m shrunk
 * to the atoms. */
static enuf_status read_flags(const enuf_text *text, int64_t line, const enuf_word *words, int n,
                              int periodic[3])
{
    for (int d = 0; d < 3; ++d) periodic[d] = 1;
    if (n == 0) return ENUF_SUCCESS; /* LAMMPS before 2010 wrote no flags */
    for (int d = 0; d < 3; ++d) {
        if (n != 3 || words[d].length != 2 || strspn(words[d].begin, "pfsm") < 2)
            return enuf_text_fail(
                text, line,
                "BOX BOUNDS should end with the boundaries, e.g. 'pp pp ff', optionally "
                "after 'xy xz yz' or 'abc origin'");
        periodic[d] = memcmp(words[d].begin, "pp", 2) == 0;
    }
    return ENUF_SUCCESS;
}

/* numbers[d] = low, high and, where the box is tilted, xy, xz, yz of the box around it */
static enuf_status from_bounds(const enuf_text *text, int64_t line, double numbers[3][4],
                               enuf_lammps_dump_box *box)
{
    const double xy = numbers[0][2], xz = numbers[1][2], yz = numbers[2][2];
    const double low[3] = {fmin(fmin(0.0, xy), fmin(xz, xy + xz)), fmin(0.0, yz), 0.0};
    const double high[3] = {fmax(fmax(0.0, xy), fmax(xz, xy + xz)), fmax(0.0, yz), 0.0};
    for (int d = 0; d < 3; ++d) {
        box->origin[d] = numbers[d][0] - low[d];
        const double extent = numbers[d][1] - high[d] - box->origin[d];
        if (!(extent > 0.0))
            return enuf_text_fail(text, line + 1 + d, "the box has no extent along %c: %g",
                                  "xyz"[d], extent);
        box->cell[4 * d] = extent;
    }
    box->cell[3] = xy;
    box->cell[6] = xz;
    box->cell[7] = yz;
    return ENUF_SUCCESS;
}

enuf_status enuf_lammps_dump_box_read(const enuf_text *text, enuf_line *line,
                                      enuf_lammps_dump_box *box)
{
    enuf_word words[MOST_WORDS];
    double numbers[3][4] = {{0}};
    int flags;
    const int n = enuf_line_split(line, words, MOST_WORDS);
    if (n > MOST_WORDS)
        return enuf_text_fail(text, line->number, "%d words behind ITEM: BOX BOUNDS", n - 3);
    const box_kind kind = kind_of(words, n, &flags);
    *box = (enuf_lammps_dump_box){.line = line->number};
    ENUF_TRY(read_flags(text, line->number, words + flags, n - flags, box->periodic));
    for (int d = 0; d < 3; ++d) {
        if (!enuf_text_next(text, line))
            return enuf_text_fail(text, line->number, "the file ends within the box");
        const int here = enuf_line_split(line, words, MOST_WORDS);
        if (here != kinds[kind].numbers)
            return enuf_text_fail(text, line->number, "%d numbers, but a line of this box has %d",
                                  here, kinds[kind].numbers);
        for (int k = 0; k < here; ++k)
            ENUF_TRY(enuf_word_real(text, line->number, words[k], "box size", &numbers[d][k]));
    }
    if (kind != GENERAL) return from_bounds(text, box->line, numbers, box);
    for (int d = 0; d < 3; ++d) {
        memcpy(&box->cell[3 * d], numbers[d], 3 * sizeof(double));
        box->origin[d] = numbers[d][3];
    }
    return ENUF_SUCCESS;
}
