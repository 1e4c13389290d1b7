/*
 * bart.c - see bart.h. A file NAME.hdr has the lengths of an array's 16 axes, NAME.cfl its complex
 * floats, the first axis fastest: https://bart-doc.readthedocs.io.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE /* wait4, mkdtemp */
#include "bart.h"
#include "stopwatch.h"

#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static struct {
    const char *program;
    char description[256];
} peer;

const char *bart_open(void)
{
    const char *given = getenv("BART_PROGRAM");
    char command[512], version[64] = "";
    peer.program = given ? given : "bart";
    snprintf(command, sizeof command, "'%s' version 2>/dev/null", peer.program);
    FILE *answer = popen(command, "r");
    const int read = answer && fgets(version, sizeof version, answer) != NULL;
    if (answer) pclose(answer);
    if (!read) return "BART is not installed: apt-get install bart, or set BART_PROGRAM";
    version[strcspn(version, "\n")] = '\0';
    snprintf(peer.description, sizeof peer.description, "BART %s, program %s", version,
             peer.program);
    return NULL;
}

const char *bart_description(void)
{
    return peer.description;
}

/* ---- Arrays in files ---- */

static void name_file(const char *folder, const char *name, const char *end, char path[256])
{
    snprintf(path, 256, "%s/%s.%s", folder, name, end);
}

/* n complex numbers. Returns 0 if the disk is full. */
static int write_array(const char *folder, const char *name, const int64_t axes[3], int64_t n,
                       const float *numbers)
{
    char path[256];
    name_file(folder, name, "hdr", path);
    FILE *file = fopen(path, "w");
    if (!file) return 0;
    fprintf(file, "# Dimensions\n%lld %lld %lld 1 1 1 1 1 1 1 1 1 1 1 1 1\n", (long long)axes[0],
            (long long)axes[1], (long long)axes[2]);
    int good = fclose(file) == 0;
    name_file(folder, name, "cfl", path);
    file = fopen(path, "w");
    if (!file) return 0;
    good = fwrite(numbers, 2 * sizeof *numbers, (size_t)n, file) == (size_t)n && good;
    return fclose(file) == 0 && good;
}

static int read_array(const char *folder, const char *name, int64_t n, double *numbers)
{
    char path[256];
    float *read = malloc(2 * (size_t)n * sizeof *read);
    name_file(folder, name, "cfl", path);
    FILE *file = fopen(path, "r");
    const int good = file && read && fread(read, 2 * sizeof *read, (size_t)n, file) == (size_t)n;
    for (int64_t i = 0; good && i < 2 * n; i++) numbers[i] = (double)read[i];
    if (file) fclose(file);
    free(read);
    return good;
}

/* Trajectory and input, as the program reads them. */
static int write_problem(const char *folder, const bart_problem *p)
{
    const int64_t image[3] = {p->edge, p->edge, p->dim == 3 ? p->edge : 1};
    const int64_t pixels = image[0] * image[1] * image[2], values[3] = {1, p->n, 1};
    const int64_t n = p->adjoint ? p->n : pixels, most = n > 3 * p->n ? n : 3 * p->n;
    float *room = calloc(2 * (size_t)most, sizeof *room);
    if (!room) return 0;
    for (int d = 0; d < p->dim; d++)
        for (int64_t j = 0; j < p->n; j++) room[2 * (3 * j + d)] = (float)p->k[d][j];
    int good = write_array(folder, "k", (const int64_t[3]){3, p->n, 1}, 3 * p->n, room);
    for (int64_t i = 0; i < 2 * n; i++) room[i] = (float)p->input[i];
    good = write_array(folder, "in", p->adjoint ? values : image, n, room) && good;
    free(room);
    return good;
}

static void remove_files(const char *folder)
{
    static const char *const names[3] = {"k", "in", "out"};
    char path[256];
    for (int k = 0; k < 3; k++) {
        name_file(folder, names[k], "hdr", path);
        unlink(path);
        name_file(folder, names[k], "cfl", path);
        unlink(path);
    }
    rmdir(folder);
}

/* ---- The program ---- */

/* Seconds of one run; negative: it failed. */
static double run(const char *folder, const bart_problem *p)
{
    char k[256], in[256], out[256], size[64];
    const char *argv[10] = {peer.program, "nufft", "-s"};
    int n = 3, status;
    pid_t child;
    struct rusage usage;
    posix_spawn_file_actions_t quiet;
    snprintf(k, sizeof k, "%s/k", folder);
    snprintf(in, sizeof in, "%s/in", folder);
    snprintf(out, sizeof out, "%s/out", folder);
    snprintf(size, sizeof size, "%lld:%lld:%lld", (long long)p->edge, (long long)p->edge,
             p->dim == 3 ? (long long)p->edge : 1);
    if (p->adjoint) argv[n++] = "-a", argv[n++] = "-d", argv[n++] = size;
    argv[n++] = k, argv[n++] = in, argv[n++] = out;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const double start = bench_clock(CLOCK_MONOTONIC);
    const int error =
        posix_spawnp(&child, peer.program, &quiet, NULL, (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&quiet);
    if (error || wait4(child, &status, 0, &usage) < 0 || status != 0) return -1;
    if (!p->processor_time) return bench_clock(CLOCK_MONOTONIC) - start;
    return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

double bart_time(const bart_problem *p, int repeats)
{
    char folder[] = "/dev/shm/bart-XXXXXX";
    const int64_t pixels = p->edge * p->edge * (p->dim == 3 ? p->edge : 1);
    double best = HUGE_VAL;
    if (!mkdtemp(folder)) return -1;
    int good = write_problem(folder, p);
    for (int k = 0; k < repeats && good; k++) {
        const double seconds = run(folder, p);
        good = seconds > 0;
        best = fmin(best, seconds);
    }
    good = good && read_array(folder, "out", p->adjoint ? pixels : p->n, p->result);
    remove_files(folder);
    return good ? best : -1;
}
