/*
 * measured_choice.h - `enuf tune --measure`: the fastest parameters for the ions in a file, by
 * time. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_MEASURED_CHOICE_H
#define ENUF_CLI_MEASURED_CHOICE_H

#include "enuf/ewald_tuning.h"
#include "settings.h"
#include "structure.h"

typedef struct cli_measured_choice {
    enuf_ewald_tuning *tuning; /* the candidates */
    enuf_ewald_report report;  /* of the choice */
    double seconds;            /* that it took */
} cli_measured_choice;

/** Refuses options that do not go with --measure. */
enuf_status cli_measure_check(const cli_settings *settings);

/** Tunes, with the wisdom of --wisdom, and a bar of progress. Free the tuning after an error too.
 */
enuf_status cli_measure(const cli_settings *settings, const enuf_structure *structure,
                        const enuf_exclusions *exclusions, cli_measured_choice *choice);

#endif
