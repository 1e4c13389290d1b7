/*
 * test_cif_symmetry.c - symmetry in CIF files. An operation moves a site as it is written (4e-16),
 * and a malformed one is refused. A list of operations that is no group is refused. Symbols and
 * numbers of space groups give the number of images of Int. Tables A, for sites on general and on
 * special positions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "error.h"
#include "read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CELL(a, b, c, alpha, beta, gamma)                                                          \
    "data_test\n_cell_length_a " #a "\n_cell_length_b " #b "\n_cell_length_c " #c                  \
    "\n_cell_angle_alpha " #alpha "\n_cell_angle_beta " #beta "\n_cell_angle_gamma " #gamma "\n"
#define OPERATIONS "loop_\n_symmetry_equiv_pos_as_xyz\n"
#define SITES                                                                                      \
    "loop_\n_atom_type_symbol\n_atom_type_oxidation_number\nNa 1\n"                                \
    "loop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n"

static enuf_status read_text(const char *string, enuf_structure *out)
{
    enuf_text text;
    ENUF_TRY(enuf_text_copy("group.cif", string, strlen(string), &text));
    const enuf_status status = enuf_parse_structure(&text, NULL, NULL, 0, out);
    enuf_text_free(&text);
    return status;
}

/* The number of ions of a file with this cell, symmetry and site; -1 if it is refused. */
static int64_t count(const char *cell, const char *symmetry, const char *site)
{
    char file[4096];
    enuf_structure s;
    snprintf(file, sizeof file, "%s%s" SITES "Na %s\n", cell, symmetry, site);
    if (read_text(file, &s) != ENUF_SUCCESS) return -1;
    const int64_t n = s.n;
    enuf_structure_free(&s);
    return n;
}

/* The fraction moved into [0, 1) by whole cells. */
static double folded(double fraction)
{
    return fraction - floor(fraction);
}

/* Each list is a group of order 2 or 3; `image` is an image of the site (0.1, 0.2, 0.4). */
static void operations_are_what_they_say(void)
{
    static const struct {
        const char *list;
        double image[3];
    } good[] = {
        {"x,y,z\n-x,-y,z\n", {-.1, -.2, .4}},
        {"' +X , Y,z'\n\"1/2-x,-1/4-y,z+.5\"\n", {.4, .55, .9}},
        {"x,y,z\n'z+0.3333, x+0.6667, y'\n'y-0.6667, z-1, -1/3+x'\n",
         {.4 + 1. / 3, .1 + 2. / 3, .2}},
        {"+x,y+1,z-2\ny+.25,x-2/8,z-1\n", {.45, -.15, .4}},
    };
    static const char *const bad[] = {
        "",
        "x",
        "x,y",
        "x,y,z,x",
        "x,y,",
        "x,y,y",
        "x,y,x+y",
        "x,y,2z",
        "x,y,2*z",
        "x,y,zz",
        "x,y,z+1/0",
        "x,y,z+1/5",
        "x,y,z+-1",
        "x,y,z+0.123",
        "x,y,z+",
        "x,y,z 1",
        "x,y,z/2",
        "a,b,c",
        "h,k,l",
        "0,y,z",
        "x,y,z+1/2/2",
        "x,y,z+1.2.3",
        "x,y,z+0.5e1",
        "x,y,z+99999999999999999999",
        "x,y,z+99999999999999999999.0",
        "x,y,z+1/99999999999999999999",
        ("x,y,z+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x"
         "+x+x+x+x+x+x+x")};
    for (size_t k = 0; k < sizeof good / sizeof *good; ++k) {
        char file[1024];
        enuf_structure s;
        double least = INFINITY;
        snprintf(file, sizeof file,
                 CELL(10, 10, 10, 90, 90, 90) OPERATIONS "%s" SITES "Na .1 .2 .4\n", good[k].list);
        if (!CHECK_STATUS(read_text(file, &s), ENUF_SUCCESS)) continue;
        for (int64_t i = 0; i < s.n; ++i) {
            double worst = 0.0;
            for (int d = 0; d < 3; ++d)
                worst = fmax(worst, fabs(s.positions[3 * i + d] / 10 - folded(good[k].image[d])));
            least = fmin(least, worst);
        }
        CHECK_BELOW(least, 4e-16, good[k].list); /* three roundings of numbers near 1 */
        enuf_structure_free(&s);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        char list[256];
        snprintf(list, sizeof list, OPERATIONS "x,y,z\n'%s'\n", bad[k]);
        if (!CHECK(count(CELL(10, 10, 10, 90, 90, 90), list, ".1 .2 .4") == -1))
            printf("  '%s' was read\n", bad[k]);
        CHECK_TEXT("group.cif, line 11: '");
        CHECK_TEXT("is no symmetry operation such as '-x, y+1/2, -z'");
    }
}

