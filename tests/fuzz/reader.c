/*
 * reader.c - fuzz target of the reader of FUZZ_FORMAT. Any bytes give valid structures, frame by
 * frame, or an error that names the file. No array is larger than FUZZ_MULTIPLE times the file plus
 * ALWAYS_ALLOWED.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "fuzz.h"
#include "read.h"

#include <math.h>
#include <string.h>

/* Bytes for the names of up to ENUF_MOST_SPECIES species, which do not depend on the file's size.
 */
enum { ALWAYS_ALLOWED = 1 << 17 };

static void require_sane(const enuf_structure *s)
{
    FUZZ_REQUIRE(s->n > 0 && s->n_species > 0 && enuf_structure_volume(s) > 0.0);
    for (int64_t i = 0; i < s->n; ++i) {
        FUZZ_REQUIRE(s->species[i] >= 0 && s->species[i] < s->n_species);
        FUZZ_REQUIRE(isfinite(s->charges[i]));
        for (int d = 0; d < 3; ++d) FUZZ_REQUIRE(isfinite(s->positions[3 * i + d]));
    }
    for (int64_t b = 0; b < 2 * s->n_bonds; ++b)
        FUZZ_REQUIRE(s->bonds[b] >= 0 && s->bonds[b] < s->n);
    for (int32_t k = 0; k < s->n_species; ++k) {
        FUZZ_REQUIRE(memchr(s->species_names[k], 0, ENUF_SPECIES_SIZE) != NULL);
        FUZZ_REQUIRE(s->species_names[k][0] != 0);
    }
}

static void read_with(const enuf_text *text, const enuf_read_options *options)
{
    enuf_trajectory *frames;
    enuf_structure s;
    int64_t done = 0, before, total;
    int found = 1;
    FUZZ_REQUIRE(enuf_trajectory_open_text(text, options, &frames) == ENUF_SUCCESS);
    enuf_status status = ENUF_SUCCESS;
    while (status == ENUF_SUCCESS && found) {
        before = done;
        status = enuf_trajectory_next(frames, &s, &found);
        enuf_trajectory_progress(frames, &done, &total);
        if (status != ENUF_SUCCESS || !found) continue;
        ++fuzz_accepted;
        require_sane(&s);
        FUZZ_REQUIRE(done > before && done <= total);
        FUZZ_REQUIRE(s.more_frames || done == total);
        FUZZ_REQUIRE(!(options->cell && s.cell_line > 0));
        enuf_structure_free(&s);
    }
    FUZZ_REQUIRE(status != ENUF_SUCCESS || done == total);
    if (status == ENUF_BAD_ARGUMENT) { /* a charge rule for a species that the file lacks */
        FUZZ_REQUIRE(options->n_rules > 0);
    } else if (status != ENUF_SUCCESS) {
        FUZZ_REQUIRE(status == ENUF_BAD_FILE);
        FUZZ_REQUIRE(strncmp(enuf_last_error(), "fuzz", 4) == 0);
    }
    enuf_trajectory_close(&frames);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const enuf_charge_rule rules[2] = {{"Na", 1.0}, {"Cl", -1.0}};
    static const double cell[9] = {9, 0, 0, 0, 9, 0, 0, 0, 9};
    enuf_text text;
    fuzz_limit_allocation(FUZZ_MULTIPLE * size + ALWAYS_ALLOWED);
    if (enuf_text_copy("fuzz", bytes, size, &text) != ENUF_SUCCESS) return 0;
    read_with(&text, &(enuf_read_options){.format = FUZZ_FORMAT});
    read_with(&text, &(enuf_read_options){.format = FUZZ_FORMAT, .rules = rules, .n_rules = 2});
    read_with(&text, &(enuf_read_options){
                         .format = FUZZ_FORMAT, .rules = rules, .n_rules = 1, .cell = cell});
    enuf_text_free(&text);
    return 0;
}
