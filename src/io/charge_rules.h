/*
 * charge_rules.h - charges given by species instead of by the file.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CHARGE_RULES_H
#define ENUF_CHARGE_RULES_H

#include "structure.h"
#include "text.h"

struct enuf_reading;

typedef struct enuf_charge_rule {
    char species[ENUF_SPECIES_SIZE];
    double charge;
} enuf_charge_rule;

/** Rule of a text such as "Na=1" or "O=-0.8476"; ENUF_BAD_ARGUMENT if the text is no rule; the
 * error text names the defect. */
enuf_status enuf_charge_rule_parse(const char *text, enuf_charge_rule *rule);

/**
 * Sets the charges of all ions whose species has a rule. The last rule for a species holds. If the
 * file has no charges, every species needs a rule (ENUF_BAD_FILE). A rule for an unknown species is
 * an error (ENUF_BAD_ARGUMENT): it is probably misspelt. A file with a guessed style and only
 * positive charges is an error too (ENUF_BAD_FILE), unless rules replace all charges.
 */
enuf_status enuf_charge_rules_apply(const enuf_text *text, const enuf_charge_rule *rules,
                                    int n_rules, struct enuf_reading *reading);

#endif
