/*
 * test_cli_progress.c - the progress bar of a sweep, and of timing a plan or Ewald sums, is drawn
 * if stderr is a terminal, and wiped at the end. It is not drawn with --quiet or into a file.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include "program.h"

#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SWEEP "madelung", "nacl", "--cells", "1", "--sweep-alpha", "1.4:1.6:3"

#define TUNE "tune", "nacl.xyz", "--measure"

#define PLAN "plan", "--modes", "32,32,32", "--points", "radial", "--effort"

/* Runs with stderr on a terminal; `seen` is the text that arrives there. Returns 0 if the system
 * gives no terminal. */
static int run_on_terminal(const char *const words[], char *seen, size_t size)
{
    int terminal;
    const pid_t child = forkpty(&terminal, NULL, NULL, NULL);
    if (child < 0) return 0;
    if (child == 0) {
        const int null = open("/dev/null", O_WRONLY);
        dup2(null, STDOUT_FILENO);
        execv(ENUF_PROGRAM, (char *const *)(uintptr_t)words);
        _exit(127);
    }
    size_t used = 0;
    ssize_t got;
    while (used < size - 1 && (got = read(terminal, seen + used, size - 1 - used)) > 0)
        used += (size_t)got;
    seen[used] = 0;
    int status = -1;
    waitpid(child, &status, 0);
    close(terminal);
    CHECK(status == 0);
    return 1;
}

int main(void)
{
    static char seen[65536];
    program_run run;
    program_enter_directory();
    if (!run_on_terminal((const char *const[]){"enuf", SWEEP, NULL}, seen, sizeof seen)) {
        program_leave_directory();
        puts("skipped: no pseudo-terminal here (is /dev/pts mounted?)");
        return 77;
    }
    CHECK(strstr(seen, "\r[") != NULL);
    CHECK(strstr(seen, "/3 alpha 1.") != NULL);
    /* wiped at the end */
    CHECK(strlen(seen) > 4 && strcmp(seen + strlen(seen) - 4, "\r\033[K") == 0);
    run_on_terminal((const char *const[]){"enuf", PLAN, "measure", NULL}, seen, sizeof seen);
    CHECK(strstr(seen, "/1 timing candidates") != NULL);
    CHECK(strlen(seen) > 4 && strcmp(seen + strlen(seen) - 4, "\r\033[K") == 0);
    run_on_terminal((const char *const[]){"enuf", PLAN, "estimate", NULL}, seen, sizeof seen);
    CHECK(!*seen);
    program_write_file("nacl.xyz", nacl_xyz);
    run_on_terminal((const char *const[]){"enuf", TUNE, NULL}, seen, sizeof seen);
    CHECK(strstr(seen, " timing  ") != NULL);
    CHECK(strstr(seen, "\r\033[K") != NULL);
    run_on_terminal((const char *const[]){"enuf", TUNE, "--quiet", NULL}, seen, sizeof seen);
    CHECK(!strchr(seen, '['));
    RUN(&run, TUNE);
    CHECK(run.status == 0 && !*run.err);
    program_free(&run);
    run_on_terminal((const char *const[]){"enuf", SWEEP, "--quiet", NULL}, seen, sizeof seen);
    CHECK(!*seen);
    RUN(&run, SWEEP);
    CHECK(run.status == 0 && !*run.err);
    program_free(&run);
    program_leave_directory();
    return check_result();
}
