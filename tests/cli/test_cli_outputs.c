/*
 * test_cli_outputs.c - the files of --forces and --per-atom hold the right columns, in the order of
 * the input, with all digits. Forces are minus the gradient of the energy (differences, 1e-5), and
 * per-atom values add up to the totals (20 A). Files are written whole or not at all.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { IONS = 8, MOST_COLUMNS = 8 };

/* Rock salt with its first ion moved along x. */
static void write_moved(const char *name, double x)
{
    static const char first[] = "Na 0 0 0 1\n";
    const char *at = strstr(nacl_xyz, first);
    char text[1024];
    snprintf(text, sizeof text, "%.*sNa %.17g 0 0 1\n%s", (int)(at - nacl_xyz), nacl_xyz, x,
             at + strlen(first));
    program_write_file(name, text);
}

static double energy_of(const char *name)
{
    cJSON *report = JSON("energy", name, "--accuracy", "1e-10");
    const double energy = json_number(report, "energy");
    cJSON_Delete(report);
    return energy;
}

/* Reads the numbers behind species and position of each ion; returns the number of ions. */
static int read_columns(const char *name, int columns, double values[IONS][MOST_COLUMNS])
{
    char *text = program_read_file(name), *at = text;
    int ions = 0;
    for (int skip = 0; skip < 2; ++skip) at += strcspn(at, "\n") + 1;
    for (; *at && ions < IONS; ++ions) {
        at += strcspn(at, " ");
        for (int c = -3; c < columns; ++c) {
            const double value = strtod(at, &at);
            if (c >= 0) values[ions][c] = value;
        }
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    free(text);
    return ions;
}

static int head_contains(const char *name, const char *words)
{
    char *text = program_read_file(name);
    const int there = strstr(text, words) != NULL;
    free(text);
    return there;
}

static void forces_are_the_gradient_of_the_energy(void)
{
    const double step = 1e-3;
    double values[IONS][MOST_COLUMNS] = {{0}};
    write_moved("minus.xyz", 0.3 - step);
    write_moved("plus.xyz", 0.3 + step);
    cJSON *report = JSON("energy", "moved.xyz", "--forces", "f.xyz", "--accuracy", "1e-10");
    CHECK(strcmp(json_text(report, "forces"), "f.xyz") == 0);
    cJSON_Delete(report);
    CHECK(head_contains("f.xyz", "Properties=species:S:1:pos:R:3"));
    CHECK(head_contains("f.xyz", ":charge:R:1:forces:R:3 "));
    CHECK(read_columns("f.xyz", 4, values) == IONS);
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < IONS; ++i) {
        CHECK_CLOSE(values[i][0], i < 4 ? 1 : -1, 0, "charge, in the order of the file");
        for (int d = 0; d < 3; ++d) sum[d] += values[i][1 + d];
    }
    const double force = values[0][1];
    /* E'''' is about 60 E / d^4 here: step^2 E'''/6 stays below 1e-5 of the force */
    CHECK_CLOSE(force, -(energy_of("plus.xyz") - energy_of("minus.xyz")) / (2 * step), 1e-5,
                "force on the moved ion");
    for (int d = 0; d < 3; ++d) CHECK_BELOW(sum[d] / force, 1e-12, "net force / force");
}

static void shares_sum_to_the_totals(void)
{
    double values[IONS][MOST_COLUMNS] = {{0}}, virial[6] = {0}, energy = 0;
    static const char *const names[6] = {"virial.xx", "virial.yy", "virial.zz",
                                         "virial.xy", "virial.xz", "virial.yz"};
    cJSON *report = JSON("energy", "moved.xyz", "--virial", "--per-atom", "a.xyz");
    CHECK(head_contains("a.xyz", ":energy:R:1:virial:R:6 "));
    CHECK(read_columns("a.xyz", 8, values) == IONS);
    for (int i = 0; i < IONS; ++i) {
        energy += values[i][1];
        for (int k = 0; k < 6; ++k) virial[k] += values[i][2 + k];
    }
    const double total = json_number(report, "energy");
    /* the mesh errors of shares and total differ; each is within the promise, 20 A */
    CHECK_CLOSE(energy, total, 2e-5, "sum of per-atom energies");
    for (int k = 0; k < 6; ++k) {
        CHECK_BELOW((virial[k] - json_number(report, names[k])) / total, 2e-5,
                    "sum of per-atom virials - virial");
    }
    cJSON_Delete(report);
}

static void digits_are_complete(void)
{
    double once[IONS][MOST_COLUMNS] = {{0}}, again[IONS][MOST_COLUMNS] = {{0}};
    cJSON_Delete(JSON("energy", "moved.xyz", "--forces", "f.xyz", "--deterministic"));
    /* the file of the forces is read as a structure: its forces have the same bits */
    cJSON_Delete(JSON("energy", "f.xyz", "--forces", "g.xyz", "--deterministic"));
    read_columns("f.xyz", 4, once);
    CHECK(read_columns("g.xyz", 4, again) == IONS);
    CHECK(memcmp(once, again, sizeof once) == 0);
    CHECK(once[0][1] != 0);
}

static void files_are_whole_or_absent(void)
{
    program_write_file("old.xyz", "what stood there before\n");
    program_write_file("broken.xyz", "8\nLattice=\"1 0 0 0 1 0 0 0 1\"\nNa 0\n");
    const int files = program_files();
    REFUSED("broken.xyz", "energy", "broken.xyz", "--forces", "old.xyz", "--per-atom", "n.xyz");
    CHECK(program_files() == files);
    char *text = program_read_file("old.xyz");
    CHECK(strcmp(text, "what stood there before\n") == 0);
    free(text);
    REFUSED("nowhere/f.xyz", "energy", "moved.xyz", "--forces", "nowhere/f.xyz");
    REFUSED("nowhere/a.xyz", "energy", "moved.xyz", "--forces", "f2.xyz", "--per-atom",
            "nowhere/a.xyz");
    REFUSED("the same file", "energy", "moved.xyz", "--forces", "x", "--per-atom", "x");
    REFUSED("the same file", "energy", "moved.xyz", "--forces", "-", "--per-atom", "/dev/stdout");
    REFUSED("the same file", "energy", "moved.xyz", "--forces", "x", "--per-atom", "./x");
    REFUSED("--forces names the FILE itself", "energy", "moved.xyz", "--forces", "./moved.xyz");
    REFUSED("--per-atom names the FILE itself", "energy", "moved.xyz", "--per-atom", "moved.xyz");
    if (access("/dev/full", W_OK) == 0)
        REFUSED("/dev/full", "energy", "moved.xyz", "--forces", "/dev/full");
}

/* --forces - writes the bytes that --forces FILE writes, and no report. */
static void standard_output_holds_the_ions_only(void)
{
    program_run run;
    cJSON_Delete(JSON("energy", "moved.xyz", "--forces", "f.xyz", "--deterministic"));
    char *file = program_read_file("f.xyz");
    RUN(&run, "energy", "moved.xyz", "--forces", "-", "--deterministic");
    CHECK(run.status == 0 && *file && strcmp(run.out, file) == 0);
    program_free(&run);
    free(file);
}

int main(void)
{
    program_enter_directory();
    write_moved("moved.xyz", 0.3);
    forces_are_the_gradient_of_the_energy();
    shares_sum_to_the_totals();
    digits_are_complete();
    files_are_whole_or_absent();
    standard_output_holds_the_ions_only();
    program_leave_directory();
    return check_result();
}
