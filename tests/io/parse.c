/* parse.c - see parse.h. SPDX-License-Identifier: BSD-3-Clause */
#include "parse.h"

#include "error.h"

#include <string.h>

static enuf_status parse_rules(const char *name, const char *string, const enuf_charge_rule *rules,
                               int n_rules, enuf_structure *out)
{
    enuf_text text;
    ENUF_TRY(enuf_text_copy(name, string, strlen(string), &text));
    enuf_status status = enuf_parse_structure(&text, NULL, rules, n_rules, out);
    enuf_text_free(&text);
    return status;
}

enuf_status parse(const char *name, const char *string, enuf_structure *out)
{
    return parse_rules(name, string, NULL, 0, out);
}

enuf_status parse_with(const char *name, const char *string, const char *rule, enuf_structure *out)
{
    enuf_charge_rule parsed;
    ENUF_TRY(enuf_charge_rule_parse(rule, &parsed));
    return parse_rules(name, string, &parsed, 1, out);
}
