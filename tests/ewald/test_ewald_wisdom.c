/*
 * test_ewald_wisdom.c - wisdom of Ewald sums, by tables of times in place of a clock:
 *
 * - wisdom gives the same parameters and results in every bit, in a file with a plan's; not for
 *   another accuracy, number of charges or shape; not where its parameters err too much;
 * - files with other fields are refused;
 * - objects that are deterministic refuse timings, and take wisdom.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkdtemp */
#endif
#include "sums_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void wisdom_gives_the_same(enuf_split split, const char *path)
{
    charge_system s = make_ions(36, 400, CELL_TRICLINIC, 0);
    charge_system fewer = make_ions(36, 300, CELL_TRICLINIC, 0);
    charge_system cube = make_ions(36, 400, CELL_CUBIC, 0);
    enuf_ewald_options options = options_of(1e-5);
    enuf_wisdom *wisdom = NULL, *loaded = NULL;
    enuf_ewald_tuning *tuning = NULL;
    int64_t skipped = -1;
    options.split = split;
    remove(path);
    CHECK_STATUS(enuf_wisdom_create(&wisdom), ENUF_SUCCESS);
    CHECK_STATUS(enuf_wisdom_create(&loaded), ENUF_SUCCESS);
    /* a plan's entry in the same file */
    enuf_nufft_options plan;
    enuf_tuning_request of_plan;
    enuf_nufft_options_init(&plan);
    enuf_tuning_request_init(&of_plan);
    plan.modes[0] = 40;
    plan.tolerance = 1e-4;
    of_plan.effort = ENUF_TUNE_MEASURE;
    of_plan.wisdom = wisdom;
    CHECK_STATUS(enuf_nufft_tune(&plan, &of_plan, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    enuf_ewald *first = make_ewald(&options, &s, NULL), *second = make_ewald(&options, &s, NULL);
    sums_table t = {.seed = 11};
    enuf_ewald_tuning_request r = request_of(ENUF_TUNE_EXHAUSTIVE, &t);
    r.wisdom = wisdom;
    CHECK_STATUS(enuf_ewald_tune_with(first, &r, s.x, 3, &tuning), ENUF_SUCCESS);
    const enuf_ewald_timed chosen = chosen_of(tuning);
    enuf_ewald_tuning_destroy(&tuning);
    CHECK(t.calls > 0 && enuf_wisdom_count(wisdom) == 2);
    CHECK_STATUS(enuf_wisdom_save(wisdom, path), ENUF_SUCCESS);
    CHECK_STATUS(enuf_wisdom_load(loaded, path, &skipped), ENUF_SUCCESS);
    CHECK(skipped == 0 && enuf_wisdom_count(loaded) == 2);
    t.calls = 0;
    r.wisdom = loaded;
    r.effort = ENUF_TUNE_MEASURE; /* less effort: taken */
    CHECK_STATUS(enuf_ewald_tune_with(second, &r, s.x, 3, &tuning), ENUF_SUCCESS);
    const enuf_ewald_timed found = chosen_of(tuning);
    CHECK(t.calls == 0 && enuf_ewald_tuning_from_wisdom(tuning) == 1);
    CHECK(enuf_ewald_tuning_count(tuning) == 1);
    CHECK(memcmp(&found.parameters, &chosen.parameters, sizeof found.parameters) == 0);
    CHECK(found.measured_error == chosen.measured_error && found.measured_error > 0);
    CHECK(found.measured_seconds == chosen.measured_seconds && found.timings == 0);
    enuf_ewald_tuning_destroy(&tuning);
    enuf_ewald_result a = results_of(first, &s), b = results_of(second, &s);
    CHECK(same_bits(&a, &b, s.n));
    const enuf_ewald_report used = report_of(second);
    CHECK(has_parameters(&used, &chosen.parameters)); /* compute() has kept them */
    free_result(&a);
    free_result(&b);
    /* a cell that has grown a little is the same problem */
    for (int d = 0; d < 9; d++) s.cell[d] *= 1.001;
    r.effort = ENUF_TUNE_WISDOM_ONLY;
    CHECK_STATUS(enuf_ewald_set_cell(second, s.cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_tune_with(second, &r, s.x, 3, NULL), ENUF_SUCCESS);
    CHECK(report_of(second).cutoff == chosen.parameters.cutoff);
    enuf_ewald_destroy(&first);
    enuf_ewald_destroy(&second);
    /* others */
    const charge_system *others[3] = {&s, &fewer, &cube};
    for (int k = 0; k < 3; k++) {
        options.accuracy = k == 0 ? 1e-6 : 1e-5;
        first = make_ewald(&options, others[k], NULL);
        CHECK_STATUS(enuf_ewald_tune_with(first, &r, others[k]->x, 3, NULL), ENUF_UNSUPPORTED);
        CHECK_TEXT("wisdom has no entry that serves Ewald sums, charges ");
        enuf_ewald_destroy(&first);
    }
    enuf_wisdom_destroy(&wisdom);
    enuf_wisdom_destroy(&loaded);
    free_system(&s);
    free_system(&fewer);
    free_system(&cube);
}

/* Replaces the first `old` in a file by `fresh`, and loads it. */
static enuf_status load_changed(const char *path, const char *old, const char *fresh,
                                enuf_wisdom *wisdom)
{
    static char text[20000], changed[20100];
    FILE *file = fopen(path, "r");
    if (!CHECK(file != NULL)) return ENUF_IO;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    char *at = strstr(text, old);
    if (!CHECK(at != NULL)) return ENUF_IO;
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, fresh, at + strlen(old));
    file = fopen(path, "w");
    if (!CHECK(file != NULL)) return ENUF_IO;
    fputs(changed, file);
    fclose(file);
    const enuf_status status = enuf_wisdom_load(wisdom, path, NULL);
    file = fopen(path, "w");
    if (!CHECK(file != NULL)) return ENUF_IO;
    fputs(text, file);
    fclose(file);
    return status;
}

/* Files with other fields are refused; an entry whose parameters err too much does not serve. */
static void changed_wisdom(const char *path)
{
    charge_system s = make_ions(37, 200, CELL_CUBIC, 0);
    enuf_ewald_options options = options_of(1e-5);
    options.split = ENUF_SPLIT_GAUSSIAN;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_wisdom *wisdom = NULL, *changed = NULL;
    sums_table t = {.seed = 11};
    enuf_ewald_tuning_request r = request_of(ENUF_TUNE_EXHAUSTIVE, &t);
    remove(path);
    CHECK_STATUS(enuf_wisdom_create(&wisdom), ENUF_SUCCESS);
    r.wisdom = wisdom;
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_wisdom_save(wisdom, path), ENUF_SUCCESS);
    static const struct {
        const char *old, *fresh, *text;
    } bad[] = {
        {"\"ewald\"", "\"poisson\"", "column 15: expected \"ewald\""},
        {"\"gaussian\",\n      \"parameter\"", "\"\",\n      \"parameter\"",
         "expected the name of a splitting"},
        {"\"cutoff\": ", "\"cutoff\": -", "expected a cutoff, above 0"},
        {"\"band\": ", "\"band\": x", "expected the largest |k|, above 0"},
        {"      \"kind\": \"ewald\",\n", "", "expected an entry with all fields of its kind"},
        {"\"error\": ", "\"upsampling\": 2, \"error\": ",
         "expected an entry with all fields of its kind"},
    };
    for (int k = 0; k < (int)(sizeof bad / sizeof *bad); k++) {
        CHECK_STATUS(enuf_wisdom_create(&changed), ENUF_SUCCESS);
        CHECK_STATUS(load_changed(path, bad[k].old, bad[k].fresh, changed), ENUF_BAD_FILE);
        CHECK_TEXT(bad[k].text);
        CHECK(enuf_wisdom_count(changed) == 0);
        enuf_wisdom_destroy(&changed);
    }
    /* another alpha; a splitting of another library */
    for (int k = 0; k < 2; k++) {
        CHECK_STATUS(enuf_wisdom_create(&changed), ENUF_SUCCESS);
        CHECK_STATUS(k == 0 ? load_changed(path, "\"parameter\": ", "\"parameter\": 1", changed)
                            : load_changed(path, "\"split\": \"gaussian\"", "\"split\": \"slater\"",
                                           changed),
                     ENUF_SUCCESS);
        r.wisdom = changed;
        r.effort = ENUF_TUNE_WISDOM_ONLY;
        CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, NULL), ENUF_UNSUPPORTED);
        enuf_wisdom_destroy(&changed);
    }
    enuf_wisdom_destroy(&wisdom);
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

