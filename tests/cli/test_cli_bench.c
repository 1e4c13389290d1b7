/*
 * test_cli_bench.c - `enuf bench --quick` prints all its figures, as JSON and as a table, and rates
 * agree with times and sizes to 1e-12. Into a pipe it writes nothing but the table. SIGINT (Ctrl-C)
 * ends `enuf bench` at once.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include "enuf/ewald.h"

#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* A time is above 1e-7 s and below a minute, has a spread, and comes from three repetitions or
 * more.
 */
static void time_is_plausible(const cJSON *row)
{
    CHECK(json_number(row, "seconds") > 1e-7 && json_number(row, "seconds") < 60);
    CHECK(json_number(row, "spread") >= 0);
    CHECK(json_number(row, "repetitions") >= 3);
}

static void transforms(const cJSON *rows)
{
    static const char *const calls[] = {"set_points", "type1", "type2", "type2_with_gradient"};
    int seen[2][2] = {{0}};
    for (const cJSON *row = rows->child; row; row = row->next) {
        const double points = json_number(row, "points");
        const double modes = cJSON_GetArrayItem(json_at(row, "modes"), 0)->valuedouble;
        const double grid = cJSON_GetArrayItem(json_at(row, "grid"), 0)->valuedouble;
        ++seen[strcmp(json_text(row, "precision"), "float") == 0]
              [strcmp(json_text(row, "strengths"), "real") == 0];
        CHECK(fabs(points / pow(modes, 3) / json_number(row, "density") - 1) < 1e-3);
        CHECK(fabs(grid / modes / json_number(row, "upsampling") - 1) < 1e-12);
        CHECK(json_number(row, "width") >= 2 && json_number(row, "tolerance") > 0);
        for (int c = 0; c < 4; ++c) {
            const cJSON *call = json_at(row, calls[c]);
            time_is_plausible(call);
            CHECK(fabs(json_number(call, "points_per_second") * json_number(call, "seconds") /
                           points -
                       1) < 1e-12);
        }
    }
    for (int k = 0; k < 4; ++k) CHECK(seen[k / 2][k % 2] == 6);
}

static void ffts(const cJSON *rows)
{
    CHECK(cJSON_GetArraySize(rows) == 4);
    for (const cJSON *row = rows->child; row; row = row->next) {
        double cells = 1;
        for (int d = 0; d < 3; ++d)
            cells *= cJSON_GetArrayItem(json_at(row, "grid"), d)->valuedouble;
        time_is_plausible(row);
        CHECK(fabs(json_number(row, "cells_per_second") * json_number(row, "seconds") / cells - 1) <
              1e-12);
    }
}

static void pairs(const cJSON *rows)
{
    CHECK(cJSON_GetArraySize(rows) == 4);
    for (const cJSON *row = rows->child; row; row = row->next) {
        const double ions = json_number(row, "ions"), count = json_number(row, "pairs");
        const double pi = 3.14159265358979;
        const double expected = ions / 2 * 4 / 3 * pi * pow(json_number(row, "cutoff"), 3);
        time_is_plausible(row);
        /* the density is 1; an ion is no neighbour of itself, which takes 1 of 357 away */
        CHECK_BELOW(count / expected - 1, 0.01,
                    "pairs counted, over pairs that the density gives, less 1");
        CHECK(fabs(json_number(row, "pairs_per_second") * json_number(row, "seconds") / count - 1) <
              1e-12);
    }
}

static void sums(const cJSON *rows)
{
    static const double accuracies[] = {1e-4, 1e-6};
    CHECK(cJSON_GetArraySize(rows) == 2);
    for (int r = 0; r < 2; ++r) {
        const cJSON *row = cJSON_GetArrayItem(rows, r);
        const double seconds = json_number(row, "seconds");
        time_is_plausible(row);
        CHECK(json_number(row, "ions") == 10000);
        CHECK(json_number(row, "accuracy") == accuracies[r]);
        CHECK(json_number(row, "predicted") <= accuracies[r]);
        CHECK(fabs(json_number(row, "ns_per_ion") * 1e-5 / seconds - 1) < 1e-12);
        CHECK(json_number(row, "real") > 0 && json_number(row, "reciprocal") > 0);
        CHECK(json_number(row, "real") + json_number(row, "reciprocal") <= seconds);
        CHECK(json_number(row, "tune") > 0);
    }
}

static void report(void)
{
    cJSON *all = JSON("bench", "--quick", "--threads", "1");
    if (!CHECK(all && json_at(all, "nufft") && json_at(all, "fft") && json_at(all, "pairs") &&
               json_at(all, "ewald")))
        return;
    CHECK(strcmp(json_text(all, "version"), enuf_version()) == 0);
    CHECK(cJSON_IsTrue(json_at(all, "quick")));
    CHECK(*json_text(all, "machine.cpu") && *json_text(all, "machine.compiler"));
    CHECK(*json_text(all, "machine.fft"));
    CHECK(json_number(all, "machine.cores") >= 1);
    CHECK(json_number(all, "machine.threads") == 1);
    transforms(json_at(all, "nufft"));
    ffts(json_at(all, "fft"));
    pairs(json_at(all, "pairs"));
    sums(json_at(all, "ewald"));
    cJSON_Delete(all);
}

static void table(void)
{
    program_run run;
    RUN(&run, "bench", "--quick", "--threads", "1");
    CHECK(run.status == 0 && !*run.err);
    CHECK(strstr(run.out, "1 thread,") && strstr(run.out, "points/s"));
    /* the machine, then transforms, FFTs, pairs, sums: each table has a blank line and one or two
     * lines of headings */
    CHECK(program_lines(run.out) == 4 + (3 + 24) + (2 + 4) + (2 + 4) + (3 + 2));
    program_free(&run);
}

static void interrupt(void)
{
    static const char *const words[] = {ENUF_PROGRAM, "bench", NULL};
    const struct timespec pause = {0, 300000000};
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    sigset_t usual;
    pid_t child;
    int status = 0;
    FILE *out = tmpfile();
    if (!CHECK(out != NULL)) return;
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT); /* the process that runs the tests may ignore it */
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), STDERR_FILENO);
    if (CHECK(posix_spawn(&child, ENUF_PROGRAM, &actions, &attributes,
                          (char *const *)(uintptr_t)words, environ) == 0)) {
        nanosleep(&pause, NULL);
        CHECK(kill(child, SIGINT) == 0 && waitpid(child, &status, 0) == child);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
        CHECK(lseek(fileno(out), 0, SEEK_END) == 0);
    }
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    fclose(out);
}

int main(void)
{
    program_enter_directory();
    report();
    table();
    interrupt();
    REFUSED("unexpected argument x", "bench", "x");
    REFUSED("--threads '0'", "bench", "--threads", "0");
    program_leave_directory();
    return check_result();
}
