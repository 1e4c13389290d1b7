/* input.c - see input.h. SPDX-License-Identifier: BSD-3-Clause */
#include "input.h"

#include "error.h"
#include "read.h"
#include "units.h"

#include <stdio.h>
#include <string.h>

enuf_status cli_check_periodic(const cli_settings *settings, const enuf_structure *structure)
{
    const int *periodic = structure->periodic;
    const int slab = settings->ewald.slab > 0;
    for (int d = 0; d < (slab ? 2 : 3); ++d) {
        if (periodic[d]) continue;
        char frame[40] = "";
        if (structure->frame > 1 || structure->more_frames)
            snprintf(frame, sizeof frame, ", frame %lld", (long long)structure->frame);
        return enuf_fail(ENUF_BAD_ARGUMENT, "%.80s%s: the cell is not periodic along %c; %s",
                         settings->input, frame, "abc"[d],
                         slab ? "a slab needs a and b periodic"
                              : "a slab, periodic along a and b, is computed with --slab 3");
    }
    return ENUF_SUCCESS;
}

/* Errors "charge of 'Xx': ..." come from --charge: adds the option's name. */
static enuf_status name_option(enuf_status status)
{
    char text[1024];
    snprintf(text, sizeof text, "%s", enuf_last_error());
    return status && strncmp(text, "charge of '", 11) == 0 ? enuf_fail(status, "--%s", text)
                                                           : status;
}

static enuf_read_options read_options(const cli_settings *settings)
{
    return (enuf_read_options){.format = settings->format,
                               .rules = settings->rules,
                               .n_rules = settings->n_rules,
                               .cell = settings->cell_given ? settings->cell : NULL};
}

enuf_status cli_frames_open(const cli_settings *settings, enuf_trajectory **frames)
{
    const enuf_read_options options = read_options(settings);
    return name_option(enuf_trajectory_open(settings->input, &options, frames));
}

enuf_status cli_frames_next(const cli_settings *settings, enuf_trajectory *frames,
                            enuf_structure *structure, int *found)
{
    const enuf_status status = enuf_trajectory_next(frames, structure, found);
    if (status) return name_option(status);
    if (!*found) return ENUF_SUCCESS;
    if (settings->units != CLI_UNITS_OF_FILE) structure->units = (enuf_units)settings->units;
    return ENUF_SUCCESS;
}

static enuf_status read_first(const cli_settings *settings, const enuf_read_options *options,
                              enuf_structure *structure)
{
    enuf_trajectory *frames;
    int found;
    ENUF_TRY(name_option(enuf_trajectory_open(settings->input, options, &frames)));
    const enuf_status status = cli_frames_next(settings, frames, structure, &found);
    enuf_trajectory_close(&frames);
    return status;
}

enuf_status cli_read_structure(const cli_settings *settings, enuf_structure *structure)
{
    const enuf_read_options options = read_options(settings);
    return read_first(settings, &options, structure);
}

enuf_status cli_read_any_structure(const cli_settings *settings, enuf_structure *structure)
{
    enuf_read_options options = read_options(settings);
    options.without_cell = 1;
    options.without_charges = settings->weights != CLI_WEIGHTS_CHARGES;
    return read_first(settings, &options, structure);
}

enuf_status cli_read_input(const cli_settings *settings, enuf_structure *structure,
                           enuf_exclusions *exclusions)
{
    if (!settings->input)
        return enuf_fail(ENUF_BAD_ARGUMENT, "no FILE given (see %s --help)", settings->name);
    ENUF_TRY(cli_read_structure(settings, structure));
    ENUF_TRY(cli_check_periodic(settings, structure));
    return cli_excluded_pairs((cli_exclude)settings->exclude, structure, exclusions);
}