/* P 3 2 1 (No. 150) on hexagonal axes, Int. Tables A: six operations. */
static const char *const p321[] = {"x,y,z",  "-y,x-y,z",  "-x+y,-x,z",
                                   "y,x,-z", "x-y,-y,-z", "-x,-x+y,-z"};

#define HEXAGONAL CELL(5, 5, 6, 90, 90, 120)

/* Of the 63 sets of operations of P 3 2 1 only the 6 subgroups are accepted. */
static void incomplete_groups_are_refused(void)
{
    int groups = 0; /* subgroups: the identity, three of order 2, one of order 3, all */
    for (int set = 1; set < 64; ++set) {
        char list[256] = OPERATIONS;
        int n = 0;
        for (int o = 0; o < 6; ++o) {
            if (!(set >> o & 1)) continue;
            strcat(strcat(list, p321[o]), "\n");
            ++n;
        }
        const int64_t ions = count(HEXAGONAL, list, ".1 .25 .3");
        CHECK(ions == -1 || ions == n);
        groups += ions == n;
        if (ions == -1) CHECK_TEXT("symmetry operations are not complete: they are no group");
    }
    CHECK(groups == 6);
    /* the square of this screw operation is a translation that the list lacks */
    CHECK(count(CELL(5, 5, 6, 90, 90, 90), OPERATIONS "x,y,z\n-x,-y,z+1/4\n", ".1 .2 .3") == -1);
    CHECK_TEXT("the 2 symmetry operations are not complete");
}

/* Wyckoff positions of P 3 2 1: 1a, 1b, 2c, 2d, 3e, 3f, 6g. */
static void special_positions_are_met_once(void)
{
    static const struct {
        const char *site;
        int64_t ions;
    } positions[] = {{"0 0 0", 1},    {"0 0 .5", 1},         {"0 0 .2", 2},   {".2 0 0", 3},
                     {"-.3 0 .5", 3}, {".3333 .6667 .2", 2}, {".1 .25 .3", 6}};
    for (size_t p = 0; p < sizeof positions / sizeof *positions; ++p)
        CHECK(count(HEXAGONAL, "_space_group_name_H-M_alt 'P 3 2 1'\n", positions[p].site) ==
              positions[p].ions);
    /* a site moves away from the special position 0 0 0: first it stands on it, then it is refused
     * because it is too close to its images, then it is a general position */
    int seen[7] = {0}, refused = 0;
    int64_t last = 0;
    for (int step = 0; step <= 300; ++step) {
        char site[64];
        snprintf(site, sizeof site, "%g %g %g", 1e-3 * step, 5e-4 * step, 5e-4 * step);
        last = count(HEXAGONAL, "_space_group_name_H-M_alt 'P 3 2 1'\n", site);
        if (step == 0) CHECK(last == 1);
        if (last == -1) {
            CHECK_TEXT("the site and its own image are less than 0.5 Angstrom apart");
            ++refused;
        } else if (CHECK(last == 1 || last == 6)) {
            seen[last]++;
        }
    }
    CHECK(last == 6 && refused > 0 && seen[1] > 1);
}

/* Full and short symbols of Int. Tables A, other settings, and Hall symbols give groups of the
 * right number and order. */
