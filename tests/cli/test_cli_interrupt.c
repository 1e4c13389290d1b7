/*
 * test_cli_interrupt.c - a signal ends the program and leaves no part of a file; no standard stream
 * that came closed is mixed up with a file. SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Waits until there are `n` files, 10 s at most. */
static int files_become(int n)
{
    const struct timespec pause = {0, 10000000};
    for (int k = 0; k < 1000 && program_files() != n; ++k) nanosleep(&pause, NULL);
    return program_files() == n;
}

/* Reads from a pipe that stays empty: the files are open, and the program waits. */
static void nothing_is_left_after(int number)
{
    static const char *const words[] = {ENUF_PROGRAM, "energy",     "-",     "--forces",
                                        "f.xyz",      "--per-atom", "a.xyz", NULL};
    int ends[2], status = 0;
    pid_t child;
    sigset_t usual;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    sigemptyset(&usual);
    sigaddset(&usual, number); /* whoever runs the tests may ignore it */
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    if (!CHECK(pipe(ends) == 0)) return;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    if (CHECK(posix_spawn(&child, ENUF_PROGRAM, &actions, &attributes,
                          (char *const *)(uintptr_t)words, environ) == 0)) {
        CHECK(files_become(2));
        CHECK(kill(child, number) == 0 && waitpid(child, &status, 0) == child);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == number);
        CHECK(program_files() == 0);
    }
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[0]);
    close(ends[1]);
}

/* Runs by the shell, which can close streams; gives the exit status. */
static int shell(const char *redirections)
{
    char command[1024];
    snprintf(command, sizeof command,
             "'%s' madelung nacl --cells 1 --cutoff 1 --sweep-alpha 0.2:0.3:2 --plot s.svg %s",
             ENUF_PROGRAM, redirections);
    const int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* This sweep warns, while its files are open. */
static void closed_streams_are_not_taken_for_files(void)
{
    CHECK(shell("2>message >out") == 0);
    char *message = program_read_file("message"), *expected = program_read_file("s.csv");
    CHECK(strstr(message, "warning") != NULL);
    CHECK(shell("<&- 2>&- >out") == 0);
    char *numbers = program_read_file("s.csv"), *picture = program_read_file("s.svg");
    CHECK(*expected && strcmp(numbers, expected) == 0);
    CHECK(strstr(picture, "warning") == NULL);
    free(message);
    free(expected);
    free(numbers);
    free(picture);
    remove("s.csv");
    remove("s.svg");
    const int files = program_files();
    CHECK(shell(">&- 2>message") == 2);
    message = program_read_file("message");
    CHECK(strcmp(message, "enuf: standard output is closed\n") == 0);
    CHECK(program_files() == files);
    free(message);
}

int main(void)
{
    static const int signals[] = {SIGHUP, SIGINT, SIGTERM};
    program_enter_directory();
    for (int s = 0; s < 3; ++s) nothing_is_left_after(signals[s]);
    closed_streams_are_not_taken_for_files();
    program_leave_directory();
    return check_result();
}
