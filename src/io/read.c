/* read.c - one structure of a file or a text; see read.h. SPDX-License-Identifier: BSD-3-Clause */
#include "read.h"

#include "error.h"
#include "formats.h"

enuf_status enuf_parse_structure(const enuf_text *text, const char *format,
                                 const enuf_charge_rule *rules, int n_rules, enuf_structure *out)
{
    enuf_reading reading = {0};
    const enuf_format *f;
    ENUF_TRY(enuf_format_find(text, format, &f));
    enuf_status status = f->read(text, &reading);
    if (status == ENUF_SUCCESS) status = enuf_charge_rules_apply(text, rules, n_rules, &reading);
    if (status == ENUF_SUCCESS) {
        *out = reading.ions;
        reading.ions = (enuf_structure){0};
    }
    enuf_reading_free(&reading);
    return status;
}

enuf_status enuf_read_structure(const char *path, const char *format, const enuf_charge_rule *rules,
                                int n_rules, enuf_structure *out)
{
    const enuf_read_options options = {.format = format, .rules = rules, .n_rules = n_rules};
    enuf_trajectory *frames;
    int found;
    ENUF_TRY(enuf_trajectory_open(path, &options, &frames));
    const enuf_status status = enuf_trajectory_next(frames, out, &found);
    enuf_trajectory_close(&frames);
    return status;
}
