/* input.c - see input.h. SPDX-License-Identifier: BSD-3-Clause */
#include "input.h"

#include "error.h"
#include "read.h"
#include "units.h"

#include <stdio.h>
#include <string.h>

/* A slab has no images along c, whatever the file says. */
static enuf_status check_periodic(const cli_settings *settings, const enuf_structure *structure)
{
    const int *periodic = structure->periodic;
    const int slab = settings->ewald.slab > 0;
    for (int d = 0; d < (slab ? 2 : 3); ++d) {
        if (periodic[d]) continue;
        return enuf_fail(ENUF_BAD_ARGUMENT, "%.80s: the cell is not periodic along %c; %s",
                         settings->input, "abc"[d],
                         slab ? "a slab needs a and b periodic"
                              : "a slab, periodic along a and b, is computed with --slab 3");
    }
    return ENUF_SUCCESS;
}

/* "charge of 'Xx': ..." is that of an option. */
static enuf_status name_option(enuf_status status)
{
    char text[1024];
    snprintf(text, sizeof text, "%s", enuf_last_error());
    return strncmp(text, "charge of '", 11) == 0 ? enuf_fail(status, "--%s", text) : status;
}

enuf_status cli_read_structure(const cli_settings *settings, enuf_structure *structure)
{
    const enuf_status status = enuf_read_structure(settings->input, settings->format,
                                                   settings->rules, settings->n_rules, structure);
    if (status) return name_option(status);
    if (settings->units != CLI_UNITS_OF_FILE) structure->units = (enuf_units)settings->units;
    return ENUF_SUCCESS;
}

enuf_status cli_read_input(const cli_settings *settings, enuf_structure *structure,
                           enuf_exclusions *exclusions)
{
    if (!settings->input)
        return enuf_fail(ENUF_BAD_ARGUMENT, "no FILE given (see %s --help)", settings->name);
    ENUF_TRY(cli_read_structure(settings, structure));
    ENUF_TRY(check_periodic(settings, structure));
    return cli_excluded_pairs((cli_exclude)settings->exclude, structure, exclusions);
}
