/*
 * options.c - fuzz target of the command line. The input is a letter for the command, then one word
 * a line. They are refused with a text, or give settings within their bounds.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "../../src/cli/options.h"

#include "fuzz.h"

#include <math.h>
#include <string.h>

enum { MOST_WORDS = 64, MOST_BYTES = 4096 };

static cli_command command_of(char letter)
{
    switch (letter) {
    case 'm':
        return CLI_MADELUNG;
    case 't':
        return CLI_TUNE;
    case 'b':
        return CLI_BENCH;
    case 'i':
        return CLI_INFO;
    default:
        return CLI_ENERGY;
    }
}

static void require_sane(const cli_settings *settings)
{
    const enuf_ewald_options *ewald = &settings->ewald;
    FUZZ_REQUIRE(settings->n_rules >= 0 && settings->n_rules <= CLI_MOST_RULES);
    for (int r = 0; r < settings->n_rules; ++r) {
        FUZZ_REQUIRE(isfinite(settings->rules[r].charge));
        FUZZ_REQUIRE(memchr(settings->rules[r].species, 0, ENUF_SPECIES_SIZE) != NULL);
    }
    FUZZ_REQUIRE(ewald->accuracy >= 0.0 && ewald->accuracy <= 1e-2);
    FUZZ_REQUIRE(isfinite(ewald->force_error) && isfinite(ewald->lammps_accuracy));
    FUZZ_REQUIRE(isfinite(ewald->cutoff) && isfinite(ewald->alpha) && isfinite(ewald->kmax));
    FUZZ_REQUIRE(settings->sweep.n >= 0 && settings->sweep.n <= 100000);
    FUZZ_REQUIRE(settings->dearest >= 1.0 && settings->dearest <= 100.0);
    FUZZ_REQUIRE(settings->candidates >= 1 && settings->cells >= 0 && settings->sample >= 0);
    FUZZ_REQUIRE(ewald->threads >= 0 && ewald->width >= 0);
    for (int d = 0; d < 3; ++d) FUZZ_REQUIRE(ewald->grid[d] >= 0 && ewald->grid[d] <= 1000000);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char text[MOST_BYTES + 1] = "", *words[MOST_WORDS];
    int n = 0;
    cli_settings settings;
    if (size == 0 || size > MOST_BYTES) return 0;
    memcpy(text, bytes, size);
    for (char *word = text + 1; n < MOST_WORDS && word <= text + size; ++n) {
        words[n] = word;
        word += strcspn(word, "\n");
        *word++ = 0;
    }
    cli_settings_init(command_of(text[0]), &settings);
    settings.name = "enuf fuzz";
    if (cli_options_parse(n, words, &settings) == ENUF_SUCCESS) {
        ++fuzz_accepted;
        require_sane(&settings);
    } else {
        FUZZ_REQUIRE(strlen(enuf_last_error()) > 0);
    }
    return 0;
}
