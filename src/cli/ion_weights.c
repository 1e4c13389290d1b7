/* ion_weights.c - see ion_weights.h. SPDX-License-Identifier: BSD-3-Clause */
#include "ion_weights.h"

#include "error.h"

#include <string.h>

/* By atomic number, from 1. */
static const char symbols[][3] = {
    "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si", "P",
    "S",  "Cl", "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn",
    "Ga", "Ge", "As", "Se", "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb", "Mo", "Tc", "Ru", "Rh",
    "Pd", "Ag", "Cd", "In", "Sn", "Sb", "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr", "Nd",
    "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er", "Tm", "Yb", "Lu", "Hf", "Ta", "W",  "Re",
    "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po", "At", "Rn", "Fr", "Ra", "Ac", "Th",
    "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md", "No", "Lr", "Rf", "Db",
    "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og"};

int cli_atomic_number(const char *name)
{
    const size_t length = 1 + (name[0] && name[1] >= 'a' && name[1] <= 'z');
    if (length == 2 && name[2] >= 'a' && name[2] <= 'z') return 0;
    for (size_t z = 0; z < sizeof symbols / sizeof *symbols; ++z)
        if (strlen(symbols[z]) == length && memcmp(symbols[z], name, length) == 0)
            return (int)z + 1;
    return 0;
}

static enuf_status check_numbers(const cli_settings *settings, const enuf_structure *structure)
{
    for (int32_t s = 0; s < structure->n_species; ++s)
        if (cli_atomic_number(structure->species_names[s]) == 0)
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "--weights numbers: the name '%s' in %.300s begins with no symbol of "
                             "an element; give charges (--charge) or --weights unit",
                             structure->species_names[s], settings->input);
    return ENUF_SUCCESS;
}

enuf_status cli_ion_weights(const cli_settings *settings, const enuf_structure *structure,
                            double *weights, double *squares)
{
    if (settings->weights == CLI_WEIGHTS_NUMBERS) ENUF_TRY(check_numbers(settings, structure));
    *squares = 0;
    for (int64_t i = 0; i < structure->n; ++i) {
        switch ((cli_weights)settings->weights) {
        case CLI_WEIGHTS_CHARGES:
            weights[i] = structure->charges[i];
            break;
        case CLI_WEIGHTS_UNIT:
            weights[i] = 1;
            break;
        case CLI_WEIGHTS_NUMBERS:
            weights[i] = cli_atomic_number(structure->species_names[structure->species[i]]);
            break;
        }
        *squares += weights[i] * weights[i];
    }
    if (*squares > 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "%.300s: all charges are 0; --weights unit takes 1 for each ion",
                     settings->input);
}
