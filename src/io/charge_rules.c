/* charge_rules.c - see charge_rules.h. SPDX-License-Identifier: BSD-3-Clause */
#include "charge_rules.h"

#include "error.h"
#include "reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enuf_status enuf_charge_rule_parse(const char *text, enuf_charge_rule *rule)
{
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;
    if (length == 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "charge '%.60s': write SPECIES=CHARGE, e.g. Na=1",
                         text);
    if (length >= ENUF_SPECIES_SIZE)
        return enuf_fail(ENUF_BAD_ARGUMENT, "charge '%.60s': a species has at most %d characters",
                         text, ENUF_SPECIES_SIZE - 1);
    char *end;
    double charge = strtod(equals + 1, &end);
    if (end == equals + 1 || *end != 0 || !isfinite(charge))
        return enuf_fail(ENUF_BAD_ARGUMENT, "charge '%.60s': '%.40s' is no finite number", text,
                         equals + 1);
    *rule = (enuf_charge_rule){.charge = charge};
    memcpy(rule->species, text, length);
    return ENUF_SUCCESS;
}

static const enuf_charge_rule *rule_of(const char *species, const enuf_charge_rule *rules, int n)
{
    while (n-- > 0)
        if (strcmp(rules[n].species, species) == 0) return &rules[n];
    return NULL;
}

/* Lists the species for an error text: "O, H". A long list is cut. */
static void list_species(const enuf_structure *ions, char *list, size_t size)
{
    enum { MOST = 8 };
    size_t used = 0;
    for (int s = 0; s < ions->n_species && s < MOST; ++s)
        used += (size_t)snprintf(list + used, size - used, "%s%s", s > 0 ? ", " : "",
                                 ions->species_names[s]);
    if (ions->n_species > MOST) snprintf(list + used, size - used, ", ...");
}

static enuf_status refuse_misspelt(const enuf_text *text, const enuf_charge_rule *rule,
                                   const enuf_structure *ions)
{
    char list[8 * (ENUF_SPECIES_SIZE + 2) + 8];
    for (int s = 0; s < ions->n_species; ++s)
        if (strcmp(rule->species, ions->species_names[s]) == 0) return ENUF_SUCCESS;
    list_species(ions, list, sizeof list);
    return enuf_fail(ENUF_BAD_ARGUMENT, "charge of '%s': %.300s has no such species (it has %s)",
                     rule->species, text->name, list);
}

/*
 * Checks that guessed charges are charges. The columns of LAMMPS' styles full and charge also fit
 * styles with densities or temperatures (sphere, ellipsoid, dpd, ...). Densities and temperatures
 * are all above 0.
 */
static enuf_status check_guess(const enuf_text *text, const enuf_charge_rule *rules, int n_rules,
                               const enuf_reading *reading)
{
    const enuf_structure *ions = &reading->ions;
    int64_t n_kept = 0;
    for (int64_t i = 0; i < ions->n; ++i) {
        if (ions->charges[i] <= 0.0) return ENUF_SUCCESS;
        n_kept += !rule_of(ions->species_names[ions->species[i]], rules, n_rules);
    }
    if (n_kept == 0) return ENUF_SUCCESS;
    return enuf_text_fail(text, reading->guessed_line,
                          "all charges would be above 0: are they charges of atom_style %s, or "
                          "densities of sphere, ellipsoid, dpd or the like? Write the style here, "
                          "e.g. 'Atoms # %s', or give the charges with --charge",
                          reading->guessed_style, reading->guessed_style);
}

enuf_status enuf_charge_rules_apply(const enuf_text *text, const enuf_charge_rule *rules,
                                    int n_rules, enuf_reading *reading)
{
    enuf_structure *ions = &reading->ions;
    for (int r = 0; r < n_rules; ++r) ENUF_TRY(refuse_misspelt(text, &rules[r], ions));
    for (int s = 0; s < ions->n_species && !reading->without_charges; ++s) {
        const enuf_charge_rule *rule = rule_of(ions->species_names[s], rules, n_rules);
        if (rule || reading->has_charges || reading->first_lines[s] == 0) continue;
        return enuf_text_fail(
            text, reading->first_lines[s], "no charge for '%s': %s; add --charge %s=CHARGE",
            ions->species_names[s],
            *reading->why_no_charges ? reading->why_no_charges : "the file gives none",
            ions->species_names[s]);
    }
    if (reading->guessed_style && !reading->without_charges)
        ENUF_TRY(check_guess(text, rules, n_rules, reading));
    for (int64_t i = 0; n_rules > 0 && i < ions->n; ++i) {
        const char *species = ions->species_names[ions->species[i]];
        const enuf_charge_rule *rule = rule_of(species, rules, n_rules);
        if (rule) ions->charges[i] = rule->charge;
    }
    return ENUF_SUCCESS;
}