static void deterministic_objects(void)
{
    charge_system s = make_ions(38, 300, CELL_CUBIC, 0);
    enuf_ewald_options options = options_of(1e-5);
    enuf_wisdom *wisdom = NULL;
    enuf_ewald_tuning *tuning = NULL;
    sums_table t = {.seed = 4};
    enuf_ewald_tuning_request r = request_of(ENUF_TUNE_MEASURE, &t);
    CHECK_STATUS(enuf_wisdom_create(&wisdom), ENUF_SUCCESS);
    enuf_ewald *floating = make_ewald(&options, &s, NULL);
    options.deterministic = 1;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, NULL), ENUF_UNSUPPORTED);
    CHECK_TEXT("effort measure with options.deterministic: parameters of a timing differ");
    r.wisdom = wisdom;
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, NULL), ENUF_UNSUPPORTED);
    CHECK(t.calls == 0);
    r.uncorrelated = 1;
    CHECK_STATUS(enuf_ewald_tune_with(floating, &r, s.x, 3, NULL), ENUF_SUCCESS);
    CHECK(t.calls > 0);
    t.calls = 0;
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, &tuning), ENUF_SUCCESS);
    CHECK(t.calls == 0 && enuf_ewald_tuning_from_wisdom(tuning) == 1);
    const enuf_ewald_report mine = report_of(ewald), of_floating = report_of(floating);
    CHECK(mine.cutoff == of_floating.cutoff && mine.width == of_floating.width &&
          memcmp(mine.grid, of_floating.grid, sizeof mine.grid) == 0);
    enuf_ewald_result first = results_of(ewald, &s);
    const enuf_ewald_report kept = report_of(ewald);
    CHECK(kept.cutoff == mine.cutoff && kept.width == mine.width);
    CHECK_BELOW(kept.verified, 1e-5, "error of the wisdom's parameters, accuracy");
    enuf_ewald_tuning_destroy(&tuning);
    r.effort = ENUF_TUNE_ESTIMATE;
    r.wisdom = NULL;
    CHECK_STATUS(enuf_ewald_tune_with(ewald, &r, s.x, 3, NULL), ENUF_SUCCESS);
    free_result(&first);
    enuf_wisdom_destroy(&wisdom);
    enuf_ewald_destroy(&ewald);
    enuf_ewald_destroy(&floating);
    free_system(&s);
}

int main(void)
{
    char folder[] = "/tmp/enuf_ewald_wisdom_XXXXXX", path[80];
    if (!CHECK(mkdtemp(folder) != NULL)) return check_result();
    snprintf(path, sizeof path, "%s/wisdom.json", folder);
    wisdom_gives_the_same(ENUF_SPLIT_GAUSSIAN, path);
    wisdom_gives_the_same(ENUF_SPLIT_AUTO, path);
    changed_wisdom(path);
    deterministic_objects();
    remove(path);
    rmdir(folder);
    return check_result();
}
