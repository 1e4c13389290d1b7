/*
 * test_cli_explicit_values.c - `enuf energy` uses the parameters of the command line unchanged. If
 * their predicted error exceeds the request, one line on stderr warns. The three options that
 * request an accuracy are equivalent.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include <stdio.h>
#include <string.h>

#define EXPLICIT                                                                                   \
    "energy", "nacl.xyz", "--alpha", "0.5", "--cutoff", "5.5", "--kmax", "4.5", "--grid",          \
        "12,15,16", "--window", "kaiser_bessel", "--width", "7"

static double grid_at(const cJSON *report, int axis)
{
    const cJSON *cells = cJSON_GetArrayItem(json_at(report, "parameters.grid"), axis);
    return cells ? cells->valuedouble : 0;
}

static void one_warning(const char *const words[], int lines)
{
    program_run run;
    program_start(&run, NULL, words);
    CHECK(run.status == 0);
    CHECK(program_lines(run.err) == lines);
    CHECK(lines == 0 || strstr(run.err, "exceeds") != NULL);
    program_free(&run);
}

int main(void)
{
    program_enter_directory();
    program_write_file("nacl.xyz", nacl_xyz);

    cJSON *report = JSON(EXPLICIT);
    CHECK(strcmp(json_text(report, "parameters.split"), "gaussian") == 0);
    CHECK_CLOSE(json_number(report, "parameters.alpha"), 0.5, 0, "alpha");
    CHECK_CLOSE(json_number(report, "parameters.cutoff"), 5.5, 0, "cutoff");
    CHECK_CLOSE(json_number(report, "parameters.kmax"), 4.5, 1e-15, "kmax");
    CHECK_CLOSE(grid_at(report, 0), 12, 0, "grid along a");
    CHECK_CLOSE(grid_at(report, 1), 15, 0, "grid along b");
    CHECK_CLOSE(grid_at(report, 2), 16, 0, "grid along c");
    CHECK(strcmp(json_text(report, "parameters.window"), "kaiser_bessel") == 0);
    CHECK_CLOSE(json_number(report, "parameters.width"), 7, 0, "width");
    CHECK(json_number(report, "accuracy.predicted") > json_number(report, "accuracy.requested"));
    cJSON_Delete(report);

    one_warning((const char *const[]){EXPLICIT, NULL}, 1);
    one_warning((const char *const[]){EXPLICIT, "--quiet", NULL}, 0);
    one_warning((const char *const[]){EXPLICIT, "--accuracy", "1e-2", NULL}, 0);
    one_warning((const char *const[]){"energy", "nacl.xyz", NULL}, 0);

    /* F_ref = C (N/V)^(2/3) converts between --accuracy, --force-error and --lammps-accuracy */
    report = JSON("energy", "nacl.xyz", "--accuracy", "1e-5");
    const double f_ref = json_number(report, "accuracy.f_ref");
    cJSON_Delete(report);
    char force_error[40], lammps[40];
    snprintf(force_error, sizeof force_error, "%.17g", 1e-5 * f_ref);
    snprintf(lammps, sizeof lammps, "%.17g", 1e-5 * f_ref / 332.06371);
    report = JSON("energy", "nacl.xyz", "--force-error", force_error);
    CHECK_CLOSE(json_number(report, "accuracy.requested"), 1e-5, 1e-13, "force error as accuracy");
    cJSON_Delete(report);
    report = JSON("energy", "nacl.xyz", "--lammps-accuracy", lammps);
    CHECK_CLOSE(json_number(report, "accuracy.requested"), 1e-5, 1e-13,
                "LAMMPS accuracy as accuracy");
    cJSON_Delete(report);

    report = JSON("energy", "nacl.xyz", "--precision", "mixed", "--accuracy", "1e-3", "--threads",
                  "1", "--deterministic");
    CHECK(strcmp(json_text(report, "precision"), "mixed") == 0);
    CHECK_CLOSE(json_number(report, "parameters.threads"), 1, 0, "threads");
    CHECK(cJSON_IsTrue(json_at(report, "parameters.deterministic")));
    cJSON_Delete(report);

    program_leave_directory();
    return check_result();
}
