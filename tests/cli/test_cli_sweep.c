/*
 * test_cli_sweep.c - `enuf madelung --sweep-alpha`: the rows are right (deviation from the known
 * constant of fluorite below 1e-4 on the plateau, above it at both ends), and --plot writes a CSV
 * file and, if gnuplot is installed, a picture.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLUORITE                                                                                   \
    "madelung", "fluorite", "--cells", "2", "--kmax", "8", "--cutoff", "2.5", "--sweep-alpha",     \
        "0.4:2.2:10"

enum { ROWS = 10 };

static void rows_are_right(void)
{
    cJSON *report = JSON(FLUORITE);
    const cJSON *rows = json_at(report, "sweep");
    CHECK(cJSON_GetArraySize(rows) == ROWS);
    for (int r = 0; r < cJSON_GetArraySize(rows); ++r) {
        const cJSON *row = cJSON_GetArrayItem(rows, r);
        const double constant = json_number(row, "madelung"),
                     deviation = json_number(row, "deviation");
        const double alpha = json_number(row, "alpha");
        CHECK_CLOSE(alpha, 0.4 + 0.2 * r, 1e-15, "alpha");
        CHECK_CLOSE(json_number(row, "real") + json_number(row, "reciprocal"), constant, 1e-14,
                    "real + reciprocal");
        CHECK_BELOW(deviation - (constant / 2.519392439924283623 - 1), 1e-15, "deviation");
        CHECK_CLOSE(json_number(row, "cutoff"), 2.5, 0, "cutoff");
        CHECK_CLOSE(json_number(row, "kmax"), 8, 1e-15, "kmax");
        /* plateau: erfc(alpha 2.5) and exp(-(pi 4 (sqrt 3/4) / alpha)^2) are both small inside */
        if (alpha > 1.3 && alpha < 1.7) CHECK_BELOW(deviation, 1e-4, "deviation on the plateau");
        if (r == 0 || r == ROWS - 1) CHECK(fabs(deviation) > 1e-4);
    }
    cJSON_Delete(report);
}

static void files_are_written(void)
{
    program_run run;
    RUN(&run, FLUORITE, "--plot", "p.png");
    CHECK(run.status == 0);
    CHECK(program_lines(run.out) == ROWS + 1);
    char *numbers = program_read_file("p.csv");
    CHECK(strcmp(numbers, run.out) == 0);
    CHECK(strncmp(numbers, "alpha,constant,real,reciprocal,deviation,", 41) == 0);
    free(numbers);
    /* one warning: cutoff and kmax were kept; one more if gnuplot is missing */
    char *picture = program_read_file("p.png");
    const int has_picture = !strstr(run.err, "gnuplot");
    if (!has_picture)
        CHECK(program_lines(run.err) == 2 && !*picture);
    else
        CHECK(program_lines(run.err) == 1 && memcmp(picture, "\x89PNG", 4) == 0);
    free(picture);
    program_free(&run);

    /* without gnuplot: a message, and the CSV file */
    setenv("PATH", "/nonexistent", 1);
    RUN(&run, FLUORITE, "--accuracy", "1e-2", "--plot", "q.png");
    CHECK(run.status == 0);
    CHECK(strstr(run.err, "gnuplot is not installed") != NULL);
    numbers = program_read_file("q.csv");
    CHECK(program_lines(numbers) == ROWS + 1);
    free(numbers);
    program_free(&run);
    CHECK(program_files() == 2 + has_picture);
}

/* The sweep of a file: deviations are from the converged constant; the picture has the file's unit
 * of length at its axis, and the file's name in its title. */
static void a_file_has_a_full_picture(void)
{
    program_run run;
    static const char name[] = "it's {a}_b.xyz";
    program_write_file(name, nacl_xyz);
    RUN(&run, "madelung", name, "--cells", "2", "--cutoff", "8", "--kmax", "8", "--sweep-alpha",
        "0.2:0.6:5", "--plot", "f.svg");
    CHECK(run.status == 0 && program_lines(run.out) == 6);
    double least = 1;
    const char *line = run.out;
    for (int r = 0; r < 5; ++r) {
        double alpha, deviation;
        line = strchr(line, '\n') + 1;
        CHECK(sscanf(line, "%lf,%*f,%*f,%*f,%lf", &alpha, &deviation) == 2);
        CHECK(alpha == (r + 2) / 10.);
        least = fmin(least, fabs(deviation));
        if (r == 0) CHECK(fabs(deviation) > 1e-3);
    }
    CHECK_BELOW(least, 1e-6, "deviation on the plateau");
    char *picture = program_read_file("f.svg");
    if (!strstr(run.err, "gnuplot")) {
        CHECK(strstr(picture, "(1/\303\205)") != NULL);
        CHECK(strstr(picture, "it's {a}_b.xyz: Madelung constant A, cutoff 8 \303\205") != NULL ||
              strstr(picture, "it&#39;s {a}_b.xyz: Madelung constant A, cutoff 8 \303\205") !=
                  NULL);
        CHECK(strstr(picture, "|relative deviation|") != NULL);
    }
    free(picture);
    program_free(&run);
}

int main(void)
{
    program_enter_directory();
    rows_are_right();
    files_are_written();
    a_file_has_a_full_picture();
    program_leave_directory();
    return check_result();
}
