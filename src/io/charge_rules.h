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

/** Rule of a text such as "Na=1" or "O=-0.8476"; ENUF_BAD_ARGUMENT says what is wrong with it. */
enuf_status enuf_charge_rule_parse(const char *text, enuf_charge_rule *rule);

/**
 * Sets the charges of all ions whose species has a rule; of several rules for one species the last
 * holds. Where the file has no charges, every species that occurs needs a rule (ENUF_BAD_FILE). A
 * rule that fits no species is an error (ENUF_BAD_ARGUMENT): most often it is misspelt. So is a
 * file whose style was guessed and whose charges are all above 0, if rules leave some of these
 * (ENUF_BAD_FILE).
 */
enuf_status enuf_charge_rules_apply(const enuf_text *text, const enuf_charge_rule *rules,
                                    int n_rules, struct enuf_reading *reading);

#endif
