/* crystal_names.c - see crystal_names.h. SPDX-License-Identifier: BSD-3-Clause */
#include "crystal_names.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct other_name {
    const char *name, *structure;
    double charges; /* factor on the structure's charges; 0: another name of the structure itself */
    const char *species[3]; /* in the structure's order */
} other_name;

/* Compounds whose structure has no free parameters. Other rutiles than TiO2 are left out: their c/a
 * differs. */
static const other_name others[] = {
    {"rocksalt", "nacl", 0, {NULL}},
    {"halite", "nacl", 0, {NULL}},
    {"periclase", "nacl", 2, {"Mg", "O"}},
    {"sylvite", "nacl", 1, {"K", "Cl"}},
    {"galena", "nacl", 2, {"Pb", "S"}},
    {"LiF", "nacl", 1, {"Li", "F"}},
    {"LiCl", "nacl", 1, {"Li", "Cl"}},
    {"LiBr", "nacl", 1, {"Li", "Br"}},
    {"LiI", "nacl", 1, {"Li", "I"}},
    {"LiH", "nacl", 1, {"Li", "H"}},
    {"NaF", "nacl", 1, {"Na", "F"}},
    {"NaBr", "nacl", 1, {"Na", "Br"}},
    {"NaI", "nacl", 1, {"Na", "I"}},
    {"KF", "nacl", 1, {"K", "F"}},
    {"KCl", "nacl", 1, {"K", "Cl"}},
    {"KBr", "nacl", 1, {"K", "Br"}},
    {"KI", "nacl", 1, {"K", "I"}},
    {"RbF", "nacl", 1, {"Rb", "F"}},
    {"RbCl", "nacl", 1, {"Rb", "Cl"}},
    {"RbBr", "nacl", 1, {"Rb", "Br"}},
    {"RbI", "nacl", 1, {"Rb", "I"}},
    {"CsF", "nacl", 1, {"Cs", "F"}},
    {"AgF", "nacl", 1, {"Ag", "F"}},
    {"AgCl", "nacl", 1, {"Ag", "Cl"}},
    {"AgBr", "nacl", 1, {"Ag", "Br"}},
    {"MgO", "nacl", 2, {"Mg", "O"}},
    {"CaO", "nacl", 2, {"Ca", "O"}},
    {"SrO", "nacl", 2, {"Sr", "O"}},
    {"BaO", "nacl", 2, {"Ba", "O"}},
    {"MnO", "nacl", 2, {"Mn", "O"}},
    {"FeO", "nacl", 2, {"Fe", "O"}},
    {"CoO", "nacl", 2, {"Co", "O"}},
    {"NiO", "nacl", 2, {"Ni", "O"}},
    {"CdO", "nacl", 2, {"Cd", "O"}},
    {"MgS", "nacl", 2, {"Mg", "S"}},
    {"CaS", "nacl", 2, {"Ca", "S"}},
    {"PbS", "nacl", 2, {"Pb", "S"}},
    {"caesium chloride", "cscl", 0, {NULL}},
    {"cesium chloride", "cscl", 0, {NULL}},
    {"CsBr", "cscl", 1, {"Cs", "Br"}},
    {"CsI", "cscl", 1, {"Cs", "I"}},
    {"TlCl", "cscl", 1, {"Tl", "Cl"}},
    {"TlBr", "cscl", 1, {"Tl", "Br"}},
    {"sphalerite", "zincblende", 2, {"Zn", "S"}},
    {"ZnS", "zincblende", 2, {"Zn", "S"}},
    {"ZnSe", "zincblende", 2, {"Zn", "Se"}},
    {"ZnTe", "zincblende", 2, {"Zn", "Te"}},
    {"CdTe", "zincblende", 2, {"Cd", "Te"}},
    {"CuCl", "zincblende", 1, {"Cu", "Cl"}},
    {"CuBr", "zincblende", 1, {"Cu", "Br"}},
    {"CuI", "zincblende", 1, {"Cu", "I"}},
    {"fluorspar", "fluorite", 0, {NULL}},
    {"CaF2", "fluorite", 0, {NULL}},
    {"SrF2", "fluorite", 1, {"Sr", "F"}},
    {"BaF2", "fluorite", 1, {"Ba", "F"}},
    {"CdF2", "fluorite", 1, {"Cd", "F"}},
    {"PbF2", "fluorite", 1, {"Pb", "F"}},
    {"UO2", "fluorite", 2, {"U", "O"}},
    {"ThO2", "fluorite", 2, {"Th", "O"}},
    {"CeO2", "fluorite", 2, {"Ce", "O"}},
    {"Li2O", "antifluorite", 0, {NULL}},
    {"Na2O", "antifluorite", 1, {"O", "Na"}},
    {"K2O", "antifluorite", 1, {"O", "K"}},
    {"Li2S", "antifluorite", 1, {"S", "Li"}},
    {"Na2S", "antifluorite", 1, {"S", "Na"}},
    {"K2S", "antifluorite", 1, {"S", "K"}},
    {"CaTiO3", "perovskite", 0, {NULL}},
    {"SrTiO3", "perovskite", 1, {"Sr", "Ti", "O"}},
    {"BaTiO3", "perovskite", 1, {"Ba", "Ti", "O"}},
    {"KMgF3", "perovskite", 0.5, {"K", "Mg", "F"}},
    {"TiO2", "rutile", 0, {NULL}},
    {"Cu2O", "cuprite", 0, {NULL}},
    {"Ag2O", "cuprite", 1, {"Ag", "O"}},
};

