/* program.c - see program.h. SPDX-License-Identifier: BSD-3-Clause */
#include "program.h"

#include <dirent.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_WORDS = 40 };

static char directory[] = "/tmp/enuf-cli-XXXXXX";

const char nacl_xyz[] =
    "8\n"
    "Lattice=\"5.64 0 0 0 5.64 0 0 0 5.64\" Properties=species:S:1:pos:R:3:charge:R:1 pbc=\"T T "
    "T\" units=real\n"
    "Na 0 0 0 1\nNa 0 2.82 2.82 1\nNa 2.82 0 2.82 1\nNa 2.82 2.82 0 1\n"
    "Cl 2.82 2.82 2.82 -1\nCl 2.82 0 0 -1\nCl 0 2.82 0 -1\nCl 0 0 2.82 -1\n";

static void give_up(const char *what)
{
    perror(what);
    exit(CHECK_FAILED);
}

void program_enter_directory(void)
{
    if (!mkdtemp(directory) || chdir(directory) != 0) give_up(directory);
}

/* Calls `action` on every file of the directory; returns the number of files. */
static int for_each_file(int (*action)(const char *name))
{
    int n = 0;
    DIR *here = opendir(".");
    if (!here) give_up("opendir");
    for (const struct dirent *entry; (entry = readdir(here));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (action) action(entry->d_name);
        ++n;
    }
    closedir(here);
    return n;
}

void program_leave_directory(void)
{
    for_each_file(remove);
    if (chdir("/") != 0 || rmdir(directory) != 0) give_up(directory);
}

int program_files(void)
{
    return for_each_file(NULL);
}

void program_write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) give_up(name);
}

static char *read_all(FILE *file)
{
    size_t size = 0, used = 0;
    char *text = NULL;
    do {
        size = 2 * size + 4096;
        text = realloc(text, size);
        if (!text) give_up("realloc");
        used += fread(text + used, 1, size - 1 - used, file);
    } while (used == size - 1);
    text[used] = 0;
    return text;
}

char *program_read_file(const char *name)
{
    FILE *file = fopen(name, "r");
    if (!file) return calloc(1, 1);
    char *text = read_all(file);
    fclose(file);
    return text;
}

void program_start(program_run *run, const char *input, const char *const words[])
{
    char *arguments[MOST_WORDS + 2] = {(char *)(uintptr_t)ENUF_PROGRAM};
    for (int w = 0; words[w] && w < MOST_WORDS; ++w) arguments[w + 1] = (char *)(uintptr_t)words[w];
    FILE *streams[3] = {tmpfile(), tmpfile(), tmpfile()};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (input && (fputs(input, streams[0]) < 0 || fflush(streams[0]) != 0)) give_up("tmpfile");
    for (int s = 0; s < 3; ++s) {
        if (!streams[s] || lseek(fileno(streams[s]), 0, SEEK_SET) < 0) give_up("tmpfile");
        posix_spawn_file_actions_adddup2(&actions, fileno(streams[s]), s);
    }
    pid_t child;
    int status = 0;
    if (posix_spawn(&child, ENUF_PROGRAM, &actions, NULL, arguments, environ) != 0 ||
        waitpid(child, &status, 0) < 0)
        give_up(ENUF_PROGRAM);
    posix_spawn_file_actions_destroy(&actions);
    run->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    rewind(streams[1]);
    rewind(streams[2]);
    run->out = read_all(streams[1]);
    run->err = read_all(streams[2]);
    for (int s = 0; s < 3; ++s) fclose(streams[s]);
}

void program_free(program_run *run)
{
    free(run->out);
    free(run->err);
}

int program_lines(const char *text)
{
    int lines = 0;
    for (; *text; ++text) lines += *text == '\n';
    return lines;
}

static void show(const char *const words[], const program_run *run)
{
    printf("  enuf");
    for (int w = 0; words[w]; ++w) printf(" %s", words[w]);
    printf("\n  exit status %d\n  stdout: %.300s\n  stderr: %s\n", run->status, run->out, run->err);
}

void program_check_refused(const char *text, const char *input, const char *const words[],
                           const char *file, int line)
{
    const int files = program_files();
    program_run run;
    program_start(&run, input, words);
    int good = check_true(run.status == 2, "exit status 2", file, line);
    good &= check_true(!*run.out, "nothing on stdout", file, line);
    good &= check_true(program_lines(run.err) == 1, "one line on stderr", file, line);
    good &= check_true(strncmp(run.err, "enuf", 4) == 0, "stderr begins with enuf", file, line);
    good &= check_true(strstr(run.err, text) != NULL, text, file, line);
    good &= check_true(program_files() == files, "no file written", file, line);
    if (good)
        printf("refused: %s", run.err);
    else
        show(words, &run);
    program_free(&run);
}

cJSON *program_json(const char *const words[], const char *file, int line)
{
    program_run run;
    program_start(&run, NULL, words);
    cJSON *object = cJSON_Parse(run.out);
    const int good = check_true(run.status == 0, "exit status 0", file, line) &
                     check_true(object != NULL, "stdout is JSON", file, line);
    if (!good) show(words, &run);
    program_free(&run);
    return object;
}

const cJSON *json_at(const cJSON *object, const char *path)
{
    char key[64];
    while (object && *path) {
        const size_t length = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        object = cJSON_GetObjectItemCaseSensitive(object, key);
        path += length + (path[length] == '.');
    }
    return object;
}

double json_number(const cJSON *object, const char *path)
{
    const cJSON *item = json_at(object, path);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

const char *json_text(const cJSON *object, const char *path)
{
    const cJSON *item = json_at(object, path);
    return cJSON_IsString(item) ? item->valuestring : "";
}