static void symbols_of_every_kind_are_known(void)
{
#define CUBIC        CELL(27, 27, 27, 90, 90, 90)
#define TETRAGONAL   CELL(27, 27, 21, 90, 90, 90)
#define ORTHORHOMBIC CELL(27, 24, 21, 90, 90, 90)
#define MONOCLINIC   CELL(27, 24, 21, 90, 100, 90)
#define TRIGONAL     CELL(27, 27, 21, 90, 90, 120)
    static const struct {
        const char *cell, *symbol;
        int number;
        int64_t order;
    } names[] = {
        {MONOCLINIC, "P 1 21/c 1", 14, 4},         {MONOCLINIC, "P 21/n", 14, 4},
        {MONOCLINIC, "C 1 2/c 1", 15, 8},          {MONOCLINIC, "I 2/a", 15, 8},
        {ORTHORHOMBIC, "P 21/n 21/m 21/a", 62, 8}, {ORTHORHOMBIC, "F 2/m 2/m 2/m", 69, 32},
        {ORTHORHOMBIC, "C m c e", 64, 16},         {TETRAGONAL, "P 42/m 21/n 2/m", 136, 16},
        {TETRAGONAL, "I 4/m 2/m 2/m", 139, 32},    {TETRAGONAL, "P4_2/mnm", 136, 16},
        {TRIGONAL, "P 63/m 2/m 2/c", 194, 24},     {TRIGONAL, "P -3 2/m 1", 164, 12},
        {TRIGONAL, "R -3 2/c", 167, 36},           {TRIGONAL, "R -3 m :H", 166, 36},
        {CUBIC, "F 4/m -3 2/m", 225, 192},         {CUBIC, "P 2/m -3", 200, 24},
        {CUBIC, "I 41/a -3 2/d", 230, 96},         {CUBIC, "P 42/m -3 2/n", 223, 48},
        {CUBIC, "F 41/d -3 2/m :2", 227, 192},
    };
    static const struct {
        const char *cell, *symbol;
        int number;
        int64_t order;
    } halls[] = {
        {CUBIC, "'-F 4 2 3'", 225, 192},   {CUBIC, "'-F 4vw 2vw 3'", 227, 192},
        {MONOCLINIC, "'-P 2yn'", 14, 4},   {MONOCLINIC, "-P_2ybc", 14, 4},
        {TRIGONAL, "'-R 3 2\"'", 166, 36}, {TETRAGONAL, "'-P 4n 2n'", 136, 16},
    };
    char symmetry[256];
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        snprintf(symmetry, sizeof symmetry,
                 "_space_group_name_H-M_alt '%s'\n_space_group_IT_number %d\n", names[k].symbol,
                 names[k].number);
        const int64_t ions = count(names[k].cell, symmetry, ".06 .15 .31");
        if (!CHECK(ions == names[k].order))
            printf("  '%s': %lld ions, %s\n", names[k].symbol, (long long)ions, enuf_last_error());
    }
    for (size_t k = 0; k < sizeof halls / sizeof *halls; ++k) {
        snprintf(symmetry, sizeof symmetry,
                 "_space_group_name_Hall %s\n_space_group_IT_number %d\n", halls[k].symbol,
                 halls[k].number);
        const int64_t ions = count(halls[k].cell, symmetry, ".06 .15 .31");
        if (!CHECK(ions == halls[k].order))
            printf("  %s: %lld ions, %s\n", halls[k].symbol, (long long)ions, enuf_last_error());
    }
}

/* A Hall symbol also names the origin. It has to agree with the name and the number. */
static void hall_symbols_say_more_than_names(void)
{
    static const char name[] = "_space_group_name_H-M_alt 'F d -3 m'\n";
    char symmetry[256];
    CHECK(count(CUBIC, name, ".125 .125 .125") == -1);
    CHECK_TEXT("line 8: space group 'F d -3 m' has two origins");
    snprintf(symmetry, sizeof symmetry, "%s_space_group_name_Hall '-F 4vw 2vw 3'\n", name);
    CHECK(count(CUBIC, symmetry, ".125 .125 .125") == 8);
    snprintf(symmetry, sizeof symmetry, "%s_space_group_name_Hall 'F 4d 2 3 -1d'\n", name);
    CHECK(count(CUBIC, symmetry, ".125 .125 .125") == 16);
    snprintf(symmetry, sizeof symmetry, "%s_space_group_name_Hall '-F 4 2 3'\n", name);
    CHECK(count(CUBIC, symmetry, ".125 .125 .125") == -1);
    CHECK_TEXT("line 9: Hall symbol '-F 4 2 3' is of space group number 225, but 'F d -3 m' (line "
               "8) is number 227");
    CHECK(count(CUBIC, "_space_group_name_Hall '-F 4 2 3'\n_space_group_IT_number 226\n",
                "0 0 0") == -1);
    CHECK_TEXT("line 9: space group number 226, but '-F 4 2 3' (line 8) is number 225");
    CHECK(count(CUBIC, "_space_group_name_H-M_full 'F 4/m -3 2/m'\n", "0 0 0") == 4);
    CHECK(count(CUBIC, "_space_group_name_Hall '-F 9 9 9'\n", "0 0 0") == -1);
    CHECK_TEXT("no symmetry: neither");
}

int main(void)
{
    operations_are_what_they_say();
    incomplete_groups_are_refused();
    special_positions_are_met_once();
    symbols_of_every_kind_are_known();
    hall_symbols_say_more_than_names();
    return check_result();
}