enum { N_OTHERS = sizeof others / sizeof *others };

static int is_ignored(char c)
{
    return c == ' ' || c == '-' || c == '_';
}

static int same(const char *a, const char *b)
{
    for (;; ++a, ++b) {
        while (is_ignored(*a)) ++a;
        while (is_ignored(*b)) ++b;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) return 0;
        if (!*a) return 1;
    }
}

/* M refers to charges of 1. A refers to the charges in the list and scales with their product. */
static void take_compound(const other_name *other, enuf_crystal *crystal)
{
    const int refers_to_charges = strcmp(crystal->symbol, "A") == 0;
    const double product = other->charges * other->charges;
    crystal->name = other->name;
    for (int s = 0; s < crystal->n_species; ++s) {
        crystal->species[s] = other->species[s];
        crystal->charges[s] *= other->charges;
    }
    if (refers_to_charges)
        crystal->constant *= product;
    else
        crystal->scale *= product;
}

int cli_crystal_find(const char *name, enuf_crystal *crystal)
{
    for (int c = 0; c < enuf_crystal_count(); ++c) {
        if (!same(enuf_crystal_at(c)->name, name)) continue;
        *crystal = *enuf_crystal_at(c);
        return 1;
    }
    for (int o = 0; o < N_OTHERS; ++o) {
        if (!same(others[o].name, name)) continue;
        *crystal = *enuf_crystal_find(others[o].structure);
        if (others[o].charges > 0) take_compound(&others[o], crystal);
        return 1;
    }
    return 0;
}

void cli_crystal_print_names(void)
{
    enum { WIDTH = 96, INDENT = 14 };
    for (int c = 0; c < enuf_crystal_count(); ++c) {
        const char *structure = enuf_crystal_at(c)->name;
        int column = 0;
        for (int o = 0; o < N_OTHERS; ++o) {
            if (strcmp(others[o].structure, structure) != 0) continue;
            const int length = (int)strlen(others[o].name) + 2;
            if (column > 0) putchar(',');
            if (column + length > WIDTH) printf("\n%*s", column = INDENT, "");
            if (column == 0)
                column = printf("%-*s%s", INDENT, structure, others[o].name);
            else
                column += printf("%s%s", column > INDENT ? " " : "", others[o].name) + 1;
        }
        if (column > 0) putchar('\n');
    }
}
