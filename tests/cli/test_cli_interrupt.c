/*
 * test_cli_interrupt.c - files are written whole or not at all.
 *
 * A signal ends the program and leaves no part of its files, whether the file system knows files
 * without names or not. A standard stream that is closed at the start is not mixed up with a file
 * that the program opens. If the disk is full (file size limit), old files stay.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include <dirent.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { OUTPUTS = 2 };

/* Number of files without a name in this directory that the process holds open. */
static int unnamed_files(pid_t process)
{
    char path[64], target[512], here[256];
    int n = 0;
    snprintf(path, sizeof path, "/proc/%ld/fd", (long)process);
    DIR *descriptors = opendir(path);
    if (!descriptors || !getcwd(here, sizeof here)) return -1;
    for (const struct dirent *entry; (entry = readdir(descriptors));) {
        const ssize_t length = readlinkat(dirfd(descriptors), entry->d_name, target, 511);
        target[length > 0 ? length : 0] = 0;
        n += strncmp(target, here, strlen(here)) == 0 && strstr(target, "(deleted)");
    }
    closedir(descriptors);
    return n;
}

/* Waits until the process has opened its files, 10 s at most. named 0: files without a name. */
static int opens_its_files(pid_t process, int named)
{
    const struct timespec pause = {0, 2000000};
    for (int k = 0; k < 5000; ++k, nanosleep(&pause, NULL))
        if ((named ? program_files() : unnamed_files(process)) == OUTPUTS) return 1;
    return 0;
}

/* The program opens its files, then waits for standard input, which is an empty pipe. A signal ends
 * it there. named 1: the file system knows no files without a name. */
static void nothing_is_left_after(int number, int named)
{
    static const char *const words[] = {ENUF_PROGRAM, "energy",     "-",     "--forces",
                                        "f.xyz",      "--per-atom", "a.xyz", NULL};
    int ends[2], status = 0;
    pid_t child;
    sigset_t usual;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    sigemptyset(&usual);
    sigaddset(&usual, number); /* the process that runs the tests may ignore it */
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    if (!CHECK(pipe(ends) == 0)) return;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    if (named) setenv("LD_PRELOAD", NO_UNNAMED_FILES, 1);
    if (CHECK(posix_spawn(&child, ENUF_PROGRAM, &actions, &attributes,
                          (char *const *)(uintptr_t)words, environ) == 0)) {
        const int good = CHECK(opens_its_files(child, named)) &
                         CHECK(kill(child, number) == 0 && waitpid(child, &status, 0) == child) &
                         CHECK(WIFSIGNALED(status) && WTERMSIG(status) == number) &
                         CHECK(program_files() == 0);
        if (!good) printf("  signal %d, %s files\n", number, named ? "named" : "unnamed");
    }
    unsetenv("LD_PRELOAD");
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[0]);
    close(ends[1]);
}

static void signals_leave_nothing(void)
{
    const struct rlimit none = {0, 0};
    const int signals[] = {SIGHUP,  SIGINT,    SIGQUIT, SIGABRT, SIGUSR1,  SIGUSR2,   SIGPIPE,
                           SIGALRM, SIGTERM,   SIGXCPU, SIGIO,   SIGPROF,  SIGVTALRM, SIGKILL,
                           SIGPWR,  SIGSTKFLT, SIGTRAP, SIGSYS,  SIGRTMIN, SIGRTMAX};
    setrlimit(RLIMIT_CORE, &none);
    setenv("ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0", 1);
    for (size_t s = 0; s < sizeof signals / sizeof *signals; ++s) {
        nothing_is_left_after(signals[s], 0);
        /* a program cannot remove its named files at SIGKILL */
        if (signals[s] != SIGKILL) nothing_is_left_after(signals[s], 1);
    }
}

/* Runs a sweep by the shell, which can close streams; returns the exit status. */
static int shell(const char *redirections)
{
    char command[1024];
    snprintf(command, sizeof command,
             "'%s' madelung nacl --cells 1 --cutoff 1 --sweep-alpha 0.2:0.3:2 --plot s.svg %s",
             ENUF_PROGRAM, redirections);
    const int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The sweep prints a warning while its files are open. With stderr closed the warning must not
 * reach a file. */
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

/* The picture has 10 kB or more, and files are limited to 8 kB: both old files stay. */
static void full_disks_leave_picture_and_numbers(void)
{
    struct rlimit before, little;
    CHECK(shell("2>message >out") == 0);
    char *numbers = program_read_file("s.csv"), *picture = program_read_file("s.svg");
    const int files = program_files();
    CHECK(strlen(picture) > 10000 && chmod("s.svg", 0640) == 0);
    getrlimit(RLIMIT_FSIZE, &before);
    little = before;
    little.rlim_cur = 8192;
    CHECK(setrlimit(RLIMIT_FSIZE, &little) == 0);
    CHECK(shell("2>message >out") == 2);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    char *message = program_read_file("message"), *numbers_after = program_read_file("s.csv"),
         *picture_after = program_read_file("s.svg");
    printf("%s", message);
    CHECK(strstr(message, "cannot write s.svg: File too large") != NULL);
    CHECK(strcmp(numbers, numbers_after) == 0 && strcmp(picture, picture_after) == 0);
    CHECK(program_files() == files);
    free(numbers);
    free(picture);
    free(message);
    free(numbers_after);
    free(picture_after);
}

int main(void)
{
    program_enter_directory();
    signals_leave_nothing();
    closed_streams_are_not_taken_for_files();
    if (access("/usr/bin/gnuplot", X_OK) == 0) full_disks_leave_picture_and_numbers();
    program_leave_directory();
    return check_result();
}
